"""Windows that Chrome hides from extensions, files that it closes to them, and a browser that has just been set up."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.plain import PlainChromium
from e2e.site import Site
from e2e.tabs.front import Desk, set_switch
from e2e.ui.own_pages import WELCOME
from polling import until

AT_ONCE_MS = 15_000
UNSEEN = "Private (incognito) windows are not seen"


@pytest.fixture
def desk(tmp_path: Path, site: Site) -> Iterator[Desk]:
    """A browser of the test's own: its switches are not set back."""
    with Desk.started(tmp_path) as desk:
        desk.site = site
        yield desk


def open_private(desk: Desk) -> str:
    """The user opens a private window in front; returns its address."""
    url = desk.site.page("<h1>Private</h1>", title="Private")
    desk.ask(f"chrome.windows.create({{ incognito: true, url: {json.dumps(url)} }}).then(() => true)")
    desk.browser.at(url).wait_for("document.readyState === 'complete'")
    return url


def test_a_private_window_in_front_is_said_not_to_be_seen_and_which_tab_is_meant(desk: Desk) -> None:
    behind = desk.show(desk.site.page("<h1>Behind</h1>"))
    private = open_private(desk)
    client = desk.client()
    text = client.ok("snapshot").text
    assert "Behind" in text and f"this is tab {behind}" in text and UNSEEN in text
    assert UNSEEN not in client.ok("snapshot").text, "once is enough"
    assert client.ok("tab_list").data["note"] == "private (incognito) windows are not listed"
    assert private not in json.dumps(client.tabs())
    url = desk.site.page("<h1>New</h1>")
    client.open(url)
    assert url in desk.tabs().urls.values() and {*desk.tabs().shown} == {behind}
    assert private in [target["url"] for target in desk.browser.targets("page")]
    # A client that works in a tab of its own is not told of others.
    assert UNSEEN not in client.ok("snapshot").text
    desk.ask(f"chrome.tabs.update({behind}, {{ url: 'chrome://version/' }})")
    until(lambda: desk.tabs().urls[behind], equals="chrome://version/")
    assert UNSEEN in desk.client().fails("snapshot").text


def test_where_only_a_private_window_is_open_an_address_opens_in_another_one_behind_it(desk: Desk) -> None:
    client = desk.client()
    private = open_private(desk)
    desk.ask("chrome.windows.getAll().then((all) => Promise.all(all.map(({ id }) => chrome.windows.remove(id))))")
    until(lambda: desk.tabs().urls, equals={})
    reply = client.fails("snapshot")
    assert reply.code == "no_such_tab" and UNSEEN in reply.text and "navigate with a url" in reply.text, reply
    client.open(desk.site.page("<h1>New</h1>"))
    assert "New" in client.snapshot() and private in [target["url"] for target in desk.browser.targets("page")]


def test_a_private_window_that_the_user_shows_to_tabwire_is_in_front_like_any_other(desk: Desk) -> None:
    set_switch(desk.browser, incognitoAccess=True)
    private = open_private(desk)
    client = desk.client()
    text = client.ok("snapshot").text
    assert 'heading "Private"' in text and UNSEEN not in text
    (tab,) = [tab for tab in client.tabs() if tab["current"]]
    assert (tab["url"], tab["incognito"]) == (private, True)
    own = client.ok("navigate", url=desk.site.url("/blank.html")).data["tabId"]
    assert desk.tabs().urls[tab["tabId"]] == private and own != tab["tabId"]


def test_where_files_are_closed_to_the_extension_that_is_said_at_once(desk: Desk) -> None:
    set_switch(desk.browser, fileAccess=False)
    file = desk.chromium.work / "page.html"
    file.write_text("<h1>Local</h1>")
    # Extensions cannot open it either.
    desk.browser.open(file.as_uri())
    front = next(tab for tab, url in desk.tabs().urls.items() if url == file.as_uri())
    client = desk.client()
    for arguments in ({}, {"tabId": front}):
        reply = client.fails("snapshot", **arguments)
        assert (reply.code, reply.elapsed_ms < AT_ONCE_MS) == ("permission_denied", True), reply
        assert '"Allow access to file URLs" is off for Tabwire in chrome://extensions' in reply.text, reply
    assert not [target for target in desk.browser.targets("page") if "question.html" in target["url"]]
    url = desk.site.page("<h1>New</h1>")
    client.open(url)
    assert desk.tabs().urls[front] == file.as_uri() and front in desk.tabs().shown
    left = client.ok("navigate", url=url, tabId=front)
    assert left.elapsed_ms < AT_ONCE_MS and desk.tabs().urls[front] == url


def test_the_first_calls_of_a_new_user_work_while_the_welcome_page_is_in_front(tmp_path: Path, site: Site) -> None:
    chromium = PlainChromium(tmp_path, "about:blank", pairing={"welcome": True}, is_fresh=True)
    try:
        welcome = chromium.browser.at(WELCOME, 15)
        client = chromium.join(name="claude-ai")
        refused = client.fails("snapshot").text
        assert "one of Tabwire's own pages" in refused and "navigate with a url opens a tab of your own" in refused
        url = site.page("<h1>Shop</h1><button onclick=\"document.title = 'bought'\">Buy</button>")
        client.ok("navigate", url=url)
        client.ok("click", selector=client.ref("button", "Buy"))
        assert chromium.browser.at(url).evaluate("[document.title, document.visibilityState].join()") == "bought,hidden"
        assert welcome.evaluate("[location.href, document.visibilityState].join()") == f"{WELCOME},visible"
        own = next(tab for tab in client.tabs() if tab["current"])
        client.ok("tab_switch", tabId=own["tabId"])
        assert chromium.browser.at(url).evaluate("document.visibilityState") == "visible"
    finally:
        chromium.close()
