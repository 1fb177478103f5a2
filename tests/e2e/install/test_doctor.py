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
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from e2e import plain as plain_chromium
from e2e.cdp import Page
from e2e.plain import PlainChromium, copy_extension, pair
from e2e.ports import free_port
from e2e.site import Site
from polling import until
from programs import environment, ran_here
from tabwire.diagnosis import doctor as examination
from tabwire.diagnosis import probe, round_trips
from tabwire.wire.keys import KeyStore

SOON = """chrome.alarms.getAll().then((all) => Promise.all(all.map(({ name, periodInMinutes }) =>
  chrome.alarms.create(name, { when: Date.now() + 500, periodInMinutes }))).then(() => all.map((one) => one.periodInMinutes ?? 0)))"""
"""The alarms that start a worker come in a moment. Its value: the minutes after which each comes by itself."""


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


def said(home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return ran_here("doctor", "--home", str(home), *options, env=environment(), cwd=home.parent)


def doctor(home: Path, *options: str) -> Finding:
    return Finding(said(home, "--json", *options))


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A port that only this module's extension and bridges look at."""
    with pytest.MonkeyPatch.context() as patch:
        chosen = free_port()
        patch.setenv("TABWIRE_PORT", str(chosen))
        yield chosen


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor waits for seconds, where it is known that nothing comes."""
    for limit in ("JOIN_LIMIT_S", "KNOWN_LIMIT_S"):
        monkeypatch.setattr(examination, limit, 0.3)


@pytest.fixture(scope="module")
def patient(port: int, running_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainChromium]:
    """One browser for all tests that leave it as it was."""
    chromium = PlainChromium(tmp_path_factory.mktemp("patient"), running_site.url("/blank.html"))
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
    done = said(patient.home)
    assert done.returncode == 0, done
    assert re.findall(r"^(\w+) +[\d.]+ ms  (worker|page) of \S+", done.stdout, re.MULTILINE) == [("ok", "worker"), ("ok", "page")]
    assert done.stdout.endswith("\nEverything that was tried works.\n")


def test_a_worker_that_was_just_killed_comes_back(patient: PlainChromium, shown: Page) -> None:
    periods_min = patient.browser.in_worker(SOON)
    assert patient.browser.stop_workers() == 1
    found = doctor(patient.home)
    assert found.ok, found
    assert 0 < 60 * max(periods_min) < examination.JOIN_LIMIT_S, "one that comes by itself is waited for, too"


@pytest.mark.parametrize("script", ["ask('GET', '/gate/work')", "alert('Held')"], ids=["at work", "dialog"])
def test_a_page_that_stands_still_is_the_page_hop(
    patient: PlainChromium, shown: Page, site: Site, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_trips, "PAGE_LIMIT_S", 0.8)
    site.hold("/gate/work")
    ask = "const ask = (...what) => { const one = new XMLHttpRequest(); one.open(...what, false); one.send(); }"
    shown.evaluate(f"void setTimeout(() => {{ {ask}; ask('POST', '/begun'); {script} }})")
    site.wait_for(lambda site: site.hit_count("/begun"))
    found = doctor(patient.home)
    site.let_go("/gate/work")
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


def test_ports_that_other_programs_hold_are_the_server_hop(
    patient: PlainChromium, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe.probe, "__defaults__", (0.2,))
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


def test_a_browser_of_another_name_is_not_taken_for_the_one_asked(
    patient: PlainChromium, shown: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = doctor(patient.home).data["browsers"][0]["name"]
    assert doctor(patient.home, "--browser", name.upper()).ok
    # Another one may come, after this one.
    monkeypatch.setattr(examination, "OTHERS_LIMIT_S", 0.3)
    found = doctor(patient.home, "--browser", "No such one")
    assert found.failed == "extension", found
    assert name in found.fault["detail"]


def test_without_a_browser_the_extension_hop_says_that_none_has_asked(
    hasty: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWIRE_PORT", str(free_port()))
    for name in ("unpacked", "old"):
        pair(tmp_path / "home", copy_extension(tmp_path / name))
    manifest = tmp_path / "old/manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": "0.0.1"}))
    found = doctor(tmp_path / "home")
    assert found.failed == "extension", found
    assert "no browser asked for this bridge" in found.fault["detail"]
    assert "Start Chrome" in found.fix
    told = re.findall(r"^(ok|FAILS|-) +(?:[\d.]+ ms)?  (.*?)(?::|$)", said(tmp_path / "home").stdout, re.MULTILINE)
    assert {name: result for result, name in told} == {
        "keys": "ok",
        "this bridge": "ok",
        str(tmp_path / "unpacked"): "ok",
        str(tmp_path / "old"): "-",
        "browser": "FAILS",
    }
    assert len(told) == 5, "a name stands there twice"


def test_without_any_key_the_extension_hop_says_how_to_install(port: int, tmp_path: Path) -> None:
    found = doctor(tmp_path / "home")
    assert found.failed == "extension", found
    assert "tabwire install" in found.fix
    assert not (tmp_path / "home").exists()


def test_an_extension_that_is_not_paired_is_named_by_its_folder(hasty: None, patient: PlainChromium) -> None:
    note = patient.extension / "pairing.json"
    paired = note.read_text()
    note.unlink()
    patient.browser.stop_workers()
    found = doctor(patient.home)
    note.write_text(paired)
    assert found.failed == "extension", found
    assert "not paired" in found.fault["detail"]
    assert f"tabwire install --dir {patient.extension}" in found.fix


def test_an_extension_with_the_key_of_another_computer_is_named_by_its_folder(
    hasty: None, patient: PlainChromium, tmp_path: Path
) -> None:
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
    patient: PlainChromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "KNOWN_LIMIT_S", 0.3)
    # After a refusal the extension leaves the port alone for a while, unless it finds it empty: the next bridge may be there first.
    monkeypatch.setattr(examination, "JOIN_LIMIT_S", 60)
    pair(tmp_path / "another", copy_extension(tmp_path / "unpacked"))
    shutil.copytree(patient.home, tmp_path / "taken back")
    store = KeyStore(tmp_path / "taken back/keys.json")
    (revoked,) = store.all()
    store.create("")
    store.remove(revoked.id)
    for name in ("another", "taken back"):
        with ThreadPoolExecutor(1) as beside:
            finding = beside.submit(doctor, tmp_path / name)

            def has_ended(finding: Future[Finding] = finding) -> bool:
                # A new tab makes the extension look at once.
                patient.browser.open("about:blank").close()
                return finding.done()

            until(has_ended, every=0.1)
        found = finding.result()
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
