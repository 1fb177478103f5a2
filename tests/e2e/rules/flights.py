"""Calls on their way, for the person to stop: in the tests, and where it is measured how soon they end."""

import time
from concurrent.futures import Future
from dataclasses import dataclass
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
        "anna", FIELD, "type", {"selector": "label:Name", "text": LONG}, "typed > 2", True, "[typed < 400, down]", [True, 0]
    ),
    "typing in a hidden tab": Flight(
        "anna",
        FIELD,
        "type",
        {"selector": "label:Name", "text": LONG},
        "typed > 2",
        True,
        "[typed < 400, down]",
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


def stopped(two: Two, site: Site, flight: Flight) -> tuple[Page, Reply, float]:
    """Starts the call, has the person stop it when it is under way: the page, the reply, and after how many seconds it came."""
    client = two.client(flight.client)
    page, tab = two.open(client, site.page(flight.html), active=not flight.hidden)
    call = client.start(flight.tool, tabId=tab, **flight.arguments)
    under_way(two, page, call, flight.under_way)
    answered: list[float] = []
    call.add_done_callback(lambda _: answered.append(time.monotonic()))
    began = two.person.stop()
    reply = call.result(5)
    until(lambda: answered)
    return page, reply, answered[0] - began
