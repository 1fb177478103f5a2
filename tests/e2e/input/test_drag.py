"""Dragging, by the mechanisms drag libraries use: HTML5, pointer capture, mouse events on the document, sorting, fields."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.input.acting import Case, rows
from e2e.site import Site

pytestmark = pytest.mark.same_tab

HTML5 = """<div id=a role=button aria-label=Source draggable=true style="width:80px;height:40px;background:#fcc">drag</div>
<div id=z role=region aria-label=Zone style="width:200px;height:100px;margin-top:40px;background:#cfc"><p>zone</p></div><script>
for (const type of ['dragstart', 'drag', 'dragenter', 'dragover', 'drop', 'dragend']) document.addEventListener(type, (e) => {
  if (log.at(-1) !== type && !(type === 'drag' && log.includes('drag')) && !(type === 'dragenter' && log.includes(type))
    && !(type === 'dragover' && log.includes(type))) log.push(type) });
z.ondragover = (e) => e.preventDefault();
z.ondrop = (e) => { e.preventDefault(); z.types = [...e.dataTransfer.types]; z.text = e.dataTransfer.getData('text/plain') }
a.ondragstart = (e) => { e.dataTransfer.setData('text/plain', 'one'); e.dataTransfer.setData('application/x-card', '7') };
a.ondragend = (e) => { a.effect = e.dataTransfer.dropEffect }</script>"""
TO_ZONE = [("drag", None, {"source": "button Source", "target": "region Zone"})]

#: A list that makes room when the pointer has passed the middle of an item, as jQuery UI does.
SORTED_BY_MIDDLE = """<ul id=l style="width:120px;padding:0">%s</ul><script>
let held = null; let last = 0;
l.onmousedown = (e) => { held = e.target.closest('li'); last = e.clientY; e.preventDefault() };
onmousemove = (e) => { if (!held) return; const down = e.clientY > last; last = e.clientY;
  for (const item of l.children) { const box = item.getBoundingClientRect(); const middle = box.y + box.height / 2;
    if (item !== held && e.clientY > box.y && e.clientY < box.bottom && (down ? e.clientY > middle : e.clientY < middle)) {
      down ? item.after(held) : item.before(held); break } } };
onmouseup = () => { held = null; log.push([...l.children].map((item) => item.textContent).join('')) }</script>""".replace(
    "%s", "".join(f"<li style='height:30px'>{name}</li>" for name in "ABCD")
)

#: A drag starts when the pointer has moved 8 px while pressed; the pointer is captured (dnd-kit, interact.js).
BY_POINTER = """<div id=a role=button aria-label=Card style="width:60px;height:40px;background:#29e;touch-action:none;position:relative">card</div>
<div id=z role=region aria-label=Zone style="width:200px;height:100px;margin-top:80px;background:#ccc">zone</div><script>
let start = null; let active = false;
a.onpointerdown = (e) => { start = e; a.setPointerCapture(e.pointerId) };
a.onpointermove = (e) => { if (!start) return; const dx = e.clientX - start.clientX; const dy = e.clientY - start.clientY;
  active ||= Math.hypot(dx, dy) > 8; if (active) a.style.transform = `translate(${dx}px, ${dy}px)` };
a.onpointerup = (e) => { const at = z.getBoundingClientRect(); globalThis.dropped = active && e.clientY > at.y && e.clientY < at.bottom; start = null }</script>"""

CASES = [
    Case(
        "HTML5 events come in order, with data of several types",
        HTML5,
        TO_ZONE,
        "[log, z.types, z.text]",
        [["dragstart", "drag", "dragenter", "dragover", "drop", "dragend"], ["text/plain", "application/x-card"], "one"],
    ),
    Case(
        "a copy is told as a copy",
        HTML5.replace(
            "z.ondragover = (e) => e.preventDefault()",
            "z.ondragover = (e) => { e.preventDefault(); e.dataTransfer.dropEffect = 'copy' }",
        ),
        TO_ZONE,
        "a.effect",
        "copy",
    ),
    Case(
        "no drop where none is taken",
        HTML5.replace("z.ondragover = (e) => e.preventDefault();", ""),
        TO_ZONE,
        "[a.effect, log.includes('drop')]",
        ["none", False],
    ),
    Case(
        "a cancelled dragstart starts nothing",
        HTML5.replace("a.ondragstart = (e) => {", "a.ondragstart = (e) => { e.preventDefault();"),
        TO_ZONE,
        "log.includes('drop')",
        False,
    ),
    Case(
        "a link carries its address",
        "<a href=/there>Link</a><div id=z role=region aria-label=Zone style='height:90px;background:#ccc'></div><script>"
        "z.ondragover = (e) => e.preventDefault(); z.ondrop = (e) => { e.preventDefault(); globalThis.got = new URL(e.dataTransfer.getData('text/uri-list')).pathname }</script>",
        [("drag", None, {"source": "link Link", "target": "region Zone"})],
        "globalThis.got",
        "/there",
    ),
    Case(
        "sorting down by one, down to the end, up by one and up to the top",
        SORTED_BY_MIDDLE,
        [
            ("drag", None, {"source": f"listitem {item}", "target": f"listitem {place}"})
            for item, place in (("A", "B"), ("A", "D"), ("D", "C"), ("A", "B"))
        ],
        "log",
        ["BACD", "BCDA", "BDCA", "ABDC"],
    ),
    Case(
        "by mouse events on the document",
        "<div id=a role=button aria-label=Knob style='position:absolute;left:10px;top:10px;width:30px;height:30px;background:red'></div><script>"
        "a.onmousedown = () => { document.onmousemove = (m) => { a.style.left = m.clientX - 15 + 'px' }; document.onmouseup = () => { document.onmousemove = null } }</script>",
        [("drag", None, {"source": "button Knob", "target_coordinates": {"x": 215, "y": 25}})],
        "a.offsetLeft",
        200,
    ),
    Case(
        "a press must be held for a moment",
        "<div id=a role=button aria-label=Card style='width:60px;height:40px;background:#29e'></div>"
        "<div role=region aria-label=Zone style='height:60px;margin-top:60px;background:#ccc'></div><script>"
        "let pressed = 0; a.onmousedown = () => { pressed = performance.now() }; document.onmousemove = (e) => { if (pressed && e.buttons) globalThis.held ??= performance.now() - pressed > 30 }</script>",
        [("drag", None, {"source": "button Card", "target": "region Zone"})],
        "globalThis.held",
    ),
    Case(
        "a range is dragged by its knob",
        "<input id=r type=range aria-label=Volume min=0 max=100 value=0 style='width:200px;margin:20px' oninput='log.push(1)' onchange='globalThis.done = true'>",
        [("drag", None, {"source_coordinates": {"x": 36, "y": 37}, "target_coordinates": {"x": 128, "y": 37}})],
        "[r.value > 40 && r.value < 60, globalThis.done]",
        [True, True],
    ),
    Case(
        "text is marked",
        "<p id=p style='font:16px monospace;margin:20px'>one two three</p>",
        [("drag", None, {"source_coordinates": {"x": 21, "y": 30}, "target_coordinates": {"x": 400, "y": 30}})],
        "String(getSelection())",
        "one two three",
    ),
    Case(
        "a textarea is resized",
        "<textarea id=t style='width:100px;height:60px;margin:0;position:absolute;left:20px;top:20px;box-sizing:border-box'></textarea>",
        [("drag", None, {"source_coordinates": {"x": 116, "y": 76}, "target_coordinates": {"x": 196, "y": 116}})],
        "[t.offsetWidth, t.offsetHeight]",
        [180, 100],
    ),
    Case(
        "a line is drawn point by point",
        "<canvas id=c width=300 height=200 style='position:absolute;left:0;top:0'></canvas><script>"
        "c.onmousedown = (e) => log.push([e.offsetX, e.offsetY]); c.onmousemove = (e) => e.buttons && log.push([e.offsetX, e.offsetY])</script>",
        [("drag", None, {"source_coordinates": {"x": 10, "y": 10}, "target_coordinates": {"x": 210, "y": 110}, "steps": 20})],
        "[log[0], log.at(-1), log.length >= 20, log.every(([x, y]) => Math.abs((x - 10) / 2 - (y - 10)) <= 3)]",
        [[10, 10], [210, 110], True, True],
    ),
    Case(
        "to an empty column",
        "<div style='display:flex'><ul style='width:100px'><li draggable=true id=card>Card</li></ul><ul id=done aria-label=Done role=list style='width:100px;height:90px;background:#eee'></ul></div>"
        "<script>done.ondragover = (e) => e.preventDefault(); done.ondrop = (e) => { e.preventDefault(); done.append(card) }</script>",
        [("drag", None, {"source": "listitem Card", "target": "#done"})],
        "card.parentElement.id",
        "done",
    ),
    Case(
        "the room moves while the card is dragged",
        BY_POINTER.replace("start = e;", "start = e; z.style.marginTop = '200px';"),
        [("drag", None, {"source": "button Card", "target": "region Zone"})],
        "globalThis.dropped",
    ),
    Case(
        "by a captured pointer after a threshold, and a click after it is an ordinary one",
        BY_POINTER + "<button onclick='globalThis.hit = event.detail'>Go</button>",
        [("drag", None, {"source": "button Card", "target": "region Zone"}), ("click", "button Go")],
        "[globalThis.dropped, globalThis.hit]",
        [True, 1],
    ),
    Case(
        "onto what was dropped there before",
        "<style>b { position: absolute; width: 60px; height: 60px; background: #29e } i { position: absolute; left: 300px; top: 10px; width: 50px; height: 50px; background: #ccc }</style>"
        "<i role=region aria-label=Zone></i><b role=button aria-label=One style='left:10px;top:10px'></b><b role=button aria-label=Two style='left:110px;top:10px'></b><script>"
        "let held = null; onmousedown = (e) => { if (e.target.localName === 'b') held = e.target }; onmouseup = () => { held = null };"
        "onmousemove = (e) => { if (held) { held.style.left = e.clientX - 30 + 'px'; held.style.top = e.clientY - 30 + 'px' } }</script>",
        [
            ("drag", None, {"source": "button One", "target": "region Zone"}),
            ("drag", None, {"source": "button Two", "target": "region Zone"}),
        ],
        "[...document.querySelectorAll('b')].map((box) => box.offsetLeft)",
        [295, 295],
    ),
    Case(
        "inside of a shadow root",
        "<x-board></x-board><script>const root = document.querySelector('x-board').attachShadow({ mode: 'open' });"
        "root.innerHTML = `<b role=button aria-label=Source draggable=true style='display:block;width:50px;height:20px'>s</b><div role=region aria-label=Zone style='height:80px;background:#ccc'></div>`;"
        "root.querySelector('b').ondragstart = (e) => e.dataTransfer.setData('text/plain', 'deep'); const zone = root.querySelector('div');"
        "zone.ondragover = (e) => e.preventDefault(); zone.ondrop = (e) => { e.preventDefault(); globalThis.got = e.dataTransfer.getData('text/plain') }</script>",
        TO_ZONE,
        "globalThis.got",
        "deep",
    ),
]


@rows(CASES)
def test_a_drag_reaches_the_page_as_a_hand_would_make_it(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


def test_a_drag_without_a_target_is_refused(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(HTML5))
    assert tabwire.fails("drag", source="#a").code == "invalid_argument"
    assert page.evaluate("a.effect ?? null") is None


@pytest.mark.conditions
@pytest.mark.parametrize("where", ["page", "cross_page"])
def test_a_drag_goes_from_frame_to_frame(tabwire: Tabwire, site: Site, page: ShownPage, where: str) -> None:
    source = site.page(
        "<p draggable=true style='width: 80px' ondragstart='event.dataTransfer.setData(`text/plain`, `tea`)'>Tea</p>"
    )
    target = getattr(site, where)(
        "<p style='width: 80px' ondragover='event.preventDefault()'"
        " ondrop='top.postMessage(event.dataTransfer.getData(`text/plain`), `*`)'>Cup</p>"
    )
    style = "position: absolute; top: 150px; width: 150px; height: 90px"
    tabwire.open(
        site.page(
            "<script>addEventListener('message', ({ data }) => { globalThis.got = data })</script>"
            f"<iframe src='{source}' style='{style}; left: 130px'></iframe>"
            f"<iframe src='{target}' style='{style}; left: 320px; zoom: 1.1'></iframe>"
        )
    )
    tabwire.ok("drag", source="text:Tea", target="text:Cup")
    assert page.wait_for("globalThis.got") == "tea"
