"""Keys and typed text, seen from the page and from the server."""

from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import Join, Joined, ShownPage
from e2e.input.events import RECORD, fields, types
from e2e.site import Site

pytestmark = pytest.mark.same_tab


@pytest.mark.conditions
def test_typing_gives_the_five_events_of_each_character(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(f"<input id=f>{RECORD}<script>record(f, 'keydown', 'keypress', 'beforeinput', 'input', 'keyup')</script>")
    )
    tabwire.ok("type", selector="#f", text="ab", delay=0)
    assert types(page) == ["keydown", "keypress", "beforeinput", "input", "keyup"] * 2
    assert fields(page, "key", "code", "keyCode")[0] == ["a", "KeyA", 65]
    assert page.evaluate("f.value") == "ab"


def test_any_text_can_be_typed(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    text = "Ab 1!{}~ é ß 日本 👩\u200d👩\u200d👧\nsecond\tline"
    tabwire.open(site.page("<textarea id=f></textarea><button>x</button>"))
    tabwire.ok("type", selector="#f", text=text.replace("\t", ""), delay=0)
    assert page.evaluate("f.value") == text.replace("\t", "")


def test_typing_goes_behind_what_is_there(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<input id=f value=one><div id=r contenteditable>one</div>"))
    tabwire.ok("type", selector="#f", text="two", delay=0)
    tabwire.ok("type", selector="#r", text="two", delay=0)
    assert page.evaluate("[f.value, r.innerText]") == ["onetwo", "onetwo"]


@pytest.mark.conditions
def test_enter_submits_the_form_as_the_browser_does(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<form action=/post method=post><input id=f name=q><button name=go value=1>Go</button></form>"))
    tabwire.ok("type", selector="#f", text="tea", delay=0)
    tabwire.ok("press", key="Enter")
    assert site.wait_for_post("/post").form == {"q": "tea", "go": "1"}


@pytest.mark.conditions
def test_tab_moves_the_focus_in_tab_order(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<input id=c><input id=a tabindex=1><input id=x disabled><input id=y tabindex=-1><button id=d>d</button><input id=b tabindex=2>"
        )
    )
    seen = []
    for key in ("Tab", "Tab", "Tab", "Tab", "Shift+Tab"):
        tabwire.ok("press", key=key)
        seen.append(page.evaluate("document.activeElement.id"))
    assert seen == ["a", "b", "c", "d", "c"]


def test_copy_and_paste_carry_the_text(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<input id=a value='copied text'><input id=b onpaste='globalThis.pasted = event.clipboardData.getData(\"text/plain\")'>"
        )
    )
    tabwire.ok("press", selector="#a", key="Control+a")
    tabwire.ok("press", selector="#a", key="Control+c")
    tabwire.ok("press", selector="#b", key="Control+v")
    assert page.evaluate("[b.value, pasted]") == ["copied text", "copied text"]


KEYS: dict[str, list[Any]] = {
    "Enter": ["Enter", "Enter", 13],
    "Escape": ["Escape", "Escape", 27],
    "Space": [" ", "Space", 32],
    "ArrowLeft": ["ArrowLeft", "ArrowLeft", 37],
    "F5": ["F5", "F5", 116],
    "F12": ["F12", "F12", 123],
    "A": ["A", "KeyA", 65],
    "Shift+a": ["A", "KeyA", 65],
    "?": ["?", "Slash", 191],
    "Control+Shift+p": ["P", "KeyP", 80],
    "Meta+Enter": ["Enter", "Enter", 13],
    "PageDown": ["PageDown", "PageDown", 34],
    "+": ["+", "Equal", 187],
}


def test_keys_have_their_names_and_codes(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"<input id=f>{RECORD}<script>record(f, 'keydown')</script>"))
    got = {}
    for key in KEYS:
        page.evaluate("seen.length = 0")
        tabwire.ok("press", selector="#f", key=key)
        # That of a modifier comes before.
        got[key] = fields(page, "key", "code", "keyCode")[-1]
    assert got == KEYS


def test_an_unknown_key_is_refused(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<input>"))
    assert tabwire.fails("press", key="Entre").code == "invalid_argument"


def test_keys_are_repeated(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<input id=f value=abcdef>"))
    tabwire.ok("press", selector="#f", key="Backspace", repeat=3)
    assert page.evaluate("f.value") == "abc"


def test_with_dom_input_keys_are_carried_out_by_script(join: Join, own: Joined, site: Site) -> None:
    tabwire = join("--input", "dom")
    tabwire.ok(
        "tab_new",
        url=site.page(
            "<input id=e><script>globalThis.seen = []; for (const kind of ['change', 'focus', 'blur'])"
            " e.addEventListener(kind, () => seen.push(kind))</script><select id=s><option>a</select><input id=d type=date>"
            "<form action=/post method=post><input name=q id=f><a>Nowhere</a><div inert><input></div><input name=r>"
            "<button tabindex=-1>Send</button></form>"
        ),
    )
    tabwire.ok("type", selector="#e", text="one", delay=0)
    tabwire.ok("press", key="Enter")
    tabwire.ok("press", key="Enter")
    for selector, key, effect, tool in (
        ("#s", "Space", "open its list", "select"),
        ("#d", "1", "change a part of its value", "fill"),
    ):
        told = tabwire.ok("press", selector=selector, key=key).text
        assert f"{key} would {effect} here, which cannot be done by DOM events: use {tool}" in told
    assert own.browser.shown().evaluate("seen") == ["focus", "change", "blur"]
    tabwire.ok("type", selector="#f", text="tea", delay=0)
    tabwire.ok("press", key="Tab")
    tabwire.ok("type", text="cup", delay=0)
    tabwire.ok("press", key="Backspace")
    assert tabwire.ok("press", key="Enter").data["input"] == "dom"
    assert site.wait_for_post("/post").form == {"q": "tea", "r": "cu"}


def test_with_dom_input_keys_move_what_they_move(join: Join, own: Joined, site: Site) -> None:
    tabwire = join("--input", "dom")
    tabwire.ok(
        "tab_new",
        url=site.page(
            "<input id=f value='one two'><input id=n type=number value=5><input id=r type=range value=5>"
            "<select id=s><option>a<option>b<option>c</select><input type=radio name=q id=q1 checked><input type=radio name=q id=q2>"
            "<dialog id=d>Open</dialog><p style='height: 3000px'>Long</p>"
        ),
    )
    for key in ("Control+ArrowLeft", "x", "Home", "y", "Shift+ArrowRight", "z", "End", "ArrowLeft", "Delete"):
        tabwire.ok("press", selector="#f", key=key)
    for selector, key in (("#n", "ArrowUp"), ("#r", "ArrowLeft"), ("#s", "ArrowDown"), ("#q1", "ArrowDown")):
        tabwire.ok("press", selector=selector, key=key)
    page = own.browser.shown()
    assert page.evaluate("[f.value, n.value, r.value, s.value, q2.checked]") == ["yzne xtw", "6", "4", "b", True]
    page.evaluate("document.activeElement.blur()")
    tabwire.ok("press", key="PageDown")
    page.evaluate("d.showModal()")
    tabwire.ok("press", key="Escape")
    assert page.evaluate("[scrollY > 100, d.open]") == [True, False]
