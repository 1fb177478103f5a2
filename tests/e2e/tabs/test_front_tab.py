"""A client's first call, which names no tab, with every kind of page in front. Chrome says what is shown and what was replaced."""

import json
from collections.abc import Callable, Iterator

import pytest

from e2e.client import Tabwire
from e2e.site import Site
from e2e.tabs.front import BARRED_HOST, Desk
from e2e.ui.own_pages import POPUP, WELCOME
from polling import until

AT_ONCE_MS = 15_000
"""Much less than the 45 s for which the answer to a question is awaited, also on a busy computer."""
PRESSED = "<h1>New</h1><button onclick=\"document.title = 'pressed'\">Go</button>"
PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj "
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj trailer<</Root 1 0 R>>"
)


@pytest.fixture(scope="module")
def running_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with Desk.started(tmp_path_factory.mktemp("front")) as desk:
        yield desk


@pytest.fixture
def desk(running_desk: Desk, site: Site) -> Iterator[Desk]:
    running_desk.site = site
    yield running_desk
    running_desk.clear()


def local_file(desk: Desk) -> int:
    file = desk.chromium.work / "page.html"
    file.write_text("<h1>Local</h1>")
    return desk.show(file.as_uri())


def crashed(desk: Desk) -> int:
    url = desk.site.page("<h1>Doomed</h1>")
    tab = desk.show(url)
    target = next(target for target in desk.browser.targets("page") if target["url"] == url)
    session = desk.browser.call("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})["sessionId"]
    # A page that has crashed answers nothing any more.
    desk.browser.send("Page.crash", session=session)
    until(lambda: desk.ask(f"chrome.tabs.get({tab})")["status"], equals="unloaded")
    return tab


def pdf(desk: Desk) -> int:
    desk.site.serve("/a.pdf", PDF, "application/pdf")
    return desk.show(desk.site.url("/a.pdf"))


def devtools(desk: Desk) -> int:
    url = "devtools://devtools/bundled/inspector.html"
    desk.browser.call("Target.createTarget", {"url": url})
    found = until(lambda: [tab for tab, at in desk.tabs().urls.items() if at.startswith("devtools:")])
    return found[0]


UNTOUCHABLE: dict[str, tuple[Callable[[Desk], int], str, str]] = {
    "the welcome page": (lambda desk: desk.show(WELCOME), "restricted_page", "one of Tabwire's own pages"),
    "the popup's page": (lambda desk: desk.show(POPUP), "restricted_page", "one of Tabwire's own pages"),
    "a page of the browser": (lambda desk: desk.show("chrome://version/"), "restricted_page", "a page of the browser itself"),
    "the extension store": (
        lambda desk: desk.show("https://chromewebstore.google.com/"), "restricted_page", "the extension store",
    ),
    "a page of another extension": (lambda desk: desk.show(desk.other_extension), "restricted_page", "a page of an extension"),
    "a source view": (lambda desk: desk.show(f"view-source:{desk.site.url()}"), "restricted_page", "a source view"),
    "the developer tools": (devtools, "restricted_page", "the developer tools"),
    "a barred site": (
        lambda desk: desk.show(desk.site.page("<h1>Balance</h1>").replace("127.0.0.1", BARRED_HOST)),
        "permission_denied", "a site on which the user does not allow Tabwire",
    ),
    "a local file": (local_file, "permission_denied", "a local file"),
    "a crashed page": (crashed, "page_crashed", "a page that has crashed"),
}  # fmt: skip
"""Page in front → how it gets there, and code and words of the refusal."""
TOUCHABLE: dict[str, Callable[[Desk], int]] = {
    "an ordinary page": lambda desk: desk.show(desk.site.page("<h1>Mine</h1>", title="Mine")),
    "a document in the viewer": pdf,
    "a page that is given with its address": lambda desk: desk.show("data:text/html,<h1>Mine</h1>"),
    "the new tab page": lambda desk: desk.show("chrome://newtab/", at="chrome://new-tab-page-third-party/"),
}


def assert_stays(desk: Desk, front: int, url: str) -> None:
    """The user still sees that tab, with the page that was in it."""
    tabs = desk.tabs()
    assert tabs.urls[front] == url and front in tabs.shown, tabs


@pytest.mark.parametrize("kind", [*UNTOUCHABLE, *TOUCHABLE])
def test_the_first_address_opens_in_a_tab_of_the_clients_own_and_no_page_of_the_user_is_replaced(desk: Desk, kind: str) -> None:
    front = (UNTOUCHABLE[kind][0] if kind in UNTOUCHABLE else TOUCHABLE[kind])(desk)
    before = desk.tabs()
    client = desk.client()
    url = desk.site.page(PRESSED)
    reply = client.ok("navigate", url=url)
    assert reply.elapsed_ms < AT_ONCE_MS
    after = desk.tabs()
    ((tab, there),) = {(tab, at) for tab, at in after.urls.items() if tab not in before.urls}
    assert there == url and after.shown == before.shown
    assert {tab: at for tab, at in after.urls.items() if tab in before.urls} == before.urls
    assert f"in a tab of your own (tab {tab})" in reply.text and reply.data["tabId"] == tab
    # The client goes on there.
    client.ok("click", selector=client.ref("button", "Go"))
    assert desk.in_page(tab, "document.title") == "pressed"
    client.open(desk.site.url("/blank.html"))
    assert desk.tabs().urls[tab] == desk.site.url("/blank.html")
    assert_stays(desk, front, before.urls[front])


@pytest.mark.parametrize("kind", UNTOUCHABLE)
def test_a_call_that_names_no_tab_never_means_a_page_that_cannot_be_touched_and_says_which_can(desk: Desk, kind: str) -> None:
    url = desk.site.page("<h1>Readable</h1><p id=p onclick='globalThis.hits = 1'>Text</p>", title="Readable")
    readable = desk.show(url)
    put, code, words = UNTOUCHABLE[kind]
    front = put(desk)
    before = desk.tabs()
    client = desk.client()
    for tool, arguments in (
        ("snapshot", {}),
        ("click", {"selector": "#p"}),
        ("screenshot", {}),
        ("evaluate", {"expression": "1"}),
    ):
        reply = client.fails(tool, **arguments)
        assert (reply.code, reply.elapsed_ms < AT_ONCE_MS) == (code, True), reply
        assert words in reply.text and "site that is not allowed" not in reply.text, reply
        assert f'{readable} "Readable" (127.0.0.1:' in reply.text and f"Next: {tool} with tabId: {readable}" in reply.text, reply
        # A page has chosen its title, and what is not to be told is not.
        assert '"Readable" (' not in reply.fenced.replace('>"Readable" (', "") and "Balance" not in reply.fenced
        assert BARRED_HOST not in reply.fenced
    assert desk.tabs() == before and desk.in_page(readable, "globalThis.hits ?? 0") == 0
    # What was said helps.
    assert "Readable" in client.ok("snapshot", tabId=readable).text
    client.ok("click", selector="#p", tabId=readable)
    assert desk.in_page(readable, "hits") == 1
    assert_stays(desk, front, before.urls[front])


def current(client: Tabwire) -> list[int]:
    return [tab["tabId"] for tab in client.tabs() if tab["current"]]


def test_an_ordinary_page_in_front_is_read_and_acted_in_without_a_name(desk: Desk) -> None:
    front = desk.show(desk.site.page(PRESSED, title="Mine"))
    client = desk.client()
    assert current(client) == [front]
    assert 'heading "New"' in client.snapshot()
    client.ok("click", selector="button")
    assert desk.in_page(front, "document.title") == "pressed"
    # An act makes no page the client's own.
    url = desk.tabs().urls[front]
    client.open(desk.site.url("/blank.html"))
    assert_stays(desk, front, url)


def test_a_reference_names_its_tab_for_a_client_that_has_been_restarted(desk: Desk) -> None:
    front = desk.show(WELCOME)
    before = desk.client()
    tab = before.ok("navigate", url=desk.site.page(PRESSED)).data["tabId"]
    button = before.ref("button", "Go")
    before.close()
    client = desk.client()
    client.ok("click", selector=button)
    assert desk.in_page(tab, "document.title") == "pressed"
    assert current(client) == [tab] and "Go" in client.snapshot()
    assert_stays(desk, front, WELCOME)


def test_an_empty_tab_in_front_is_used_and_one_that_a_page_has_opened_is_not(desk: Desk) -> None:
    empty = desk.show("about:blank")
    client = desk.client()
    url = desk.site.page(PRESSED)
    assert client.ok("navigate", url=url).data["tabId"] == empty
    assert desk.tabs().urls[empty] == url and empty in desk.tabs().shown
    opener = desk.show(desk.site.page("<script>onclick = () => open('about:blank').document.write('<h1>Written</h1>')</script>"))
    page = desk.browser.at(desk.tabs().urls[opener])
    page.call("Runtime.evaluate", {"expression": "onclick()", "userGesture": True})
    written = until(lambda: [tab for tab in desk.tabs().shown if desk.tabs().urls[tab] == "about:blank"])[0]
    other = desk.client()
    tab = other.ok("navigate", url=url).data["tabId"]
    assert tab != written and desk.tabs().urls[written] == "about:blank" and written in desk.tabs().shown


def test_a_tab_that_is_named_or_was_switched_to_is_navigated(desk: Desk) -> None:
    first, second = (desk.show(desk.site.page(f"<h1>{name}</h1>")) for name in ("First", "Second"))
    client = desk.client()
    one, two, three = (desk.site.page(f"<h1>{name}</h1>") for name in ("One", "Two", "Three"))
    client.ok("navigate", url=one, tabId=first)
    client.ok("tab_switch", tabId=second)
    client.ok("navigate", url=two)
    assert (desk.tabs().urls[first], desk.tabs().urls[second]) == (one, two)
    # A window that is named is no tab that is named.
    window = desk.ask(f"chrome.tabs.get({first})")["windowId"]
    other = desk.client()
    tab = other.ok("navigate", url=three, windowId=window).data["tabId"]
    assert tab not in (first, second) and desk.tabs().urls[tab] == three and second in desk.tabs().shown
    assert other.fails("navigate", url=one, windowId=987654321).code == "no_such_tab"


def test_an_address_that_does_not_load_leaves_no_tab(desk: Desk) -> None:
    desk.show(WELCOME)
    before = desk.tabs()
    client = desk.client()
    assert client.fails("navigate", url="http://no-such-host.invalid/").code == "navigation_failed"
    until(desk.tabs, equals=before)
    assert client.fails("snapshot").code == "restricted_page", "the client has no tab of its own"


def test_pages_of_tabwire_are_listed_as_what_they_are_and_never_as_the_current_one(desk: Desk) -> None:
    front = desk.show(WELCOME)
    source = desk.show(f"view-source:{desk.site.url()}")
    desk.ask(f"chrome.tabs.update({front}, {{ active: true }})")
    client = desk.client()
    listed = {tab["tabId"]: tab for tab in client.tabs()}
    assert listed[front]["barred"].startswith("one of Tabwire's own pages") and listed[source]["barred"].startswith(
        "a source view"
    )
    assert current(client) == [] and "not allowed" not in json.dumps(listed)
    for tool, more in (("tab_switch", {}), ("tab_close", {}), ("snapshot", {}), ("navigate", {"url": desk.site.url()})):
        assert "one of Tabwire's own pages" in client.fails(tool, tabId=front, **more).text, tool
    assert_stays(desk, front, WELCOME)
    status = client.ok("status")
    assert "not allow" not in status.text, status


def test_a_local_file_is_asked_about_where_it_is_named_and_left_without_a_question(desk: Desk) -> None:
    front = local_file(desk)
    file = desk.tabs().urls[front]
    client = desk.client()
    waiting = client.start("snapshot", tabId=front)
    until(lambda: [target for target in desk.browser.targets("page") if "question.html" in target["url"]])
    assert not waiting.done()
    # The question lies over the page that is meant.
    assert client.fails("title").code == "permission_denied"
    told = "chrome.runtime.sendMessage"
    asking = desk.browser.open(POPUP)
    identity = asking.evaluate(f"{told}({{ type: 'questions' }})")["questions"][0]["id"]
    asking.evaluate(f"{told}({json.dumps({'type': 'answerQuestion', 'id': identity, 'answer': 'once'})})")
    assert "Local" in waiting.result(20).text
    asking.close()
    desk.ask(f"chrome.tabs.update({front}, {{ active: true }})")
    url = desk.site.page("<h1>Elsewhere</h1>")
    left = client.ok("navigate", url=url, tabId=front)
    assert left.elapsed_ms < AT_ONCE_MS and desk.tabs().urls[front] == url
    second = desk.show(file)
    assert client.ok("tab_switch", tabId=second).elapsed_ms < AT_ONCE_MS
    assert client.ok("tab_close", tabId=second).elapsed_ms < AT_ONCE_MS
    assert second not in desk.tabs().urls


def test_a_crashed_page_is_loaded_again_by_the_call_that_was_named(desk: Desk) -> None:
    front = crashed(desk)
    client = desk.client()
    assert f"reload with tabId: {front}" in client.fails("snapshot").text
    client.ok("reload", tabId=front)
    assert "Doomed" in client.ok("snapshot", tabId=front).text


def test_a_tab_that_was_seen_last_and_has_gone_to_such_a_page_is_not_meant_any_more(desk: Desk) -> None:
    front = desk.show(desk.site.page(PRESSED))
    client = desk.client()
    client.snapshot()
    desk.ask(f"chrome.tabs.update({front}, {{ url: 'chrome://version/' }})")
    until(lambda: desk.tabs().urls[front], equals="chrome://version/")
    desk.show("about:blank")
    reply = client.fails("click", selector="button")
    assert reply.code == "restricted_page" and f"the tab you saw last (tab {front})" in reply.text, reply


def test_other_surfaces_open_a_tab_of_their_own_and_name_only_their_own_tools(desk: Desk) -> None:
    readable = desk.show(desk.site.page("<h1>Readable</h1>", title="Readable"))
    front = desk.show("chrome://version/")
    url = desk.site.page("<h1>New</h1>")
    agent, facade = desk.client("--toolset", "browseagent"), desk.client("--toolset", "facade")
    foreign = ("tab_list", "tab_new", "navigate with", "snapshot with tabId")
    refused = agent.fails("browser_snapshot")
    assert f"Next: browser_snapshot with tabId: {readable}; browser_navigate opens" in refused.text, refused
    told = refused.text.replace("browser_snapshot with tabId", "")
    assert not any(name in told for name in foreign), refused
    without = facade.fails("browser_extract", action="get_text")
    assert "a page of the browser itself" in without.text and "browser_navigate" in without.text, without
    assert not any(name in without.text for name in (*foreign, "tabId:", "Readable")), without
    agent.ok("browser_navigate", url=url)
    facade.ok("browser_navigate", action="goto", url=url)
    assert "New" in agent.ok("browser_snapshot").text and "New" in facade.ok("browser_extract", action="get_text").text
    assert_stays(desk, front, "chrome://version/")


def test_a_window_of_a_page_or_an_application_in_front_is_read_and_addresses_open_behind(desk: Desk) -> None:
    home = desk.show(desk.site.page("<h1>Home</h1>"))
    url = desk.site.page("<h1>Popup</h1>")
    popup = desk.ask(f"chrome.windows.create({{ type: 'popup', url: {json.dumps(url)} }}).then(({{ tabs }}) => tabs[0].id)")
    until(lambda: desk.ask(f"chrome.tabs.get({popup})")["status"], equals="complete")
    client = desk.client()
    assert current(client) == [popup] and "Popup" in client.snapshot()
    tab = client.ok("navigate", url=desk.site.url("/blank.html")).data["tabId"]
    windows = {one: desk.ask(f"chrome.tabs.get({one})")["windowId"] for one in (home, popup, tab)}
    assert windows[tab] == windows[home] != windows[popup]
    assert desk.tabs().urls[popup] == url and {home, popup} <= desk.tabs().shown


def test_a_minimised_window_stays_so(desk: Desk) -> None:
    front = desk.show(desk.site.page("<h1>Mine</h1>"))
    window = desk.ask(f"chrome.tabs.get({front})")["windowId"]
    desk.ask(f"chrome.windows.update({window}, {{ state: 'minimized' }})")
    url = desk.tabs().urls[front]
    client = desk.client()
    assert "Mine" in client.snapshot()
    client.open(desk.site.page("<h1>New</h1>"))
    assert "New" in client.snapshot()
    assert desk.ask(f"chrome.windows.get({window})")["state"] == "minimized"
    assert_stays(desk, front, url)
    desk.ask(f"chrome.windows.update({window}, {{ state: 'normal' }})")
