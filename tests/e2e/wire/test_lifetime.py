"""Bridges and workers end, cleanly or not, and what is left goes on."""

import subprocess
import time
from pathlib import Path

from e2e.plain import PlainChromium
from e2e.ports import own_window
from e2e.site import Site
from programs import command, environment


def test_a_server_ends_at_once_when_its_client_is_gone(tmp_path: Path) -> None:
    # No MCP client: that would end it by a signal after two seconds.
    with subprocess.Popen(command("serve"), env=environment(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None and server.stdout is not None
        try:
            server.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
            server.stdin.flush()
            assert server.stdout.readline()
            assert len(list((tmp_path / "run").glob("*.json"))) == 1
            server.stdin.close()
            assert server.wait(5) == 0
        finally:
            server.kill()
    assert list((tmp_path / "run").glob("*.json")) == []


def test_a_killed_bridge_is_replaced_without_touching_the_browser(plain: PlainChromium, site: Site) -> None:
    first = plain.serve()
    first.until_joined()
    first.ok("tab_new", url=site.page("<button onclick='globalThis.hit = 1'>Still here</button>"))
    ref = first.ref("button", "Still here")
    first.kill()
    second = plain.serve()
    assert second.until_joined() < 1
    number = next(tab.get("tabId", tab.get("id")) for tab in second.tabs() if "/inline/" in tab["url"])
    second.ok("click", selector=ref, tabId=number)
    assert plain.browser.shown().evaluate("globalThis.hit") == 1


def test_a_killed_worker_finds_its_bridge_again(plain: PlainChromium, site: Site) -> None:
    bridge = plain.serve()
    bridge.until_joined()
    bridge.ok("tab_new", url=site.page("<h1>In use</h1>"))
    assert "In use" in bridge.snapshot()
    assert plain.browser.stop_workers() == 1
    started = time.monotonic()
    assert "In use" in bridge.snapshot()
    assert time.monotonic() - started < 1


def test_the_first_call_of_a_client_waits_until_the_stopped_worker_of_a_known_browser_wakes(plain: PlainChromium) -> None:
    plain.join().close()
    # From now on it takes 6 s: the first call of before gave up after 1.5 s.
    plain.browser.in_worker("chrome.alarms.create('tabwire-discover', { periodInMinutes: 0.1 })")
    assert plain.browser.stop_workers() == 1
    assert plain.serve().ok("tab_list").data["tabs"]


def test_a_bridge_on_a_port_of_its_own_is_found_while_another_one_is_joined(plain: PlainChromium) -> None:
    plain.join()
    # The window as a whole is looked at every 30 s.
    assert plain.serve("--port", str(own_window() + 15)).until_joined() < 2


def test_nothing_but_protocol_is_written_to_stdout(tmp_path: Path) -> None:
    done = subprocess.run(
        command("serve"), env=environment(tmp_path), input=b"not json\n", capture_output=True, timeout=20, cwd=tmp_path
    )
    assert all(line.startswith(b"{") for line in done.stdout.splitlines())
