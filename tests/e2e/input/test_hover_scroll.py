"""Hovering and scrolling, seen from the page."""

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conditions.condition import Condition
from e2e.conftest import ShownPage
from e2e.input.acting import Case, noted, rows
from e2e.site import Site

pytestmark = pytest.mark.same_tab

MENU = """<style>.menu ul { display: none; margin: 0; padding-left: 20px } .menu:hover > ul { display: block }</style>
<div class=menu style="width:120px"><button>File</button><ul><li class=menu><button>Recent</button><ul><li><button onclick="globalThis.hit = 1">Report</button></ul></ul></div>"""
LATER = """<button id=b>Info</button><script>b.onmouseenter = () => setTimeout(() => b.insertAdjacentHTML('afterend',
'<button onclick="globalThis.hit = 1">Details</button>'), 200); b.onmouseleave = () => log.push('left')</script>"""

HOVERS = [
    Case(
        "events in order",
        "<button id=b>Go</button><script>watch(b, 'pointerover', 'pointerenter', 'mouseover', 'mouseenter', 'mousemove', 'mousedown', 'click')</script>",
        [("hover", "button Go")],
        "log",
        ["pointerover", "pointerenter", "mouseover", "mouseenter", "mousemove"],
    ),
    Case(
        "leaving comes with the next hover",
        "<button id=a>A</button><button id=b>B</button><script>watch(a, 'mouseleave', 'mouseout')</script>",
        [("hover", "button A"), ("hover", "button B")],
        "log",
        ["mouseout", "mouseleave"],
    ),
    Case(
        "a menu of menus by CSS",
        MENU,
        [("hover", "button File"), ("hover", "button Recent"), ("click", "button Report")],
        "globalThis.hit",
        1,
    ),
    Case(
        "a card that opens by script",
        LATER,
        [("hover", "button Info"), ("wait", None, {"for": "text", "text": "Details"}), ("click", "button Details")],
        "globalThis.hit",
        1,
    ),
    Case(
        "far below",
        "<div style='height:3000px'></div><button onmouseenter='globalThis.hit = scrollY > 1000'>Low</button>",
        [("hover", "button Low")],
        "globalThis.hit",
    ),
    Case(
        "at a point",
        "<div style='position:absolute;left:50px;top:60px;width:20px;height:20px' onpointermove='log.push(Math.round(event.clientX), Math.round(event.clientY))'></div>",
        [("hover", None, {"coordinates": {"x": 60, "y": 70}})],
        "log.slice(0, 2)",
        [60, 70],
    ),
    Case(
        "styles follow",
        "<style>button:hover { --on: 1 }</style><button id=b>Go</button>",
        [("hover", "button Go")],
        "getComputedStyle(b).getPropertyValue('--on')",
        "1",
    ),
    Case(
        "a disabled button is hovered",
        "<button id=b disabled>Off</button><script>document.addEventListener('pointermove', (e) => { globalThis.hit = e.target.id })</script>",
        [("hover", "#b")],
        "globalThis.hit",
        "b",
    ),
    Case(
        "an SVG bar of a chart",
        "<svg width=100 height=100><rect role=img aria-label=Bar x=20 y=20 width=20 height=60 onmouseenter='globalThis.hit = 1' /></svg>",
        [("hover", "img Bar")],
        "globalThis.hit",
        1,
    ),
]

TALL = "<div style='height:4000px;width:4000px'></div>"
BOX = "<div id=s aria-label=Log role=log tabindex=0 style='height:100px;width:200px;overflow:auto'><div style='height:2000px;width:2000px'>x</div></div>"
ROWS = "".join(f"<p>Row {n}</p>" for n in range(200))
SHELL = (
    "<style>html, body { margin: 0; height: 100%; overflow: hidden } .shell { display: flex; height: 100% } .shell > * { overflow: auto }"
    "</style><div class=shell><nav id=n style='width: 200px'>" + ROWS + "</nav><main id=m style='flex: 1'>"
)
NOTE = "<div id=s style='margin: 0 auto; width: 50%; height: 70vh; overflow: auto'>"
SCROLLS = [
    Case(
        "most of a screen without an amount, down and up, right and left, and to a position",
        TALL,
        [
            ("scroll", None, {"direction": "down"}),
            noted("scrollY > innerHeight * .5 && scrollY <= innerHeight"),
            ("scroll", None, {"position": {"x": 0, "y": 0}}),
            *(("scroll", None, {"direction": "down", "amount": 900}), ("scroll", None, {"direction": "up", "amount": 300})),
            noted("scrollY"),
            *(("scroll", None, {"direction": "right", "amount": 500}), ("scroll", None, {"direction": "left", "amount": 200})),
            noted("scrollX"),
            ("scroll", None, {"position": {"x": 100, "y": 1234}}),
        ],
        "[log, scrollX, scrollY]",
        [[True, 600, 300], 100, 1234],
    ),
    Case(
        "no further than the end",
        "<div style='height:1000px'></div>",
        [("scroll", None, {"direction": "down", "amount": 99999})],
        "Math.abs(scrollY + innerHeight - document.documentElement.scrollHeight) <= 1",
    ),
    Case(
        "a box by its ref, sideways and to a position, while the page stays",
        BOX + TALL,
        [
            *(("scroll", "log Log", {"direction": "down", "amount": 400}), noted("s.scrollTop")),
            *(("scroll", "log Log", {"direction": "right", "amount": 150}), noted("s.scrollLeft")),
            ("scroll", "log Log", {"position": {"x": 0, "y": 777}}),
        ],
        "[log, s.scrollTop, scrollY]",
        [[400, 150], 777, 0],
    ),
    Case(
        "a textarea to its end",
        "<textarea id=s aria-label=Terms style='height:60px'>"
        + "line\n" * 80
        + "</textarea><script>s.onscroll = () => { globalThis.hit = 1 }</script>",
        [("scroll", "textbox Terms", {"direction": "down", "amount": 9999})],
        "[Math.abs(s.scrollTop + s.clientHeight - s.scrollHeight) < 2, globalThis.hit]",
        [True, 1],
    ),
    Case(
        "a disabled textarea too",
        "<textarea id=s aria-label=Terms disabled style='height:60px'>" + "line\n" * 80 + "</textarea>",
        [("scroll", "textbox Terms", {"direction": "down", "amount": 9999})],
        "Math.abs(s.scrollTop + s.clientHeight - s.scrollHeight) < 2",
    ),
    Case(
        "into view at the top",
        "<div style='height:2000px'></div><h2 id=h>Here</h2><div style='height:2000px'></div>",
        [("scroll", "heading Here", {"into_view": True, "block": "start"})],
        "Math.abs(h.getBoundingClientRect().top) < 2",
    ),
    Case(
        "into view in a box",
        "<div id=s style='height:100px;overflow:auto'><div style='height:900px'></div><button id=b>Low</button></div>",
        [("scroll", "button Low", {"into_view": True})],
        "b.getBoundingClientRect().bottom <= s.getBoundingClientRect().bottom + 1",
    ),
    Case(
        "smooth pages arrive",
        "<style>html { scroll-behavior: smooth }</style>" + TALL,
        [("scroll", None, {"direction": "down", "amount": 800})],
        "scrollY",
        800,
    ),
    Case(
        "the wheel belongs to the page",
        "<div id=m style='height:4000px'></div><script>addEventListener('wheel', (e) => { e.preventDefault(); globalThis.zoom = e.deltaY }, { passive: false })</script>",
        [("scroll", None, {"direction": "down", "amount": 300})],
        "[globalThis.zoom, scrollY]",
        [300, 0],
    ),
    Case(
        "the main part of a page that does not scroll",
        SHELL + ROWS + "</main></div>",
        [
            *(("scroll", None, {"direction": "down", "amount": 500}), noted("m.scrollTop")),
            *(("scroll", None, {"direction": "up", "amount": 200}), noted("m.scrollTop")),
            *(("scroll", None, {"position": {"x": 0, "y": 777}}), noted("m.scrollTop")),
        ],
        "[log, n.scrollTop, scrollY]",
        [[500, 300, 777], 0, 0],
    ),
    Case(
        "the bigger one of two parts at the middle",
        SHELL + NOTE + ROWS + "</div>" + ROWS + "</main></div>",
        [("scroll", None, {"direction": "down", "amount": 500})],
        "[m.scrollTop, s.scrollTop, n.scrollTop]",
        [500, 0, 0],
    ),
    Case(
        "a page that scrolls, and not a box in its middle",
        NOTE + ROWS + "</div>" + TALL,
        [("scroll", None, {"direction": "down", "amount": 500})],
        "[scrollY, s.scrollTop]",
        [500, 0],
    ),
    Case(
        "a dialog over a page that is locked",
        "<style>body { overflow: hidden }</style><div style='position: fixed; inset: 0; z-index: 1'>"
        + NOTE
        + ROWS
        + "</div></div>"
        + TALL,
        [("scroll", None, {"direction": "down", "amount": 500})],
        "[s.scrollTop, scrollY]",
        [500, 0],
    ),
    Case(
        "more is loaded at the end",
        "<div id=l></div><script>const more = () => { for (let i = 0; i < 30; i++) l.append(Object.assign(document.createElement('p'), { textContent: 'Row ' + (l.children.length + 1) })) };"
        "more(); onscroll = () => { if (scrollY + innerHeight > document.body.scrollHeight - 100 && l.children.length < 90) more() }</script>",
        [("scroll", None, {"direction": "down", "amount": 5000})] * 2,
        "l.children.length",
        90,
    ),
    Case(
        "rows of a virtual list change",
        "<div id=s role=list tabindex=0 aria-label=Rows style='height:100px;overflow:auto'><div style='height:20000px;position:relative'><div id=r style='position:absolute'></div></div></div>"
        "<script>const draw = () => { const at = Math.floor(s.scrollTop / 20); r.style.top = at * 20 + 'px'; r.textContent = 'Row ' + at }; s.onscroll = draw; draw()</script>",
        [("scroll", "#s", {"direction": "down", "amount": 4000})],
        "r.textContent",
        "Row 200",
    ),
]


@pytest.mark.conditions
@rows(HOVERS)
def test_hovering_is_seen_by_the_page(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


@rows(SCROLLS)
def test_scrolling_moves_what_it_should(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


REVERSED = {
    "chat": "<div id=chat tabindex=0 style='{box};display:flex;flex-direction:column-reverse'><div>{long}</div></div>",
    "rtl": "<div id=rtl tabindex=0 dir=rtl style='{box}'><div style='width:2000px;height:10px'></div></div>",
}


@pytest.mark.conditions
def test_what_begins_at_its_end_scrolls_and_what_is_at_its_beginning_ends_at_once(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    given = {"box": "width:300px;height:200px;overflow:auto", "long": "Line<br>" * 100}
    tabwire.open(site.page("".join(html.format(**given) for html in REVERSED.values()) + TALL))
    for name, direction, shows in (("chat", "up", "chat.scrollTop"), ("rtl", "left", "rtl.scrollLeft")):
        tabwire.ok("scroll", selector=f"#{name}", direction=direction, amount=150)
        # A box stops at a device pixel, which need not be a whole CSS pixel.
        assert abs(page.evaluate(shows) + 150) <= page.evaluate("0.5 / devicePixelRatio + 0.001"), name
    # The boxes were brought into a view that is pinched, which is then some pixels beside the beginning of the page.
    tabwire.ok("scroll", direction="up")
    # The wheel is turned all the same: a page may listen to it.
    page.evaluate("globalThis.turned = 0; addEventListener('wheel', () => { turned += 1 }, {passive: true}); 1")
    reply = tabwire.ok("scroll", direction="up")
    assert (page.evaluate("[scrollY, turned]"), reply.elapsed_ms < 1500) == ([0, 1], True), reply


@pytest.mark.conditions
def test_scrolling_in_a_cross_origin_frame_moves_the_frame(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page("<h1>Inner</h1><div style='height:3000px'></div><button>Low</button>")
    tabwire.open(site.page(f"<iframe src='{inner}' width=300 height=200></iframe><div style='height:3000px'></div>"))
    tabwire.ok("scroll", selector=tabwire.ref("heading", "Inner"), direction="down", amount=500)
    assert page.frame(inner).evaluate("Math.round(scrollY)") == 500
    assert page.evaluate("scrollY") == 0


ASTRAY = """((kind) => {
  const send = chrome.debugger.sendCommand;
  chrome.debugger.sendCommand = (tab, method, params, ...rest) => {
    const isLed = method === "Input.dispatchMouseEvent" && (params.type === kind || params.type === "mouseReleased");
    if (params?.type === kind && kind === "mouseWheel") chrome.debugger.sendCommand = send;
    return send.call(chrome.debugger, tab, method, isLed ? { ...params, x: 400, y: 300 } : params, ...rest);
  };
  globalThis.restore = () => { chrome.debugger.sendCommand = send };
})"""
"""Run in the worker: the pointer goes to another place than the one it was told to go to."""


@pytest.mark.parametrize("where", ["page", "frame", "cross frame"])
def test_a_pointer_that_does_not_arrive_is_an_error(
    tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage, where: str
) -> None:
    inner = "<button style='position: absolute; left: 20px; top: 20px'>Go</button>"
    serve = site.cross_page if where == "cross frame" else site.page
    tabwire.open(site.page(inner if where == "page" else f"<iframe src='{serve(inner)}' width=200 height=100></iframe>"))
    ref = tabwire.ref("button", "Go")
    browser.in_worker(f"{ASTRAY}('mouseMoved')")
    try:
        assert "was not seen to arrive there" in tabwire.fails("hover", selector=ref).text
    finally:
        browser.in_worker("restore()")
    tabwire.ok("hover", selector=ref)


def test_a_pointer_that_was_there_before_has_arrived(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<button id=b>Go</button>"))
    for _ in range(2):
        reply = tabwire.ok("hover", selector="#b")
        assert page.evaluate("b.matches(':hover')"), reply


BOXES = (("named", 20, 20), ("other", 320, 250))


def test_a_wheel_that_does_not_arrive_is_told(tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage) -> None:
    style = "position: absolute; width: 200px; height: 100px; overflow: auto"
    boxes = [f"<div id={name} tabindex=0 style='{style}; left: {x}px; top: {y}px'>{TALL}</div>" for name, x, y in BOXES]
    tabwire.open(site.page("".join(boxes)))
    browser.in_worker(f"{ASTRAY}('mouseWheel')")
    reply = tabwire.ok("scroll", selector="#named", direction="down", amount=300)
    assert "was not seen to arrive there" in reply.data["note"]
    assert page.evaluate("[named.scrollTop, other.scrollTop > 0]") == [300, True]
    assert "note" not in tabwire.ok("scroll", selector="#named", direction="down", amount=100).data


@pytest.mark.conditions
@pytest.mark.parametrize("where", ["page", "cross_page"])
def test_the_wheel_turns_by_the_distance_on_every_screen(
    tabwire: Tabwire, site: Site, page: ShownPage, condition: Condition, where: str
) -> None:
    """A frame that is shown at half its size scrolls by twice the distance that the wheel turns."""
    inner = getattr(site, where)(
        f"<h1>Inner</h1>{TALL}<script>addEventListener('wheel', ({{ deltaY }}) => top.postMessage(deltaY, '*'), {{ passive: true }})"
        "</script>"
    )
    style = "position: absolute; left: 130px; top: 100px; width: 300px; height: 200px; scale: .5; transform-origin: 0 0"
    tabwire.open(
        site.page(
            "<script>globalThis.got = 0; addEventListener('message', ({ data }) => { got += data })</script>"
            f"<iframe src='{inner}' style='{style}'></iframe>"
        )
    )
    told = tabwire.ok("scroll", selector=tabwire.ref("heading", "Inner"), direction="down", amount=200).data
    assert told["moved"]["y"] == pytest.approx(200, abs=1)
    assert "note" not in told
    page.wait_for("got")
    # A frame of another process is told of the distance in the window, where the page around it is pinched.
    pinch = condition.pinch if where == "cross_page" else 1
    assert page.evaluate("got") == pytest.approx(100 * pinch, abs=0.5)


def test_a_part_that_was_scrolled_for_the_page_is_named(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(SHELL + ROWS + "</main></div>"))
    assert tabwire.ok("scroll", direction="down", amount=500).data["element"].startswith('<main id="m">')
    tabwire.open(site.page(TALL))
    assert "element" not in tabwire.ok("scroll", direction="down", amount=500).data
