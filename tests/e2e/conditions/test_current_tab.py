"""Which page a client works in, and what it leaves alone: the same wherever the user's window is and whatever is in it."""

from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conditions.condition import Condition
from e2e.conftest import Launched, ShownPage
from e2e.site import Site
from e2e.ui.own_pages import WELCOME

pytestmark = pytest.mark.conditions


def current(tabwire: Tabwire) -> dict[str, Any]:
    (tab,) = [tab for tab in tabwire.tabs() if tab["current"]]
    return tab


def test_the_page_that_was_opened_is_the_one_that_is_read_and_acted_in(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    url = site.page("<button id=b onclick='globalThis.hit = 1'>Go</button>", title="Opened")
    tabwire.open(url)
    assert (current(tabwire)["url"], tabwire.ok("title").data) == (url, {"title": "Opened"})
    tabwire.ok("click", selector=tabwire.ref("button", "Go"))
    assert (page.url, page.evaluate("globalThis.hit")) == (url, 1)


def test_pages_opened_one_after_the_other_share_a_tab_and_lead_back(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    first, second = site.page("<h1>One</h1>"), site.page("<h1>Two</h1>")
    tabwire.open(first)
    tab = current(tabwire)["tabId"]
    tabwire.open(second)
    assert (current(tabwire)["tabId"], page.url) == (tab, second)
    tabwire.ok("back")
    assert (current(tabwire)["tabId"], page.url, "One" in tabwire.snapshot()) == (tab, first, True)


def test_a_tab_that_is_opened_becomes_current_and_the_one_before_again_by_a_switch(tabwire: Tabwire, site: Site) -> None:
    first, second = site.page("<button>First</button>"), site.page("<button>Second</button>")
    tabwire.open(first)
    tab = current(tabwire)["tabId"]
    opened = tabwire.ok("tab_new", url=second).data
    assert (current(tabwire)["tabId"], opened["url"]) == (opened["tabId"], second)
    assert tabwire.ref("button", "Second")
    tabwire.ok("tab_switch", tabId=tab)
    assert current(tabwire)["url"] == first
    assert tabwire.ref("button", "First")


def test_the_page_in_front_stays_where_it_was(launched: Launched, tabwire: Tabwire, site: Site, condition: Condition) -> None:
    """The welcome page of a new user; else the tab that is the client's own and in front."""
    before = {target["targetId"]: target["url"] for target in launched.browser.targets("page")}
    tabwire.open(site.page("<input aria-label=Name><button>Go</button>"))
    tabwire.ok("fill", selector=tabwire.ref("textbox", "Name"), value="Ada")
    tabwire.ok("click", selector=tabwire.ref("button", "Go"))
    after = {target["targetId"]: target["url"] for target in launched.browser.targets("page")}
    (in_front,) = [page.target_id for page in launched.browser.pages() if page.evaluate("document.visibilityState") == "visible"]
    assert in_front in before
    if condition.is_new_user:
        assert (after[in_front], len(after)) == (WELCOME, 2)
    else:
        assert after.keys() == before.keys()
