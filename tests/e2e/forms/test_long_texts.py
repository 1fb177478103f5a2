"""Long texts get into a text area in a moment, and the reply says that they were not typed."""

import pytest

from e2e.conftest import InputMode

LINES = [f"line {n} of the long text" for n in range(4000)]
AREA = """<textarea id=t>[]</textarea><input id=other><script>globalThis.log = [];
for (const type of ['keydown', 'beforeinput', 'input', 'change']) t.addEventListener(type, (e) => log.push(type)); t.setSelectionRange(1, 1)</script>"""
LIMIT_MS = 5000


def test_many_lines_are_filled_in_at_once(mode: InputMode) -> None:
    mode.show(AREA)
    reply = mode.tabwire.ok("fill", selector="#t", value="\n".join(LINES))
    assert mode.page.evaluate("t.value.split('\\n').length") == len(LINES)
    assert mode.page.evaluate("t.value.split('\\n').at(-1)") == LINES[-1]
    assert "4000 lines were set by script" in reply.data["note"]
    assert reply.elapsed_ms < LIMIT_MS
    mode.tabwire.ok("click", selector="#other")
    assert mode.page.evaluate("log") == ["beforeinput", "input", "change"]


def test_a_long_text_is_put_at_the_caret_at_once(mode: InputMode) -> None:
    mode.show(AREA)
    mode.page.evaluate("t.focus(); t.setSelectionRange(1, 1)")
    reply = mode.tabwire.ok("type", selector="#t", text="\r\n".join(LINES), delay=0)
    text = "\n".join(LINES)
    assert mode.page.evaluate("[t.value.length, t.value.at(0), t.value.at(-1), t.selectionStart]") == [
        len(text) + 2,
        "[",
        "]",
        len(text) + 1,
    ]
    assert f"the {len(text)} characters were set by script" in reply.data["note"]
    assert reply.elapsed_ms < LIMIT_MS
    mode.tabwire.ok("click", selector="#other")
    assert mode.page.evaluate("log") == ["beforeinput", "input", "change"]


@pytest.mark.parametrize("tool", ["fill", "type"])
def test_a_text_of_some_lines_is_no_long_one(mode: InputMode, tool: str) -> None:
    mode.show(AREA)
    reply = mode.tabwire.ok(tool, selector="#t", **{"fill": {"value": "a\nb"}, "type": {"text": "a\nb", "delay": 0}}[tool])
    assert "by script" not in reply.data.get("note", "")
    assert "a\nb" in mode.page.evaluate("t.value")
