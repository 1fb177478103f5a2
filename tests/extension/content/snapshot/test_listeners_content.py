"""What a snapshot makes of elements that are known to be listened on, and how it tells apart those without a name."""

from extension.content_page import TELL, ContentPage, without_refs

CARD = "<li class=card>Title <button>More</button></li>"
CASES = {
    "a click listener makes a span a thing to click": (
        "<span>Cell</span><b>Text</b>",
        {"span": "click"},
        ['- generic "Cell" [ref=@1] [clickable]', "- text: Text"],
    ),
    "so does any event a click begins or ends with": (
        "<i>A</i><i>B</i><i>C</i><i>D</i>",
        {"i": "mousedown touchstart"},
        [f'- generic "{name}" [ref=@{number}] [clickable]' for number, name in enumerate("ABCD", 1)],
    ),
    "page and body are not things to click": ("<b>Text</b>", {"body": "click"}, ["- text: Text"]),
    "a listener around other controls is there for those": (
        "<div>Buy <button>One</button><button>Two</button></div>",
        {"div": "click"},
        ["- text: Buy", '- button "One" [ref=@1]', '- button "Two" [ref=@2]'],
    ),
    "a listener on a list is there for its items": (
        "<ul><li>A<li>B</ul>",
        {"ul": "click"},
        ["- list", "  - listitem [ref=@1]: A", "  - listitem [ref=@2]: B"],
    ),
    "the innermost of nested boxes is the thing": (
        "<div class=a><div class=b><span>Cell</span></div></div>",
        {"div,span": "click"},
        ['- generic "Cell" [ref=@1] [clickable]'],
    ),
    "an entry of a list may hold a control": (
        f"<ul>{CARD}{CARD}</ul>",
        {"li": "click"},
        [
            "- list",
            "  - listitem [ref=@1] [clickable]: Title",
            '    - button "More" [ref=@2]',
            "  - listitem [ref=@3] [clickable]: Title",
            '    - button "More" [ref=@4]',
        ],
    ),
    "a long text is not a thing to click": (
        f"<div><b>{'word ' * 80}</b></div>",
        {"div": "click"},
        [f"- text: {('word ' * 80).strip()}"],
    ),
    "what is in a button belongs to it": (
        "<button>Do <span>it</span></button>",
        {"span": "click"},
        ['- button "Do it" [ref=@1]'],
    ),
    "a box that takes drops, also one that holds things": (
        "<div><i draggable=true>Card</i></div>",
        {"div": "dragover drop"},
        ["- generic [ref=@1] [drop zone]", '  - generic "Card" [ref=@2] [draggable]'],
    ),
    "drag and hover": (
        "<i>Drag</i><b>Hover</b>",
        {"i": "dragstart", "b": "mouseenter"},
        ['- generic "Drag" [ref=@1] [draggable]', '- generic "Hover" [ref=@2] [hoverable]'],
    ),
    "hovering says nothing of a box of controls": (
        "<div><a href=x>Link</a></div>",
        {"div": "mouseenter"},
        ['- link "Link" [ref=@1]'],
    ),
}


def test_lines(page: ContentPage) -> None:
    lines = page.lines_of_each({name: (html, listeners) for name, (html, listeners, _) in CASES.items()})
    assert lines == {name: [expected] for name, (*_, expected) in CASES.items()}


def test_shapes_of_a_small_drawing_are_shown(page: ContentPage) -> None:
    page.show("<svg width=20 height=20><circle cx=9 cy=9 r=8 fill=red /><circle cx=9 cy=9 r=3 fill=blue /></svg>")
    page.run(TELL, {"circle": "mousedown"})
    shapes = [line.strip() for line in page.bare_lines() if "circle" in line]
    assert [shape.split(" ", 2)[2] for shape in shapes] == [
        "[clickable] [circle at=9,9 fill=red]",
        "[clickable] [circle at=9,9 fill=blue]",
    ]


def test_what_is_no_longer_listened_on_is_text_again(page: ContentPage) -> None:
    page.show("<span>Cell</span>")
    page.run(TELL, {"span": "click"})
    assert page.bare_lines() == ['- generic "Cell" [clickable]']
    page.run(TELL, {"span": ""})
    assert page.lines() == ["- text: Cell"]


def test_listeners_are_seen_in_open_shadow_trees(page: ContentPage) -> None:
    page.show("<div id=host></div>")
    page.run("document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<span>Cell</span>'")
    page.run("globalThis.__inside.listeners.isPlaced({ name: 'told', isLast: true })")
    page.run(
        "document.getElementById('host').shadowRoot.firstChild.dispatchEvent("
        "new CustomEvent('told!', { composed: true, detail: 'click' }))"
    )
    assert page.bare_lines() == ['- generic "Cell" [clickable]']


HINTS = {
    "<button class='ql-bold'></button>": '- button [class="ql-bold"]',
    "<button id=trash class=icon></button>": '- button [id="trash"]',
    "<button class='mt-2 px-4 css-1x2y3z star'></button>": '- button [class="star"]',
    "<button><svg width=16 height=16><use href='#icon-close'/></svg></button>": '- button [icon="icon-close"]',
    "<button><i class='fa fa-trash'></i></button>": '- button [icon="trash"]',
    "<button class='tool small'><i class='fa fa-angle-up'></i></button>": '- button [icon="angle-up"]',
    "<a href=# class=opts><span class='ag-icon ag-icon-filter'></span></a>": '- link [icon="filter"]',
    "<button class=tool><svg class=big data-testid=DeleteIcon width=9 height=9></svg></button>": '- button [icon="DeleteIcon"]',
    "<button class=tool><i class=x title='Remove row'></i></button>": '- button [title="Remove row"]',
    "<button><img src='/a/cart.png?1' alt=''></button>": '- button [img="cart.png"]',
    "<div onclick='0' style='width:9px;height:9px;background:red'></div>": "- generic [clickable] [background=red]",
    "<button><i class='fas fa-search fa-sm'></i></button>": '- button [icon="search"]',
    "<button><svg class='icon icon-tabler icon-tabler-x' width=9 height=9></svg></button>": '- button [icon="x"]',
    "<button><i class=mi style='font-family: Material Icons' aria-hidden=true>delete</i></button>": '- button [icon="delete"]',
    "<input name=email>": '- textbox [name="email"]',
    "<button aria-label=Bold class=ql-bold></button>": '- button "Bold"',
}


def test_what_has_no_name_is_told_apart_by_a_mark(page: ContentPage) -> None:
    lines = page.lines_of_each({html: (html, {}) for html in HINTS})
    assert {html: without_refs(found) for html, (found,) in lines.items()} == {html: [line] for html, line in HINTS.items()}
