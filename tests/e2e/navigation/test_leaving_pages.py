"""Pages that ask to stay, and fields that were edited: what is told when they are left, and who decides."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import Launched, Launcher, ShownPage
from e2e.site import Site

# Asks before it lets go, once somebody has touched it.
CLINGING = "<button id=b>Use</button><script>onbeforeunload = (event) => event.preventDefault()</script>"


def clinging(own: Launched, site: Site) -> int:
    """A page that asks, with another one before it in its tab."""
    tabwire = own.tabwire
    tabwire.open(site.page("", title="Earlier"))
    tabwire.open(site.page(CLINGING, title="Clinging"))
    tabwire.ok("click", selector="#b")
    (tab,) = [tab["tabId"] for tab in tabwire.tabs() if tab["current"]]
    return int(tab)


def title(own: Launched) -> object:
    return own.browser.shown().evaluate("document.title")


def test_in_the_users_browser_a_page_that_asks_is_left_when_that_is_answered(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    clinging(own, site)
    target = site.page("", title="Next")
    moves = [("navigate", {"url": target}, "Next"), ("reload", {}, "Clinging"), ("back", {}, "Earlier")]
    for tool, arguments, _ in moves:
        reply = own.tabwire.ok(tool, **arguments)
        assert (reply.data["dialog"]["type"], "was not left" in reply.text) == ("beforeunload", True), reply
        own.tabwire.ok("dialog", action="dismiss")
        assert title(own) == "Clinging", tool
    assert own.tabwire.ok("navigate", url=target).data["dialog"]["type"] == "beforeunload"
    assert own.tabwire.ok("dialog", action="accept").data["effects"]["navigated"]
    assert title(own) == "Next"


def test_in_the_users_browser_a_page_that_asks_is_left_by_force(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    clinging(own, site)
    own.browser.shown().evaluate("globalThis.here = true")
    reply = own.tabwire.ok("reload", force=True)
    assert "asked whether to leave" in reply.text
    assert own.browser.shown().evaluate("globalThis.here") is None


def test_in_the_users_browser_a_tab_that_asks_is_closed_when_that_is_answered(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    own.tabwire.ok("tab_new", url=site.url("/blank.html"))
    for answer in ({"force": True}, {}):
        tab = own.tabwire.ok("tab_new").data["tabId"]
        assert clinging(own, site) == tab
        reply = own.tabwire.fails("tab_close", tabId=tab)
        assert (reply.code, "was not closed" in reply.text) == ("dialog_pending", True)
        assert tab in [one["tabId"] for one in own.tabwire.tabs()]
        own.tabwire.ok("dialog", action="dismiss" if answer else "accept", tabId=tab)
        if answer:
            assert "had asked whether to leave" in own.tabwire.ok("tab_close", tabId=tab, **answer).text
        assert tab not in [one["tabId"] for one in own.tabwire.tabs()]


def test_fields_that_were_edited_are_told_when_their_page_is_left(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    fields = "<form><input id=a value=old><textarea id=t></textarea><input type=checkbox checked><select><option>x</select><input hidden id=h>"
    here = site.page(fields)
    tabwire.open(here)
    assert "edited" not in tabwire.ok("navigate", url=f"{here}#there").text
    tabwire.ok("fill", selector="#a", value="new")
    tabwire.ok("fill", selector="#t", value="text")
    assert "edited" not in tabwire.ok("navigate", url=f"{here}#here").text
    assert page.evaluate("a.value") == "new"
    assert "2 edited fields" in tabwire.ok("reload").text
    assert "edited" not in tabwire.ok("navigate", url=site.url("/blank.html")).text


@pytest.mark.parametrize(
    "fields",
    [
        "<input id=a aria-label=Note>",
        "<form role=search><input id=a aria-label=Note></form>",
        "<search><form><input id=a aria-label=Note></form></search>",
        "<form><input id=a type=search aria-label=Note></form>",
        "<form action=/find><input id=a name=q></form>",
    ],
    ids=["outside of a form", "role search", "search element", "search field", "query"],
)
def test_fields_that_lose_nothing_are_not_mentioned_when_their_page_is_left(tabwire: Tabwire, site: Site, fields: str) -> None:
    tabwire.open(site.page(fields))
    tabwire.ok("fill", selector="#a", value="new")
    assert "may be lost" not in tabwire.ok("reload").text
