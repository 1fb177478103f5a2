"""Leases: whose tab it is, how that is shown in the browser, and how it ends."""

import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import Joined, Launcher
from e2e.site import Site
from e2e.tabs.shared import Shared, until_seen
from e2e.worker import ALARM, holders_of

BUTTON = "<button onclick='globalThis.hits = (globalThis.hits ?? 0) + 1'>Go</button>"
GO = "role:button"
AT_ONCE_S = 1
RETURNED_WITHIN_S = 9
"""After a restart of the worker a client has 6 s to come back."""


def refused(reply: Reply, holder: str) -> bool:
    """Whether the holder was named together with what can be done."""
    return reply.code == "tab_leased" and f'"{holder}"' in reply.text and "tab_new" in reply.text


@pytest.fixture(scope="module")
def browser_of_two(joiner: Launcher[Joined]) -> Iterator[Shared]:
    shared = Shared(joiner.current())
    yield shared
    shared.close()


@pytest.fixture
def two(browser_of_two: Shared, site: Site) -> Iterator[Shared]:
    """With one tab of the user's in front, as every test finds it."""
    before = browser_of_two.browser.pages()
    browser_of_two.browser.open("about:blank")
    for page in before:
        page.close()
    until_seen(lambda: not browser_of_two.leases() and not browser_of_two.titles())
    for client in (browser_of_two.anna, browser_of_two.bert):
        # Each hears once that its tab was closed.
        client.call("title")
    yield browser_of_two


# ---- to whom a tab belongs -----------------------------------------------------------------------------------------


def test_a_tab_is_its_clients_own_in_a_group_of_its_name_and_colour(two: Shared, site: Site) -> None:
    shown = [tab for tab, (_, _, active) in two.tabs().items() if active]
    first = two.own(two.anna, site.page(BUTTON), "Anna", active=False)
    second = two.own(two.anna, site.page(BUTTON), "Anna", active=False)
    other = two.own(two.bert, site.page(BUTTON), "Bert", active=False)
    groups = two.ask("chrome.tabGroups.query({})")
    assert sorted(group["title"] for group in groups) == ["Anna", "Bert"]
    assert len({group["color"] for group in groups}) == 2
    assert not any(group["collapsed"] for group in groups)
    assert two.tab(first)["groupId"] == two.tab(second)["groupId"] != two.tab(other)["groupId"]
    assert [tab for tab, (_, _, active) in two.tabs().items() if active] == shown


def test_a_collapsed_group_stays_collapsed(two: Shared, site: Site) -> None:
    first = two.own(two.anna, site.page(BUTTON), "Anna", active=False)
    two.ask(f"chrome.tabGroups.update({two.tab(first)['groupId']}, {{ collapsed: true, title: 'Work of Anna' }})")
    third = two.own(two.anna, site.page(BUTTON), "Work of Anna", active=False)
    assert two.ask(f"chrome.tabGroups.get({two.tab(third)['groupId']})")["collapsed"]


def test_an_act_in_anothers_tab_names_the_holder_and_changes_nothing(two: Shared, site: Site) -> None:
    theirs = two.own(two.anna, site.page(BUTTON), "Anna")
    own = two.own(two.bert, site.page(BUTTON), "Bert")
    before = two.tabs()
    stored = two.ask("chrome.storage.session.get(['targets.pins', 'keepalive.used', 'leases.tabs'])")
    for tool, arguments in (
        ("click", {"selector": GO}),
        ("navigate", {"url": site.url("/blank.html")}),
        ("evaluate", {"expression": "globalThis.hits = 9"}),
        ("viewport", {"width": 300, "height": 300}),
        ("tab_switch", {}),
        ("tab_close", {}),
        ("dialog", {"action": "accept"}),
        ("route", {"action": "add", "url_pattern": "**", "handler": "abort"}),
        ("storage", {"action": "set", "key": "a", "value": "b"}),
    ):
        reply = two.bert.fails(tool, tabId=theirs, **arguments)
        assert refused(reply, "Anna"), (tool, reply)
        assert reply.structured["data"]["tabId"] == theirs
    assert refused(two.bert.fails("tab_switch", index=before[theirs][1]), "Anna")
    assert refused(two.bert.fails("tab_close", tabId=[own, theirs]), "Anna")
    assert refused(two.bert.fails("tab_close", url=f"{site.origin}/*"), "Anna")
    assert two.tabs() == before
    assert two.ask("chrome.storage.session.get(['targets.pins', 'keepalive.used', 'leases.tabs'])") == stored
    assert two.hits(theirs) == 0
    two.bert.ok("click", selector=GO)
    assert two.hits(own) == 1


def test_reading_leases_nothing_and_acting_does(two: Shared, site: Site) -> None:
    tab = two.open(site.page(BUTTON))
    two.anna.snapshot(tabId=tab)
    assert two.leases() == {}
    two.bert.ok("click", selector=GO, tabId=tab)
    until_seen(lambda: two.group_of(tab), equals="Bert")
    assert refused(two.anna.fails("click", selector=GO, tabId=tab), "Bert")
    assert two.hits(tab) == 1


def test_reads_are_shared(two: Shared, site: Site) -> None:
    theirs = two.own(two.anna, site.page(f"{BUTTON}<p>For all to read</p>", "Theirs"), "Anna")
    assert "For all to read" in two.bert.snapshot(tabId=theirs)
    assert two.bert.ok("title", tabId=theirs).data == {"title": "Theirs"}
    kept = two.in_page(theirs, "localStorage.length")
    assert two.bert.ok("storage", action="length", tabId=theirs).data["length"] == kept
    assert two.bert.ok("route", action="list", tabId=theirs).data["routes"] == []
    assert two.bert.ok("dialog", action="get_message", tabId=theirs).data["open"] in (False, "unknown")
    step = {"method": "role", "value": "button"}
    assert two.bert.ok("locator", chain=[step], tabId=theirs).data["ref"]
    assert refused(two.bert.fails("locator", chain=[step], action="click", tabId=theirs), "Anna")


def test_the_list_tells_whose_a_tab_is(two: Shared, site: Site) -> None:
    tab = two.open(site.page(BUTTON))
    two.bert.ok("click", selector=GO, tabId=tab)
    until_seen(lambda: two.group_of(tab), equals="Bert")
    theirs = two.own(two.anna, site.page(BUTTON, "Theirs"), "Anna")
    seen = {client: {tab["tabId"]: tab.get("leasedBy") for tab in client.tabs()} for client in (two.anna, two.bert)}
    assert seen[two.bert][theirs] == "Anna"
    assert seen[two.anna] == {**dict.fromkeys(seen[two.anna]), tab: "Bert"}
    assert list(seen[two.bert].values()).count("Anna") == 1


def test_of_two_first_acts_at_once_one_wins(two: Shared, site: Site) -> None:
    for _ in range(4):
        tab = two.open(site.page(BUTTON))
        racing = {client: client.start("click", selector=GO, tabId=tab) for client in (two.anna, two.bert)}
        replies = {client: future.result(20) for client, future in racing.items()}
        assert sorted(reply.is_error for reply in replies.values()) == [False, True]
        (loser,) = [reply for reply in replies.values() if reply.is_error]
        assert refused(loser, "Anna" if replies[two.bert] is loser else "Bert")
        assert two.hits(tab) == 1


def waiting(two: Shared, tab: int) -> "Future[Reply]":
    """An act that Anna has begun in the tab and that goes on until `finish`."""
    running = two.anna.start("evaluate", expression="new Promise((done) => { globalThis.finish = done })", tabId=tab)
    until_seen(lambda: two.in_page(tab, "typeof globalThis.finish"), equals="function")
    return running


def test_a_refused_act_does_not_wait_for_the_holders(two: Shared, site: Site) -> None:
    tab = two.open(site.page(BUTTON))
    running = waiting(two, tab)
    assert refused(two.bert.fails("click", selector=GO, tabId=tab), "Anna")
    assert not running.done()
    two.in_page(tab, "globalThis.finish()")
    assert not running.result(10).is_error


def test_an_act_that_waits_its_turn_while_the_user_takes_the_tab_is_refused(two: Shared, site: Site) -> None:
    tab = two.own(two.anna, site.page(BUTTON), "Anna")
    running = waiting(two, tab)
    queued = two.anna.start("click", selector=GO)
    # A read comes after it on the same connection.
    two.anna.ok("tab_list")
    two.ungroup(tab)
    until_seen(lambda: str(tab) not in two.leases())
    assert not queued.done()
    two.in_page(tab, "globalThis.finish()")
    assert not running.result(10).is_error
    assert queued.result(10).code == "permission_denied"
    assert two.hits(tab) == 0


def test_an_act_in_a_frame_is_an_act_in_its_tab(two: Shared, site: Site) -> None:
    tab = two.open(site.page(f"<iframe src='{site.cross_page(BUTTON)}'></iframe>"))
    ref = two.bert.ref("button", "Go", tabId=tab)
    two.anna.ok("click", selector=two.anna.ref("button", "Go", tabId=tab), tabId=tab)
    until_seen(lambda: two.group_of(tab), equals="Anna")
    assert refused(two.bert.fails("click", selector=ref, tabId=tab), "Anna")


def test_a_tab_that_a_leased_one_opens_is_its_clients_too(two: Shared, site: Site) -> None:
    two.own(two.anna, site.page(f"<a target=_blank href='{site.page(BUTTON, 'Opened')}'>Out</a>"), "Anna")
    reply = two.anna.ok("click", selector="role:link")
    (opened,) = [tab["tabId"] for tab in reply.data["effects"]["new_tabs"]]
    until_seen(lambda: str(opened) in two.leases())
    assert two.group_of(opened) == "Anna"
    assert refused(two.bert.fails("click", selector=GO, tabId=opened), "Anna")


def test_an_address_in_a_tab_of_its_own_takes_nobodys_tab(two: Shared, site: Site) -> None:
    theirs = two.own(two.anna, site.page(BUTTON), "Anna")
    opened = two.bert.ok("navigate", url=site.page(BUTTON), new_tab=True).data["tabId"]
    until_seen(lambda: two.group_of(opened), equals="Bert")
    assert two.group_of(theirs) == "Anna"
    window = two.bert.ok("window_new", url=site.page(BUTTON)).data
    until_seen(lambda: two.group_of(window["tabId"]), equals="Bert")
    assert two.tab(window["tabId"])["windowId"] == window["windowId"]
    # An address for a window takes nothing from the tab that is shown there.
    shown = two.tab(window["tabId"])
    beside = two.anna.ok("navigate", url=site.url("/blank.html"), windowId=window["windowId"]).data["tabId"]
    until_seen(lambda: two.group_of(beside), equals="Anna")
    assert two.tab(beside)["windowId"] == window["windowId"]
    assert two.tab(window["tabId"])["url"] == shown["url"] and two.tab(window["tabId"])["active"]


def test_a_client_that_does_not_come_back_after_a_restart_loses_its_tabs(two: Shared, site: Site) -> None:
    third = two.joined.join(name="Cleo")
    tab = two.own(third, site.page(BUTTON), "Cleo")
    two.browser.stop_workers()
    third.kill()
    two.bert.ok("tab_list")
    until_seen(lambda: str(tab) not in two.leases(), within=RETURNED_WITHIN_S)
    until_seen(lambda: "Cleo" not in two.titles())
    two.bert.ok("click", selector=GO, tabId=tab)


# ---- what the user has arranged ------------------------------------------------------------------------------------


def test_pinned_tabs_and_tabs_in_the_users_groups_stay_where_they_are(two: Shared, site: Site) -> None:
    pinned, grouped, free = two.open(site.page(BUTTON), pinned=True), two.open(site.page(BUTTON)), two.open(site.page(BUTTON))
    two.group(grouped)
    users = two.tab(grouped)["groupId"]
    for tab in (pinned, grouped):
        two.anna.ok("click", selector=GO, tabId=tab)
        two.anna.ok("click", selector=GO, tabId=tab)
        reply = two.bert.fails("click", selector=GO, tabId=tab)
        assert reply.code == "tab_leased" and "move" not in reply.text
    # Groups are made one after the other: once this one is seen, the others had their turn.
    two.anna.ok("click", selector=GO, tabId=free)
    until_seen(lambda: two.group_of(free), equals="Anna")
    assert (two.tab(pinned)["pinned"], two.tab(pinned)["groupId"], two.tab(grouped)["groupId"]) == (True, -1, users)
    assert two.titles() == ["", "Anna"]


def test_a_popup_window_has_no_group_but_a_holder(two: Shared, site: Site) -> None:
    url = site.page(BUTTON)
    tab = two.ask(f"chrome.windows.create({{url: '{url}', type: 'popup', focused: false}}).then((window) => window.tabs[0].id)")
    window = two.tab(tab)["windowId"]
    two.anna.ok("click", selector=GO, tabId=tab)
    assert two.bert.fails("click", selector=GO, tabId=tab).code == "tab_leased"
    two.own(two.anna, site.page(BUTTON), "Anna")
    assert (two.tab(tab)["windowId"], two.tab(tab)["groupId"]) == (window, -1)


def test_the_users_other_tabs_and_what_is_shown_are_left_alone(two: Shared, site: Site) -> None:
    mine = [two.open(site.page(BUTTON)) for _ in range(3)]
    before = two.tabs()
    reply = two.anna.ok("click", selector=GO, tabId=mine[0])
    until_seen(lambda: two.group_of(mine[0]), equals="Anna")
    assert set(reply.data["effects"]) <= {"none", "focus"}, "what is grouped is no effect of the act"
    assert two.tabs() == before
    assert [two.tab(tab)["groupId"] for tab in mine[1:]] == [-1, -1]
    focused = two.ask("chrome.windows.getLastFocused().then(({ id }) => id)")
    window = two.ask("chrome.windows.create({ url: 'about:blank', focused: false }).then(({ id }) => id)")
    elsewhere = two.open(site.page(BUTTON), windowId=window)
    two.anna.ok("click", selector=GO, tabId=elsewhere)
    until_seen(lambda: two.group_of(elsewhere), equals="Anna")
    assert two.tab(elsewhere)["windowId"] == window
    assert two.titles() == ["Anna", "Anna"]
    assert two.ask("chrome.windows.getLastFocused().then(({ id }) => id)") == focused
    assert {tab: place for tab, place in two.tabs().items() if tab in before} == before


# ---- what the user decides -----------------------------------------------------------------------------------------


def test_a_tab_moved_out_of_the_group_is_closed_to_its_client_until_it_is_moved_back(two: Shared, site: Site) -> None:
    keeps, tab = (two.own(two.anna, site.page(BUTTON), "Anna") for _ in range(2))
    two.ungroup(tab)
    until_seen(lambda: str(tab) not in two.leases())
    for arguments in ({}, {"tabId": tab}):
        reply = two.anna.fails("click", selector=GO, **arguments)
        assert reply.code == "permission_denied"
        assert f"the user took tab {tab} out of your tab group" in reply.text and "tab_new" in reply.text
    assert two.anna.fails("tab_close", tabId=tab).code == "permission_denied"
    assert 'button "Go"' in two.anna.snapshot(tabId=tab)
    assert two.group_of(tab) is None
    two.anna.ok("click", selector=GO, tabId=keeps)
    two.bert.ok("click", selector=GO, tabId=tab)
    until_seen(lambda: two.group_of(tab), equals="Bert")
    two.group(tab, into=keeps)
    until_seen(lambda: two.group_of(tab) == "Anna" and len(set(two.leases().values())) == 1)
    two.anna.ok("click", selector=GO, tabId=tab)
    assert refused(two.bert.fails("click", selector=GO, tabId=tab), "Anna")
    assert two.hits(tab) == 2


def test_what_a_client_changed_for_longer_ends_when_the_user_takes_the_tab(two: Shared, site: Site) -> None:
    two.own(two.anna, site.page(BUTTON), "Anna")
    tab = two.own(two.anna, site.url("/blank.html"), "Anna")
    two.anna.ok("route", action="add", url_pattern="**/echo", handler="abort")
    two.anna.ok("emulate", timezone="Asia/Tokyo")
    two.bert.ok("console", action="start_buffer", tabId=tab)
    zone = two.browser.shown().evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert zone == "Asia/Tokyo"
    two.ungroup(tab)
    until_seen(lambda: two.browser.shown().evaluate("fetch('/echo').then((answer) => answer.status, () => 0)"), equals=200)
    until_seen(lambda: two.browser.shown().evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone") != zone)
    assert len(holders_of(two.browser, tab, "console")) == 1


def test_a_group_that_the_user_dissolves_or_a_tab_put_elsewhere_is_taken_back(two: Shared, site: Site) -> None:
    first, second = (two.own(two.anna, site.page(BUTTON), "Anna") for _ in range(2))
    two.group(first)
    until_seen(lambda: str(first) not in two.leases())
    two.ungroup(second)
    until_seen(two.leases, equals={})
    for tab in (first, second):
        assert two.anna.fails("click", selector=GO, tabId=tab).code == "permission_denied"
    fresh = two.own(two.anna, site.page(BUTTON), "Anna")
    two.anna.ok("click", selector=GO, tabId=fresh)


def test_a_pinned_tab_and_a_group_moved_to_another_window_stay_leased_as_a_tab_moved_into_it(two: Shared, site: Site) -> None:
    first, second = (two.own(two.anna, site.page(BUTTON), "Anna") for _ in range(2))
    two.ask(f"chrome.tabs.update({first}, {{ pinned: true }})")
    until_seen(lambda: two.tab(first)["groupId"], equals=-1)
    window = two.ask("chrome.windows.create({ url: 'about:blank', focused: false }).then(({ id }) => id)")
    two.ask(f"chrome.tabGroups.move({two.tab(second)['groupId']}, {{ windowId: {window}, index: -1 }})")
    # The next look comes after those at what was moved.
    tab = two.open(site.page(BUTTON))
    two.group(tab, into=second)
    until_seen(lambda: str(tab) in two.leases())
    assert set(two.leases()) == {str(first), str(second), str(tab)}
    two.anna.ok("click", selector=GO, tabId=first)
    two.anna.ok("click", selector=GO, tabId=second)
    assert two.tab(first)["pinned"]
    # The tab that was moved into the group is its client's.
    assert refused(two.bert.fails("click", selector=GO, tabId=tab), "Anna")
    two.anna.ok("click", selector=GO, tabId=tab)


# ---- how a lease ends ----------------------------------------------------------------------------------------------


def test_a_tab_that_is_closed_or_discarded(two: Shared, site: Site) -> None:
    stays, goes = (two.own(two.anna, site.page(BUTTON), "Anna", active=False) for _ in range(2))
    two.ask(f"chrome.tabs.remove({goes})")
    until_seen(lambda: str(goes) not in two.leases())
    now = two.ask(f"chrome.tabs.discard({stays}).then(({{ id }}) => id)")
    until_seen(lambda: set(two.leases()), equals={str(now)})
    assert refused(two.bert.fails("click", selector=GO, tabId=now), "Anna")
    assert refused(two.bert.fails("click", selector=GO, tabId=stays), "Anna")
    assert two.tab(now)["discarded"]
    two.anna.ok("storage", action="set", key="a", value="b", tabId=now)
    assert two.group_of(now) == "Anna"


def test_a_restart_of_the_worker_ends_no_lease_and_a_client_with_another_name_has_its_group_renamed(
    two: Shared, site: Site
) -> None:
    tab = two.own(two.anna, site.page(BUTTON), "Anna")
    taken = two.own(two.anna, site.page(BUTTON), "Anna")
    two.ungroup(taken)
    until_seen(lambda: str(taken) not in two.leases())
    # A client says another name than it had before: as that one is stored, the next act finds the new one.
    named = two.own(two.bert, site.page(BUTTON), "Bert")
    group = two.tab(named)["groupId"]
    kept = two.ask(f"chrome.tabGroups.get({group})")["color"]
    change = "for (const each of Object.values(all['leases.holders'])) if (each.name === 'Bert') each.name = 'An MCP client'"
    two.ask(f"chrome.storage.session.get('leases.holders').then((all) => {{ {change}; return chrome.storage.session.set(all) }})")
    two.ask(f"chrome.tabGroups.update({group}, {{ title: 'An MCP client' }})")
    before = two.leases()
    assert two.browser.stop_workers() == 1
    assert refused(two.bert.fails("click", selector=GO, tabId=tab), "Anna")
    assert two.anna.fails("click", selector=GO, tabId=taken).code == "permission_denied"
    two.anna.ok("click", selector=GO, tabId=tab)
    two.bert.ok("click", selector=GO)
    until_seen(lambda: two.group_of(named), equals="Bert")
    assert two.ask(f"chrome.tabGroups.get({group})")["color"] == kept
    assert two.leases() == before
    assert two.group_of(tab) == "Anna"
    # Nor is the tab forgotten to be in a group of ours.
    two.ungroup(tab)
    until_seen(lambda: set(two.leases()), equals={str(named)})


def test_a_tab_that_was_not_used_for_half_an_hour_is_let_go(two: Shared, site: Site) -> None:
    old, used = (two.own(two.anna, site.page(BUTTON), "Anna") for _ in range(2))
    # As it is stored: the worker that wakes reads nothing else.
    age = f"all['leases.tabs'][{old}].used -= 31 * 60_000; return chrome.storage.session.set(all)"
    two.ask(f"chrome.storage.session.get('leases.tabs').then((all) => {{ {age} }})")
    two.browser.stop_workers()
    two.anna.ok("tab_list")
    two.ask(f"chrome.alarms.onAlarm.dispatch({{ name: '{ALARM}' }})")
    until_seen(lambda: set(two.leases()), equals={str(used)})
    until_seen(lambda: two.group_of(old) is None)
    assert two.group_of(used) == "Anna"
    two.bert.ok("click", selector=GO, tabId=old)


def test_a_killed_client_frees_its_tabs_at_once(two: Shared, site: Site) -> None:
    theirs = two.own(two.anna, site.page(BUTTON), "Anna")
    third = two.joined.join(name="Anna")
    tabs = [two.own(third, site.page(BUTTON), "Anna 2") for _ in range(2)]
    order = two.tabs()
    assert refused(two.bert.fails("click", selector=GO, tabId=tabs[0]), "Anna 2")
    assert refused(third.fails("click", selector=GO, tabId=theirs), "Anna")
    third.kill()
    began = time.monotonic()
    until_seen(two.titles, equals=["Anna"])
    assert time.monotonic() - began < AT_ONCE_S
    two.bert.ok("click", selector=GO, tabId=tabs[0])
    until_seen(lambda: two.group_of(tabs[0]), equals="Bert")
    assert two.group_of(tabs[1]) is None
    assert two.tabs() == order
    assert two.group_of(theirs) == "Anna"


def test_a_reload_of_the_extension_ends_the_leases_and_leaves_no_group(two: Shared, site: Site) -> None:
    """What a reload does to the state; Chrome reloads no unpacked extension without the user's developer mode."""
    users = two.open(site.page(BUTTON))
    two.group(users)
    tab = two.own(two.anna, site.page(BUTTON), "Anna")
    two.ask("chrome.storage.session.clear()")
    two.browser.stop_workers()
    assert two.anna.fails("title").code == "no_such_tab"
    until_seen(two.titles, equals=[""])
    assert two.leases() == {}
    two.anna.ok("click", selector=GO, tabId=tab)
    until_seen(lambda: two.group_of(tab), equals="Anna")
    assert two.group_of(users) == ""


def test_a_browser_that_a_client_started_for_itself_has_no_groups(
    tabwire: Tabwire, browser: Browser, launched: Any, site: Site
) -> None:
    if launched.is_own:
        pytest.skip("this run has no launched browser")
    tab = tabwire.ok("tab_new", url=site.page(BUTTON)).data["tabId"]
    tabwire.ok("click", selector=GO)
    stored = browser.in_worker("chrome.storage.session.get('leases.tabs').then((all) => all['leases.tabs'])")
    assert str(tab) in stored
    assert browser.in_worker("chrome.tabGroups.query({})") == []
