"""tab_new, tab_list, tab_switch, tab_close, window_new: which tabs there are, which one is shown, which one is worked in."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site


def current(tabwire: Tabwire) -> dict[str, object]:
    (tab,) = [tab for tab in tabwire.tabs() if tab["current"]]
    return tab


def test_a_new_tab_is_listed_shown_and_worked_in(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    url = site.page("<h1>New</h1>", title="Fresh")
    data = tabwire.ok("tab_new", url=url).data
    tab = current(tabwire)
    assert (tab["tabId"], tab["url"], tab["title"], tab["active"]) == (data["tabId"], url, "Fresh", True)
    assert page.url == url


def test_a_new_tab_in_the_background_is_not_shown(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    before = (current(tabwire)["tabId"], page.url)
    data = tabwire.ok("tab_new", url=site.page(""), active=False).data
    assert (current(tabwire)["tabId"], page.url) == before
    assert [tab["active"] for tab in tabwire.tabs() if tab["tabId"] == data["tabId"]] == [False]


def test_a_new_tab_is_ready_to_be_read(tabwire: Tabwire, site: Site) -> None:
    tabwire.ok("tab_new", url=site.page("<script>document.write('<button>Parsed</button>')</script>"))
    assert tabwire.ref("button", "Parsed")


def test_without_an_address_a_new_tab_is_empty(tabwire: Tabwire) -> None:
    assert tabwire.ok("tab_new").data["url"] == "about:blank"


def test_a_new_tab_that_cannot_load_says_why_and_does_not_stay(tabwire: Tabwire) -> None:
    before = tabwire.tabs()
    reply = tabwire.fails("tab_new", url="http://no-such-host.invalid/")
    assert (reply.code, "ERR_NAME_NOT_RESOLVED" in reply.text) == ("navigation_failed", True)
    assert [tab["tabId"] for tab in tabwire.tabs()] == [tab["tabId"] for tab in before]


@pytest.mark.conditions
def test_a_tab_opened_by_a_link_is_listed_and_worked_in_after_a_switch(tabwire: Tabwire, site: Site) -> None:
    inner = site.page("<button onclick=\"document.title = 'Done'\">Finish</button>")
    tabwire.open(site.page(f"<a target=_blank href='{inner}'>Open</a>"))
    tabwire.ok("click", selector=tabwire.ref("link", "Open"))
    (tab,) = [tab for tab in tabwire.tabs() if tab["url"] == inner]
    tabwire.ok("tab_switch", tabId=tab["tabId"])
    tabwire.ok("click", selector=tabwire.ref("button", "Finish"))
    assert tabwire.ok("title").data == {"title": "Done"}


def test_switching_by_id_and_by_index_shows_the_tab(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    first = current(tabwire)
    second = site.page("", title="Second")
    tabwire.ok("tab_new", url=second)
    tabwire.ok("tab_switch", tabId=first["tabId"])
    assert page.url == first["url"]
    index = next(tab["index"] for tab in tabwire.tabs() if tab["url"] == second)
    assert tabwire.ok("tab_switch", index=index).data["url"] == second
    assert page.url == second
    assert current(tabwire)["url"] == second


def test_switching_to_a_tab_that_is_not_there_fails(tabwire: Tabwire) -> None:
    before = current(tabwire)
    for arguments in ({"tabId": 1}, {"index": 99}):
        assert (tabwire.fails("tab_switch", **arguments).code, current(tabwire)) == ("no_such_tab", before), arguments


def test_closing_one_and_several_tabs(tabwire: Tabwire, site: Site) -> None:
    stays = current(tabwire)["tabId"]
    tabs = [tabwire.ok("tab_new", url=site.url(f"/blank.html?{n}")).data["tabId"] for n in range(3)]
    tabwire.ok("tab_close", tabId=tabs[0])
    assert [tab["tabId"] for tab in tabwire.tabs()] == [stays, *tabs[1:]]
    tabwire.ok("tab_close", tabId=tabs[1:])
    assert [tab["tabId"] for tab in tabwire.tabs()] == [stays]


def test_closing_by_address_closes_what_the_pattern_covers(tabwire: Tabwire, site: Site) -> None:
    stays = site.url("/blank.html?stay/1")
    for url in (stays, site.url("/blank.html?go/1"), site.url("/blank.html?go/2")):
        tabwire.ok("tab_new", url=url)
    closed = tabwire.ok("tab_close", url="*/blank.html?go/*").data["closed"]
    assert [tab["url"] for tab in closed] == [site.url("/blank.html?go/1"), site.url("/blank.html?go/2")]
    assert stays in [tab["url"] for tab in tabwire.tabs()]


def test_closing_nothing_in_particular_is_refused(tabwire: Tabwire) -> None:
    before = tabwire.tabs()
    for arguments in ({}, {"tabId": []}, {"url": ""}):
        assert (tabwire.fails("tab_close", **arguments).code, tabwire.tabs()) == ("invalid_argument", before), arguments


def test_unknown_tabs_are_named_and_nothing_is_closed(tabwire: Tabwire) -> None:
    before = tabwire.tabs()
    for unknown in ({"tabId": [1, 2]}, {"url": "https://nowhere.invalid/*"}):
        assert (tabwire.fails("tab_close", **unknown).code, tabwire.tabs()) == ("no_such_tab", before), unknown
    mixed = tabwire.fails("tab_close", tabId=[before[0]["tabId"], 987654321])
    assert ("987654321" in mixed.text, tabwire.tabs()) == (True, before)


def test_a_tab_with_an_open_dialog_is_closed(tabwire: Tabwire, site: Site) -> None:
    tab = tabwire.ok("tab_new", url=site.page("<button onclick='alert(1)'>Ask</button>")).data["tabId"]
    tabwire.ok("click", selector=tabwire.ref("button", "Ask"))
    assert tabwire.ok("tab_close", tabId=tab).elapsed_ms < 5000
    assert tab not in [entry["tabId"] for entry in tabwire.tabs()]


def test_closing_the_last_tab_keeps_the_browser(tabwire: Tabwire) -> None:
    tabwire.ok("tab_close", tabId=[tab["tabId"] for tab in tabwire.tabs()])
    assert [tab["url"] for tab in tabwire.tabs()] == ["about:blank"]


def test_a_window_has_the_given_size_and_a_tab_of_its_own(tabwire: Tabwire, site: Site) -> None:
    url = site.page("", title="Window")
    data = tabwire.ok("window_new", url=url, width=700, height=500).data
    tab = current(tabwire)
    assert (tab["tabId"], tab["windowId"], tab["url"]) == (data["tabId"], data["windowId"], url)
    assert tabwire.ok("evaluate", expression="[outerWidth, outerHeight]").data == [700, 500]
    assert [entry["tabId"] for entry in tabwire.ok("tab_list", windowId=data["windowId"]).data["tabs"]] == [data["tabId"]]


def test_an_unknown_window_is_refused(tabwire: Tabwire) -> None:
    before = tabwire.tabs()
    for tool in ("tab_new", "tab_list"):
        assert tabwire.fails(tool, windowId=987654321).code == "no_such_tab", tool
    assert tabwire.tabs() == before


def test_an_incognito_window_needs_the_users_leave(tabwire: Tabwire) -> None:
    before = tabwire.tabs()
    reply = tabwire.fails("window_new", incognito=True)
    assert (reply.code, "Allow in Incognito" in reply.text) == ("unsupported_operation", True)
    assert tabwire.tabs() == before
