"""The tool `status` and the popup: what they say was seen at that moment."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser, CdpError, Page
from e2e.client import Reply, Tabwire
from e2e.conftest import Join, Joined, Launcher
from e2e.plain import PlainChromium
from e2e.ports import free_port
from e2e.site import Site
from e2e.ui.own_pages import PANEL, open_page
from polling import until

SLOW_MS = 2000
"""What a failing status may take."""
HELD = "/gate/held"


@contextmanager
def standing_still(page: Page, site: Site) -> Iterator[None]:
    """Its script waits within one call for what the site keeps back: nothing else gets a turn, and no processor is taken."""
    site.hold(HELD)
    page.evaluate(
        f"void setTimeout(() => {{ const asked = new XMLHttpRequest(); asked.open('GET', '{HELD}', false); asked.send() }})"
    )
    site.wait_for(lambda site: site.hit_count(HELD))
    try:
        yield
    finally:
        site.let_go(HELD)


def hop(reply: Reply, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(hop for hop in reply.data["hops"] if hop["hop"] == name)
    return found


def test_every_hop_is_timed(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.url("/blank.html"))
    reply = tabwire.ok("status")
    assert reply.data["ok"] is True, reply
    assert [hop["hop"] for hop in reply.data["hops"]] == ["server", "extension", "worker", "page"]
    assert all(hop(reply, name)["ms"] >= 0 for name in ("server", "worker", "page"))
    assert hop(reply, "page")["kind"] == "ok"
    (browser,) = reply.data["browsers"]
    assert browser["version"] and browser["tabs"] == len(tabwire.tabs())


def test_without_a_browser_the_tool_answers_at_once_which_hop_fails(tmp_path: Path) -> None:
    bridge = Tabwire([], {"TABWIRE_HOME": str(tmp_path / "home"), "TABWIRE_PORT": str(free_port())}, tmp_path)
    try:
        reply = bridge.ok("status")
    finally:
        bridge.close()
    assert (reply.data["ok"], reply.data["failed"]) == (False, "extension"), reply
    assert "tabwire doctor" in reply.data["fix"]
    assert hop(reply, "server")["ok"] is True
    assert reply.elapsed_ms < SLOW_MS


def test_a_bridge_without_a_port_says_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        bridge = Tabwire([], {"TABWIRE_HOME": str(tmp_path / "home"), "TABWIRE_PORT": str(port)}, tmp_path)
        try:
            reply = bridge.ok("status")
        finally:
            bridge.close()
    assert reply.data["failed"] == "server", reply
    assert f"port {port} is taken" in hop(reply, "server")["detail"]
    assert reply.data["fix"].startswith("End one of them")


def test_a_dialog_that_is_known_is_named_with_its_text(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button onclick=\"alert('Held')\">Ask</button>"))
    tabwire.call("click", selector="role:button")
    reply = tabwire.ok("status")
    assert reply.data["failed"] == "page", reply
    assert (hop(reply, "page")["kind"], "Held" in hop(reply, "page")["detail"]) == ("dialog", True)
    tabwire.ok("dialog", action="accept")
    assert tabwire.ok("status").data["ok"] is True


def test_a_page_that_is_busy_is_told_in_time(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.url("/blank.html"))
    with standing_still(browser.shown(), site):
        reply = tabwire.ok("status")
        assert reply.data["failed"] == "page", reply
        assert hop(reply, "page")["kind"] == "frozen"
        assert reply.elapsed_ms < SLOW_MS


@pytest.mark.parametrize(("url", "kind"), [("chrome://version", "restricted"), ("about:blank", "restricted")])
def test_a_page_nobody_may_enter_is_neither_well_nor_a_fault(tabwire: Tabwire, url: str, kind: str) -> None:
    tabwire.ok("tab_new", url=url)
    reply = tabwire.ok("status")
    assert (hop(reply, "page")["ok"], hop(reply, "page")["kind"]) == (None, kind), reply
    assert "ms" not in hop(reply, "page")
    assert reply.data["ok"] is True


def test_the_page_hop_of_the_panel_follows_the_tab_in_front(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    panel = open_page(browser, PANEL)
    first, second = (browser.open(site.page("<p>Words", title)) for title in ("First", "Second"))
    for page in (first, second, first):
        browser.call("Target.activateTarget", {"targetId": page.target_id})
        # It looks by itself every 5 s.
        panel.wait_for(f"document.querySelector('#hops').textContent.includes({json.dumps(page.url)})", 3)
    reply = tabwire.ok("status", tabId=panel_tab(browser))
    assert hop(reply, "page")["fix"] == "Open an ordinary web page", reply
    panel.close()


def panel_tab(browser: Browser) -> int:
    """The tab in which the panel's page is open."""
    find = "chrome.tabs.query({}).then((tabs) => tabs.find(({ url }) => url.endsWith('panel.html')).id)"
    return int(browser.in_worker(find))


def test_a_discarded_tab_is_told_as_one_and_stays_so(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.ok("tab_new", url=site.page("<p>Put away", "Put away"))
    tab = next(tab["tabId"] for tab in tabwire.tabs() if tab["title"] == "Put away")
    browser.open("about:blank")
    discard = f"chrome.tabs.discard({tab}).then((tab) => tab?.discarded)"
    assert browser.in_worker(discard) is True
    reply = tabwire.ok("status")
    assert hop(reply, "page")["kind"] == "discarded", reply
    assert [listed["discarded"] for listed in tabwire.tabs() if listed["title"] == "Put away"] == [True]


def test_a_tab_that_was_closed_is_none_and_the_client_is_still_told(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.ok("tab_new", url=site.page("<p>Going"))
    browser.shown().close()
    assert hop(tabwire.ok("status"), "page")["kind"] == "none"
    assert "no_such_tab" in tabwire.fails("title").text


def test_another_tab_can_be_asked_about(tabwire: Tabwire, site: Site) -> None:
    first = tabwire.open(site.url("/blank.html")).data["tabId"]
    tabwire.ok("tab_new", url="chrome://version")
    assert hop(tabwire.ok("status", tabId=first), "page")["kind"] == "ok"
    assert "chrome://version" in tabwire.ok("url").text, "asking does not change the tab the client works in"
    reply = tabwire.ok("status", tabId=999_999)
    assert (reply.data["failed"], "no tab 999999" in hop(reply, "page")["detail"]) == ("page", True)


def test_a_worker_that_was_killed_is_back_or_told_to_be_away(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.url("/blank.html"))
    tabwire.snapshot()
    assert browser.stop_workers() == 1

    def is_back(reply: Reply) -> bool:
        assert reply.data["ok"] or (reply.data["failed"] == "extension" and reply.elapsed_ms < SLOW_MS), reply
        return bool(reply.data["ok"])

    until(lambda: tabwire.ok("status"), is_back, within=15)


def test_looking_leaves_no_trace_in_a_page_nobody_asked_about(joiner: Launcher, site: Site) -> None:
    launched = joiner.fresh(site)
    other = launched.browser.open(site.page("<p>Mine"))
    assert launched.tabwire.ok("status").data["ok"]
    with pytest.raises((CdpError, StopIteration)):
        other.evaluate_in_extension("Object.keys(globalThis).filter((name) => name.startsWith('__tabwire')).length")


def test_every_connected_browser_is_tried_and_one_that_ended_is_told(own: Joined, join: Join, site: Site, tmp_path: Path) -> None:
    bridge = join()
    second = PlainChromium(tmp_path / "second", site.url("/blank.html"), home=own.home)
    try:
        both = until(lambda: bridge.ok("status").data, lambda data: len(data["browsers"]) == 2, within=40)
    finally:
        second.close()
    assert both["ok"], both
    by_browser = [[hop["hop"] for hop in both["hops"] if hop.get("browser") == each["name"]] for each in both["browsers"]]
    assert by_browser == [["extension", "worker", "page"]] * 2
    left = until(lambda: bridge.ok("status").data, lambda data: not data["ok"], within=20)
    assert (left["failed"], "has not come back" in str(left["hops"])) == ("extension", True)
    assert sum(hop["hop"] == "worker" and hop["ok"] for hop in left["hops"]) == 1
