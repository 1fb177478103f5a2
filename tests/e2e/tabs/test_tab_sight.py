"""The person's other tabs: counted for a client and not named, wherever an address or a title could get out."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from e2e.site import Site
from e2e.tabs.two_clients import TwoClients
from polling import until

GIVEN = {"permissions": {"allow": ["all"], "tabs": "given"}}
PAGE = "<h1>Private</h1><button>Go</button>"


@pytest.fixture(scope="module")
def sighted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoClients]:
    with TwoClients.started(tmp_path_factory.mktemp("sight"), pairing=GIVEN) as clients:
        yield clients


def opened(clients: TwoClients, url: str, **more: Any) -> dict[str, Any]:
    """A tab that the person opens."""
    tab = clients.browser.in_worker(f"chrome.tabs.create({json.dumps({'url': url, 'active': False, **more})})")
    return dict(until(lambda: clients.browser.in_worker(f"chrome.tabs.get({tab['id']})"), lambda now: now["title"] == "Diary"))


def ids(clients: TwoClients) -> tuple[set[int], int]:
    """Tabs that Anna sees, and how many others she is told of."""
    data = clients.anna.ok("tab_list").data
    return {tab["tabId"] for tab in data["tabs"]}, data.get("others", 0)


def test_a_tab_that_is_not_given_is_counted_and_named_nowhere(sighted: TwoClients, site: Site) -> None:
    with sighted.for_a_test():
        own = sighted.anna.ok("tab_new", url=site.page(PAGE, "Mine")).data["tabId"]
        url = site.page(PAGE, "Diary")
        other = opened(sighted, url)
        tab, place = other["id"], other["index"]
        count = sighted.browser.in_worker("chrome.tabs.query({}).then((all) => all.length)")
        assert ids(sighted) == ({own}, count - 1)
        tried: list[tuple[str, dict[str, Any]]] = [
            *((tool, {"tabId": tab}) for tool in ("title", "url", "snapshot", "screenshot", "console", "tab_switch", "reload")),
            ("tab_close", {"tabId": tab}),
            ("tab_close", {"tabId": [own, tab]}),
            ("tab_close", {"url": "*inline*Diary*"}),
            ("tab_close", {"url": url}),
            ("tab_switch", {"index": place}),
            ("click", {"selector": "button", "tabId": tab}),
            ("evaluate", {"expression": "document.title", "tabId": tab}),
            ("navigate", {"url": site.url("/blank.html"), "tabId": tab}),
            ("ask_user", {"question": "Well?", "tabId": tab}),
            ("wait", {"for": "load_state", "load_state": "load", "tabId": tab}),
        ]
        for tool, arguments in tried:
            reply = sighted.anna.fails(tool, **arguments)
            told = reply.fenced + json.dumps(reply.structured)
            assert "Diary" not in told.replace("*Diary*", "") and reply.code in ("permission_denied", "no_such_tab"), (
                tool,
                reply,
            )
            assert url not in told or arguments.get("url") == url, (tool, reply)
        # Nor does who has no tab work in the one in front.
        sighted.browser.in_worker(f"chrome.tabs.update({tab}, {{ active: true }})")
        for tool in ("title", "snapshot", "bookmarks"):
            reply = sighted.bert.fails(tool, **({"action": "add"} if tool == "bookmarks" else {}))
            assert reply.code == "permission_denied" and "Use this tab" in reply.text, reply
        for status in (sighted.bert.ok("status"), sighted.anna.ok("status", tabId=tab)):
            assert "Diary" not in status.fenced + json.dumps(status.structured) and url not in status.fenced
        # Given to her group it is hers.
        group = sighted.browser.in_worker(f"chrome.tabs.get({own}).then((tab) => tab.groupId)")
        sighted.browser.in_worker(f"chrome.tabs.group({{ tabIds: [{tab}], groupId: {group} }})")
        until(lambda: ids(sighted)[0], equals={own, tab})
        assert sighted.anna.ok("title", tabId=tab).data["title"] == "Diary"


def test_the_context_menu_gives_a_tab_to_a_client_and_takes_it_back(sighted: TwoClients, site: Site) -> None:
    with sighted.for_a_test():
        own = sighted.anna.ok("tab_new", url=site.page(PAGE, "Mine")).data["tabId"]
        leases = sighted.browser.in_worker("chrome.storage.session.get('leases.tabs').then((all) => all['leases.tabs'])")
        anna = leases[str(own)]["clientId"]
        tab = opened(sighted, site.page(PAGE, "Diary"))["id"]
        there = "chrome.contextMenus.update({}, {{}}).then(() => true, () => false)"
        for item, seen in ((f"use {anna}", {own, tab}), ("take", {own})):
            until(lambda item=item: sighted.browser.in_worker(there.format(json.dumps(item))))
            pressed = f"chrome.contextMenus.onClicked.dispatch({{ menuItemId: {json.dumps(item)} }}, tab)"
            sighted.browser.in_worker(f"chrome.tabs.get({tab}).then((tab) => {{ {pressed} }})")
            until(lambda: ids(sighted)[0], equals=seen)


def test_the_person_may_show_one_window_or_everything(sighted: TwoClients, site: Site) -> None:
    with sighted.for_a_test():
        own = sighted.anna.ok("tab_new", url=site.page(PAGE, "Mine")).data["tabId"]
        beside = opened(sighted, site.page(PAGE, "Diary"))["id"]
        url = site.page(PAGE, "Diary")
        elsewhere = sighted.browser.in_worker(
            f"chrome.windows.create({{ url: {json.dumps(url)}, focused: false }}).then(({{ tabs }}) => tabs[0].id)"
        )
        try:
            sighted.person.ask("setSettings", settings={"tabs": "window"})
            seen, others = ids(sighted)
            assert {own, beside} <= seen and elsewhere not in seen and others == 1
            assert sighted.anna.fails("title", tabId=elsewhere).code == "permission_denied"
            sighted.person.ask("setSettings", settings={"tabs": "all"})
            assert {own, beside, elsewhere} <= ids(sighted)[0] and ids(sighted)[1] == 0
            assert sighted.anna.ok("title", tabId=elsewhere).data["title"] == "Diary"
            assert "error" in sighted.person.ask("setSettings", settings={"tabs": "some"})
        finally:
            sighted.person.ask("setSettings", settings={"tabs": None})
