"""Changes of the page in words: text, lists, states, dialogs and menus, fields, the selection."""

import re
from typing import Any

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab


def changes(reply: Reply) -> list[str]:
    found: dict[str, Any] = reply.data["effects"]
    return [*found.get("changes", []), *found.get("fields", [])]


PAGE = """
<button id=more onclick='todos.append(Object.assign(document.createElement(`li`), { textContent: `Bread` }))'>More</button>
<button id=less onclick='todos.lastElementChild.remove()'>Less</button>
<button id=count onclick='n.textContent = Number(n.textContent) + 1'>Count</button>
<button id=again onclick='box.innerHTML = box.innerHTML'>Again</button>
<button id=fold aria-expanded=false onclick='this.ariaExpanded = `true`; folded.hidden = false'>Fold</button>
<button id=style onclick='box.classList.toggle(`on`)'>Style</button>
<button id=swap onclick='box.innerHTML = `<p>Other words</p>`'>Swap</button>
<ul id=todos aria-label=Todos><li>Milk<li>Eggs</ul><p><b id=n>1</b> item left</p>
<div id=box><p>Same words</p></div><section id=folded hidden>Details</section>
"""


def test_text_lists_and_states_that_change_are_told_in_words(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(PAGE))
    tabwire.snapshot()
    tabwire.ok("click", selector="#todos")
    for selector, told in {
        "#more": ['text appeared: "Bread"', 'list "Todos" grew 2 → 3'],
        "#less": ['text disappeared: "Bread"', 'list "Todos" shrank 3 → 2'],
        "#count": ['text "1" → "2" in "2 item left"'],
        "#again": [],
        "#fold": ['text appeared: "Details"', 'button "Fold" expanded'],
        "#style": [],
        "#swap": ['text "Same words" → "Other words"'],
    }.items():
        reply = tabwire.ok("click", selector=selector)
        assert changes(reply) == told, selector
        assert "DOM changes" not in reply.text and "focus on none" not in reply.text
    tabwire.ok("press", selector="#style", key="Shift")
    assert "the page changed, though no text came or went" in tabwire.ok("press", selector="#style", key="Enter").text


CONTROLS = """
<button id=edit onclick='row.innerHTML = `<input aria-label=Title><button>Save</button><button>Delete [ref=@e1]</button>`'>Edit</button>
<button id=again onclick='bar.innerHTML = bar.innerHTML + `<a href=#new>New</a>`'>Again</button>
<button id=many onclick='for (let n = 0; n < 11; n += 1) bar.append(Object.assign(document.createElement(`button`), { textContent: n }))'>
Many</button><button id=show onclick='later.hidden = false'>Show</button>
<details><summary id=fold>Fold</summary><button>Inside</button></details>
<button id=wrap onclick='const box = document.createElement(`p`); box.append(old); bar.prepend(box)'>Wrap</button><button id=old>Moved</button>
<div id=row>Milk</div><div id=bar><button>Old</button></div><div id=later hidden><select aria-label=Size></select><button hidden>No</button>
<p>Words</p></div>
"""


def test_controls_that_appear_are_told_with_references(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(CONTROLS))
    tabwire.snapshot()
    edit = changes(tabwire.ok("click", selector="#edit"))
    appeared = re.fullmatch(r"controls appeared: \[textbox Title (@e\d+)\] \[Save @e\d+\] \[Delete ref=e1 @e\d+\]", edit[1])
    assert appeared and edit[0] == 'text disappeared: "Milk"', edit
    tabwire.ok("fill", selector=appeared[1], value="Bread")
    assert page.evaluate("row.firstChild.value") == "Bread"
    (again,) = changes(tabwire.ok("click", selector="#again"))
    assert re.fullmatch(r"controls appeared: \[New @e\d+\]", again), "those drawn anew are no news"
    (many,) = changes(tabwire.ok("click", selector="#many"))
    assert many.count("@e") == 8 and many.endswith(" and 3 more")
    folded = changes(tabwire.ok("click", selector="#fold"))
    assert [re.sub(r"@e\d+", "@e", told) for told in folded if told.startswith("controls")] == ["controls appeared: [Inside @e]"]
    assert "controls appeared" not in str(changes(tabwire.ok("click", selector="#wrap"))), "it was there before"
    shown = changes(tabwire.ok("click", selector="#show"))
    assert shown[0] == 'text appeared: "Words"' and re.fullmatch(r"controls appeared: \[combobox Size @e\d+\]", shown[1])


POPUPS = """
<button id=delete onclick='ask.showModal()'>Delete</button><button id=menu onclick='list.hidden = !list.hidden'>Menu</button>
<dialog id=ask aria-label='Delete Cell'><p>Really?</p><button onclick='ask.close()'>Cancel</button>
<button onclick='gone = true; ask.close()'>Delete it [ref=@e1]</button></dialog>
<div id=list role=menu aria-label=File hidden><div role=menuitem tabindex=-1>Open</div><div role=menuitem tabindex=-1>Save</div></div>
<x-box></x-box><script>
globalThis.gone = false;
customElements.define('x-box', class extends HTMLElement { connectedCallback() {
  const root = this.attachShadow({ mode: 'closed' });
  root.innerHTML = '<button>Inside</button><div role=dialog aria-label=Shadow hidden>Hidden words<button>Yes</button></div>';
  root.firstChild.onclick = () => { root.lastChild.hidden = false };
} });
</script>
"""


def test_dialogs_and_menus_that_open_are_told_with_what_can_be_pressed_there(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page(POPUPS))
    tabwire.snapshot()
    opened = changes(tabwire.ok("click", selector="#delete"))[0]
    found = re.fullmatch(r'dialog "Delete Cell" opened: \[Cancel (@e\d+)\] \[Delete it ref=e1 (@e\d+)\]', opened)
    assert found, opened
    assert 'dialog "Delete Cell" is open' in changes(tabwire.ok("press", key="ArrowDown"))
    assert 'dialog "Delete Cell" closed' in changes(tabwire.ok("click", selector=found[2]))
    assert page.evaluate("gone") is True
    assert re.match(r'menu "File" opened: \[Open @e\d+\] \[Save @e\d+\]', changes(tabwire.ok("click", selector="#menu"))[0])
    assert 'menu "File" closed' in changes(tabwire.ok("click", selector="#menu"))
    inside = changes(tabwire.ok("click", selector=tabwire.ref("button", "Inside")))
    assert re.match(r'dialog "Shadow" opened: \[Yes @e\d+\]', inside[0])


FIELDS = """
<label>Name <input id=name></label><label>Word <input id=word type=password></label>
<div id=rich contenteditable aria-label=Text><p>First</p><p>Second</p></div><input id=milk aria-label=Milk value='some milk here'>
<button id=pick onclick='milk.focus(); milk.setSelectionRange(5, 9)'>Pick</button>
<div id=rows role=listbox aria-label=Rows tabindex=0 style='height:60px;overflow:auto'><p style='height:900px'>Rows</p></div>
"""


def test_fields_selections_and_carets_are_told(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(FIELDS))
    tabwire.snapshot()
    assert 'textbox "Name" holds "Ann"' in changes(tabwire.ok("type", selector="#name", text="Ann"))
    assert changes(tabwire.ok("type", selector="#rich", text="!")) == ['generic "Text" holds "Second!"']
    assert 'selected: "milk"' in changes(tabwire.ok("click", selector="#pick"))
    assert changes(tabwire.ok("press", key="ArrowLeft")) == ["caret at 5 of 14"]
    assert changes(tabwire.ok("press", key="End")) == ["caret at 14 of 14"]
    assert 'selected: "e"' in changes(tabwire.ok("press", key="Shift+ArrowLeft"))
    filled = tabwire.ok("fill", selector="#name", value="Bob")
    assert "value: as sent" in filled.text and "Bob" not in filled.text, "it is not told again"
    secret = tabwire.ok("type", selector="#word", text="hunter2")
    assert "hunter2" not in secret.text and page.evaluate("word.value") == "hunter2"


def test_boxes_that_keys_scroll_or_that_are_scrolled_into_view_are_told(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    def scrolled(tool: str, what: str, **arguments: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = tabwire.ok(tool, **arguments).data["effects"].get("scrolled", [])
        return [each for each in found if each["element"] == what]

    tabwire.open(site.page(f"{FIELDS}<div style='height:3000px'></div><button id=far>Far</button>"))
    tabwire.snapshot()
    (rows,) = scrolled("press", 'listbox "Rows"', selector="#rows", key="PageDown")
    assert rows["dy"] > 0
    (down,) = scrolled("scroll", "page", selector="#far", into_view=True)
    assert down["y"] == page.evaluate("scrollY") > 0
    (up,) = scrolled("click", "page", selector="#name")
    assert (up["y"], up["dy"]) == (0, -down["y"])
    assert scrolled("scroll", "page", direction="up", amount=100) == []


UNTOLD = """<style>.off { display: none } .late { opacity: 0 } #menu:hover + #tip { display: block }</style>
<button id=show onclick='card.className = ``'>Show</button><button id=hide onclick='document.body.classList.add(`bare`)'>Hide</button>
<button id=fade onclick='toast.className = ``'>Fade</button><button id=set onclick='city.value = `Oslo`; agree.checked = true'>Set</button>
<button id=deep onclick='host.shadowRoot.querySelector(`p`).textContent = `Deep words`'>Deep</button>
<section id=card class=off>Card words <b class=off>Never seen</b></section><p id=toast class=late>Toast words</p>
<style>.bare #note { visibility: hidden }</style><p id=note>Note words</p>
<label>City <input id=city></label><label><input type=checkbox id=agree> Agree</label><button id=menu>Menu</button>
<p id=tip class=off>Tip words</p><div id=host></div>
<script>host.attachShadow({ mode: 'open' }).innerHTML = '<p>Old words</p>'</script>"""


def test_what_styles_show_and_hide_and_what_scripts_put_into_fields_is_told(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(UNTOLD))
    tabwire.snapshot()
    for tool, selector, told in (
        ("click", "#show", ['text appeared: "Card words"']),
        ("click", "#fade", ['text appeared: "Toast words"']),
        ("click", "#hide", ['text disappeared: "Note words"']),
        ("click", "#set", ['textbox "City" holds "Oslo"', 'checkbox "Agree" checked']),
        ("click", "#deep", ['text "Old words" → "Deep words"']),
        ("hover", "#menu", ['text appeared: "Tip words"']),
        ("hover", "#set", ['text disappeared: "Tip words"']),
    ):
        assert changes(tabwire.ok(tool, selector=selector)) == told, (tool, selector)


PLACED = "<h3>Order placed</h3><p>Thank you, Ann.</p><p>We have sent you a mail.</p><p>Your order number: <b>84-2213</b></p>"
LINES = {
    "all of it": (PLACED, '"Order placed", "Thank you, Ann.", "We have sent you a mail.", "Your order number: 84-2213"'),
    "furniture last": (
        f"<nav>{'Links of the shop. ' * 9}</nav><aside>{'Other things to buy. ' * 15}</aside>{PLACED}<p>{'A long text. ' * 12}</p>",
        '"Order placed", "Thank you, Ann.", "We have sent you a mail.", "Your order number: 84-2213", "Links of the shop. Links',
    ),
    "the last line of a log": (
        "".join(f"<p>Step {number} has been done as it was asked for</p>" for number in range(1, 400)) + "<p>Done: 3 errors</p>",
        '"Step 1 has been done as it was asked for", "Step 2 has been done as it was asked for", "Step 3',
    ),
    "rows": ("<table><tr><td>Ann</td><td>12</td></tr><tr><td>Ben</td><td>7</td></tr></table>", '"Ann | 12", "Ben | 7"'),
    "a form": ("<label>Name <input></label><p>A line of help that is rather long, as lines of help are.</p>" + "".join(
        f"<p>Field {number} is for what the form has asked above, in words.</p>" for number in range(12)), '"Name", "A line of help'),
}  # fmt: skip


@pytest.mark.parametrize("what", LINES)
def test_text_that_appears_is_read_in_lines_with_what_matters(tabwire: Tabwire, site: Site, what: str) -> None:
    html, says = LINES[what]
    tabwire.open(
        site.page(
            f"<template id=t>{html}</template><button onclick='s.append(t.content.cloneNode(true))'>Go</button><div id=s></div>"
        )
    )
    (line,) = [one for one in changes(tabwire.ok("click", selector="role:button")) if one.startswith("text ")]
    assert line.startswith(f"text appeared: {says}"), line
    if what == "furniture last":
        assert '…", "Other things' in line and ', "A long text. ' in line.rpartition("…")[2], line
    limit = 1_400 if what == "a form" else 500
    assert len(line) < limit, line
    if what == "the last line of a log":
        assert line.endswith(' more …, "Done: 3 errors"'), line
    if what == "a form":
        assert "Field 11 is for" in line and "more" not in line, line


def test_what_changed_in_a_line_is_read_with_it(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p>Moves: <b id=a>0</b></p><p>Last: (<b id=b>-</b>, <b id=c>-</b>)</p><button onclick='a.textContent = 1; "
                           "b.textContent = 627; c.textContent = 203'>Go</button>"))  # fmt: skip
    (line, *_) = changes(tabwire.ok("click", selector="role:button"))
    assert line == 'text appeared: "Moves: 1", "Last: (627, 203)"'


CODE = """<button onclick='fill(COUNT)'>Paste</button><div id=o></div><script>
const fill = (count) => { for (const one of [...o.children].slice(0, count)) { one.value = 7; one.dispatchEvent(new Event('input', { bubbles: true })) } };
for (let i = 1; i < 13; i += 1) o.append(Object.assign(document.createElement('input'), { ariaLabel: `Digit ${i}`, maxLength: 1,
  oninput: ({ target }) => target.nextElementSibling?.focus() }));
</script>"""


def test_each_box_of_a_code_is_reported_and_of_many_the_last_ones(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(CODE.replace("COUNT", "12")))
    reply = tabwire.ok("type", selector="label:Digit 1", text="123456")
    assert page.evaluate("[...o.children].map((one) => one.value).join('')") == "123456"
    assert changes(reply)[-6:] == [f'textbox "Digit {n}" holds "{n}"' for n in range(1, 7)]
    many = tabwire.ok("click", selector="text:Paste")
    assert [one for one in changes(many) if "more fields" in one] == ["5 more fields changed"]
    assert [one for one in changes(many) if "holds" in one] == [f'textbox "Digit {n}" holds "7"' for n in range(6, 13)]
