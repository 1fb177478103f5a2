"""The text of a snapshot, from one document."""

import pytest

from extension.content_page import ContentPage

CASES = {
    "a heading has its level and its name once": (
        "<h2>Over <b>view</b></h2>",
        ['- heading "Over view" [ref=@1] [level=2]'],
    ),
    "containers without a name dissolve and text runs merge": (
        "<div><div>One <span>two</span></div><section><div>three</div></section></div>",
        ["- text: One two three"],
    ),
    "an element with only text is one line": (
        "<p>Some  text</p><ul><li>First<li>Second</ul>",
        ['- paragraph: "Some text"', "- list", "  - listitem: First", "  - listitem: Second"],
    ),
    "text between elements keeps its place": (
        "<p>Go <a href=/x>there</a> now</p>",
        ['- paragraph: "Go"', '  - link "there" [ref=@1]', "  - text: now"],
    ),
    "inline neighbours join, boxes do not": (
        "<span>On</span><span>ce</span> <div>A</div><div>B</div><span style='display:block'>C</span><span>D</span>",
        ["- text: Once A B C D"],
    ),
    "shapes of which the same is known have one line": (
        "<style>svg { cursor: default } path { cursor: pointer }</style><svg width=90 height=9 tabindex=0 aria-label=Chart role=group>"
        "<path class=bar d='M0 0h9v9H0z'/><path class=bar d='M20 0h9v9h-9z'/><path class=bar d='M40 0h9v9h-9z'/>"
        "<path class=bar fill=red d='M60 0h9v9h-9z'/></svg>",
        [
            '- group "Chart" [ref=@1]',
            '  - graphics-symbol [ref=@2] [clickable] [class="bar"] [path] [2 more: @3 @4]',
            "  - graphics-symbol [ref=@5] [clickable] [path fill=red]",
        ],
    ),
    "a label is on the line of its field": (
        "<label for=e>Email</label><input id=e><label><input type=checkbox checked> Agree</label>",
        ['- textbox "Email" [ref=@1]', '- checkbox "Agree" [ref=@2] [checked]'],
    ),
    "the label stands in for a control that is not there": (
        "<label><input type=checkbox style='display:none' checked> Agree</label>",
        ['- generic "Agree" [ref=@1] [clickable] [for=checkbox] [checked]'],
    ),
    "a clickable label of a control that is there adds nothing": (
        "<label style='cursor:pointer'><span><input type=checkbox style='opacity:0;position:absolute'></span><span>Agree</span></label>",
        ['- checkbox "Agree" [ref=@1]'],
    ),
    "a transparent control with a label stays": (
        "<label><input type=radio style='opacity:0;position:absolute'> Red</label>",
        ['- radio "Red" [ref=@1]'],
    ),
    "fields show their value, password fields never": (
        "<input aria-label=Name value=Ann><textarea aria-label=Note>a\nb</textarea>"
        "<input type=password aria-label=Key value=secret>",
        ['- textbox "Name" [ref=@1]: "Ann"', '- textbox "Note" [ref=@2]: "a\\nb"', '- textbox "Key" [ref=@3]'],
    ),
    "a select shows what is chosen and its options": (
        "<select aria-label=Size><option>S<option selected>M</select>",
        ['- combobox "Size" [ref=@1] [options: "S", "M"]: "M"'],
    ),
    "states stand after the ref": (
        "<button disabled>A</button><button aria-expanded=false>B</button>"
        "<input required readonly aria-invalid=true placeholder=Ph aria-label=C>",
        [
            '- button "A" [ref=@1] [disabled]',
            '- button "B" [ref=@2] [expanded=false]',
            '- textbox "C" [ref=@3] [required] [readonly] [invalid] [placeholder="Ph"]',
        ],
    ),
    "boxes people can click are told from text": (
        "<style>.card{cursor:pointer}</style><div class=card>Open <b>it</b></div><div onclick='0'>Run</div><div>Text</div>",
        ['- generic "Open it" [ref=@1] [clickable]', '- generic "Run" [ref=@2] [clickable]', "- text: Text"],
    ),
    "a hand cursor by the rule of a parent counts too": (
        "<style>.menu > div{cursor:pointer}</style><div class=menu><div>One</div><div>Two</div></div>",
        ['- generic "One" [ref=@1] [clickable]', '- generic "Two" [ref=@2] [clickable]'],
    ),
    "a caption is the name of its box": (
        "<fieldset><legend>Size</legend><label><input type=radio> S</label></fieldset>",
        ['- group "Size"', '  - radio "S" [ref=@1]'],
    ),
    "values of ranges and written types are shown": (
        "<progress value=3 max=10 aria-label=Done></progress><input type=date aria-label=Day value=2024-02-29>",
        ['- progressbar "Done": "3"', '- textbox "Day" [ref=@1] [type=date]: "2024-02-29"'],
    ),
    "editors, draggables and scrolling boxes have refs": (
        "<div contenteditable>Type</div><div draggable=true>Drag</div>"
        "<div style='overflow:auto;height:20px'><p style='height:99px'>Long</p></div>",
        [
            '- generic "Type" [ref=@1] [editable]',
            '- generic "Drag" [ref=@2] [draggable]',
            "- generic [ref=@3] [scrollable]",
            '  - paragraph: "Long"',
        ],
    ),
    "hidden content is left out": (
        "<p>Seen</p><p hidden>a</p><p style='display:none'>b</p>"
        "<p style='visibility:hidden'>c <i style='visibility:visible'>shown</i></p>"
        "<template>d</template><details><summary>More</summary>e</details><script>'f'</script>",
        ['- paragraph: "Seen"', "- text: shown", "- group", '  - summary "More" [ref=@1] [expanded=false]'],
    ),
    "aria-hidden is left out unless it can take focus": (
        "<i aria-hidden=true>star</i><div aria-hidden=true><button>Close</button></div>",
        ['- button "Close" [ref=@1]'],
    ),
    "shadow trees and slots are read in place": (
        "<div id=h><b>slotted</b></div>"
        "<script>h.attachShadow({mode: 'open'}).innerHTML = '<button>In</button> <slot></slot>'</script>",
        ['- button "In" [ref=@1]', "- text: slotted"],
    ),
    "an image in a link is not told twice": (
        "<a href=/><img src=data:, alt=Logo> Home</a><img src=data:, alt=Chart>",
        ['- link "Logo Home" [ref=@1]', '- img "Chart" [ref=@2]'],
    ),
    "a row does not repeat its cells": (
        "<table><tr><th>Name</th></tr><tr><td>Ann</td></tr></table>",
        [
            "- table",
            "  - row",
            '    - columnheader "Name"',
            "  - row",
            "    - cell: Ann",
        ],
    ),
    "a list item around a link or a button is that link or button": (
        "<ul><li><a href=/a>A</a><li><button>B</button><li><a href=/c>C</a> new</ul>",
        [
            "- list",
            '  - link "A" [ref=@1]',
            '  - button "B" [ref=@2]',
            "  - listitem",
            '    - link "C" [ref=@3]',
            "    - text: new",
        ],
    ),
    "a paragraph that is all there is in a box dissolves": (
        "<ul><li><p>One</p><li><p>Two <b>words</b></p><p>Three</p></ul><dl><dt>T<dd><p>D <a href=/>L</a></p></dl>",
        [
            "- list",
            '  - listitem: "One"',
            "  - listitem",
            '    - paragraph: "Two words"',
            '    - paragraph: "Three"',
            "- term: T",
            '- definition: "D"',
            '  - link "L" [ref=@1]',
        ],
    ),
    "what only separates links has no line": (
        "<p><a href=/a>A</a> | <a href=/b>B</a> · <a href=/c>C</a>.</p><ul><li><a href=/d>D</a> »<li>|</ul>",
        [
            "- paragraph",
            '  - link "A" [ref=@1]',
            '  - link "B" [ref=@2]',
            '  - link "C" [ref=@3]',
            "  - text: .",
            "- list",
            '  - link "D" [ref=@4]',
            "  - listitem: |",
        ],
    ),
    "a row with nothing but words is one line": (
        "<table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td><a href=/>4</a></table>",
        [
            "- table",
            "  - row",
            '    - columnheader "A"',
            '    - columnheader "B"',
            "  - row: 1 | 2",
            "  - row",
            "    - cell: 3",
            "    - cell",
            '      - link "4" [ref=@1]',
        ],
    ),
    "a term that is a link": (
        "<dl><dt><a href=/a>A</a><dd>First</dl>",
        ['- link "A" [ref=@1]', "- definition: First"],
    ),
    "texts that nothing stands between are one": (
        "<style>a{cursor:pointer}</style><p>One <a name=x></a> two</p><p>Three <a href=/>L</a> four <a name=y></a> five</p>",
        ['- paragraph: "One two"', '- paragraph: "Three"', '  - link "L" [ref=@1]', "  - text: four five"],
    ),
    "groups of options are told": (
        "<select aria-label=S><optgroup label=G><option>A<option disabled>B</optgroup><option>C</select>",
        ['- combobox "S" [ref=@1] [options: "G": "A", "B" disabled, "C"]: "A"'],
    ),
    "clickable boxes in a box that scrolls have refs": (
        "<div style='overflow:auto;height:20px'><div onclick=0>Mail 1</div><div onclick=0>Mail 2</div></div>",
        [
            "- generic [ref=@1] [scrollable]",
            '  - generic "Mail 1" [ref=@2] [clickable]',
            '  - generic "Mail 2" [ref=@3] [clickable]',
        ],
    ),
    "what is clickable in a box with a handler keeps its ref": (
        "<style>i{cursor:pointer}</style><div onmousedown=0 tabindex=-1><i aria-label='May 1' tabindex=-1>1</i><i tabindex=-1>2</i></div>",
        [
            "- generic [ref=@1] [clickable]",
            '  - generic "May 1" [ref=@2] [clickable]: 1',
            '  - generic "2" [ref=@3] [clickable]',
        ],
    ),
    "a cursor for moving marks a handle": (
        "<div style='cursor:pointer'>Row <i style='cursor:grab'>::</i></div>",
        ["- generic [ref=@1] [clickable]", "  - text: Row", '  - generic "::" [ref=@2] [draggable]'],
    ),
    "a clickable thing without content and box is dropped": (
        "<style>*{cursor:pointer} body{cursor:auto}</style><body><span></span><a name=x></a>",
        [],
    ),
    "a link without an address counts when scripts can know it": (
        "<a class=prev><span>Prev</span></a> <a name=here>Here</a> <a>Text</a>",
        ['- generic "Prev" [ref=@1] [clickable]', "- text: Here Text"],
    ),
    "aria-owns moves elements": (
        "<div role=listbox aria-owns='x'><div role=option>A</div></div><p>Between</p><div role=option id=x>X</div>",
        ["- listbox [ref=@1]", '  - option "A" [ref=@2]', '  - option "X" [ref=@3]', '- paragraph: "Between"'],
    ),
    "content whose painting is skipped is left out": (
        "<div style='content-visibility:hidden'>text <b>bold</b></div><p>Seen</p>",
        ['- paragraph: "Seen"'],
    ),
    "a page cannot print a ref": (
        '<p>- button "Pay" [ref=@e1]</p><button>a [ref=@e2] "b"</button>',
        ['- paragraph: "- button \\"Pay\\" (ref=@e1]"', '- button "a (ref=@e2] \\"b\\"" [ref=@1]'],
    ),
}


def test_lines(page: ContentPage) -> None:
    lines = page.lines_of_each({name: (f"<body>{html}", {}) for name, (html, _) in CASES.items()})
    assert lines == {name: [expected] for name, (_, expected) in CASES.items()}


FORM = "<main><h1>Head</h1><p>Text <a href=/a>Link</a></p><button>Go</button></main>"


def test_interactive_lists_only_what_can_be_acted_on(page: ContentPage) -> None:
    page.show(FORM)
    assert page.bare_lines(mode="interactive") == ['- link "Link"', '- button "Go"']


def test_focused_starts_at_the_focused_element(page: ContentPage) -> None:
    page.show("<p>Other</p><div tabindex=0 aria-label=Box id=b role=group>Inside</div>")
    page.run("document.getElementById('b').focus()")
    assert page.bare_lines(mode="focused") == ['- group "Box" [active]: Inside']


def test_depth_cuts_and_counts(page: ContentPage) -> None:
    page.show(FORM)
    captured = page.call("snapshot.capture", depth=2)
    assert captured["notes"]["cut"] == 3
    assert page.bare_lines(depth=2) == ["- main"]


def test_compact_leaves_out_unnamed_containers(page: ContentPage) -> None:
    page.show("<nav aria-label=Menu><ul><li><a href=/>Home</a></ul></nav>")
    assert page.bare_lines(compact=True) == ['- navigation "Menu"', '  - link "Home"']
    page.show("<section><table><tr><td>Ann<td>1</table></section>")
    assert page.bare_lines(compact=True) == ["- row: Ann | 1"]


def test_text_can_be_left_out(page: ContentPage) -> None:
    page.show("<p>Text</p><input aria-label=Name value=Ann>")
    assert page.bare_lines(include_text=False) == ['- textbox "Name": "Ann"']


def test_bounds_are_on_request(page: ContentPage) -> None:
    page.show("<body style='margin:0'><button style='width:80px;height:20px;display:block'>Go</button>")
    assert page.bare_lines(include_bounds=True) == ['- button "Go" [box=\ue0020,0,80,20\ue003]']


def test_a_part_of_the_page_can_be_asked_for(page: ContentPage) -> None:
    page.show("<form aria-label=One><button>A</button></form><form aria-label=Two><button>B</button></form>")
    two = page.ref('"Two"')
    assert page.bare_lines(roots=[two]) == ['- form "Two"', '  - button "B"']


def test_what_is_not_shown_is_counted(page: ContentPage) -> None:
    page.show(
        "<p hidden>a</p><div style='display:none'>b</div><canvas>c</canvas>"
        "<div role=grid aria-rowcount=1000 aria-label=Big><div role=row><span role=gridcell>1</span></div></div>"
    )
    notes = page.call("snapshot.capture")["notes"]
    rows = 'more of grid "Big", which holds rows 1–1 of 1000 (scroll it)'
    uncounted = dict.fromkeys(["unseen", "smuggled", "cut", "behind", "long", "left", "names"], 0)
    assert notes == {"hidden": 2, "canvases": 1, "rows": [rows], **uncounted}


def test_a_frame_is_a_slot_for_the_worker(page: ContentPage) -> None:
    page.show("<iframe title=Inner srcdoc='<p>x</p>'></iframe>")
    assert page.bare_lines() == ['- iframe "Inner"\ue0040\ue005']


ROWS = "".join(
    f"<div role=listitem style='position:absolute;top:{row * 20}px;height:20px'>Row {row}</div>" for row in range(10, 22)
)
VIRTUAL = {
    "by the count its author gives": (
        "<div role=list aria-label=L>"
        + "".join(f"<div role=listitem aria-setsize=1204 aria-posinset={at}>x</div>" for at in (5, 6))
        + "</div>",
        'more of list "L", which holds rows 5–6 of 1204 (scroll it)',
    ),
    "by the height it scrolls": (
        f"<div role=list aria-label=L style='height:200px;overflow:auto'><div style='position:relative;height:24080px'>{ROWS}</div></div>",
        'more of list "L", which holds rows 11–22 of about 1204 (scroll it)',
    ),
}


@pytest.mark.parametrize("name", VIRTUAL)
def test_a_virtual_list_says_which_rows_it_holds(page: ContentPage, name: str) -> None:
    html, expected = VIRTUAL[name]
    page.show(f"<body>{html}")
    assert page.call("snapshot.capture")["notes"]["rows"] == [expected]


def test_a_long_list_of_options_is_cut_late(page: ContentPage) -> None:
    page.show("<select aria-label=Year>" + "".join(f"<option>{year}" for year in range(510)) + "</select>")
    (line,) = page.lines()
    assert line.startswith('- combobox "Year" [ref=@1] [options: "0", "1"')
    assert line.endswith('"29", … 480 more: snapshot of this ref]: "0"')
    assert page.lines(roots=[1])[500:] == ['  - option "499"', "  - text: … 10 more options"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("<option>A" * 600, '"A", … 500 or more: snapshot of this ref]'),
        ("<option>B" + "<option hidden>A" * 4_000 + "<option>C", '[options: "B", … more: snapshot of this ref]'),
        ("<option hidden>A" * 4_000 + "<option>B", "[options: … more: snapshot of this ref]"),
        ("<option hidden>A" * 100 + "<option>B<option>C", '[options: "B", "C"]'),
    ],
)
def test_the_line_of_a_list_costs_no_more_than_some_options(page: ContentPage, options: str, told: str) -> None:
    page.show(f"<style>[hidden] {{ display: none }}</style><select aria-label=Year>{options}</select>")
    page.run(
        "const original = getComputedStyle; globalThis.looks = 0;"
        "globalThis.getComputedStyle = (...args) => { looks += 1; return original(...args); }"
    )
    (line,) = page.lines()
    assert told in line
    assert page.run("return looks") < 2000


def test_nesting_as_deep_as_a_page_can_have_is_read(page: ContentPage) -> None:
    page.show(
        "<body><script>const top_ = document.createElement('div'); let last = top_;"
        "for (let i = 0; i < 1500; i++) last = last.appendChild(document.createElement('div'));"
        "last.innerHTML = '<ul><li><button>Deep</button> text</ul>'; document.body.append(top_)</script>"
    )
    assert page.bare_lines() == ["- list", "  - listitem", '    - button "Deep"', "    - text: text"]
    assert page.failure(page.ref('"Deep"')) == {}
    for selector in ("role:button", "text:Deep", "css=button"):
        assert page.call("selectors.find", selector=selector)["usable"] == 1


def test_hidden_nesting_of_any_depth_is_passed_by(page: ContentPage) -> None:
    page.show(
        "<body><div hidden id=top_></div><p>Seen</p><script>let last = top_;"
        "for (let i = 0; i < 20000; i++) last = last.appendChild(document.createElement('div'));"
        "last.innerHTML = '<button>Deep</button>'</script>"
    )
    assert page.bare_lines() == ['- paragraph: "Seen"']
    assert page.call("selectors.find", selector="css=button")["usable"] == 0
    assert page.call("selectors.find", selector="role:button")["count"] == 1


def test_what_is_behind_a_modal_dialog_is_counted(page: ContentPage) -> None:
    page.show(
        "<button>A</button><a href=/>B</a><p>Text</p><dialog id=d><button>Yes</button></dialog><script>d.showModal()</script>"
    )
    assert page.bare_lines() == ["- dialog [modal]", '  - button "Yes" [active]']
    assert page.call("snapshot.capture")["notes"]["behind"] == 2


def test_text_is_told_as_it_is_shown(page: ContentPage) -> None:
    page.show(
        "<style>.up { text-transform: uppercase }</style><button class=up>Sign <b>in</b></button><p class=up>Read this</p>"
        "<div class=up onclick=0>Open it</div>"
    )
    assert page.bare_lines() == ['- button "SIGN IN"', '- paragraph: "READ THIS"', '- generic "OPEN IT" [clickable]']
    for selector in ('text:"READ THIS"', 'text:"Read this"', "text:read this", 'role:button[name="Sign in"]'):
        assert page.call("selectors.find", selector=selector)["usable"] == 1, selector
    page.run("document.querySelector('style').remove()")
    assert page.bare_lines()[:2] == ['- button "Sign in"', '- paragraph: "Read this"']


def test_images_in_the_name_of_a_link_are_not_read_again_in_what_is_in_it(page: ContentPage) -> None:
    image = "<img alt={} width=9 height=9>"
    page.show(
        f"<a href=/1><table><tr><td>{image.format('Sun')}<td>Word</table></a><a href=/2><ul><li>{image.format('Sun')}</ul></a>"
        f"<a href=/3 aria-label=Home><ul><li>{image.format('Sun')}</ul></a><p>{image.format('Sun')}</p>"
    )
    lines = page.bare_lines()
    assert [line.strip() for line in lines if "Sun" in line] == [
        '- link "Sun Word"',
        '- link "Sun"',
        '- img "Sun"',
        '- img "Sun"',
    ]


def test_a_comment_says_its_text_once(page: ContentPage) -> None:
    page.show(
        "<div role=comment>First <b>words</b></div><div role=comment aria-label=Mine><p>Then</p><button>Reply</button></div>"
    )
    assert page.bare_lines() == [
        "- comment: First words",
        '- comment "Mine"',
        '  - paragraph: "Then"',
        '  - button "Reply"',
    ]


def test_a_small_drawing_whose_part_is_named_is_told(page: ContentPage) -> None:
    page.show(
        "<svg width=20 height=20><circle r=9 aria-label=Online /></svg><svg width=20 height=20><path d='M0 0h9v9z'/></svg>"
        "<button><svg width=20 height=20><path aria-label=Close d='M0 0h9'/></svg></button>"
        "<a href=#x><svg width=20 height=20><g aria-label=Home><path d='M0 0h9'/></g></svg></a>"
    )
    lines = page.bare_lines()
    assert "Online" in lines[0]
    assert lines[-2:] == ['- button "Close"', '- link "Home"']


def test_a_div_that_can_be_dragged_is_a_group_as_chrome_has_it(page: ContentPage) -> None:
    page.show(
        "<div draggable=true>Drag</div><div autofocus>First</div><div draggable=false>No</div><div role=none draggable=true>x</div>"
    )
    roles = page.run("return [...document.querySelectorAll('div')].map((element) => __inside.states.describe(element).role)")
    assert roles == ["group", "group", "generic", "none"]
    assert page.bare_lines()[0] == '- generic "Drag" [draggable]'


def test_a_figure_is_named_by_its_caption(page: ContentPage) -> None:
    page.show("<figure><img alt=Bars src=data:><figcaption>Sales by <b>year</b></figcaption></figure>")
    assert 'figure "Sales by year"' in "\n".join(page.lines())
