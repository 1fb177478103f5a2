"""Lines of a snapshot that say what several elements say, and the references and hints that they carry."""

from selenium import webdriver

from extension.content.snapshot.test_listeners_content import CASES as LISTENED
from extension.content.snapshot.test_snapshot_content import CASES
from extension.content_page import TELL, ContentPage, without_refs

FIT = "style='display:inline-block'"
ONE = ['- button "Bold" [ref=@1]']
MERGED = {
    "a box around a control is that control": (f"<div onclick=0 {FIT}><button>Bold</button></div>", ONE),
    "also with its name": (f"<div onclick=0 aria-label=Bold {FIT}><button>Bold</button></div>", ONE),
    "a paragraph that is the name of its button": ("<button><p>Bold</p></button>", ONE),
    "a box in a box is one": (
        f"<div onclick=0 {FIT}><div onclick=0 {FIT}>Bold</div></div>",
        ['- generic "Bold" [ref=@1] [clickable]'],
    ),
    "a control in the shadow tree of its box": (
        f"<div id=h onclick=0 {FIT}></div><script>h.attachShadow({{mode: 'open'}}).innerHTML = '<button>Bold</button>'</script>",
        ONE,
    ),
    "a list item that is as large as its button": (
        f"<ul><li onclick=0 {FIT}><button>Bold</button></ul>",
        ["- list", '  - button "Bold" [ref=@1]'],
    ),
    "a cell that is as large as its button": (
        "<table><tr><td>Ann<td onclick=0 style='padding:0'><button>Bold</button></table>",
        ["- table", "  - row", "    - cell: Ann", "    - cell", '      - button "Bold" [ref=@1]'],
    ),
    "a large box that is called as the control in its middle": (
        "<div onclick=0 aria-label=Bold style='width:90px;height:40px;text-align:center'><button title=Bold "
        "style='width:20px;height:20px;margin-top:10px'></button></div>",
        ONE,
    ),
    "a box around a box that is its control": (
        "<div onclick=0 style='width:40px;height:40px'><div onclick=0 aria-label=Bold style='text-align:center'><button "
        "aria-label=Bold style='width:12px;height:20px;margin:10px 0;padding:0;vertical-align:top'></button></div></div>",
        ONE,
    ),
    "a box that is switched off with its control": (
        f"<div onclick=0 aria-disabled=true {FIT}><button disabled>Bold</button></div>",
        ['- button "Bold" [ref=@1] [disabled]'],
    ),
    "a name of the box goes to a control without one": (
        f"<div onclick=0 aria-label=Bold {FIT}><button class=b style='width:20px;height:20px'></button></div>",
        ['- button [ref=@1] [near "Bold"]'],
    ),
}
APART = {
    "a row that a press opens, with a button at its end": (
        "<div onclick=0 style='width:300px;height:40px'><button style='float:right'>Delete</button></div>",
        ["- generic [clickable]", '  - button "Delete"'],
    ),
    "a box with words of its own": (
        f"<div onclick=0 {FIT}>Row <button>Delete</button></div>",
        ["- generic [clickable]", "  - text: Row", '  - button "Delete"'],
    ),
    "a box whose button is disabled": (
        f"<div onclick=0 {FIT}><button disabled>Bold</button></div>",
        ["- generic [clickable]", '  - button "Bold" [disabled]'],
    ),
    "a box that takes more than clicks": (
        f"<div onclick=0 draggable=true {FIT}><button>Bold</button></div>",
        ["- generic [clickable] [draggable]", '  - button "Bold"'],
    ),
    "a large box around a small control": (
        "<div onclick=0 style='width:300px;height:60px;text-align:center'><button style='margin:15px'>Event</button></div>",
        ["- generic [clickable]", '  - button "Event"'],
    ),
    "a box around one that scrolls": (
        f"<div onclick=0 {FIT}><div style='overflow:auto;height:30px;width:90px'>{'words ' * 30}</div></div>",
        ["- generic [clickable]", f"  - generic [scrollable]: {('words ' * 30).strip()}"],
    ),
    "a box around two controls": (
        f"<div onclick=0 {FIT}><button>A</button><button>B</button></div>",
        ["- generic [clickable]", '  - button "A"', '  - button "B"'],
    ),
}


INTERACTIVE = {"mode": "interactive"}


def test_a_box_that_is_pressed_where_its_control_is_has_no_line(page: ContentPage) -> None:
    found = page.lines_of_each({name: (f"<body>{html}", {}) for name, (html, _) in MERGED.items()}, {}, INTERACTIVE)
    assert {name: lines for name, (lines, _) in found.items()} == {name: expected for name, (_, expected) in MERGED.items()}
    controls = {
        name: [line.strip() for line in without_refs([line for line in expected if "[ref=" in line])]
        for name, (_, expected) in MERGED.items()
    }
    assert {name: without_refs(lines) for name, (_, lines) in found.items()} == controls


def test_a_box_with_a_target_of_its_own_keeps_its_line(page: ContentPage) -> None:
    found = page.lines_of_each({name: (f"<body>{html}", {}) for name, (html, _) in APART.items()}, {}, INTERACTIVE)
    assert {name: without_refs(lines) for name, (lines, _) in found.items()} == {
        name: expected for name, (_, expected) in APART.items()
    }
    assert [name for name, (_, lines) in found.items() if "[clickable]" not in lines[0]] == []


PARTS = "<ul><li>Plain<li data-v-1a2b>Made<li data-id=7>Known<li tabindex=0>Focus</ul>"


def test_parts_of_lists_and_tables_have_references_where_the_page_can_tell_them_apart(page: ContentPage) -> None:
    page.show(PARTS)
    assert page.lines()[1:] == [
        "  - listitem: Plain",
        "  - listitem: Made",
        "  - listitem [ref=@1]: Known",
        "  - listitem [ref=@2]: Focus",
    ]
    page.show("<table role=grid><tr class=odd><td>Ann<td data-col=age tabindex=-1>7</table><b>x</b>")
    assert [line.strip() for line in page.lines()[1:3]] == ["- row", '- gridcell "Ann" [ref=@1]']
    # Once it is known what is listened on.
    page.run(TELL, {"b": "click"})
    assert [line.strip() for line in page.lines()[1:4]] == ["- row", '- gridcell "Ann"', '- gridcell "7" [ref=@2]']
    page.run(TELL, {"table": "dblclick"})
    assert [line.strip() for line in page.lines()[2:4]] == ['- gridcell "Ann" [ref=@1]', '- gridcell "7" [ref=@2]']


def test_a_list_that_nobody_sees_has_its_options_on_its_line(driver: webdriver.Chrome) -> None:
    page = ContentPage(driver)
    options = "<option selected>A<option disabled>B"
    page.show(f"<select multiple aria-label=S style='opacity:0'>{options}</select><select multiple>{options}</select>")
    assert page.bare_lines() == [
        '- listbox "S" [options: "A" selected, "B" disabled]',
        "- listbox",
        '  - option "A" [selected]',
        '  - option "B" [disabled]',
    ]


def test_cells_with_nothing_but_an_icon_say_which(page: ContentPage) -> None:
    icons = (
        "<i class='fa fa-check'></i>",
        "<svg width=9 height=9 class='bi bi-x'></svg>",
        "<i class=mi style='font-family: Material Symbols' aria-hidden=true>done</i>",
        "<svg width=9 height=9><title>Yes</title></svg>",
        "<i class='fa fa-check' style='display:none'></i>",
    )
    page.show(f"<table><tr><th>Name<th>A<th>B<th>C<th>D<th>E<tr><td>Ann{''.join(f'<td>{icon}' for icon in icons)}</table>")
    lines = [line.strip() for line in page.bare_lines()]
    cells = lines[lines.index("- cell: Ann") + 1 :]
    assert cells == ['- cell [icon="check"]', '- cell [icon="x"]', '- cell [icon="done"]', "- cell", '- img "Yes"', "- cell"]


def test_a_field_without_a_label_says_the_text_beside_it(page: ContentPage) -> None:
    page.show(
        "<div><label>Title</label><div><input></div></div><table><tr><td>Size<td><select><option>S<option>M</select></table>"
        "<div><input type=checkbox> Agree</div><form><p>A long text that stands above a field but is no label of it, as it "
        "goes on and on</p><input name=query></form><div>Mine <button>Go</button><input name=other></div>"
        "<label>Own <input></label><div>Beside <input placeholder=Type></div>"
    )
    fields = [line.strip() for line in page.bare_lines() if "box" in line]
    assert fields == [
        '- textbox [near "Title"]',
        '- combobox [options: "S", "M"] [near "Size"]: "S"',
        '- checkbox [near "Agree"]',
        '- textbox [name="query"]',
        '- textbox [name="other"]',
        '- textbox "Own"',
        '- textbox "Type"',
    ]
    assert page.bare_lines(mode="interactive")[-1] == '- textbox "Type" [near "Beside"]'


def nearby(page: ContentPage, documents: dict[str, str]) -> dict[str, list[str]]:
    """The texts that are told to be near something, in each document."""
    found = page.lines_of_each({name: (f"<body>{html}", {}) for name, html in documents.items()})
    return {name: [line.split("[near ")[1].rstrip("]") for line in lines if "[near " in line] for name, (lines,) in found.items()}


SEEN_BESIDE = {
    "a drawn box over a hidden checkbox": ("<div><input type=checkbox style='opacity:0'><i class=box></i> Agree</div>", "Agree"),
    "a hidden text elsewhere in the form": ("<form>Name <input> <br> <span style='opacity:0'>x</span></form>", "Name"),
    "a label with a hidden part": ("<div><span>Title <b style='opacity:0'>*</b></span> <input></div>", "Title"),
    "a part that is not laid out": ("<div><span>Title <b style='display:none'>required</b></span> <input></div>", "Title"),
    "a drawing of many parts before it": (f"<div>Title <svg>{'<path d=M0,0 />' * 5000}</svg> <input></div>", "Title"),
}
UNSEEN_BESIDE = {
    "of no opacity": "<div><span style='opacity:0'>Title</span> <input></div>",
    "around which all fades": "<div><div style='opacity:.01'><p><span>Title</span></p></div> <input></div>",
    "that fades with its field": "<div style='opacity:.01'><p>Title <input></p></div>",
    "moved away": "<div><span style='position:absolute;left:-9999px'>Title</span> <input></div>",
    "clipped": "<div><span style='clip-path:inset(100%)'>Title</span> <input></div>",
    "in a clipped box": "<div><p style='clip-path:inset(100%)'><b>Title</b></p> <input></div>",
    "in the colour of its ground": "<div style='background:white'><span style='color:white'>Title</span> <input></div>",
    "not visible": "<div><span style='visibility:hidden'>Title</span> <input></div>",
}


def test_the_text_beside_a_field_is_told_without_what_is_hidden(page: ContentPage) -> None:
    near = nearby(page, {name: html for name, (html, _) in SEEN_BESIDE.items()})
    assert near == {name: [f'"{text}"'] for name, (_, text) in SEEN_BESIDE.items()}


def test_a_hidden_text_beside_a_field_is_not_told(page: ContentPage) -> None:
    assert nearby(page, UNSEEN_BESIDE) == {name: [] for name in UNSEEN_BESIDE}


def test_the_work_for_a_field_does_not_grow_with_the_number_of_fields(page: ContentPage) -> None:
    looks = []
    for count in (50, 200):
        page.show("<body><form>" + "<i></i> Name <input> \n" * count + "</form>")
        page.run(
            "const original = getComputedStyle; globalThis.looks = 0;"
            "globalThis.getComputedStyle = (...args) => { looks += 1; return original(...args); }"
        )
        assert len([line for line in page.bare_lines() if '[near "Name"]' in line]) == count
        looks.append(page.run("return looks"))
    assert looks[1] < 6 * looks[0], looks


def test_shapes_of_a_drawing_are_told_by_the_text_of_their_group(page: ContentPage) -> None:
    node = (
        "<g class=node><rect class=box width=90 height=30 /><text y=20>{0}</text><g><rect class=port width=9 height=9 /></g></g>"
    )
    page.show(f"<svg width=300 height=200>{node.format('inject')}{node.format('debug')}</svg>")
    page.run(TELL, {"rect": "mousedown"})
    near = [line.split("[near ")[1] for line in page.bare_lines() if "[near " in line]
    assert near == ['"inject"]', '"inject"]', '"debug"]', '"debug"]']


SECTIONS = (
    "<h1>Top</h1><h2>Billing</h2><button>Edit</button><h2>Shipping</h2><button>Edit</button><h2>Notes</h2><button>Add</button>"
)


def test_interactive_keeps_headings_that_tell_twins_apart(page: ContentPage) -> None:
    page.show(SECTIONS)
    assert page.bare_lines(mode="interactive") == [
        '- heading "Billing" [level=2]',
        '- button "Edit"',
        '- heading "Shipping" [level=2]',
        '- button "Edit"',
        '- button "Add"',
    ]


def test_interactive_keeps_what_opens_on_a_click_or_double_click(page: ContentPage) -> None:
    page.show(
        "<ul><li>a.txt<li>b.txt</ul><div id=d>Open</div><table><tr onclick=0><td>Ann<td>1</table><ol><li><a href=/>Home</a></ol>"
    )
    page.run(TELL, {"ul": "dblclick", "#d": "dblclick", "ol": "click"})
    assert page.bare_lines(mode="interactive") == [
        '- listitem "a.txt"',
        '- listitem "b.txt"',
        '- generic "Open" [double-clickable]',
        '- row "Ann 1" [clickable]',
        '- link "Home"',
    ]


def test_interactive_is_never_larger_than_the_full_snapshot(page: ContentPage) -> None:
    pages = {name: (html, {}) for name, (html, _) in {**CASES, **MERGED, **APART}.items()}
    pages |= {name: (html, listeners) for name, (html, listeners, _) in LISTENED.items()}
    pages |= {"sections": (SECTIONS, {}), "parts": (PARTS, {"ul": "click"})}
    found = page.texts_of_each({name: (f"<body>{html}", listeners) for name, (html, listeners) in pages.items()}, {}, INTERACTIVE)
    assert {name: texts for name, texts in found.items() if len(texts[1]) > len(texts[0])} == {}
