"""White space that a page keeps: line breaks and indentation of code, logs and poems in snapshots and queries."""

import pytest

from extension.content_page import ContentPage

CODE = "def f(x):\n    if x:\n\treturn 1\n\nend"
CASES = {
    "code keeps its lines, tabs and indentation": (
        f"<pre>{CODE}</pre>",
        [r'- text: "def f(x):\n    if x:\n\treturn 1\n\nend"'],
    ),
    "colours of code make no difference": (
        "<pre><code><b>a</b>:\n  - <i>b</i>\n</code></pre>",
        [r'- text: "a:\n  - b"'],
    ),
    "so do boxes whose style keeps white space": (
        "<div style='white-space:pre-wrap'>Dear Ann,\n\n  first</div><p style='white-space:pre-line'>One\n   two   three",
        [r'- text: "Dear Ann,\n\n  first"', r'- paragraph: "One\ntwo three"'],
    ),
    "quotes and backslashes differ from line breaks": (
        '<pre>print("\\n")\nx</pre>',
        [r'- text: "print(\"\\n\")\nx"'],
    ),
    "a line alone is not quoted": ("<pre>one line</pre>", ["- text: one line"]),
    "white space between boxes is none": (
        "<div style='white-space:pre-wrap'>\n  <p>One</p>\n  <button>Go</button>\n</div>",
        ['- paragraph: "One"', '- button "Go" [ref=@1]'],
    ),
    "names are one line": (
        "<button style='white-space:pre'>Save\n  it</button>",
        ['- button "Save it" [ref=@1]'],
    ),
    "elsewhere white space is collapsed": ("<p>One\n  two</p>", ['- paragraph: "One two"']),
    "the value of a text area is what is edited": (
        "<textarea aria-label=Note>a:\n  - b\n</textarea>",
        [r'- textbox "Note" [ref=@1]: "a:\n  - b\n"'],
    ),
    "cells and items": (
        "<ul><li style='white-space:pre'>a\n b</ul><table><tr><td><pre>1\n2</pre><td>3<tr><td>4<td>5</table>",
        ["- list", r'  - listitem: "a\n b"', "- table", r'  - row: "1\n2 | 3"', "  - row: 4 | 5"],
    ),
}


def test_lines(page: ContentPage) -> None:
    lines = page.lines_of_each({name: (html, {}) for name, (html, _) in CASES.items()})
    assert lines == {name: [expected] for name, (_, expected) in CASES.items()}


@pytest.mark.parametrize("tag", ["pre", "div style='white-space:pre'"])
def test_a_query_has_the_lines_of_a_text(page: ContentPage, tag: str) -> None:
    page.show(f"<{tag} class=code>{CODE}</{tag.split()[0]}><p>One\n two")
    code, text = (
        page.call("selectors.query", by="text", value=value, **{"return": "text"})["answers"][0] for value in ("if x:", "One")
    )
    assert code == CODE
    assert text == "One two"


def test_a_text_is_found_whatever_white_space_is_in_it(page: ContentPage) -> None:
    page.show(f"<pre id=code>{CODE}</pre>")
    assert page.call("selectors.find", selector="text:if x: return 1")["usable"] == 1


def test_a_page_cannot_write_the_marks(page: ContentPage) -> None:
    page.show("<p id=p></p><pre id=q></pre>")
    page.run("p.textContent = 'a\\u0001b'; q.textContent = 'a\\u0002\\u0003\\nb'")
    assert "\\n" not in page.bare_lines()[0]
    assert page.bare_lines()[1:] == [r'- text: "a\nb"']
