"""Bridges and browsers begin and end, cleanly or not."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.client import Tabwire
from e2e.plain import PlainChromium
from e2e.site import Site


def processes_of(text: str) -> list[int]:
    """The ids of the running processes that have ``text`` in their command line."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                line = (folder / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if text in line:
                found.append(int(folder.name))
    return found


def wait_until_gone(text: str, timeout: float) -> list[int]:
    end = time.monotonic() + timeout
    while (left := processes_of(text)) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def call_when_connected(bridge: Tabwire, limit: float = 10) -> float:
    """Seconds until the first call that succeeds."""
    started = time.monotonic()
    while bridge.call("tab_list").is_error:
        assert time.monotonic() - started < limit, bridge.log_tail()
        time.sleep(0.01)
    return time.monotonic() - started


@pytest.mark.parametrize("how", ["stdin", "SIGTERM", "SIGINT", "SIGKILL"])
def test_the_browser_ends_with_the_server(tmp_path: Path, how: str) -> None:
    profile = tmp_path / "profile"
    bridge = Tabwire(
        ["--launch", "--headless", "--profile", str(profile)], {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path / "work"
    )
    try:
        bridge.ok("tab_list")
        assert processes_of(str(profile))
        if how == "stdin":
            bridge.close()
        else:
            os.kill(bridge.pid, getattr(signal, how))
        assert wait_until_gone(str(profile), 5) == []
    finally:
        bridge.close()


def test_a_server_ends_at_once_when_its_client_is_gone(tmp_path: Path) -> None:
    bridge = Tabwire([], {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path / "work")
    started = time.monotonic()
    bridge.close()
    assert time.monotonic() - started < 1.5
    assert not bridge.is_running()
    assert list((tmp_path / "home/run").glob("*.json")) == []


def test_a_killed_bridge_is_replaced_without_touching_the_browser(plain: PlainChromium, site: Site) -> None:
    first = plain.serve()
    call_when_connected(first)
    first.ok("tab_new", url=site.page("<button onclick='globalThis.hit = 1'>Still here</button>"))
    ref = first.ref("button", "Still here")
    first.kill()
    second = plain.serve()
    assert call_when_connected(second) < 1
    number = next(tab.get("tabId", tab.get("id")) for tab in second.tabs() if "/inline/" in tab["url"])
    second.ok("click", selector=ref, tabId=number)
    assert plain.browser.shown().evaluate("globalThis.hit") == 1


def test_a_killed_worker_finds_its_bridge_again(plain: PlainChromium, site: Site) -> None:
    bridge = plain.serve()
    call_when_connected(bridge)
    bridge.ok("tab_new", url=site.page("<h1>In use</h1>"))
    assert "In use" in bridge.snapshot()
    assert plain.browser.stop_workers() == 1
    started = time.monotonic()
    assert "In use" in bridge.snapshot()
    assert time.monotonic() - started < 1


def test_nothing_but_protocol_is_written_to_stdout(tmp_path: Path) -> None:
    bridge = Path(__file__).resolve().parents[2] / "bridge"
    environment = {**os.environ, "TABWIRE_HOME": str(tmp_path), "PYTHONPATH": str(bridge)}
    command = [sys.executable, "-m", "tabwire", "serve"]
    done = subprocess.run(command, env=environment, input=b"not json\n", capture_output=True, timeout=20, cwd=tmp_path)
    assert all(line.startswith(b"{") for line in done.stdout.splitlines())
