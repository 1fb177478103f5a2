"""What a client can do wrong: each mistake is answered with what to do next, changes nothing, and leaves everything working."""

from collections.abc import Iterator
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import Join, Joined, Launched, ShownPage
from e2e.ports import free_port
from e2e.site import Site

pytestmark = pytest.mark.same_tab

COUNTER = "<button onclick='clicks += 1'>Count</button><label>Field <input></label><script>clicks = 0</script>"


@pytest.fixture
def counter(tabwire: Tabwire, site: Site, page: Any) -> Any:
    """A page that would notice an act."""
    tabwire.open(site.page(COUNTER))
    yield page
    tabwire.ok("click", selector=tabwire.ref("button", "Count"))
    assert page.evaluate("clicks") == 1, "the mistake changed the page, or the system does not work after it"
    assert page.evaluate("document.querySelector('input').value") == ""


@pytest.fixture
def unclicked(refused: Launched, site: Site) -> Iterator[None]:
    """Such a page for tests of calls that are refused: the next one has it, too."""
    page = ShownPage(refused.browser)
    if not page.evaluate("'clicks' in globalThis"):
        refused.tabwire.open(site.page(COUNTER))
    before = page.evaluate("clicks")
    yield
    refused.tabwire.ok("click", selector=refused.tabwire.ref("button", "Count"))
    assert page.evaluate("clicks") == before + 1, "the mistake changed the page, or the system does not work after it"
    assert page.evaluate("document.querySelector('input').value") == ""


def tab_id(tab: dict[str, Any]) -> int:
    number: int = tab.get("tabId", tab.get("id"))
    return number


def says(reply: Reply, *words: str) -> None:
    missing = [word for word in words if word not in reply.text]
    assert not missing, f"{missing} not in: {reply.text}"


REFUSED: list[tuple[str, dict[str, Any], set[str], tuple[str, ...]]] = [
    ("clik", {"selector": "button"}, set(), ("clik",)),
    ("click", {"selecter": "button"}, set(), ("selecter", "selector", "coordinates", "tabId")),
    ("fill", {"selector": "label:Field"}, set(), ("value",)),
    ("click", {}, set(), ("selector", "coordinates")),
    (
        "click",
        {"selector": "@e99999999", "timeout": 300},
        {"no_such_element", "stale_element_reference"},
        ("@e99999999", "snapshot"),
    ),
    *(("title", {"tabId": number}, {"no_such_tab", "invalid_argument"}, ()) for number in (999999999, -1, 0, 1.5, 1e300)),
    ("snapshot", {"frameId": 999999}, {"no_such_frame"}, ()),
]
"""A call, the codes it may get (none: any), and words that its answer has."""


def test_what_is_not_there_and_what_is_missing_is_named(refused: Launched, unclicked: None) -> None:
    for tool, arguments, codes, words in REFUSED:
        reply = refused.tabwire.fails(tool, **arguments)
        assert not codes or reply.code in codes, (tool, arguments, reply)
        says(reply, *words)


WRONG_KINDS: list[tuple[str, dict[str, Any], str]] = [
    ("click", {"selector": 7}, "selector"),
    ("click", {"selector": None}, "selector"),
    ("click", {"selector": "button", "timeout": "soon"}, "timeout"),
    ("click", {"selector": "button", "timeout": True}, "timeout"),
    ("click", {"selector": "button", "button": "upper"}, "button"),
    ("click", {"selector": "button", "modifiers": "Shift"}, "modifiers"),
    ("click", {"selector": "button", "modifiers": ["Hyper"]}, "modifiers"),
    ("click", {"coordinates": {"x": 1, "z": 2}}, "coordinates"),
    ("fill", {"selector": "input", "value": 3}, "value"),
    ("snapshot", {"mode": "everything"}, "mode"),
    ("wait", {"for": "ever"}, "for"),
    ("screenshot", {"format": "tiff"}, "format"),
    ("tab_close", {"tabId": "first"}, "tabId"),
]


def test_a_value_of_the_wrong_kind_is_named(refused: Launched, unclicked: None) -> None:
    for tool, arguments, named in WRONG_KINDS:
        reply = refused.tabwire.fails(tool, **arguments)
        assert named in reply.text, (tool, arguments, reply)


UNREADABLE = ("div[", "xpath=//button[", "role:button[name=", "", "   ", "@e", "@x1", "@e1x", ">>>")


def test_a_selector_that_cannot_be_read_is_refused(refused: Launched, unclicked: None) -> None:
    replies = {selector: refused.tabwire.start("click", selector=selector, timeout=300) for selector in UNREADABLE}
    for selector, reply in replies.items():
        refusal = reply.result(20)
        assert refusal.code in ("invalid_selector", "invalid_argument", "no_such_element"), (selector, refusal)


def test_a_selector_that_finds_nothing_says_so_within_its_timeout(refused: Launched, unclicked: None) -> None:
    selectors = ("#absent", "text:No such words", "xpath=//absent", "role:slider")
    calls = {selector: refused.tabwire.start("click", selector=selector, timeout=300) for selector in selectors}
    for selector, call in calls.items():
        reply = call.result(20)
        assert reply.code in ("no_such_element", "timeout"), reply.text
        says(reply, selector)
        assert reply.elapsed_ms < 3000


def test_a_selector_that_finds_several_lists_them(tabwire: Tabwire, site: Site, page: Any) -> None:
    tabwire.open(site.page("<button onclick='hit=1'>Yes</button><button onclick='hit=2'>No</button>"))
    reply = tabwire.fails("click", selector="role:button", timeout=300)
    assert reply.code == "ambiguous_selector"
    says(reply, "Yes", "No", "@e")
    assert page.evaluate("globalThis.hit") is None


def test_a_reference_of_a_removed_element_says_removed(tabwire: Tabwire, counter: Any, site: Site) -> None:
    counter.evaluate("document.body.insertAdjacentHTML('beforeend', '<button id=gone>Gone</button>')")
    ref = tabwire.ref("button", "Gone")
    counter.evaluate("gone.remove()")
    reply = tabwire.fails("click", selector=ref, timeout=300)
    assert reply.code == "stale_element_reference"
    says(reply, ref, "snapshot")


def test_a_reference_of_a_page_that_was_left_says_navigated(tabwire: Tabwire, site: Site, page: Any) -> None:
    tabwire.open(site.page("<button>Old</button>"))
    ref = tabwire.ref("button", "Old")
    tabwire.open(site.page(COUNTER))
    reply = tabwire.fails("click", selector=ref, timeout=300)
    assert reply.code == "stale_element_reference"
    says(reply, "navigat", "snapshot")
    assert page.evaluate("clicks") == 0


def test_a_reference_whose_element_became_another_one_is_refused(tabwire: Tabwire, counter: Any) -> None:
    counter.evaluate("document.body.insertAdjacentHTML('beforeend', '<button id=b onclick=\"clicks += 10\">Keep</button>')")
    ref = tabwire.ref("button", "Keep")
    counter.evaluate("b.textContent = 'Delete everything'")
    reply = tabwire.fails("click", selector=ref, timeout=300)
    assert reply.code == "stale_element_reference"
    says(reply, "Delete everything")
    assert counter.evaluate("clicks") == 0


def test_a_closed_tab_is_named(tabwire: Tabwire, counter: Any, site: Site) -> None:
    before = {tab_id(tab) for tab in tabwire.tabs()}
    tabwire.ok("tab_new", url=site.url(), active=False)
    number = next(tab_id(tab) for tab in tabwire.tabs() if tab_id(tab) not in before)
    tabwire.ok("tab_close", tabId=number)
    reply = tabwire.fails("snapshot", tabId=number)
    assert reply.code == "no_such_tab"
    says(reply, str(number), "tab_list")


def test_a_browser_page_cannot_be_read_or_acted_on(tabwire: Tabwire, counter: Any, browser: Browser) -> None:
    opened = browser.open("chrome://version/")
    number = next(tab_id(tab) for tab in tabwire.tabs() if tab["url"].startswith("chrome://version"))
    for tool, arguments in (("snapshot", {}), ("click", {"selector": "body"}), ("evaluate", {"expression": "1"})):
        reply = tabwire.fails(tool, tabId=number, **arguments)
        assert reply.code == "restricted_page", reply.text
        says(reply, "chrome://")
    opened.close()


def test_an_address_that_cannot_be_opened_is_refused(tabwire: Tabwire, counter: Any) -> None:
    urls = ("", "not a url", "javascript:alert(1)", "http://", "nosuchscheme:x")
    opened = [url for url in urls if not tabwire.call("navigate", url=url, timeout=3000).is_error]
    assert opened == []


def test_a_server_that_does_not_answer_is_a_navigation_failure(tabwire: Tabwire, site: Site) -> None:
    reply = tabwire.fails("navigate", url="http://127.0.0.1:9/", timeout=5000)
    assert reply.code == "navigation_failed"
    tabwire.open(site.url())


MISTAKES: list[tuple[str, dict[str, Any], set[str], str]] = [
    ("evaluate", {"expression": "(() => { throw new TypeError('went wrong') })()"}, {"javascript_error"}, "went wrong"),
    ("evaluate", {"expression": "(() => { for (;;) {} })()", "timeout": 500}, {"timeout", "javascript_error"}, ""),
    ("fill", {"selector": "role:button", "value": "x", "timeout": 500}, {"element_not_editable", "invalid_element_state"}, ""),
    ("press", {"key": "NoSuchKey"}, {"invalid_argument"}, "NoSuchKey"),
]


def test_a_mistake_that_reaches_the_page_changes_nothing_in_it(tabwire: Tabwire, counter: Any) -> None:
    for tool, arguments, codes, word in MISTAKES:
        reply = tabwire.fails(tool, **arguments)
        assert (reply.code in codes, reply.elapsed_ms < 5000) == (True, True), (tool, arguments, reply)
        says(reply, word)


def test_without_a_browser_every_tool_names_the_next_step(tmp_path: Any) -> None:
    # Outside of the window that browsers of other tests search.
    lonely = Tabwire(["--port", str(free_port())], {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path / "work")
    try:
        # Each of them waits a moment for a browser.
        waiting = [lonely.start("snapshot"), lonely.start("click", selector="a"), lonely.start("tab_list")]
        for reply in [call.result(30) for call in waiting]:
            assert reply.code == "not_connected", reply.text
            says(reply, "No browser is connected", "chrome://extensions", "Load unpacked")
        says(lonely.fails("click", selector=3), "selector")
    finally:
        lonely.close()


def test_two_servers_share_one_browser(own: Joined, join: Join, site: Site) -> None:
    first, second = join(), own.tabwire
    first.ok("tab_new", url=site.page("<h1>For the first</h1>", "One"))
    second.ok("tab_new", url=site.page("<h1>For the second</h1>", "Two"))
    assert "One" in first.ok("title").text
    assert "Two" in second.ok("title").text
    assert "For the first" in first.snapshot()
    assert "For the second" in second.snapshot()
    first.kill()
    assert "For the second" in second.snapshot()
