"""The person stops everything, or pauses it: calls in flight end, new ones are refused, and only the person resumes."""

import time
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import pytest

from e2e.cdp import Page
from e2e.client import Reply, Tabwire
from e2e.person import Person
from e2e.plain import PlainChromium
from e2e.site import Site
from e2e.worker import attached, until

STOP_LIMIT_S = 1.0
"""Asked for are 0.2 s; the machine may be five times slower than one that works for a person."""
LOOKED_MS = 250
"""For so long a page is watched that must stand still: at 20 ms a step that is plenty of steps."""
LONG = "x" * 400
FIELD = (
    "<input aria-label=Name oninput='globalThis.typed = this.value.length'><p id=keys></p><script>globalThis.down = globalThis.typed = 0; \
addEventListener('keydown', () => down++); addEventListener('keyup', () => down--)</script>"
)
MOVED = """<style>body { margin: 0 } div { position: absolute; width: 40px; height: 40px; background: gray }</style>
<div id=a style="left: 10px; top: 10px">A</div><div id=b style="left: 600px; top: 400px">B</div>
<script>
  globalThis.seen = []; globalThis.moves = 0;
  for (const type of ["pointerdown", "pointerup"]) addEventListener(type, (event) => seen.push(`${type} ${event.target.id}`));
  addEventListener("pointermove", (event) => { if (event.buttons) moves++; });
</script>"""
DRAGGED = """<style>body { margin: 0 } div { position: absolute; width: 40px; height: 40px; background: gray }</style>
<div id=a draggable=true style="left: 10px; top: 10px">A</div>
<div style="left: 60px; top: 60px; width: 700px; height: 400px; background: silver">every step of the way takes drops</div>
<div id=b style="left: 600px; top: 400px">B</div>
<script>
  globalThis.seen = []; globalThis.moves = 0;
  for (const type of ["dragstart", "drop", "dragend"]) addEventListener(type, (event) => seen.push(type));
  addEventListener("dragover", (event) => { event.preventDefault(); moves++; });
</script>"""
DISABLED = "<button disabled onclick='globalThis.hits = 1'>Go</button><script>globalThis.hits = 0</script>"
DRAG = {"source": "#a", "target": "#b", "timeout": 20_000}


@dataclass
class Two:
    """A browser of the user's own: Anna works as she likes, Bert by DOM events only."""

    chromium: PlainChromium
    person: Person
    anna: Tabwire
    bert: Tabwire
    opened: list[Page] = field(default_factory=list)

    def client(self, name: str) -> Tabwire:
        found: Tabwire = getattr(self, name)
        return found

    def open(self, client: Tabwire, url: str, **more: Any) -> tuple[Page, int]:
        """A tab of the client's, and its id."""
        tab = client.ok("tab_new", url=url, **more).data["tabId"]
        page = self.chromium.browser.at(url)
        self.opened.append(page)
        return page, tab


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainChromium]:
    started = PlainChromium(tmp_path_factory.mktemp("stopped"), "about:blank")
    yield started
    started.close()


@pytest.fixture(scope="module")
def browser_of_two(chromium: PlainChromium) -> Two:
    anna = chromium.serve(name="Anna")
    bert = chromium.join("--input", "dom", name="Bert")
    until(lambda: not anna.call("tab_list").is_error)
    return Two(chromium, Person(chromium), anna, bert)


@pytest.fixture
def two(browser_of_two: Two, site: Site) -> Iterator[Two]:
    yield browser_of_two
    browser_of_two.person.ask("resume")
    while browser_of_two.opened:
        browser_of_two.opened.pop().close()
    for client in (browser_of_two.anna, browser_of_two.bert):
        # Each hears once that its tab was closed.
        client.call("title")


def still(page: Page, expression: str) -> Any:
    """The value of an expression, which must not change while it is looked at."""
    script = f"(async () => {{ const look = () => JSON.stringify({expression}); const first = look();"
    script += f" await new Promise((done) => setTimeout(done, {LOOKED_MS})); return [first, look()]; }})()"
    first, last = page.evaluate(script)
    assert first == last
    return page.evaluate(expression)


def under_way(page: Page, call: "Future[Reply]", expression: str) -> None:
    """Waits until a call shows in the page."""
    until(lambda: page.evaluate(expression) or call.done())
    assert not call.done(), call.result()


@dataclass
class Flight:
    """A call that is stopped on its way: from when it is under way, and what the reply says of it."""

    client: str
    html: str
    tool: str
    arguments: dict[str, Any]
    under_way: str
    begun: bool
    looked_at: str = "1"
    hidden: bool = False


FLIGHTS = {
    "typing": Flight("anna", FIELD, "type", {"selector": "label:Name", "text": LONG}, "typed > 2", True, "[typed, down]"),
    "typing in a hidden tab": Flight(
        "anna", FIELD, "type", {"selector": "label:Name", "text": LONG}, "typed > 2", True, "[typed, down]", hidden=True
    ),
    "typing by DOM events": Flight(
        "bert", FIELD, "type", {"selector": "label:Name", "text": LONG * 10}, "typed > 2", True, "[typed, down]"
    ),
    "pressing": Flight(
        "anna",
        FIELD,
        "press",
        {"selector": "label:Name", "key": "Shift+x", "repeat": 400, "delay": 20},
        "typed > 2",
        True,
        "[typed, down]",
    ),
    "dragging": Flight("anna", MOVED, "drag", {**DRAG, "steps": 1000}, "moves > 4", True, "[moves, seen]"),
    "dragging by DOM events": Flight("bert", MOVED, "drag", {**DRAG, "steps": 1000}, "moves > 4", True, "[moves, seen]"),
    "dragging what is draggable": Flight("anna", DRAGGED, "drag", {**DRAG, "steps": 1000}, "moves > 4", True, "[moves, seen]"),
    "the same by DOM events": Flight("bert", DRAGGED, "drag", {**DRAG, "steps": 1000}, "moves > 4", True, "[moves, seen]"),
    "waiting to click": Flight("anna", DISABLED, "click", {"selector": "role:button", "timeout": 20_000}, "true", False),
    "waiting for text": Flight("anna", "<p>No", "wait", {"for": "text", "text": "Never", "timeout": 20_000}, "true", False),
    "waiting for the network": Flight(
        "anna",
        "<script>onload = () => fetch('/hang')</script>",
        "wait",
        {"for": "load_state", "load_state": "networkidle", "timeout": 20_000},
        "document.readyState === 'complete'",
        False,
    ),
    "waiting for a function": Flight(
        "anna",
        "<script>globalThis.asked = 0</script>",
        "wait",
        {"for": "function", "function": "globalThis.asked++ < 0", "polling": 50, "timeout": 20_000},
        "asked > 1",
        False,
        "asked",
    ),
    "a script": Flight(
        "anna",
        "<script>globalThis.ran = 0</script>",
        "evaluate",
        {"expression": "ran++; await new Promise(() => {})"},
        "ran === 1",
        True,
    ),
}


@pytest.mark.parametrize("name", FLIGHTS)
def test_a_call_in_flight_is_stopped_at_once_and_nothing_of_it_goes_on(
    two: Two, site: Site, name: str, record_property: Any
) -> None:
    flight = FLIGHTS[name]
    client = two.client(flight.client)
    page, tab = two.open(client, site.page(flight.html), active=not flight.hidden)
    call = client.start(flight.tool, tabId=tab, **flight.arguments)
    under_way(page, call, flight.under_way)
    answered: list[float] = []
    call.add_done_callback(lambda _: answered.append(time.monotonic()))
    began = two.person.stop()
    reply = call.result(5)
    elapsed = answered[0] - began
    record_property("stop_ms", round(elapsed * 1000))
    assert elapsed < STOP_LIMIT_S
    assert reply.code == "stopped_by_user", reply
    assert ("it had begun and was cut short" in reply.text) is flight.begun, reply
    assert "Do not repeat it" in reply.text and "Only they can resume" in reply.text
    state = still(page, flight.looked_at)
    if flight.looked_at == "[typed, down]":
        assert state[0] < len(LONG), "it was stopped on the way"
        assert state[1] == 0, "no key is left down"


def test_a_drag_that_is_stopped_lets_go_where_it_took_hold(two: Two, site: Site) -> None:
    for name, seen in {
        "dragging": ["pointerdown a", "pointerup a"],
        "dragging by DOM events": ["pointerdown a", "pointerup a"],
        "the same by DOM events": ["dragstart", "dragend"],
        "dragging what is draggable": ["dragstart", "dragend"],
    }.items():
        flight = FLIGHTS[name]
        client = two.client(flight.client)
        page, tab = two.open(client, site.page(flight.html))
        call = client.start(flight.tool, tabId=tab, **flight.arguments)
        under_way(page, call, flight.under_way)
        two.person.stop()
        assert call.result(5).code == "stopped_by_user"
        page.wait_for(f"seen.length >= {len(seen)}")
        assert [kind for kind in page.evaluate("seen") if kind in seen] == seen, name
        print(name, page.evaluate("seen"))
        two.person.ask("resume")
