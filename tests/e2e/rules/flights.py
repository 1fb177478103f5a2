"""Calls on their way, for the person to stop: in the tests, and where it is measured how soon they end."""

import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from e2e.cdp import Page
from e2e.client import Reply, Tabwire
from e2e.site import Site
from e2e.tabs.two_clients import TwoClients
from polling import until

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
DRAG = {"source": "#a", "target": "#b", "steps": 1000, "timeout": 20_000}


class Two(TwoClients):
    """Anna works as she likes, Bert by DOM events only."""

    def client(self, name: str) -> Tabwire:
        found: Tabwire = getattr(self, name)
        return found


def running(two: Two) -> int:
    """How many calls have come to the browser and not ended."""
    return sum(entry["state"] == "running" for entry in two.person.ask("activity")["entries"])


def under_way(two: Two, page: Page, call: "Future[Reply]", expression: str) -> None:
    """Waits until the browser is at work for a call, and shows it."""
    until(lambda: (running(two) and page.evaluate(expression)) or call.done())
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
    left: Any = 1
    """What is looked at then is."""
    hidden: bool = False


FLIGHTS = {
    "typing": Flight(
        "anna", FIELD, "type", {"selector": "label:Name", "text": LONG * 10}, "typed > 2", True, "[typed < 4000, down]", [True, 0]
    ),
    "typing in a hidden tab": Flight(
        "anna",
        FIELD,
        "type",
        {"selector": "label:Name", "text": LONG * 10},
        "typed > 2",
        True,
        "[typed < 4000, down]",
        [True, 0],
        hidden=True,
    ),
    "typing by DOM events": Flight(
        "bert", FIELD, "type", {"selector": "label:Name", "text": LONG * 10}, "typed > 2", True, "[typed < 4000, down]", [True, 0]
    ),
    "pressing": Flight(
        "anna",
        FIELD,
        "press",
        {"selector": "label:Name", "key": "Shift+x", "repeat": 400, "delay": 20},
        "typed > 2",
        True,
        "[typed < 400, down]",
        [True, 0],
    ),
    "dragging": Flight("anna", MOVED, "drag", DRAG, "moves > 4", True, "seen", ["pointerdown a", "pointerup a"]),
    "dragging by DOM events": Flight("bert", MOVED, "drag", DRAG, "moves > 4", True, "seen", ["pointerdown a", "pointerup a"]),
    "dragging what is draggable": Flight("anna", DRAGGED, "drag", DRAG, "moves > 4", True, "seen", ["dragstart", "dragend"]),
    "the same by DOM events": Flight("bert", DRAGGED, "drag", DRAG, "moves > 4", True, "seen", ["dragstart", "dragend"]),
    "waiting to click": Flight("anna", DISABLED, "click", {"selector": "role:button", "timeout": 20_000}, "true", False),
    "waiting for text": Flight("anna", "<p>No", "wait", {"for": "text", "text": "Never", "timeout": 20_000}, "true", False),
    "waiting for the network": Flight(
        "anna",
        "<script>setInterval(() => fetch('/blank.html'), 50)</script>",
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


@dataclass
class Flying:
    """A call on its way."""

    flight: Flight
    page: Page
    call: "Future[Reply]"
    answered: list[float] = field(default_factory=list)
    """The moment of the reply, as `time.monotonic` has it."""


def stopped_together(two: Two, site: Site, flights: Mapping[str, Flight]) -> dict[str, tuple[Page, Reply, float]]:
    """Starts calls, has the person stop them when all are under way: the page, the reply, and after how many seconds each came.

    What is not in a hidden tab has a window of its own, and is seen there.
    """
    opened = {}
    for name, flight in flights.items():
        client, url = two.client(flight.client), site.page(flight.html)
        how: dict[str, Any] = {"active": False} if flight.hidden else {}
        tab = client.ok("tab_new" if flight.hidden else "window_new", url=url, **how).data["tabId"]
        opened[name] = two.browser.at(url), tab
    flying = {
        name: Flying(
            flight, opened[name][0], two.client(flight.client).start(flight.tool, tabId=opened[name][1], **flight.arguments)
        )
        for name, flight in flights.items()
    }
    until(lambda: running(two) == len(flying) or any(each.call.done() for each in flying.values()))
    for each in flying.values():
        under_way(two, each.page, each.call, each.flight.under_way)
        each.call.add_done_callback(lambda _, each=each: each.answered.append(time.monotonic()))
    began = two.person.stop()
    replies = {name: each.call.result(5) for name, each in flying.items()}
    until(lambda: all(each.answered for each in flying.values()))
    return {name: (each.page, replies[name], each.answered[0] - began) for name, each in flying.items()}


def stopped(two: Two, site: Site, flight: Flight) -> tuple[Page, Reply, float]:
    """One of them alone."""
    return stopped_together(two, site, {"": flight})[""]
