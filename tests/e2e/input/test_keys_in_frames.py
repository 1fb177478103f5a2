"""Keys without a target follow the focus into frames, by trusted input and by DOM events; text that would reach no field is refused."""

from collections.abc import Callable

import pytest

from e2e.input.test_key_targets import PAY, Keys, keys
from e2e.site import Site
from polling import until

__all__ = ["keys"]

TELL = "<script>addEventListener('input', () => top.postMessage(%s, '*'), true)</script>"
EDITORS = {
    "a text area": "<textarea id=f></textarea>" + TELL % "f.value",
    "an editable box": "<div id=f contenteditable></div>" + TELL % "f.innerText",
    "an editable page": "<script>document.designMode = 'on'</script><p id=f>&nbsp;</p>" + TELL % "document.body.innerText",
    "a field in a closed shadow tree": (
        "<div id=f></div><script>const root = f.attachShadow({ mode: 'closed', delegatesFocus: true });"
        "root.innerHTML = '<textarea>'; const inner = root.firstChild</script>" + TELL % "inner.value"
    ),
}
Serve = Callable[..., str]
NESTINGS: dict[str, tuple[Serve, Serve]] = {
    "the page's site": (Site.page, Site.page),
    "another site": (Site.cross_page, Site.cross_page),
    "another site in the page's": (Site.page, Site.cross_page),
    "the page's site in another": (Site.cross_page, Site.page),
}
GOT = "<script>globalThis.got = ''; addEventListener('message', ({ data }) => { if (typeof data === 'string') got = data })</script>"


def show_nested(keys: Keys, nesting: str, html: str) -> None:
    """A document two frames deep, beside a field of the page."""
    outer, inner = NESTINGS[nesting]
    src = outer(keys.site, f"<p>Between</p><iframe src='{inner(keys.site, html)}'></iframe>")
    keys.show(f"<input id=top>{GOT}<iframe src='{src}' width=400 height=300></iframe>")


@pytest.mark.parametrize(
    ("nesting", "editor"),
    [
        *((nesting, "a text area") for nesting in NESTINGS),
        *(("another site in the page's", editor) for editor in EDITORS if editor != "a text area"),
    ],
)
def test_keys_without_a_target_go_to_the_editor_two_frames_deep_that_has_the_focus(keys: Keys, nesting: str, editor: str) -> None:
    show_nested(keys, nesting, EDITORS[editor])
    keys.tabwire.ok("click", selector="#top")
    keys.tabwire.ok("click", selector="#f")
    keys.tabwire.ok("type", text="abc", delay=0)
    keys.tabwire.ok("press", key="Backspace")
    keys.tabwire.ok("press", key="d")
    until(lambda: keys.evaluate("got.trim()"), equals="abd", within=2)
    assert keys.evaluate("[document.querySelector('#top').value, heard]") == ["", []]


def test_typing_into_the_element_of_a_frame_goes_to_the_editor_in_it(keys: Keys) -> None:
    keys.show(f"{GOT}<iframe id=i src='{keys.site.cross_page(EDITORS['an editable page'])}'></iframe>")
    keys.tabwire.ok("type", selector="#i", text="abc", delay=0)
    until(lambda: keys.evaluate("got.trim()"), equals="abc", within=2)


@pytest.mark.conditions
def test_typing_into_the_element_of_a_frame_goes_to_the_field_that_its_page_has_chosen(keys: Keys) -> None:
    keys.show(f"{GOT}<iframe id=i src='{keys.site.cross_page(EDITORS['a text area'] + '<script>f.focus()</script>')}'></iframe>")
    # The page hears of it from another process, and takes the focus of the field away if it focuses its frame before that.
    until(lambda: keys.evaluate("document.activeElement.id"), equals="i", within=5)
    keys.tabwire.ok("type", selector="#i", text="abc", delay=0)
    until(lambda: keys.evaluate("got.trim()"), equals="abc", within=2)


def test_keys_for_the_page_leave_the_frame_that_has_the_focus(keys: Keys) -> None:
    show_nested(keys, "another site", EDITORS["a text area"])
    keys.tabwire.ok("click", selector="#f")
    keys.tabwire.ok("press", selector="body", frameId=0, key="Escape")
    assert keys.evaluate("heard") == ["body Escape"]


@pytest.mark.parametrize(
    ("html", "names"),
    [
        (PAY, None),
        (f"{PAY}<script>pay.focus()</script>", '<button id="pay"> "Pay"'),
        ("<a href=#x id=a>Home</a><script>a.focus()</script>", '<a id="a"> "Home"'),
        ("<input type=checkbox id=c><script>c.focus()</script>", '<input id="c">'),
        ("<input id=f readonly><script>f.focus()</script>", '<input id="f">'),
    ],
)
def test_text_that_would_reach_no_field_is_refused_before_a_key_is_pressed(keys: Keys, html: str, names: str | None) -> None:
    keys.show(html)
    refused = keys.tabwire.fails("type", text=" x", delay=0)
    assert refused.code == "element_not_interactable"
    assert f"{names} has the focus and takes no text" in refused.text if names else "nothing has the focus" in refused.text
    assert keys.evaluate("heard") == []


def test_text_is_refused_where_a_frame_has_the_focus_and_no_field_in_it(keys: Keys) -> None:
    show_nested(keys, "another site", "<button id=f>Inner</button>")
    keys.tabwire.ok("click", selector="#f")
    assert '<button id="f"> "Inner" has the focus and takes no text' in keys.tabwire.fails("type", text="x", delay=0).text
    assert keys.evaluate("heard") == []


@pytest.mark.parametrize("html", ["<canvas id=c tabindex=0></canvas>", "<div id=c role=listbox tabindex=0></div>"])
def test_a_widget_that_listens_to_keys_gets_text(keys: Keys, html: str) -> None:
    keys.show(f"{html}<script>c.focus()</script>")
    keys.tabwire.ok("type", text="xy", delay=0)
    assert keys.evaluate("heard") == ["c x", "c y"]


def test_text_for_the_page_itself_is_noted_where_no_field_has_the_focus(keys: Keys) -> None:
    keys.show(PAY)
    assert (
        "no field has the focus: the page itself got the keys" in keys.tabwire.ok("type", selector="body", text="k", delay=0).text
    )
    assert keys.evaluate("heard") == ["body k"]
    assert "takes no text" in keys.tabwire.fails("type", selector="#pay", text=" k", delay=0).text
    assert keys.evaluate("[paid, heard]") == [0, ["body k"]]
