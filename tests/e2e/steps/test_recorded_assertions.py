"""A person points at elements of which the test is to expect something; what is expected has to hold, and is looked at each time."""

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.site import Site
from e2e.steps.recorded_person import PICKING, RECORDED, lines, started
from polling import until

pytestmark = pytest.mark.same_tab
PAGE = """<h1>Order 12</h1><label>Name <input id=name value=Ada></label><label>Password <input id=pass type=password value=sesame></label>
<p id=empty style="height: 20px"></p><p id=many style="height: 20px; overflow: hidden"></p><button onclick="clicks = (window.clicks ?? 0) + 1">
Buy</button><input id=news type=checkbox><script>many.textContent = 'word '.repeat(200)</script>"""


def test_each_kind_is_a_step_of_its_own(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page(PAGE))
    person.expect("Is visible", "button")
    person.expect("Has text", "h1")
    person.expect("Has value", "#name")
    assert person.page.evaluate("[window.clicks, document.activeElement.localName]") == [None, "body"]
    stopped = tabwire.ok("record_steps", action="stop")
    assert lines(stopped) == [
        """tabwire.wait("selector", selector='role:button[name="Buy"]')""",
        """tabwire.wait("selector", selector="role:heading", text="Order 12")""",
        """tabwire.wait("selector", selector='role:textbox[name="Name"]', value="Ada")""",
    ]
    assert [step.get("kind") for step in stopped.data["steps"]] == [None, "assertion", "assertion", "assertion"]


NOT_TO_BE_EXPECTED = [
    ("Has text", "#empty", "it has no text of its own"),
    ("Has text", "#many", "longer than 500 characters"),
    ("Has value", "#pass", "a secret"),
    ("Has value", "#news", "no value that was typed or chosen"),
    ("Has value", "h1", "no value that was typed or chosen"),
]


def test_what_cannot_be_expected_is_said_and_not_recorded(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page(PAGE))
    for label, element, says in NOT_TO_BE_EXPECTED:
        assert "sesame" not in person.expect(label, element, says), element
    assert lines(tabwire.ok("record_steps", action="stop")) == []


def test_escape_ends_the_pick_and_the_next_click_is_a_step(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page(PAGE))
    person.press_bar("Is visible")
    person.page.wait_for(PICKING)
    person.press("Escape")
    person.page.wait_for(f"!({PICKING})")
    person.click("button")
    assert lines(tabwire.ok("record_steps", action="stop")) == ["""tabwire.click('role:button[name="Buy"]')"""]


def test_the_bar_is_reached_by_keys_and_ends_the_recording(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    site.serve("/heard", "")
    person = started(
        tabwire, browser, site.page("<button>Buy</button><script>onclick = ({ target }) => { last = target }</script>")
    )
    person.page.evaluate("document.querySelector('button').focus()")
    for _ in range(5):
        person.press("Tab")
    person.page.wait_for("document.activeElement.localName === 'tabwire-recorder'")
    person.press("Enter")
    person.page.wait_for(f"!({RECORDED})")
    stopped = tabwire.ok("record_steps", action="stop")
    assert stopped.data["ended"] == "the person ended it in the page"
    assert person.page.evaluate("window.last") is None
    assert lines(stopped) == ["""tabwire.press("Tab", selector='role:button[name="Buy"]')"""]


def test_a_client_cannot_press_the_bar(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page(""))
    for label in ("Stop", "Is visible"):
        x, y = person.bar()[label]
        tabwire.call("click", coordinates={"x": round(x), "y": round(y)})
    read = tabwire.ok("record_steps", action="read", after=1, timeout=100)
    assert read.data["recording"] and not person.page.evaluate(PICKING)
    tabwire.ok("record_steps", action="stop")


def test_the_bar_works_over_a_dialog_of_the_page_and_moves(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    page = site.page(
        "<dialog onpointerdown='window.down = 1'><button onclick='window.hit = 1'>Yes</button></dialog><button onclick='window.hit = 2'>No</button>"
    )
    person = started(tabwire, browser, page)
    person.page.evaluate("document.querySelector('dialog').showModal()")
    before = person.bar()["Stop"]
    person.press_bar("Move")
    assert until(lambda: person.bar()["Stop"] != before, within=5, says="the bar has moved")
    person.expect("Is visible", "dialog button")
    person.press_bar("Stop")
    person.page.wait_for(f"!({RECORDED})")
    assert person.page.evaluate("[window.hit, window.down]") == [None, None]
    assert lines(tabwire.ok("record_steps", action="stop")) == [
        """tabwire.wait("selector", selector='role:button[name="Yes"]')"""
    ]


FIELDS = "<label>Name <input id=name></label><p id=said>Wait</p><input id=pass type=password value=sesame>"


def test_a_wait_for_the_text_or_value_of_an_element(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.page(FIELDS))
    page = browser.shown()
    for selector, change, expected in (
        ("#said", "said.innerHTML = '<b>All</b>  done'", {"text": "All done"}),
        ("#said", "said.textContent = 'Order 4711'", {"text": r"/^Order \d+$/"}),
        ("#name", "document.getElementById('name').value = 'Ada'", {"value": "Ada"}),
    ):
        waiting = tabwire.start("wait", **{"for": "selector"}, selector=selector, timeout=5_000, **expected)
        page.evaluate(change)
        assert waiting.result(10).data["waited_for"] == "selector"
    for expected, seen in (({"text": "order 4711"}, '"Order 4711"'), ({"text": "Order"}, '"Order 4711"')):
        failed = tabwire.fails("wait", **{"for": "selector"}, selector="#said", timeout=100, **expected).text
        assert "#said has another text" in failed and seen in failed
    assert "sesame" not in tabwire.fails("wait", **{"for": "selector"}, selector="#pass", value="sesam", timeout=100).text
    tabwire.fails("wait", **{"for": "selector"}, selector="#pass", value="sesame", timeout=100)
    assert "value goes with" in tabwire.fails("wait", **{"for": "text"}, text="x", value="y").text
