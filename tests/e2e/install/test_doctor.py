"""`tabwire doctor` names the hop that fails, for every fault that can be made, and changes nothing."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e import plain as plain_chromium
from e2e.cdp import Page
from e2e.plain import PlainChromium, copy_extension, pair
from e2e.ports import free_port
from e2e.site import Site
from polling import until
from programs import command, environment, ran, ran_here
from tabwire.wire.keys import KeyStore

LIMIT_S = 30
BUSY_MS = 20_000


class Finding:
    """What one run of the doctor said."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.code = done.returncode
        self.data: dict[str, Any] = json.loads(done.stdout)
        self.ok: bool = self.data["ok"]
        self.failed: str | None = self.data.get("failed")
        self.fix: str = self.data.get("fix", "")
        assert (self.code == 0) is self.ok, done

    def hops(self, name: str) -> list[dict[str, Any]]:
        return [hop for hop in self.data["hops"] if hop["hop"] == name]

    @property
    def fault(self) -> dict[str, Any]:
        return next(hop for hop in self.data["hops"] if hop["ok"] is False)

    def __repr__(self) -> str:
        return json.dumps(self.data, indent=1)


def started(home: Path, *options: str, port: int) -> subprocess.Popen[str]:
    """A doctor beside others, as a process at a port of its own."""
    words, env = command("doctor", "--home", str(home), *options), environment(TABWIRE_PORT=str(port))
    return subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    with process:
        try:
            out, err = process.communicate(timeout=LIMIT_S)
        finally:
            process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def doctor(home: Path, *options: str) -> Finding:
    return Finding(ran_here("doctor", "--home", str(home), "--json", *options, env=environment(), cwd=home.parent))


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A port that only this module's extension and bridges look at."""
    with pytest.MonkeyPatch.context() as patch:
        chosen = free_port()
        patch.setenv("TABWIRE_PORT", str(chosen))
        yield chosen


@pytest.fixture(scope="module")
def second_port() -> int:
    """Another one, for a doctor beside another one."""
    return free_port()


@pytest.fixture(scope="module", autouse=True)
def lonely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[subprocess.Popen[str]]]]:
    """Two doctors whom no browser asks, and the folder of their homes: one tells data, one tells text.

    Each waits eight seconds, at a port and with a home of its own: one would find the other. So they begin before all other tests.
    """
    folder = tmp_path_factory.mktemp("lonely")
    for name in ("unpacked", "old"):
        pair(folder / "home", copy_extension(folder / name))
    manifest = folder / "old/manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": "0.0.1"}))
    shutil.copytree(folder / "home", folder / "same")
    waiting = [started(folder / "home", "--json", port=free_port()), started(folder / "same", port=free_port())]
    yield folder, waiting
    for process in waiting:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.fixture(scope="module")
def patient(port: int, second_port: int, running_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainChromium]:
    """One browser for all tests that leave it as it was."""
    ports = {"ports": [port, second_port]}
    chromium = PlainChromium(tmp_path_factory.mktemp("patient"), running_site.url("/blank.html"), pairing=ports)
    yield chromium
    chromium.close()


@pytest.fixture
def shown(patient: PlainChromium, site: Site) -> Iterator[Page]:
    """A new tab in front."""
    page = patient.browser.open(site.page("<p>Well", "Well"))
    page.wait_for("document.visibilityState === 'visible'")
    yield page
    page.close()


def contents(home: Path) -> dict[str, tuple[bytes, float]]:
    return {str(path): (path.read_bytes(), path.stat().st_mtime) for path in home.rglob("*") if path.is_file()}


def test_when_all_is_well_every_hop_is_timed_and_nothing_is_changed(patient: PlainChromium, shown: Page) -> None:
    before = contents(patient.home) | contents(patient.extension)
    found = doctor(patient.home)
    assert found.ok, found
    assert [hop["hop"] for hop in found.data["hops"] if "ms" in hop] == ["server", "worker", "page"]
    assert "Well" in shown.evaluate("document.title")
    assert found.hops("page")[0]["kind"] == "ok"
    assert contents(patient.home) | contents(patient.extension) == before


def test_what_is_printed_says_each_hop_and_the_end(patient: PlainChromium, shown: Page) -> None:
    done = ran("doctor", "--home", str(patient.home), timeout=LIMIT_S, env=environment())
    assert done.returncode == 0, done
    assert re.findall(r"^(\w+) +[\d.]+ ms  (worker|page) of \S+", done.stdout, re.MULTILINE) == [("ok", "worker"), ("ok", "page")]
    assert done.stdout.endswith("\nEverything that was tried works.\n")


def test_a_worker_that_was_just_killed_comes_back(patient: PlainChromium, shown: Page) -> None:
    assert patient.browser.stop_workers() == 1
    found = doctor(patient.home)
    assert found.ok, found


@pytest.mark.parametrize("script", [f"const end = Date.now() + {BUSY_MS}; while (Date.now() < end);", "alert('Held')"])
def test_a_page_that_stands_still_is_the_page_hop(patient: PlainChromium, shown: Page, site: Site, script: str) -> None:
    tell = "const told = new XMLHttpRequest(); told.open('POST', '/begun', false); told.send()"
    shown.evaluate(f"void setTimeout(() => {{ {tell}; {script} }})")
    site.wait_for(lambda site: site.hit_count("/begun"))
    found = doctor(patient.home)
    assert found.failed == "page", found
    assert found.fault["kind"] == "frozen"
    assert "close it" in found.fix
    assert found.hops("worker")[0]["ok"]


def test_a_page_that_has_crashed_is_the_page_hop(patient: PlainChromium, shown: Page) -> None:
    with pytest.raises(TimeoutError):
        shown.call("Page.crash", timeout=0.5)
    found = doctor(patient.home)
    assert found.failed == "page", found
    assert "crashed" in found.fault["detail"]


def test_a_page_of_the_browser_is_no_fault_and_not_called_well(patient: PlainChromium, shown: Page) -> None:
    page = patient.browser.open("chrome://version")
    found = doctor(patient.home)
    page.close()
    assert found.ok, found
    told = found.hops("page")[0]
    assert (told["ok"], told["kind"]) == (None, "restricted")
    assert "chrome://version" in told["detail"]


def test_keys_that_others_may_read_are_the_server_hop(patient: PlainChromium) -> None:
    keys = patient.home / "keys.json"
    keys.chmod(0o644)
    found = doctor(patient.home)
    keys.chmod(0o600)
    assert found.failed == "server", found
    assert f"chmod 600 {keys}" in found.fix


def test_ports_that_other_programs_hold_are_the_server_hop(patient: PlainChromium, port: int) -> None:
    with socket.create_server(("127.0.0.1", port)):
        found = doctor(patient.home)
    assert found.failed == "server", found
    assert f"port {port} is taken" in found.fault["detail"]
    assert "End the program" in found.fix


def test_a_pinned_port_with_a_bridge_that_answers_is_told_as_that(patient: PlainChromium, shown: Page) -> None:
    bridge = patient.join()
    found = doctor(patient.home)
    bridge.close()
    assert not found.ok
    assert any(f"process {bridge.pid}) answers" in hop["detail"] for hop in found.hops("server")), found
    assert "`status`" in found.fix


def test_a_browser_of_another_name_is_not_taken_for_the_one_asked(patient: PlainChromium, shown: Page) -> None:
    name = doctor(patient.home).data["browsers"][0]["name"]
    assert doctor(patient.home, "--browser", name.upper()).ok
    found = doctor(patient.home, "--browser", "No such one")
    assert found.failed == "extension", found
    assert name in found.fault["detail"]


def test_without_a_browser_the_extension_hop_says_that_none_has_asked(
    lonely: tuple[Path, list[subprocess.Popen[str]]],
) -> None:
    folder, waiting = lonely
    told_as_data, told_as_text = map(ended, waiting)
    found = Finding(told_as_data)
    assert found.failed == "extension", found
    assert "no browser asked for this bridge" in found.fault["detail"]
    assert "Start Chrome" in found.fix
    told = re.findall(r"^(ok|FAILS|-) +(?:[\d.]+ ms)?  (.*?)(?::|$)", told_as_text.stdout, re.MULTILINE)
    assert {name: result for result, name in told} == {
        "keys": "ok",
        "this bridge": "ok",
        str(folder / "unpacked"): "ok",
        str(folder / "old"): "-",
        "browser": "FAILS",
    }
    assert len(told) == 5, "a name stands there twice"


def test_without_any_key_the_extension_hop_says_how_to_install(port: int, tmp_path: Path) -> None:
    found = doctor(tmp_path / "home")
    assert found.failed == "extension", found
    assert "tabwire install" in found.fix
    assert not (tmp_path / "home").exists()


def test_an_extension_that_is_not_paired_is_named_by_its_folder(patient: PlainChromium) -> None:
    note = patient.extension / "pairing.json"
    paired = note.read_text()
    note.unlink()
    patient.browser.stop_workers()
    found = doctor(patient.home)
    note.write_text(paired)
    assert found.failed == "extension", found
    assert "not paired" in found.fault["detail"]
    assert f"tabwire install --dir {patient.extension}" in found.fix


def test_an_extension_with_the_key_of_another_computer_is_named_by_its_folder(patient: PlainChromium, tmp_path: Path) -> None:
    note = patient.extension / "pairing.json"
    paired = note.read_text()
    pair(tmp_path / "elsewhere", patient.extension)
    patient.browser.stop_workers()
    found = doctor(patient.home)
    note.write_text(paired)
    patient.browser.stop_workers()
    assert found.failed == "extension", found
    assert "not one of this computer's" in found.fault["detail"]
    assert f"tabwire install --dir {patient.extension}" in found.fix


def test_a_browser_with_another_key_or_one_that_was_taken_back_is_seen_to_be_refused(
    patient: PlainChromium, shown: Page, port: int, second_port: int, tmp_path: Path
) -> None:
    pair(tmp_path / "another", copy_extension(tmp_path / "unpacked"))
    shutil.copytree(patient.home, tmp_path / "taken back")
    store = KeyStore(tmp_path / "taken back/keys.json")
    (revoked,) = store.all()
    store.create("")
    store.remove(revoked.id)
    homes = {"another": port, "taken back": second_port}
    waiting = {name: started(tmp_path / name, "--json", port=own) for name, own in homes.items()}

    def have_ended() -> bool:
        # A new tab makes the extension look at both ports, the second of which it would look at every six seconds.
        patient.browser.open("about:blank").close()
        return all(process.poll() is not None for process in waiting.values())

    until(have_ended, within=LIMIT_S, every=0.25)
    for name, process in waiting.items():
        found = Finding(ended(process))
        assert found.failed == "extension", (name, found)
        assert "refused: its key is not one of this bridge's" in found.fault["detail"], name
        assert "tabwire install" in found.fix, name


def test_an_extension_of_another_version_is_named(port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def older(target: Path) -> Path:
        manifest = copy_extension(target) / "manifest.json"
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": "0.0.1"}))
        return target

    monkeypatch.setattr(plain_chromium, "copy_extension", older)
    chromium = PlainChromium(tmp_path, "about:blank")
    try:
        found = doctor(chromium.home)
    finally:
        chromium.close()
    assert found.failed == "extension", found
    assert "version 0.0.1" in found.fault["detail"]
    assert "reload" in found.fix
    assert found.hops("worker")[0]["ok"]


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual ports, where there is room for several bridges."""
    monkeypatch.delenv("TABWIRE_PORT", raising=False)


def test_another_bridge_is_timed_and_a_stopped_one_is_named_with_its_process(
    window: None, plain: PlainChromium, site: Site
) -> None:
    other = plain.join()
    other.ok("tab_new", url=site.page("<p>In front"))
    # A note that a process has left behind which did not end in order.
    stale = plain.home / "run" / "17800.json"
    stale.write_text(json.dumps({"port": 17800, "pid": dead_process(), "client": "Gone", "started": "", "version": ""}))
    before = contents(plain.home)
    well = doctor(plain.home)
    assert well.ok, well
    assert any(f"process {other.pid}) answers" in hop["detail"] for hop in well.hops("server"))
    assert any("Gone" in hop["detail"] and "left there" in hop["detail"] for hop in well.hops("server"))
    assert contents(plain.home) == before
    assert not other.call("tab_list").is_error, "the other client is not disturbed"
    os.kill(other.pid, signal.SIGSTOP)
    try:
        found = doctor(plain.home)
    finally:
        os.kill(other.pid, signal.SIGCONT)
    assert found.failed == "server", found
    assert f"End process {other.pid}" in found.fix
    assert found.hops("page")[0]["ok"], "what works is still said to"


def dead_process() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait(10)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child.pid, 0)
        pytest.skip("its number was taken at once")
    return child.pid
