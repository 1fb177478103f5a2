"""Frames that are turned, mirrored, skewed, seen in perspective or scaled unevenly: trusted input hits what it names."""

import base64
import io
from typing import Any

import pytest
from PIL import Image

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

STYLES = {
    "plain": "",
    "rotated": "transform: rotate(37deg)",
    "upside": "rotate: 180deg; padding: 9px 4px",
    "mirrored": "transform: scaleX(-1); border-left-width: 11px",
    "uneven": "transform: scale(1.3, .6)",
    "skewed": "transform: skew(20deg, 8deg); transform-origin: 0 0",
    "deep": "transform: perspective(400px) rotateY(42deg) rotateX(12deg)",
    "zoomed": "zoom: 1.25; transform: rotate(-20deg)",
}
"""A frame each; the border and the padding belong to no frame's viewport."""

TURNED = [
    "transform: rotate(-15deg) scale(.7)",
    "transform: scale(-.7, .8)",
    "transform: perspective(500px) rotateX(30deg) scale(.8)",
]

COUNTED = """<body style='margin: 0'><style>button { position: absolute; width: 44px; height: 20px; padding: 0; font-size: 9px }</style>
<script>
  const name = new URLSearchParams(location.search).get('name');
  for (const [at, left, top] of [[1, 4, 84], [2, 108, 10]])
    document.body.insertAdjacentHTML('beforeend', `<button id=${name}${at} style='left: ${left}px; top: ${top}px'>${name} ${at}</button>`);
  addEventListener('click', ({ target }) => top.postMessage(target.id || target.localName, '*'));
</script>"""

TOP = """<body style='margin: 0'><style>iframe { border: 3px solid; width: 160px; height: 110px }
  .cell { position: absolute; width: 190px; height: 180px; padding: 40px 30px } </style>
<script>globalThis.got = []; addEventListener('message', ({ data }) => typeof data === 'string' && got.push(data));
addEventListener('click', () => got.push('top'))</script>"""


def cell(at: int, frame: str, style: str = "") -> str:
    return f"<div class=cell style='left: {at % 4 * 290}px; top: {at // 4 * 260}px; {style}'>{frame}</div>"


def hit(tabwire: Tabwire, page: ShownPage, names: list[str], *, is_sparing: bool = False) -> None:
    """Acts on both buttons of each frame; the page must have counted these and nothing else.

    Args:
        is_sparing: Only on one of them, in turn. None is in the middle: a map that is turned or mirrored misses either.
    """
    refs = {line.name: line.ref for line in tabwire.lines() if line.role == "button"}
    wanted = [f"{name}{at}" for index, name in enumerate(names) for at in (1, 2) if not is_sparing or at == 1 + index % 2]
    for name in wanted:
        tabwire.ok("click", selector=refs[f"{name[:-1]} {name[-1]}"])
    page.wait_for(f"got.length >= {len(wanted)}")
    assert page.evaluate("got") == wanted


@pytest.mark.parametrize("where", ["page", "cross_page"])
@pytest.mark.conditions
def test_clicks_in_transformed_frames_reach_what_they_name(tabwire: Tabwire, site: Site, page: ShownPage, where: str) -> None:
    inner: Any = getattr(site, where)(COUNTED)
    frames = [
        cell(at, f"<iframe src='{inner}?name={name}' style='{style}'></iframe>")
        for at, (name, style) in enumerate(STYLES.items())
    ]
    tabwire.open(site.page(TOP + "".join(frames)))
    hit(tabwire, page, list(STYLES), is_sparing=where == "page")


@pytest.mark.conditions
def test_frames_within_transformed_frames_are_mapped_through_all_of_them(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    counted = site.cross_page(COUNTED)
    frames = []
    for at, (name, style) in enumerate(list(STYLES.items())[1:]):
        outer = (
            f"<body style='margin: 0'><iframe src='{counted}?name={name}' style='{style}; border: 3px solid; width: 160px; height: 110px;"
            " position: absolute; left: 40px; top: 40px'></iframe>"
        )
        inner = (site.page if at % 2 else site.cross_page)(outer)
        frames.append(
            cell(at, f"<iframe src='{inner}' style='width: 290px; height: 250px'></iframe>", f"padding: 0; {TURNED[at % 3]}")
        )
    tabwire.open(site.page(TOP + "".join(frames)))
    hit(tabwire, page, list(STYLES)[1:], is_sparing=True)


@pytest.mark.conditions
def test_frames_out_of_view_are_scrolled_to(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """Both below and beside what the window shows, in a box that scrolls, and below the fold of another frame."""
    box = "overflow: auto; width: 200px; height: 100px; padding: 0"
    far = "position: absolute; left: 1900px; top: 2400px"
    nested = f"<body style='margin: 0; height: 3000px'><iframe src='{site.page(COUNTED)}?name=deep' style='{far}'></iframe>"
    frames = [
        f"<iframe src='{site.page(COUNTED)}?name=same' style='{far}'></iframe>",
        f"<iframe src='{site.cross_page(COUNTED)}?name=cross' style='position: absolute; top: 5000px; rotate: 30deg'></iframe>",
        cell(0, f"<p style='height: 900px'></p><iframe src='{site.cross_page(COUNTED)}?name=boxed'></iframe>", box),
        cell(2, f"<iframe src='{site.cross_page(nested)}' style='width: 220px; height: 200px'></iframe>"),
    ]
    tabwire.open(site.page(TOP + "".join(frames)))
    hit(tabwire, page, ["same", "cross", "boxed", "deep"])


def test_a_frame_out_of_view_is_scrolled_and_not_the_page_around_it(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page("<button>Long</button><p style='height: 2000px'>")
    tabwire.open(site.page(f"<p style='height: 4000px'></p><iframe src='{inner}'></iframe>"))
    tabwire.ok("scroll", selector=tabwire.ref("button", "Long"), direction="down", amount=100)
    assert (page.frame(inner).evaluate("scrollY"), page.evaluate("scrollY")) == (100, 0)


@pytest.mark.conditions
def test_what_is_shown_of_a_turned_frame_is_where_it_is_seen(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """Half a turn about the centre of a 200 × 100 frame at 100, 60: its corner is at 300, 160."""
    inner = site.cross_page(
        "<body style='margin: 0; background: blue'><button style='position: absolute; left: 10px; top: 20px; width: 50px; height: 30px;"
        " background: red; border: 0' aria-label=B></button>"
    )
    frame = f"<iframe src='{inner}' style='position: absolute; left: 100px; top: 60px; width: 200px; height: 100px; border: 0; rotate: 180deg'>"
    tabwire.open(site.page(f"<body style='margin: 0'>{frame}</iframe>"))
    line = next(line for line in tabwire.lines(include_bounds=True) if line.role == "button")
    assert line.text.endswith("[box=240,110,50,30]")
    (shot,) = tabwire.ok("screenshot", selector=line.ref).images
    picture = Image.open(io.BytesIO(base64.b64decode(shot.data)))
    # Where an edge lies between two device pixels it has a colour between the two.
    edge = 0 if page.evaluate("devicePixelRatio * visualViewport.scale % 1 === 0") else 2
    inside = picture.convert("RGB").crop((edge, edge, 50 - edge, 30 - edge))
    assert (picture.size, inside.getcolors()) == ((50, 30), [((50 - 2 * edge) * (30 - 2 * edge), (255, 0, 0))])


ASTRAY = """(() => {
  globalThis.astray = false;
  const send = chrome.debugger.sendCommand;
  chrome.debugger.sendCommand = (tab, method, params, ...rest) => {
    const isPress = method === "Input.dispatchMouseEvent" && params.type === "mousePressed";
    if (!isPress) return send.call(chrome.debugger, tab, method, params, ...rest);
    chrome.debugger.sendCommand = send;
    globalThis.astray = true;
    return send.call(chrome.debugger, tab, method, { ...params, x: 40, y: 40 }, ...rest);
  };
})()"""
"""Run in the worker: the next press goes to another place than its release, as where Chrome does not know yet what has scrolled."""


@pytest.mark.parametrize(("name", "got"), [("framed 1", "framed1"), ("Top", "top")])
def test_a_press_that_chrome_gives_to_another_frame_than_its_release_is_made_again(
    tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser, name: str, got: str
) -> None:
    frames = [
        f"<iframe src='{site.cross_page('<p>Other')}' style='position: absolute; left: 0; top: 0'></iframe>",
        cell(1, f"<iframe src='{site.cross_page(COUNTED)}?name=framed'></iframe>"),
        "<button id=top style='position: absolute; left: 20px; top: 300px'>Top</button>",
    ]
    tabwire.open(site.page(TOP + "".join(frames)))
    ref = tabwire.ref("button", name)
    browser.in_worker(ASTRAY)
    assert "Pressed" not in tabwire.ok("click", selector=ref).text
    assert page.wait_for("got.length && got") == [got]
    assert browser.in_worker("globalThis.astray")


@pytest.mark.conditions
@pytest.mark.parametrize("mode", ["full", "interactive"])
def test_frames_of_a_frameset_are_read_and_acted_in(tabwire: Tabwire, site: Site, page: ShownPage, mode: str) -> None:
    second = site.page("<h1>Second</h1>")
    menu = site.page(f"<a href='{second}' target=main>Next</a>")
    main = site.cross_page("<h1>First</h1><label>Note <input id=note></label>")
    inner = f"<frameset rows='40%,*'><frame src='{menu}'><frame src='{main}' name=main></frameset>"
    tabwire.open(site.page(f"<html><title>Frames</title><frameset cols='30%,*'><frame src='{menu}'>{inner}</frameset></html>"))
    lines = tabwire.lines(mode=mode)
    assert [line.name for line in lines if line.role in ("link", "textbox")] == ["Next", "Next", "Note"]
    assert sum(line.role == "iframe" for line in lines) == 3
    refs = {line.role: line.ref for line in lines}
    tabwire.ok("fill", selector=refs["textbox"], value="kept")
    assert page.frame(main).evaluate("note.value") == "kept"
    tabwire.ok("click", selector=refs["link"])
    tabwire.ok("wait", **{"for": "text", "text": "Second"})
