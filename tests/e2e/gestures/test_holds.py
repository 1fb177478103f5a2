"""Presses and keys that last as long as was asked for, by the page's own clock, and ranges that end as a drag of the user does."""

import pytest

from e2e.conditions.condition import Condition
from e2e.conftest import InputMode

CLOCK = """<script>globalThis.at = {}; globalThis.log = [];
const note = (e) => { at[e.type] ??= performance.now(); log.push(e.type) };
const watch = (el, ...types) => { for (const type of types) el.addEventListener(type, note) };
globalThis.between = (first, second) => Math.round(at[second] - at[first])</script>"""
SLACK_MS = 2
"""Timers of the worker and the clock of the page may differ by so much."""


def held(mode: InputMode, first: str, second: str) -> float:
    return float(mode.page.evaluate(f"between('{first}', '{second}')"))


@pytest.mark.conditions
def test_a_button_stays_down(mode: InputMode, condition: Condition) -> None:
    mode.show(f"<button id=b>Go</button>{CLOCK}<script>watch(b, 'pointerdown', 'pointerup', 'click')</script>")
    mode.tabwire.ok("click", selector="#b", hold=400)
    assert held(mode, "pointerdown", "pointerup") >= 400 - SLACK_MS
    assert mode.page.evaluate("log") == ["pointerdown", "pointerup", "click"]


def test_a_long_press_opens_what_a_click_does_not(mode: InputMode) -> None:
    menu = "b.onpointerdown = () => { timer = setTimeout(() => { menu.hidden = false }, 300) }; b.onpointerup = () => clearTimeout(timer)"
    mode.show(f"<button id=b>Card</button><p id=menu hidden>Menu</p><script>let timer = 0; {menu}</script>")
    mode.tabwire.ok("click", selector="#b")
    assert mode.page.evaluate("menu.hidden")
    assert "Menu" in mode.tabwire.ok("click", selector="#b", hold=500).text
    assert not mode.page.evaluate("menu.hidden")


def test_a_point_is_held_too(mode: InputMode) -> None:
    mode.show(
        f"<canvas id=c style='position: fixed; left: 0; top: 0'></canvas>{CLOCK}<script>watch(c, 'mousedown', 'mouseup')</script>"
    )
    mode.tabwire.ok("click", coordinates={"x": 20, "y": 20}, hold=300)
    assert held(mode, "mousedown", "mouseup") >= 300 - SLACK_MS


def test_a_dialog_under_a_held_button_leaves_no_button_down(mode: InputMode) -> None:
    mode.show(
        f"<button id=b>Go</button><button id=n>Next</button>{CLOCK}<script>b.onpointerdown = () => confirm('Sure?'); watch(n, 'click')</script>"
    )
    if mode.name == "dom":
        pytest.skip("a dialog can be answered with the debugger alone")
    mode.tabwire.ok("click", selector="#b", hold=300)
    mode.tabwire.ok("dialog", action="accept")
    mode.tabwire.ok("click", selector="#n")
    assert mode.page.evaluate("log") == ["click"]


@pytest.mark.conditions
def test_a_key_stays_down(mode: InputMode, condition: Condition) -> None:
    mode.show(f"<input id=f>{CLOCK}<script>watch(f, 'keydown', 'input', 'keyup')</script>")
    mode.tabwire.ok("press", selector="#f", key="x", hold=400)
    assert held(mode, "keydown", "keyup") >= 400 - SLACK_MS
    assert mode.page.evaluate("[log, f.value]") == [["keydown", "input", "keyup"], "x"]


def test_a_drag_rests_at_both_ends(mode: InputMode) -> None:
    box = "position: absolute; top: 20px; width: 40px; height: 40px"
    mode.show(
        f"<div id=s style='{box}; left: 20px'>S</div><div id=t style='{box}; left: 300px'>T</div>{CLOCK}<script>let last = 0;"
        "addEventListener('pointerdown', (e) => { at.down = e.timeStamp }); addEventListener('pointermove', (e) => { if (at.down)"
        " { at.first ??= e.timeStamp; if (e.target.id === 't') at.last ??= e.timeStamp } }); addEventListener('pointerup', (e) => { at.up = e.timeStamp })</script>"
    )
    mode.tabwire.ok("drag", source="#s", target="#t", hold=400, hold_at_target=500)
    assert held(mode, "down", "first") >= 400 - SLACK_MS
    assert held(mode, "last", "up") >= 500 - SLACK_MS


def test_what_is_dragged_waits_over_its_target(mode: InputMode) -> None:
    """A folder that opens after half a second takes the drop."""
    tray = "t.ondragover = (e) => { start ??= setTimeout(() => { open = true }, 500); if (open) e.preventDefault() }; t.ondrop = () => { dropped = open }"
    mode.show(
        "<p id=s draggable=true>Card</p><p id=t>Tray</p><script>globalThis.open = false; globalThis.dropped = null; let start = null;"
        f"{tray}</script>"
    )
    mode.tabwire.ok("drag", source="#s", target="#t", hold_at_target=900)
    assert mode.page.evaluate("dropped") is True


@pytest.mark.conditions
def test_a_range_that_is_filled_ends_as_a_drag(mode: InputMode, condition: Condition) -> None:
    mode.show(
        f"<input id=r type=range value=10>{CLOCK}<script>globalThis.kept = null; r.onpointerup = () => {{ kept = r.value }};"
        "watch(r, 'pointerdown', 'mousedown', 'input', 'pointerup', 'mouseup', 'change', 'click')</script>"
    )
    mode.tabwire.ok("fill", selector="#r", value="70")
    assert mode.page.evaluate("[r.value, kept]") == ["70", "70"]
    assert mode.page.evaluate("log") == ["pointerdown", "mousedown", "input", "pointerup", "mouseup", "change"]
    mode.page.evaluate("log.length = 0")
    mode.tabwire.ok("fill", selector="#r", value="70")
    assert "invalid_argument" in mode.tabwire.fails("fill", selector="#r", value="700").text
    assert mode.page.evaluate("[r.value, log]") == ["70", []]
