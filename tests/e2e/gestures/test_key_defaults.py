"""Keys do by DOM events what Chrome does for trusted ones, with the same events: each case runs in both modes and has one result."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from e2e.conftest import InputMode
from e2e.site import Site

WATCH = """<script>globalThis.log = [];
for (const type of ['keydown', 'keypress', 'beforeinput', 'input', 'change', 'search', 'click', 'keyup', 'focusin'])
  document.addEventListener(type, (e) => log.push(e.inputType ? `${type} ${e.inputType}` : e.key ? `${type} ${e.key}` : type), true)</script>"""
CARET_TO_END = """(el) => {
  el.focus();
  if (el.matches('textarea, [type=text], input:not([type])')) el.setSelectionRange(9, 9);
  else if (el.isContentEditable) { getSelection().selectAllChildren(el); getSelection().collapseToEnd() }
}"""
OPTIONS = "".join(f"<option>{name}</option>" for name in ("Apple", "Banana", "Blueberry", "Cherry", "Date", "Elderberry", "Fig"))
EDITOR = "<div id=f contenteditable>one two</div>"


@dataclass(frozen=True)
class KeyCase:
    name: str
    html: str
    keys: tuple[str, ...]
    shows: str
    value: object


KEYS = [
    KeyCase("a range to its ends", "<input id=f type=range min=10 max=90 step=5 value=50>", ("Home",), "f.value", "10"),
    KeyCase("a range to its end", "<input id=f type=range min=10 max=90 step=5 value=50>", ("End",), "f.value", "90"),
    KeyCase("a range by pages", "<input id=f type=range value=50>", ("PageUp", "PageUp", "PageDown"), "f.value", "60"),
    KeyCase("a range in coarse steps", "<input id=f type=range max=20 step=3 value=9>", ("PageUp", "ArrowLeft"), "f.value", "9"),
    KeyCase(
        "a list to its ends", f"<select id=f>{OPTIONS}</select>", ("End", "ArrowUp", "Home", "ArrowDown"), "f.value", "Banana"
    ),
    KeyCase("a list by pages", f"<select id=f>{OPTIONS}</select>", ("PageDown", "PageDown", "PageUp"), "f.value", "Cherry"),
    KeyCase("a list by a letter", f"<select id=f>{OPTIONS}</select>", ("b", "b"), "f.value", "Blueberry"),
    KeyCase("a list by letters", f"<select id=f>{OPTIONS}</select>", ("b", "l"), "f.value", "Blueberry"),
    KeyCase(
        "a list of several", f"<select id=f multiple size=4>{OPTIONS}</select>", ("ArrowDown", "ArrowDown"), "f.value", "Banana"
    ),
    KeyCase(
        "a list of several with Shift",
        f"<select id=f multiple size=4>{OPTIONS}</select>",
        ("ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown"),
        "[...f.selectedOptions].map((o) => o.text)",
        ["Apple", "Banana", "Blueberry"],
    ),
    KeyCase("an open list by pages", f"<select id=f size=4>{OPTIONS}</select>", ("Home", "PageDown", "End"), "f.value", "Fig"),
    KeyCase("an open list by a letter", f"<select id=f size=4>{OPTIONS}</select>", ("d",), "f.value", "Date"),
    KeyCase("a search that is emptied", "<input id=f type=search value=tea>", ("Escape",), "f.value", ""),
    KeyCase("an empty search", "<input id=f type=search>", ("Escape",), "f.value", ""),
    KeyCase("a word before the caret", "<input id=f value='one two'>", ("Control+Backspace",), "f.value", "one "),
    KeyCase("a word behind the caret", "<textarea id=f>one two</textarea>", ("Home", "Control+Delete"), "f.value.trim()", "two"),
    KeyCase("a word of an editor", EDITOR, ("Control+Backspace",), "f.textContent.trim()", "one"),
    KeyCase("a line of a text area", "<textarea id=f>a</textarea>", ("Enter", "Shift+Enter"), "f.value", "a\n\n"),
    KeyCase("a paragraph of an editor", EDITOR, ("Enter",), "f.querySelectorAll('div').length", 1),
    KeyCase(
        "a line of an editor",
        EDITOR,
        ("Shift+Enter",),
        "[f.querySelectorAll('br').length > 0, f.querySelectorAll('div').length]",
        [True, 0],
    ),
    KeyCase("a box", "<input id=f type=checkbox>", ("Space",), "f.checked", True),
    KeyCase("a key that a box does not take", "<input id=f type=checkbox>", ("x", "Backspace"), "f.checked", False),
    KeyCase("a radio button", "<input id=f type=radio name=r>", ("Space",), "f.checked", True),
    KeyCase("Tab to an editor", f"<button id=b>B</button>{EDITOR}", ("Tab",), "document.activeElement.id", "f"),
]


@pytest.mark.parametrize("case", KEYS, ids=[case.name for case in KEYS])
def test_keys_have_one_result_in_both_modes(mode: InputMode, case: KeyCase, seen: dict[str, object]) -> None:
    mode.show(case.html + WATCH)
    mode.page.evaluate(f"({CARET_TO_END})(document.querySelector('#b') ?? f); log.length = 0")
    for key in case.keys:
        mode.tabwire.ok("press", selector="#b" if "id=b" in case.html else "#f", key=key)
    assert mode.page.evaluate(case.shows) == case.value
    assert seen.setdefault(case.name, mode.page.evaluate("log")) == mode.page.evaluate("log")


@pytest.fixture(scope="module")
def seen() -> dict[str, object]:
    """The events of each case in the mode in which it ran first."""
    return {}


#: Messages of frames may come late; the time at which each element got the focus says the order.
SENDS = (
    "<script>addEventListener('focusin', ({ target: { id }, timeStamp }) =>"
    " id && top.postMessage([performance.timeOrigin + timeStamp, id], '*'))</script>"
)
TABBED = (
    "<script>globalThis.focused = []; addEventListener('message', ({{ data }}) => focused.push(data));"
    "globalThis.names = () => focused.sort(([one], [other]) => one - other).map(([, id]) => id).join('')</script>"
    f"{SENDS.replace('{', '{{').replace('}', '}}')}<button id=a>A</button>{{inner}}<button id=z>Z</button>"
)
INNER = f"{SENDS}<input id=b><a id=c href='#'>C</a>"
EMPTY = "<p>Nothing to focus</p>"


def iframe(url: str) -> str:
    return f"<iframe src='{url}'></iframe>"


def nested(site: Site) -> str:
    return iframe(site.page(f"{SENDS}<input id=b>{iframe(site.cross_page(f'{SENDS}<input id=c>'))}<input id=d>"))


FRAMES: dict[str, tuple[Callable[[Site], str], str]] = {
    "of the same site": (lambda site: iframe(site.page(INNER)), "abcz"),
    "of another site": (lambda site: iframe(site.cross_page(INNER)), "abcz"),
    "in a frame": (nested, "abcdz"),
    "in a shadow tree": (
        lambda site: (
            "<x-box></x-box><script>document.querySelector('x-box').attachShadow({mode: 'open'}).innerHTML = "
            f"`{iframe(site.page(INNER))}`</script>"
        ),
        "abcz",
    ),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_tab_goes_into_frames_and_out_of_them(mode: InputMode, kind: str) -> None:
    inner, order = FRAMES[kind]
    mode.show(TABBED.format(inner=inner(mode.site)))
    mode.page.evaluate("a.focus(); 1")
    for _ in order[1:]:
        mode.tabwire.ok("press", key="Tab")
    mode.page.wait_for(f"names() === {order!r}")
    mode.tabwire.ok("press", key="Shift+Tab", repeat=len(order) - 1)
    mode.page.wait_for(f"names() === {order + order[-2::-1]!r}")
    # Keys go where the focus is now.
    mode.page.evaluate("document.activeElement.onclick = () => { globalThis.clicked = true }; 1")
    mode.tabwire.ok("press", key="Enter")
    assert mode.page.evaluate("[document.activeElement.id, clicked]") == ["a", True]


def test_a_text_with_a_tab_goes_on_in_the_frame_that_it_leads_to(mode: InputMode) -> None:
    inner = "<input id=b oninput='top.postMessage([0, b.value], `*`)'>"
    mode.show(TABBED.format(inner=iframe(mode.site.cross_page(inner))).replace("<button id=a>A</button>", "<input id=a>"))
    mode.page.evaluate("a.focus(); 1")
    mode.tabwire.ok("type", text="one\ttwo")
    mode.page.wait_for("focused.some(([, value]) => value === 'two')")
    assert mode.page.evaluate("a.value") == "one"


def test_tab_passes_a_frame_in_which_nothing_takes_the_focus(mode: InputMode) -> None:
    mode.show(TABBED.format(inner=iframe(mode.site.page(EMPTY))))
    mode.page.evaluate("a.focus(); 1")
    mode.tabwire.ok("press", key="Tab")
    if mode.page.evaluate("document.activeElement.localName") == "iframe":
        mode.tabwire.ok("press", key="Tab")
    assert mode.page.evaluate("document.activeElement.id") == "z"
