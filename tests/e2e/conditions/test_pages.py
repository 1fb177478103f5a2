"""Places in a page itself: points, the pointer's way, what is scrolled to, and what is pictured."""

import base64
import io
import re

import pytest
from PIL import Image

from e2e.client import Reply, Tabwire
from e2e.conditions.condition import Condition
from e2e.conftest import ShownPage
from e2e.site import Site
from polling import until

pytestmark = [pytest.mark.conditions, pytest.mark.same_tab]

PLACED = "<body style='margin: 0'><style>.at { position: absolute; box-sizing: border-box; margin: 0; padding: 0 }</style>"
CORNER = re.compile(r"those in the picture plus (-?\d+), (-?\d+)")
ROOM = "<div style='width: 2400px; height: 2600px'></div>"


def at(left: int, top: int, width: int, height: int, more: str = "") -> str:
    return f"class=at style='left: {left}px; top: {top}px; width: {width}px; height: {height}px; {more}'"


def picture_of(tabwire: Tabwire, **arguments: object) -> Image.Image:
    return opened(tabwire.ok("screenshot", **arguments))


def opened(reply: Reply) -> Image.Image:
    (shot,) = reply.images
    return Image.open(io.BytesIO(base64.b64decode(shot.data))).convert("RGB")


def test_clicks_reach_elements_and_points_wherever_the_page_is_scrolled_to(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """The corners of a page that is larger than any window, and a point of what is then in view."""
    corners = {"a": (20, 10), "b": (2300, 20), "c": (30, 2500), "d": (2310, 2510)}
    buttons = "".join(f"<button id={name} {at(*place, 60, 30)}>{name}</button>" for name, place in corners.items())
    tabwire.open(
        site.page(f"{PLACED}{ROOM}{buttons}<script>globalThis.got = []; onclick = ({{ target }}) => got.push(target.id)</script>")
    )
    for name in corners:
        tabwire.ok("click", selector=tabwire.ref("button", name))
    x, y = page.evaluate("(({ x, y }) => [x + 30, y + 15])(d.getBoundingClientRect())")
    tabwire.ok("click", coordinates={"x": x, "y": y})
    assert page.evaluate("got") == [*corners, "d"]


def test_the_point_of_a_click_is_the_point_that_the_page_gets(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(f"{PLACED}{ROOM}<script>onclick = (event) => {{ globalThis.at = [event.clientX, event.clientY] }}</script>")
    )
    tabwire.ok("click", coordinates={"x": 420, "y": 240})
    assert page.evaluate("at") == pytest.approx([420, 240], abs=1)


def test_a_hover_moves_the_pointer_over_what_it_names(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    items = f"<p id=near {at(200, 120, 90, 30)}>Near</p><p id=far {at(1700, 1900, 90, 30)}>Far</p>"
    tabwire.open(site.page(f"{PLACED}<style>p:hover {{ color: rgb(1, 2, 3) }}</style>{ROOM}{items}"))
    hovered = "[...document.querySelectorAll('p:hover')].map((one) => [one.id, getComputedStyle(one).color])"
    for name in ("near", "far"):
        tabwire.ok("hover", selector=f"#{name}")
        until(lambda: page.evaluate(hovered), equals=[[name, "rgb(1, 2, 3)"]], within=2)


def test_the_wheel_turns_the_box_it_is_over_and_not_the_page(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    box = f"<div id=box tabindex=0 {at(300, 900, 200, 100, 'overflow: auto')}><p style='height: 2000px'>Long</p></div>"
    tabwire.open(site.page(f"{PLACED}{ROOM}{box}"))
    tabwire.ok("scroll", selector="#box", direction="down", amount=150)
    # It stops at a device pixel, which need not be a whole CSS pixel.
    pixel = page.evaluate("1 / devicePixelRatio + 0.001")
    assert page.evaluate("box.scrollTop") == pytest.approx(150, abs=pixel)
    # Chrome's notice makes the view lower some time after the first act: with room on all sides the box stays in view.
    place = "[visualViewport.pageLeft, visualViewport.pageTop]"
    before = page.evaluate(f"box.scrollIntoView({{block: 'center', inline: 'center'}}), {place}")
    tabwire.ok("scroll", selector="#box", direction="up", amount=50)
    assert page.evaluate("box.scrollTop") == pytest.approx(100, abs=pixel)
    assert page.evaluate(place) == before


def test_the_page_scrolls_by_what_is_asked_for(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"{PLACED}{ROOM}"))
    # In a pinched page the part that is in view moves before the page does.
    seen = "[visualViewport.pageLeft, visualViewport.pageTop]"
    before = page.evaluate(seen)
    tabwire.ok("scroll", direction="down", amount=600)
    tabwire.ok("scroll", direction="right", amount=200)
    after = page.evaluate(seen)
    assert [after[0] - before[0], after[1] - before[1]] == pytest.approx([200, 600], abs=1)


def test_a_drag_by_the_pointer_ends_where_its_target_is(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    parts = f"<div id=a role=button aria-label=Card {at(60, 40, 60, 40, 'background: red')}></div><div id=z role=region aria-label=Zone {at(400, 300, 100, 60, 'background: silver')}></div>"
    script = """<script>let start = null;
    a.onpointerdown = (event) => { start = event; a.setPointerCapture(event.pointerId) };
    a.onpointermove = (event) => { if (start) a.style.translate = `${event.clientX - start.clientX}px ${event.clientY - start.clientY}px` };
    a.onpointerup = (event) => { const box = z.getBoundingClientRect(); start = null;
      globalThis.off = [event.clientX - box.x - box.width / 2, event.clientY - box.y - box.height / 2] }</script>"""
    tabwire.open(site.page(PLACED + parts + script))
    tabwire.ok("drag", source=tabwire.ref("button", "Card"), target=tabwire.ref("region", "Zone"))
    assert page.evaluate("globalThis.off") == pytest.approx([0, 0], abs=1)


def test_a_card_is_dropped_on_a_zone_far_away(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    parts = f"<div id=a draggable=true {at(60, 40, 60, 40, 'background: red')}>Card</div><div id=z {at(1500, 2000, 100, 60, 'background: silver')}>Zone</div>"
    script = """<script>a.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'card');
    z.ondragover = (event) => event.preventDefault();
    z.ondrop = (event) => { event.preventDefault(); globalThis.dropped = event.dataTransfer.getData('text/plain') }</script>"""
    tabwire.open(site.page(PLACED + ROOM + parts + script))
    tabwire.ok("drag", source="#a", target="#z")
    assert page.wait_for("globalThis.dropped") == "card"


def test_bounds_are_those_that_the_page_tells(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"{PLACED}{ROOM}<button {at(333, 222, 51, 27)}>Go</button>"))
    line = next(line for line in tabwire.lines(include_bounds=True) if line.role == "button")
    box = page.evaluate(
        "(({ x, y, width, height }) => [x, y, width, height])(document.querySelector('button').getBoundingClientRect())"
    )
    assert line.text.endswith(f"[box={','.join(f'{round(part)}' for part in box)}]")


def test_a_picture_of_an_element_is_that_element_in_css_pixels(tabwire: Tabwire, site: Site) -> None:
    parts = f"<div id=near {at(70, 50, 60, 40, 'background: red')}></div><div id=far {at(1800, 2200, 80, 50, 'background: lime')}></div>"
    tabwire.open(site.page(f"{PLACED}{ROOM}{parts}"))
    for name, size, colour in (("near", (60, 40), (255, 0, 0)), ("far", (80, 50), (0, 255, 0))):
        picture = picture_of(tabwire, selector=f"#{name}")
        # Where an edge lies between two device pixels it has a colour between the two.
        inside = picture.crop((2, 2, picture.width - 2, picture.height - 2))
        assert (picture.size, inside.getcolors()) == (size, [((size[0] - 4) * (size[1] - 4), colour)]), name


def test_a_picture_of_the_whole_page_has_everything_at_its_place(tabwire: Tabwire, site: Site) -> None:
    parts = "".join(
        f"<div {at(left, top, 200, 100, f'background: {colour}')}></div>"
        for left, top, colour in ((0, 0, "red"), (1000, 0, "lime"), (0, 1400, "blue"), (1000, 1400, "black"))
    )
    tabwire.open(site.page(f"{PLACED}<div style='width: 1200px; height: 1500px'></div>{parts}"))
    picture = picture_of(tabwire, full_page=True)
    assert picture.size[1] == 1500
    colours = [picture.getpixel(point) for point in ((100, 50), (1100, 50), (100, 1450), (1100, 1450), (600, 700))]
    assert colours == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0), (255, 255, 255)]


def test_a_point_of_the_picture_is_a_point_that_can_be_clicked(
    tabwire: Tabwire, site: Site, page: ShownPage, condition: Condition
) -> None:
    """As a client does it that only looks at the picture of what is in view, and reads where a part of the page begins."""
    spot = f"<button id=spot {at(311, 187, 24, 24, 'background: red; border: 0')} onclick='globalThis.hit = 1'></button>"
    tabwire.open(site.page(f"{PLACED}{ROOM}{spot}"))
    reply = tabwire.ok("screenshot")
    picture = opened(reply)
    corner = CORNER.search(reply.text)
    assert (corner is None) == (condition.pinch == 1), reply.text
    left, top = map(int, corner.groups()) if corner else (0, 0)
    pixels = picture.tobytes()
    red = [place // 3 for place in range(0, len(pixels), 3) if pixels[place : place + 3] == b"\xff\0\0"]
    # In the middle of its middle line; the pixels of a line follow each other.
    y, x = divmod(red[len(red) // 2 + 12], picture.width)
    tabwire.ok("click", coordinates={"x": x + left, "y": y + top})
    assert page.evaluate("globalThis.hit") == 1
