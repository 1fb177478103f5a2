"""What a click means to a page: where it lands, what it sets off, and what it must leave alone."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.input.acting import Case, rows, target
from e2e.site import Site

pytestmark = pytest.mark.same_tab

HIT = "globalThis.hits"
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="
COUNT = "onclick='globalThis.hits = (globalThis.hits || 0) + 1'"
NOTE = "onclick='noted.push(this.closest(`section`).ariaLabel)'"


def click(name: str, **arguments: object) -> tuple[object, ...]:
    return ("click", name, arguments)


PLACES = [
    Case(
        "under a sticky bar",
        f"<div style='position:sticky;top:0;height:80px;background:red'>Bar</div><div style='height:2000px'></div><button {COUNT}>Go</button>"
        "<div style='height:2000px'></div><script>scrollTo(0, 2010)</script>",
        [click("button Go")],
        HIT,
        1,
    ),
    Case(
        "below a veil that lets events through",
        f"<div style='position:fixed;inset:0;pointer-events:none;z-index:9'></div><button {COUNT}>Go</button>",
        [click("button Go")],
        HIT,
        1,
    ),
    Case(
        "in a modal dialog",
        f"<dialog id=d><button {COUNT}>Go</button></dialog><script>d.showModal()</script>",
        [click("button Go")],
        HIT,
        1,
    ),
    Case(
        "in a popover",
        f"<div popover id=d><button {COUNT}>Go</button></div><script>d.showPopover()</script>",
        [click("button Go")],
        HIT,
        1,
    ),
    Case(
        "while it slides in",
        f"<style>@keyframes in {{ from {{ transform:translateX(600px) }} }}</style><button {COUNT} style='animation:in .4s'>Go</button>",
        [click("button Go")],
        HIT,
        1,
    ),
    Case(
        "enabled later",
        f"<button id=b disabled {COUNT}>Go</button><script>setTimeout(() => b.disabled = false, 400)</script>",
        [click("#b")],
        HIT,
        1,
    ),
    Case(
        "uncovered later",
        f"<button {COUNT}>Go</button><div id=v style='position:fixed;inset:0'></div><script>setTimeout(() => v.remove(), 400)</script>",
        [click("button Go")],
        HIT,
        1,
    ),
]


@rows(PLACES)
def test_a_click_lands_wherever_the_button_is(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


STILL: dict[str, tuple[str, str]] = {
    "a nested child": (f"<button {NOTE}><span><b>Go</b></span></button>", "button Go"),
    "display contents": (f"<button {NOTE} style='display:contents'>Go</button>", "button Go"),
    "transparent": (f"<button {NOTE} style='opacity:0'>Go</button>", "button Go"),
    "rotated": (f"<button {NOTE} style='transform:rotate(45deg) scale(.5);margin:60px'>Go</button>", "button Go"),
    "a link over two lines": (
        f"<p style='width:90px;font:16px monospace'>aaaaaaa <a href=#x {NOTE}>bb cccccccc</a></p>",
        "link bb cccccccc",
    ),
    "in a scroller in a scroller": (
        f"<div style='height:200px;overflow:auto'><div style='height:900px'></div><div style='height:90px;overflow:auto'>"
        f"<div style='height:700px'></div><button {NOTE}>Go</button></div><div style='height:900px'></div></div>",
        "button Go",
    ),
    "to the right": (
        f"<div style='width:300px;overflow-x:auto;white-space:nowrap'><span style='display:inline-block;width:2000px'>x</span>"
        f"<button {NOTE}>Go</button></div>",
        "button Go",
    ),
    "outside of its parent": (f"<div style='width:0;height:0'><button {NOTE}>Go</button></div>", "button Go"),
    "half covered": (
        f"<div style='position:relative;width:200px'><button {NOTE} style='width:200px;height:40px'>Go</button>"
        "<i style='position:absolute;left:60px;top:0;width:80px;height:40px;background:red'></i></div>",
        "button Go",
    ),
    "slotted": (
        f"<x-box><button {NOTE}>Go</button></x-box><script>customElements.define('x-box', class extends HTMLElement {{ constructor() {{ super();"
        "this.attachShadow({ mode: 'closed' }).innerHTML = '<div><slot></slot></div>' } })</script>",
        "button Go",
    ),
    "an area of a map": (
        f"<img usemap=#m src='{PIXEL}' width=100 height=100 alt=Map><map name=m><area {NOTE} href=#a alt=Spot shape=circle coords=50,50,10></map>",
        "link Spot",
    ),
    "an SVG shape": (f"<svg width=100 height=100><circle role=button aria-label=Go {NOTE} cx=80 cy=80 r=6></svg>", "button Go"),
    "the line of a circle": (
        f"<svg width=100 height=100><circle role=button aria-label=Go cx=50 cy=50 r=40 fill=none stroke=red stroke-width=4 {NOTE} />"
        "</svg>",
        "button Go",
    ),
    "a table row": (f"<table><tr {NOTE} style='cursor:pointer'><td>Ann<td>9</table>", "row"),
    "cut to one corner": (
        f"<div role=button {NOTE} style='width:200px;height:200px;clip-path:polygon(0 0,20px 0,20px 20px,0 20px)'>Go</div>",
        "button Go",
    ),
}
"""Pages that stand beside each other in one: what is there, and what is clicked."""
FOLLOWED = {"a link over two lines": "#x", "an area of a map": "#a"}


@pytest.mark.conditions
def test_a_click_lands_wherever_the_button_is_in_a_page_that_keeps_still(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    style = "<style>section { min-height: 60px; margin: 10px }</style><script>globalThis.noted = []</script>"
    sections = "".join(f"<section aria-label='{name}'>{html}</section>" for name, (html, _) in STILL.items())
    tabwire.open(site.page(style + sections))
    lines = tabwire.lines()
    for name, (_, control) in STILL.items():
        role, _, label = control.partition(" ")
        at = next(number for number, line in enumerate(lines) if line.name == name)
        line = next(line for line in lines[at + 1 :] if line.role == role and (not label or line.name == label))
        tabwire.ok("click", selector=line.ref)
        assert page.evaluate("noted.splice(0)") == [name], name
        if name in FOLLOWED:
            assert page.evaluate("location.hash") == FOLLOWED[name], name


EFFECTS = [
    Case("opens details", "<details id=d><summary>More</summary>text</details>", [("click", "#d summary")], "d.open"),
    Case(
        "resets a form",
        "<form><input id=f value=a><button type=reset>Reset</button></form><script>f.value = 'b'</script>",
        [click("button Reset")],
        "f.value",
        "a",
    ),
    Case(
        "a label ticks its box once",
        "<label>Tick <input type=checkbox id=f onchange='log.push(f.checked)'></label>",
        [click("checkbox Tick")],
        "log",
        [True],
    ),
    Case(
        "focuses the field of a label",
        "<label for=f id=l style='cursor:pointer'>Name</label><input id=f>",
        [("click", "#l")],
        "document.activeElement.id",
        "f",
    ),
    Case(
        "takes the focus",
        "<input id=f><button id=b>Go</button>",
        [click("textbox"), click("button Go")],
        "document.activeElement.id",
        "b",
    ),
    Case(
        "leaves the focus where mousedown is prevented",
        "<input id=f><button onmousedown='event.preventDefault()'>Bold</button>",
        [click("textbox"), click("button Bold")],
        "document.activeElement.id",
        "f",
    ),
    Case(
        "drops the focus on the page",
        "<input id=f><h1>Title</h1>",
        [click("textbox"), click("heading Title")],
        "document.activeElement.localName",
        "body",
    ),
    Case(
        "activates the page",
        "<button onclick='globalThis.hits = navigator.userActivation.isActive'>Go</button>",
        [click("button Go")],
        HIT,
    ),
    Case(
        "is inside of the box",
        "<button id=b style='margin:33px' onclick='globalThis.hits = event.offsetX > 0 && event.offsetX < b.offsetWidth "
        "&& event.clientX > 33'>Go</button>",
        [click("button Go")],
        HIT,
    ),
    Case(
        "enters before it presses",
        "<button id=b>Go</button><script>watch(b, 'pointerenter', 'mouseover', 'mouseenter', 'mousemove', 'mousedown', 'focus', 'mouseup', 'click')</script>",
        [click("button Go")],
        "log",
        ["pointerenter", "mouseover", "mouseenter", "mousemove", "mousedown", "focus", "mouseup", "click"],
    ),
    Case(
        "lands although the page keeps moves of the pointer to itself",
        f"<button {COUNT}>Go</button><script>addEventListener('mousemove', (event) => event.stopImmediatePropagation(), true)</script>",
        [click("button Go")],
        HIT,
        1,
    ),
    Case(
        "two clicks are no double click",
        "<button id=b onclick='log.push(event.detail)' ondblclick='log.push(0)'>Go</button>",
        [click("button Go"), click("button Go")],
        "log.length",
        2,
    ),
    Case(
        "a double click in order",
        "<button id=b>Go</button><script>for (const type of ['mousedown', 'mouseup', 'click', 'dblclick'])"
        "b.addEventListener(type, (event) => log.push(type + event.detail))</script>",
        [("dblclick", "button Go")],
        "log",
        ["mousedown1", "mouseup1", "click1", "mousedown2", "mouseup2", "click2", "dblclick2"],
    ),
    Case(
        "three clicks select a paragraph",
        "<p id=p style='cursor:pointer'>one two three</p>",
        [("click", "#p", {"click_count": 3})],
        "String(getSelection()).trim()",
        "one two three",
    ),
    Case(
        "a double click selects a word",
        "<input id=f value=word style='width:40px'>",
        [("dblclick", "textbox")],
        "f.value.slice(f.selectionStart, f.selectionEnd)",
        "word",
    ),
    Case(
        "the right button opens the page's menu only",
        "<button id=b>Go</button><script>watch(b, 'contextmenu', 'click', 'auxclick');"
        "b.addEventListener('contextmenu', (e) => e.preventDefault())</script>",
        [click("button Go", button="right")],
        "log",
        ["contextmenu", "auxclick"],
    ),
    Case(
        "Shift extends a selection",
        "<ul role=listbox><li role=option onclick='log.push(event.shiftKey)'>A<li role=option onclick='log.push(event.shiftKey)'>B</ul>",
        [click("option A"), click("option B", modifiers=["Shift"])],
        "log",
        [False, True],
    ),
    Case(
        "a target that removes itself",
        "<button onclick='this.remove(); globalThis.hits = 1'>Go</button>",
        [click("button Go")],
        f"[{HIT}, document.querySelector('button')]",
        [1, None],
    ),
    Case(
        "a target replaced on press",
        "<div id=d><button>Go</button></div><script>d.onmousedown = () => { globalThis.hits = 1 }</script>",
        [click("button Go")],
        HIT,
        1,
    ),
    Case(
        "Control and a link opens nothing here",
        "<a href=/blank.html>Go</a>",
        [click("link Go", modifiers=["Control"])],
        "location.pathname.startsWith('/inline')",
    ),
    Case(
        "chooses a suggestion before the field is left",
        "<input id=f onblur='list.hidden = true'><ul id=list role=listbox><li role=option "
        "onmousedown='f.value = this.textContent; event.preventDefault()'>Rome</ul>",
        [click("textbox"), click("option Rome")],
        "[f.value, list.hidden]",
        ["Rome", False],
    ),
]


@rows(EFFECTS)
def test_a_click_does_what_a_click_of_a_person_does(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


def test_the_clicked_submit_button_is_in_the_posted_form(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(
        site.page(
            "<form action=/post method=post><button name=do value=save>Save</button><button name=do value=drop>Drop</button></form>"
        )
    )
    tabwire.ok("click", selector=target(tabwire, "button Drop"))
    assert site.wait_for_post("/post").form == {"do": "drop"}


@pytest.mark.conditions
def test_an_image_button_posts_where_it_was_clicked(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<form action=/post method=post><input type=image name=at alt=Go width=40 height=20></form>"))
    tabwire.ok("click", selector=target(tabwire, "button Go"))
    assert site.wait_for_post("/post").form.keys() == {"at.x", "at.y"}


UNCLICKABLE = {
    "in a disabled fieldset": f"<fieldset disabled><button {COUNT}>Go</button></fieldset>",
    "said to be disabled": f"<div role=button aria-disabled=true {COUNT}>Go</div>",
    "inert": f"<div inert><button {COUNT}>Go</button></div>",
    "without pointer events": f"<button {COUNT} style='pointer-events:none'>Go</button>",
    "invisible": f"<button {COUNT} style='visibility:hidden'>Go</button>",
    "hidden": f"<button {COUNT} hidden>Go</button>",
    "outside of the page": f"<button {COUNT} style='position:absolute;left:-500px'>Go</button>",
}


def test_what_a_person_could_not_click_is_refused(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page("".join(f"<section id=p{number}>{html}</section>" for number, html in enumerate(UNCLICKABLE.values())))
    )
    codes = {}
    for number, name in enumerate(UNCLICKABLE):
        codes[name] = tabwire.fails("click", selector=f"#p{number} [onclick]", timeout=200).code
        assert page.evaluate(HIT) is None, name
    assert codes == dict.fromkeys(UNCLICKABLE, "element_not_interactable")
