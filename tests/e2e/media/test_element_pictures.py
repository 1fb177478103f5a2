"""A picture of an element shows that element, on every screen and in every frame."""

import base64
import io
from typing import Any

import pytest
from PIL import Image

from e2e.client import Reply, Tabwire
from e2e.conditions.condition import Condition
from e2e.conftest import Launched, ShownPage
from e2e.site import Site

pytestmark = [pytest.mark.same_tab, pytest.mark.conditions]

BOX = "<div role=img aria-label='{name}' style='position: absolute; left: {x}px; top: {y}px; width: 100px; height: 50px; background: red'></div>"
INNER = "<body style='margin: 0; background: blue; height: 400px'>" + BOX.format(name="Inner", x=37, y=21)
FRAME = "position: absolute; width: 200px; height: 120px; border: 3px solid; padding: 4px"
EDGE_PX = 3
"""Chrome rounds the place of each frame around an element to whole pixels of the screen: its edge is mixed with what is beside it."""
TABS_AND_ADDRESS_PX = 100
"""Height at most of what a window of Chrome has above its page, in CSS pixels. Notices come on top."""


def picture_of(reply: Reply) -> Image.Image:
    (image,) = reply.images
    return Image.open(io.BytesIO(base64.b64decode(image.data))).convert("RGB")


def is_all_red(picture: Image.Image) -> bool:
    width, height = picture.size
    inner = picture.crop((EDGE_PX, EDGE_PX, width - EDGE_PX, height - EDGE_PX))
    return all(red > 250 and green < 5 and blue < 5 for _, (red, green, blue) in inner.getcolors(maxcolors=width * height))


def test_a_picture_of_an_element_shows_it_and_nothing_else(tabwire: Tabwire, site: Site) -> None:
    nested = f"<body style='margin: 0; background: blue'><iframe src='{site.page(INNER)}' style='{FRAME}; left: 11px; top: 9px'></iframe>"
    frames = {
        "": site.page(INNER),
        "scale: .8": site.cross_page(INNER),
        "zoom: 1.25": site.cross_page(INNER),
        "zoom: .8": site.cross_page(nested),
        "top: 1500px": site.cross_page(INNER),
    }
    inside = "".join(
        f"<iframe src='{url}' style='{FRAME}; left: {20 + at % 2 * 320}px; top: {150 + at // 2 * 220}px; {style}'></iframe>"
        for at, (style, url) in enumerate(frames.items())
    )
    boxes = BOX.format(name="Top", x=33, y=47) + BOX.format(name="Low", x=33, y=1200)
    tabwire.open(site.page(f"<body style='margin: 0; background: blue; height: 2000px'>{boxes}{inside}"))
    pictures = [
        (line.text.strip(), picture_of(tabwire.ok("screenshot", selector=line.ref)))
        for line in tabwire.lines()
        if line.role == "img"
    ]
    assert [line for line, picture in pictures if not is_all_red(picture)] == []
    scales = [1, 1, 1, 0.8, 1.25, 0.8, 1]
    assert [picture.size for _, picture in pictures] == [pytest.approx((100 * scale, 50 * scale), abs=1) for scale in scales]


def test_a_picture_of_the_view_and_of_the_page_has_css_pixels(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """A point read from a picture is the same point of the page."""
    box = BOX.format(name="Top", x=33, y=47)
    tabwire.open(site.page(f"<body style='margin: 0; background: blue; height: 900px; width: 300px'>{box}"))
    view = "[visualViewport.width, visualViewport.height, visualViewport.offsetLeft, visualViewport.offsetTop]"
    for options in ({}, {"full_page": True}):
        shown: Any = page.evaluate(view)
        picture = picture_of(tabwire.ok("screenshot", **options))
        width, height, left, top = (*picture.size, 0, 0) if options else shown
        # Chrome's notice of a debugger may take height from the page meanwhile.
        lowest = height if options else min(height, page.evaluate(view)[1])
        assert abs(picture.size[0] - width) < 20
        assert lowest - 20 < picture.size[1] < height + 20
        if left == 0:
            seen = [picture.getpixel(point) for point in ((35, 49), (130, 94), (29, 44), (136, 100))]
            assert seen == [(255, 0, 0), (255, 0, 0), (0, 0, 255), (0, 0, 255)]


def test_a_picture_behind_a_dialog_has_css_pixels(
    tabwire: Tabwire, launched: Launched, site: Site, page: ShownPage, condition: Condition
) -> None:
    tabwire.open(site.page("<body style='margin: 0; background: blue'><button onclick='alert(1)'>Go</button>"))
    width = page.evaluate("innerWidth")
    if condition.is_own:
        # Chrome's notice of the debugger makes the page lower, also without a window to be seen, and a page that a dialog holds
        # is not drawn in another size.
        page.evaluate("resizedAt = 0, addEventListener('resize', () => { resizedAt = performance.now() })")
        tabwire.ok("hover", selector="button")
        above = f"outerHeight - innerHeight * {condition.site_zoom}"
        page.wait_for(f"{above} > {TABS_AND_ADDRESS_PX} && performance.now() - resizedAt > 500")
    # A dialog holds a page that was never drawn as it is: there is nothing to show.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    tabwire.ok("click", selector="button")
    reply = tabwire.ok("screenshot")
    assert "alert dialog is open" in reply.text
    assert picture_of(reply).width == pytest.approx(width, abs=1)
    tabwire.ok("dialog", action="accept")


@pytest.mark.parametrize("options", [{}, {"full_page": True}, {"selector": "iframe"}], ids=["view", "full page", "element"])
def test_a_frame_that_is_slow_to_draw_is_on_the_picture(tabwire: Tabwire, site: Site, options: dict[str, Any]) -> None:
    """Its process works on its first picture, while that of the page has long been drawn."""
    busy = (
        "<script>requestAnimationFrame(() => { const end = performance.now() + 700; while (performance.now() < end); })</script>"
    )
    frame = site.cross_page(f"{busy}<body style='background: red'>")
    top = "1400px" if "full_page" in options else "10px"
    tabwire.open(
        site.page(f"<body style='height: 1600px'><iframe src='{frame}' style='{FRAME}; left: 11px; top: {top}'></iframe>")
    )
    colours = picture_of(tabwire.ok("screenshot", **options)).getcolors(maxcolors=1_000_000)
    assert (255, 0, 0) in [colour for _, colour in colours or []]
