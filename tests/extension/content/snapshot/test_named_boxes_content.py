"""Boxes without words in a snapshot: the name that their author gave them is what they say."""

import pytest

from extension.content_page import TELL, ContentPage

LOOK = "display:inline-block;width:16px;height:16px;background:#3a3"
BOX = f"<i style='{LOOK}' {{}}></i>"
CASES = {
    "a label in a cell is the text of the cell": (
        f"<table><tr><td>1<td>{BOX.format('aria-label=Overdue')}<tr><td>2<td>{BOX.format('title=Paid')}</table>",
        ["- table", "  - row: 1 | Overdue", "  - row: 2 | Paid"],
    ),
    "a title of a box that stands alone": (
        f"<div title=Lost style='{LOOK}'></div>",
        ['- generic "Lost" [ref=@1]'],
    ),
    "boxes between words keep their places": (
        f"<p>Build {BOX.format('title=passing')} · Tests {BOX.format('title=failing')}</p>",
        [
            '- paragraph: "Build"',
            '  - generic "passing" [ref=@1]',
            "  - text: · Tests",
            '  - generic "failing" [ref=@2]',
        ],
    ),
    "stars are no words": (
        "<p>Rating: <span aria-label='4 out of 5 stars'>★★★★☆</span>",
        ['- paragraph: "Rating:"', '  - generic "4 out of 5 stars" [ref=@1]: ★★★★☆'],
    ),
    "a meter of boxes has its name once": (
        "<div title='72 % used' style='width:200px;height:10px'><div style='width:72%;height:10px;background:blue'></div></div>",
        ['- generic "72 % used" [ref=@1]'],
    ),
    "words in a box say more than its title": (
        "<p>Posted <span title='28 November'>3 hours ago</span> by Ann",
        ['- paragraph: "Posted 3 hours ago by Ann"'],
    ),
    "the name by other elements": (
        f"<b id=n hidden>Late</b>{BOX.format('aria-labelledby=n')}",
        ['- generic "Late" [ref=@1]'],
    ),
    "a box in a button is said on its line": (
        f"<button>Save {BOX.format('title=unsaved')}</button><a href=x>Site{BOX.format('aria-label=Online')}</a>"
        f"<div onclick=0>{BOX.format('title=Edit')}</div>",
        [
            '- button "Save" [ref=@1] [title="unsaved"]',
            '- link "Site Online" [ref=@2]',
            '- generic [ref=@3] [clickable] [title="Edit"]',
        ],
    ),
    "a picture without a name has that of the box around it": (
        "<div title=Lost><img width=9 height=9></div>",
        ['- img [ref=@1] [title="Lost"]'],
    ),
    "controls say what they are themselves": (
        "<div title=Tools><button>Cut</button></div>",
        ['- button "Cut" [ref=@1]'],
    ),
}


def test_lines(page: ContentPage) -> None:
    lines = page.lines_of_each({name: (html, {}) for name, (html, _) in CASES.items()})
    assert lines == {name: [expected] for name, (_, expected) in CASES.items()}


@pytest.mark.parametrize("style", ["width:0;height:0", f"{LOOK};opacity:0", f"{LOOK};position:absolute;left:-5000px"])
def test_a_box_that_nobody_sees_is_counted(page: ContentPage, style: str) -> None:
    page.show(f"<p>Text</p><div style='{style}' title='Pay now'></div>")
    answer = page.call("snapshot.capture")
    assert "Pay now" not in answer["text"]
    assert answer["notes"]["unseen"] == 1


def test_the_reference_of_a_box_holds(page: ContentPage) -> None:
    page.show(BOX.format("title=Lost"))
    assert page.failure(page.ref('"Lost"')) == {}


def test_a_list_of_controls_has_no_such_boxes(page: ContentPage) -> None:
    page.show(f"<button>Go</button>{BOX.format('title=Lost')}")
    assert page.bare_lines(mode="interactive") == ['- button "Go"']


def test_a_menu_of_the_right_button_is_marked_where_nothing_else_is_heard(page: ContentPage) -> None:
    page.show("<i id=a>One</i><i id=b>Two</i><i oncontextmenu='0'>Three</i><i oncontextmenu='0' onclick='0'>Four</i>")
    page.run(TELL, {"#a": "contextmenu", "#b": "contextmenu click"})
    assert page.bare_lines() == [
        '- generic "One" [right-clickable]',
        '- generic "Two" [clickable]',
        '- generic "Three" [right-clickable]',
        '- generic "Four" [clickable]',
    ]
