"""`query` with `pick`: a person points at an element. The person is DevTools: its clicks and keys are trusted."""

import contextlib
from concurrent.futures import Future
from typing import Any

import pytest

from e2e.cdp import Browser, Page
from e2e.client import Reply, Tabwire
from e2e.conftest import Join, Joined, Launched, ShownPage
from e2e.site import Site
from e2e.steps.recorded_person import PAINTED

pytestmark = pytest.mark.same_tab

ARMED = "document.querySelector('tabwire-picker')?.matches(':popover-open')"
GONE = "!document.querySelector('tabwire-picker')"
SEEN = """<script>window.seen = [];
for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown', 'keyup', 'mousemove', 'mouseover'])
  for (const target of [document, document.body, ...document.querySelectorAll('button')])
    target.addEventListener(type, (event) => seen.push(type + ' ' + (event.target.localName ?? '#document')), true);
</script>"""
BUTTONS = "<style>button { display: block; margin: 150px 20px 0 }</style><button id=one>One</button><button id=two disabled>Two</button>"


def ask(tabwire: Tabwire, value: str = "the button", **more: Any) -> "Future[Reply]":
    return tabwire.start("query", by="text", value=value, pick=True, **{"timeout": 15_000, **more})


def tap(page: Page, x: float, y: float) -> None:
    """Taps at a point of the page's viewport. In a pinched page DevTools counts from the corner of the part that is in view."""
    left, top = page.evaluate("[visualViewport.offsetLeft, visualViewport.offsetTop]")
    x, y = x - left, y - top
    for kind, buttons in (("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)):
        button = {"button": "left", "clickCount": 1, "buttons": buttons} if kind != "mouseMoved" else {}
        page.call("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **button})


def tap_until_answered(page: Page, asking: "Future[Reply]", x: float, y: float) -> Reply:
    """Taps into a frame of another process, which gets the pointer only once it was drawn: as a person would, again when nothing happens."""
    for _ in range(10):
        tap(page, x, y)
        with contextlib.suppress(TimeoutError):
            return asking.result(1)
    raise AssertionError("nobody took the tap")


def press(page: Page, key: str, code: int) -> None:
    for kind in ("rawKeyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code})


def tap_element(page: Page, expression: str) -> None:
    box = page.evaluate(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({expression}.getBoundingClientRect())")
    tap(page, *box)


def shown(browser: Browser, armed: str = ARMED) -> Page:
    page = browser.shown()
    page.wait_for(armed)
    return page


@pytest.mark.conditions
def test_a_click_chooses_and_the_page_sees_nothing_of_it(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(BUTTONS + SEEN))
    asking = ask(tabwire)
    page = shown(browser)
    tap_element(page, "one")
    (found,) = asking.result(10).data
    assert (found["role"], found["name"]) == ("button", "One")
    page.wait_for(GONE)
    # Where the pointer rests when the picker is gone the page may know.
    assert page.evaluate("seen.filter((entry) => !/mouse(over|move)|tabwire-picker/.test(entry))") == []
    tabwire.ok("click", selector=found["ref"])
    assert "click button" in page.evaluate("seen")


@pytest.mark.conditions
def test_a_disabled_button_and_one_in_a_closed_shadow_root(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    script = "<script>host.attachShadow({mode: 'closed'}).innerHTML = '<button>Deep</button>'</script>"
    tabwire.open(site.page(f"{BUTTONS}<div id=host></div>{script}"))
    for target, name in (("two", "Two"), ("host", "Deep")):
        asking = ask(tabwire)
        page = shown(browser)
        box = page.evaluate(f"(({{x, y}}) => [x + 10, y + 10])({target}.getBoundingClientRect())")
        tap(page, *box)
        assert asking.result(10).data[0]["name"] == name
        page.wait_for(GONE)


@pytest.mark.conditions
def test_over_a_modal_dialog_of_the_page(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(
        site.page(
            # In the middle of the view it would move with the height of the view, which Chrome's bars change when they like.
            "<dialog id=box style='margin: 20px'><button id=in onclick='clicked = true'>Inside</button></dialog>"
            f"<script>box.showModal()</script>{SEEN}"
        )
    )
    asking = ask(tabwire)
    page = shown(browser)
    tap_element(page, "document.getElementById('in')")
    assert asking.result(10).data[0]["name"] == "Inside"
    assert page.evaluate("typeof clicked") == "undefined"


LINGERED = "performance.now() - chosen > 450"
"""The end of the click that has chosen is no longer kept from the page."""


def test_a_pick_right_after_another_one_is_heard_when_that_one_lingers_no_more(
    tabwire: Tabwire, site: Site, browser: Browser
) -> None:
    for chooses in (lambda page: tap_element(page, "one"), lambda page: press(page, "Enter", 13)):
        tabwire.open(site.page(BUTTONS + SEEN))
        asking = ask(tabwire)
        page = shown(browser)
        tap_element(page, "one")
        page.evaluate("chosen = performance.now()")
        assert asking.result(10).data[0]["name"] == "One"
        again = ask(tabwire)
        shown(browser)
        # Tab would lead out of the page now: the focus begins where the picker was.
        page.call(
            "Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 30, "y": page.evaluate("one.getBoundingClientRect().y + 5")}
        )
        page.wait_for(LINGERED)
        chooses(page)
        assert again.result(10).data[0]["name"] == "One"
        page.wait_for(GONE)


@pytest.mark.conditions
def test_by_keyboard(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(f"<section aria-label=Around><a href='#x'>A</a></section><a href='#y'>B</a>{SEEN}"))
    asking = ask(tabwire)
    page = shown(browser)
    press(page, "Tab", 9)
    press(page, "ArrowUp", 38)
    press(page, "Enter", 13)
    assert asking.result(10).data[0]["name"] == "Around"
    # The next one is not taken for this one, which may be leaving yet.
    page.wait_for(GONE)
    asking = ask(tabwire)
    shown(browser)
    press(page, "Tab", 9)
    press(page, "Enter", 13)
    assert asking.result(10).data[0]["name"] == "B"
    assert page.url.endswith(".html") and page.evaluate("seen.filter((entry) => entry.startsWith('key'))") == []


def test_escape_declines(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(BUTTONS + SEEN))
    asking = ask(tabwire, "the blue button")
    page = shown(browser)
    press(page, "Escape", 27)
    reply = asking.result(10)
    assert reply.code == "permission_denied" and "Escape" in reply.text and "the blue button" in reply.text
    page.wait_for(GONE)


@pytest.mark.conditions
def test_in_a_frame_of_another_site(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    inside = site.cross_page(f"<button id=deep onclick='clicked = true'>Deep</button>{SEEN}")
    tabwire.open(
        site.page(f"<p>Top</p><iframe id=frame src='{inside}' style='position: fixed; left: 50px; top: 200px'></iframe>")
    )
    tabwire.show()
    asking = ask(tabwire)
    page, frame = shown(browser), browser.shown().frame("/inline/")
    frame.wait_for(ARMED)
    # A frame of another process gets the pointer only once it was drawn.
    frame.wait_for(PAINTED)
    tap(page, 50 + 40, 200 + 20)
    (found,) = asking.result(10).data
    assert found["name"] == "Deep"
    assert frame.evaluate("typeof clicked") == "undefined"
    page.wait_for(GONE)
    frame.wait_for(GONE)
    tabwire.ok("click", selector=found["ref"])
    assert frame.evaluate("clicked") is True


def test_escape_in_a_frame_and_a_frame_that_comes_later(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    inside = site.cross_page("<button>Late</button>")
    tabwire.open(site.page("<p>Top</p>"))
    asking = ask(tabwire)
    page = shown(browser)
    page.evaluate(f"document.body.insertAdjacentHTML('beforeend', `<iframe src='{inside}'></iframe>`)")
    frame = page.frame("/inline/")
    frame.wait_for(ARMED)
    page.evaluate("document.querySelector('iframe').focus()")
    press(page, "Escape", 27)
    assert asking.result(10).code == "permission_denied"
    page.wait_for(GONE)


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ({"return": "text"}, ["One"]),
        ({"return": "attribute", "attribute": "id"}, ["one"]),
        ({"return": "count"}, 1),
        ({"return": "text", "nth": 0}, "One"),
    ],
)
def test_return_works_as_usual(tabwire: Tabwire, site: Site, browser: Browser, arguments: dict[str, Any], value: Any) -> None:
    tabwire.open(site.page(BUTTONS))
    asking = ask(tabwire, **arguments)
    tap_element(shown(browser), "one")
    assert asking.result(10).data == value


def test_it_is_in_no_snapshot_and_in_no_picture(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(BUTTONS))
    before = tabwire.snapshot(), tabwire.ok("screenshot").images[0].data
    asking = ask(tabwire, "something to see")
    page = shown(browser)
    assert (tabwire.snapshot(), tabwire.ok("screenshot").images[0].data) == before
    assert page.evaluate("getComputedStyle(document.querySelector('tabwire-picker')).visibility") == "visible"
    assert "something to see" not in page.evaluate("document.documentElement.outerHTML")
    press(page, "Escape", 27)
    asking.result(10)


def test_nobody_chooses_in_time(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(BUTTONS))
    reply = ask(tabwire, timeout=300).result(10)
    assert reply.code == "timeout" and "300 ms" in reply.text and "hidden" not in reply.text
    browser.shown().wait_for(GONE)


def test_a_hidden_tab_stays_hidden_and_the_error_says_so(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    front = tabwire.open(site.page("<p>Front</p>")).data["tabId"]
    hidden = tabwire.ok("tab_new", url=site.page(BUTTONS), active=False).data["tabId"]
    reply = ask(tabwire, timeout=300, tabId=hidden).result(10)
    assert reply.code == "timeout" and "hidden" in reply.text
    assert [tab["tabId"] for tab in tabwire.tabs() if tab["active"]] == [front]


def test_leaving_the_page_ends_it(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(BUTTONS))
    asking = ask(tabwire)
    shown(browser)
    browser.shown().evaluate(f"location.href = {site.url('/blank.html')!r}")
    reply = asking.result(10)
    assert reply.code == "stale_element_reference" and "left" in reply.text
    browser.shown().call("Page.navigateToHistoryEntry", {"entryId": history(browser)[-2]})
    browser.shown().wait_for("document.getElementById('one') !== null && " + GONE)


def history(browser: Browser) -> list[int]:
    return [entry["id"] for entry in browser.shown().call("Page.getNavigationHistory")["entries"]]


def test_one_question_at_a_time(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(BUTTONS))
    asking = ask(tabwire, "the first")
    page = shown(browser)
    second = ask(tabwire, "the second").result(10)
    assert second.code == "invalid_element_state" and '"the first"' in second.text
    tap_element(page, "one")
    assert not asking.result(10).is_error


def test_a_click_of_the_page_itself_chooses_nothing(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(f"<button id=one onclick='clicked = true'>One</button>{SEEN}"))
    asking = ask(tabwire, timeout=1000)
    page = shown(browser)
    page.evaluate("one.click(); document.querySelector('tabwire-picker').click()")
    assert page.evaluate("clicked") is True
    assert asking.result(10).code == "timeout"


def test_the_worker_may_die_in_the_middle(tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser) -> None:
    tabwire.open(site.page(BUTTONS))
    asking = ask(tabwire)
    shown(browser).evaluate("document.querySelector('tabwire-picker').id = 'before'")
    assert browser.stop_workers()
    tap_element(shown(browser, f"{ARMED} && !document.getElementById('before')"), "one")
    assert asking.result(10).data[0]["name"] == "One"
    page.wait_for(GONE)


def test_a_cancelled_question_is_taken_back(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(BUTTONS))
    asking = ask(tabwire)
    page = shown(browser)
    asking.cancel()
    page.wait_for(GONE)


def test_a_question_of_a_client_that_is_gone_is_taken_back(join: Join, own: Joined, site: Site) -> None:
    bridge = join()
    bridge.ok("tab_new", url=site.page(BUTTONS))
    ask(bridge)
    page = shown(own.browser)
    bridge.kill()
    page.wait_for(GONE, timeout=15)


@pytest.mark.parametrize(("arguments", "said"), [({"timeout": 5}, "pick"), ({"pick": True, "value": " "}, "point at")])
def test_bad_arguments(refused: Launched, arguments: dict[str, Any], said: str) -> None:
    reply = refused.tabwire.fails("query", **{"by": "text", "value": "x", **arguments})
    assert reply.code == "invalid_argument" and said in reply.text


def test_one_frame_only(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    inside = site.cross_page("<button id=deep>Deep</button>")
    tab = tabwire.open(site.page(f"<iframe src='{inside}'></iframe>")).data["tabId"]
    frames = browser.in_worker(f"chrome.webNavigation.getAllFrames({{tabId: {tab}}})")
    asking = ask(tabwire, frameId=next(frame["frameId"] for frame in frames if frame["frameId"]))
    frame = browser.shown().frame("/inline/")
    frame.wait_for(ARMED)
    assert browser.shown().evaluate(GONE)
    box = browser.shown().evaluate("(({x, y}) => [x + 30, y + 20])(document.querySelector('iframe').getBoundingClientRect())")
    assert tap_until_answered(browser.shown(), asking, *box).data[0]["name"] == "Deep"
    assert tabwire.fails("query", by="text", value="x", pick=True, frameId=987654).code == "no_such_frame"
