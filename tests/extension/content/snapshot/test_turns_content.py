"""The snapshot of a large page lets the page go on in between, and tells it as it is at the end."""

import re
from typing import Any

import pytest

from extension.content_page import ContentPage
from polling import until


def rows(count: int) -> str:
    return f"""
<style>#s {{cursor: pointer}}</style><input id=first aria-label=First value=old><div id=host></div>
{"".join(f"<ul><li>Row {number} <b>and</b> <a href='#{number}'>link {number}</a></li></ul>" for number in range(count))}
<input id=last aria-label=Last value=old>
<script>
  globalThis.tree = host.attachShadow({{ mode: 'open' }});
  tree.innerHTML = '<style>#s {{cursor: pointer}}</style><span id=s>In the tree</span><input aria-label=Inside value=old>';
</script>
"""


LARGE = rows(3_000)
HTML = f"""
<script>
  let passed = 0;
  performance.now = () => passed += 13;
  globalThis.take = (time) => {{ passed += time; }};
</script>
{rows(300)}"""
"""A page in which each look at the clock finds a turn over has as many turns as a larger one."""

BESIDE = """
const [change, options] = arguments;
let turns = 0;
globalThis.outcome = undefined;
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => {
  if (globalThis.outcome !== undefined) return;
  turns += 1;
  if (turns === 1) (0, eval)(change);
  globalThis.work?.();
  port2.postMessage(0);
};
port2.postMessage(0);
Promise.resolve(__tabwire.call('snapshot.capture', options)).then(({ result }) => { globalThis.outcome = { turns, text: result.text }; });
"""
"""A task of the page that comes again and again while it is captured, and changes something when it comes for the first time."""

AT_ONCE = """
const { now } = performance;
performance.now = () => 0;
try { return globalThis.__tabwire.call('snapshot.capture', arguments[0]).result.text; } finally { performance.now = now; }
"""
"""No turn is over in a page where time stands still."""


@pytest.fixture
def large(page: ContentPage) -> ContentPage:
    page.show(HTML)
    return page


def captured_beside(page: ContentPage, change: str = "", **options: Any) -> tuple[int, str]:
    """The number of turns of the page during a capture, and its text."""
    page.run(BESIDE, change, options)
    outcome = until(lambda: page.run("return globalThis.outcome"))
    return outcome["turns"], unnumbered(outcome["text"])


def captured_at_once(page: ContentPage, **options: Any) -> str:
    return unnumbered(page.run(AT_ONCE, options))


def unnumbered(text: str) -> str:
    """References are numbered as they are given out."""
    return re.sub("\ue000:\\d+\ue001", "@", text)


def test_a_large_page_has_its_turns_and_the_text_is_the_same(page: ContentPage) -> None:
    page.show(LARGE)
    turns, text = captured_beside(page)
    assert turns > 2
    page.show(LARGE)
    assert text == captured_at_once(page)


def test_a_page_that_needs_long_for_its_turns_has_few_of_them(large: ContentPage) -> None:
    turns, text = captured_beside(large)
    assert turns > 5
    large.show(HTML)
    turns, same_text = captured_beside(large, "globalThis.work = () => take(150)")
    assert turns <= 3
    large.show(HTML)
    assert text == same_text == captured_at_once(large)


@pytest.mark.parametrize(
    "change",
    [
        "document.querySelector('li').firstChild.data = 'Changed'",
        "tree.getElementById('s').textContent = 'Changed'",
        "last.ariaLabel = 'Changed'",
    ],
)
def test_what_changes_in_such_a_turn_is_told(large: ContentPage, change: str) -> None:
    turns, text = captured_beside(large, change)
    assert turns and "Changed" in text and text == captured_at_once(large, depth=1000)


@pytest.mark.parametrize("field", ["first", "last", "tree.querySelector('input')"])
def test_a_value_that_a_script_sets_in_such_a_turn_is_in_the_next_snapshot(large: ContentPage, field: str) -> None:
    captured_beside(large, f"{field}.value = 'new'")
    assert "\n".join(large.lines()).count(': "new"') == 1


def test_two_captures_take_turns_and_each_is_right(large: ContentPage) -> None:
    beside = (
        "__tabwire.call('snapshot.capture', { mode: 'interactive' }).then(({ result }) => { globalThis.other = result.text; })"
    )
    _, text = captured_beside(large, beside)
    other = unnumbered(until(lambda: large.run("return globalThis.other")))
    large.show(HTML)
    assert [text, other] == [captured_at_once(large), captured_at_once(large, mode="interactive")]
