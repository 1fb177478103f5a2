"""Links to other programs: the reply says where they lead, and a press that Chrome's question swallows says so."""

import re

import pytest

from e2e.client import Tabwire
from e2e.conftest import Join, ShownPage
from e2e.site import Site
from polling import until

PAGE = (
    "<a id=mail href='mailto:a@example.org'>Write</a> <a id=tel href='tel:+123'>Call</a> <a id=app href='planner:join?x=1'>Join</a>"
    " <a id=new target=_blank href='mailto:b@example.org'>New</a>"
    "<button id=open onclick=\"window.open('mailto:c@example.org')\">Open</button>"
    "<button id=go onclick=\"location.href = 'planner:x'\">Go</button>"
    "<button id=count onclick='globalThis.times = (globalThis.times ?? 0) + 1'>Count</button><input id=field><script>globalThis.isLeft = false; addEventListener('blur', () => { isLeft = true })</script>"
)
WAYS = {
    "mail": "mailto:a@example.org",
    "tel": "tel:+123",
    "app": "planner:join?x=1",
    "new": "mailto:b@example.org",
    "open": "mailto:c@example.org",
    "go": "planner:x",
}
FRAME = "<iframe srcdoc=\"<a id=inner href='mailto:f@example.org'>Inner</a>\"></iframe>"
UNTRUE = re.compile(r"another debugger|tab was closed|navigation failed|new tab \d")


def assert_said(tab: Tabwire, site: Site, way: str) -> None:
    """A press in a new tab, which keeps a question of Chrome's to itself."""
    opened = tab.ok("tab_new", url=site.page(PAGE))
    reply = tab.call("click", selector=f"#{way}")
    assert not UNTRUE.search(reply.text), reply.text
    assert f"the page led to {WAYS[way]}, which opens another program: Chrome may ask the user" in reply.text
    assert reply.data["effects"]["external"] == WAYS[way]
    tab.ok("tab_close", tabId=opened.data["tabId"])


@pytest.mark.conditions
@pytest.mark.parametrize("way", WAYS)
def test_a_press_says_that_it_led_to_another_program(tabwire: Tabwire, site: Site, way: str) -> None:
    assert_said(tabwire, site, way)


@pytest.mark.parametrize("mode", ["auto", "dom"])
def test_a_press_in_the_users_browser_says_it(join: Join, site: Site, mode: str) -> None:
    tab = join("--input", mode)
    # Browsers open no windows for DOM events.
    for way in set(WAYS) - ({"open"} if mode == "dom" else set()):
        assert_said(tab, site, way)


def test_a_link_in_a_frame_says_it_too(tabwire: Tabwire, site: Site) -> None:
    opened = tabwire.ok("tab_new", url=site.page(FRAME))
    reply = tabwire.ok("click", selector="#inner")
    assert reply.data["effects"]["external"] == "mailto:f@example.org"
    assert not UNTRUE.search(reply.text)
    tabwire.ok("tab_close", tabId=opened.data["tabId"])


@pytest.mark.conditions
def test_input_that_a_question_takes_says_so(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    opened = tabwire.ok("tab_new", url=site.page(PAGE))
    tabwire.ok("click", selector="#app")
    # The question takes the focus.
    until(lambda: page.evaluate("isLeft"))
    # Both take trusted input in every browser.
    for tool in ("dblclick", "hover"):
        reply = tabwire.call(tool, selector="#count")
        assert reply.is_error, reply.text
        assert "Chrome may be asking the user whether planner:join?x=1 may open another program" in reply.text
    assert page.evaluate("globalThis.times ?? 0") == 0
    # A page of the same site leaves the question open, one of another site ends it.
    tabwire.ok("navigate", url=site.page(PAGE))
    assert "Chrome may be asking" in tabwire.call("dblclick", selector="#count").text
    tabwire.ok("navigate", url=site.cross_page(PAGE))
    tabwire.ok("dblclick", selector="#count")
    assert page.evaluate("globalThis.times") == 2
    tabwire.ok("tab_close", tabId=opened.data["tabId"])


def test_such_an_address_is_not_opened(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(PAGE))
    tabs = len(tabwire.ok("tab_list").data["tabs"])
    for tool, more in (("navigate", {}), ("navigate", {"new_tab": True}), ("navigate", {"new_window": True}), ("tab_new", {})):
        reply = tabwire.call(tool, url="mailto:a@example.org", **more)
        assert "mailto: addresses open another program" in reply.text
    assert len(tabwire.ok("tab_list").data["tabs"]) == tabs
