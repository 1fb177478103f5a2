"""A client that observes only: what it may do, what it may not, and where it may act once it has escalated."""

from __future__ import annotations

from typing import Any

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import Joined
from e2e.site import Site
from e2e.tabs.shared import until_seen
from polling import until
from tabwire.eventlog import reader
from tabwire.surfaces.tool import load_toolset

GO = "<button onclick=\"fetch('/went')\">Go</button>"
PAGE = GO + "<input id=field><script>localStorage.setItem('kept', 'here')</script>"
LIMIT_S = 15
LEASES = "chrome.storage.session.get('leases.tabs').then((all) => all['leases.tabs'] ?? {})"
REASON = "The order has to be sent"


def tab_of_users(own: Joined, bridge: Tabwire, url: str) -> int:
    """A tab that the user has opened."""
    own.browser.open(url)

    def is_there(tabs: list[dict[str, Any]]) -> bool:
        return any((tab["url"], tab["status"]) == (url, "complete") for tab in tabs)

    return next(int(tab["tabId"]) for tab in until(bridge.tabs, is_there, within=LIMIT_S) if tab["url"] == url)


def refused(reply: Reply, *words: str) -> None:
    assert reply.code == "permission_denied", reply
    assert "nothing was done" in reply.text
    for word in words:
        assert word in reply.text


def entries(own: Joined, tool: str) -> list[dict[str, Any]]:
    events = [entry.event for path in reader.files(own.home / "events") for entry in reader.entries(path)]
    return [event for event in events if event["event"] == "call" and event["tool"] == tool]


def test_who_observes_reads_and_works_in_own_tabs_and_acts_nowhere(own: Joined, site: Site) -> None:
    bridge = own.join("--observe-only", name="Observer")
    assert list(bridge.tools()) == [*load_toolset("agent").by_name, "escalate"]
    for reason in ("", "  \n"):
        assert bridge.fails("escalate", reason=reason).code == "invalid_argument"
    tab = tab_of_users(own, bridge, site.page(PAGE))
    everywhere = {"tabId": tab}
    assert "Go" in bridge.snapshot(**everywhere)
    assert bridge.ok("storage", action="get", key="kept", **everywhere).data["value"] == "here"
    acts: list[tuple[str, dict[str, Any]]] = [
        ("click", {"selector": "text:Go"}),
        ("fill", {"selector": "#field", "value": "x"}),
        ("evaluate", {"expression": "fetch('/went')"}),
        ("wait", {"for": "function", "function": "return fetch('/went')"}),
        ("storage", {"action": "clear"}),
    ]
    for tool, arguments in acts:
        refused(bridge.fails(tool, **arguments, **everywhere), "escalate")
    refused(bridge.fails("request", url=site.url("/went")), "escalate")
    # What is the user's stays where it is.
    for tool, arguments in (("navigate", {"url": site.url()}), ("reload", {}), ("tab_close", {}), ("tab_switch", {})):
        refused(bridge.fails(tool, **arguments, **everywhere), "tab_new")
    mine = bridge.ok("tab_new", url=site.page(PAGE), active=False).data["tabId"]
    bridge.ok("navigate", url=site.url(), tabId=mine)
    bridge.ok("back", tabId=mine)
    made = f"data:text/html,<form action={site.url('/went')}></form><script>document.forms[0].submit()</script>"
    refused(bridge.fails("navigate", url=made, tabId=mine))
    refused(bridge.fails("tab_new", url=made))
    refused(bridge.fails("click", selector="text:Go", tabId=mine))
    bridge.ok("tab_close", tabId=mine)
    assert bridge.ok("storage", action="get", key="kept", **everywhere).data["value"] == "here"
    assert not site.hit_count("/went")
    bridge.close()
    assert [(event["decision"], event["outcome"]) for event in entries(own, "click")[-2:]] == [
        ("refused", "permission_denied")
    ] * 2


def turn_away(own: Joined, bridge: Tabwire, site: Site) -> None:
    """The act is allowed where it is asked for; its element turns up after a navigation to another origin."""
    url = site.page("<p>Not yet</p>")
    tab = tab_of_users(own, bridge, url)
    page = next(page for page in own.browser.pages() if page.url == url)
    waiting = bridge.start("click", selector="text:Inside", timeout=20_000, tabId=tab)
    # The tab is leased when the act has begun.
    until_seen(lambda: str(tab) in own.browser.in_worker(LEASES), within=LIMIT_S)
    page.evaluate(f"location.href = {site.cross_page(GO.replace('Go', 'Inside'))!r}")
    refused(waiting.result(30), site.cross_origin)
    page.close()


@pytest.mark.parametrize("mode", ["auto", "trusted"])
def test_an_escalation_for_one_origin_ends_at_its_border(own: Joined, site: Site, mode: str) -> None:
    bridge = own.join("--observe-only", "--input", mode, name="Observer")
    inner = site.cross_page(GO.replace("Go", "Inside").replace("/went", "/inside"))
    framed = site.page(GO.replace("Go", "Framed").replace("/went", "/framed"))
    here = tab_of_users(own, bridge, site.page(f"{PAGE}<iframe src='{framed}'></iframe><iframe src='{inner}'></iframe>"))
    there = tab_of_users(own, bridge, site.cross_page(PAGE))
    bridge.ok("escalate", reason=REASON, origin=f"{site.origin}/some/page")
    bridge.ok("click", selector="text:Go", tabId=here)
    site.wait_for(lambda site: site.hit_count("/went"))
    # The guard of the press is set in all frames, also where nothing may be done.
    bridge.ok("click", selector="text:Framed", tabId=here)
    site.wait_for(lambda site: site.hit_count("/framed"))
    refused(bridge.fails("click", selector="text:Inside", tabId=here), site.cross_origin, "escalate for this origin")
    refused(bridge.fails("click", selector="text:Go", tabId=there), site.cross_origin)
    # What is no input is judged without a look at how input is made.
    if mode == "auto":
        bridge.ok("evaluate", expression="document.title", tabId=here)
        bridge.ok("cookies", action="set", url=site.url(), name="a", value="1")
        refused(bridge.fails("evaluate", expression="fetch('/inside')", tabId=there), site.cross_origin)
        refused(bridge.fails("cookies", action="set", url=site.cross_url(), name="a", value="1"), site.cross_origin)
        refused(bridge.fails("cookies", action="clear", domain_filter="127.0.0.1"))
        refused(bridge.fails("request", url=site.cross_url("/inside"), tabId=here), site.cross_origin)
        refused(bridge.fails("bookmarks", action="add", url=site.cross_url()))
        refused(bridge.fails("permissions", permissions=[], origin=site.cross_origin, tabId=here), site.cross_origin)
        bridge.ok("permissions", permissions=[], tabId=here)
    # Without an element, keys and clicks could end up in the frame.
    if mode == "trusted":
        refused(bridge.fails("press", key="Enter", tabId=here), site.cross_origin)
    turn_away(own, bridge, site)
    bridge.ok("escalate", reason=REASON)
    bridge.ok("click", selector="text:Inside", tabId=here)
    site.wait_for(lambda site: site.hit_count("/inside"))
    assert site.hit_count("/went") == 1
    bridge.ok("tab_close", tabId=[here, there])
    bridge.close()
    first, second = entries(own, "escalate")[-2:]
    assert (first["reason"], first["arguments"]["origin"]) == (REASON, f"{site.origin}/some/page")
    assert (second["reason"], second["decision"], second["outcome"]) == (REASON, "allowed", "done")
