"""screenshot: the right pixels, of the right part, in the right size, without bringing anything to the front."""

import base64
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import Joined, Launched, ShownPage
from e2e.site import Site
from e2e.worker import attached

pytestmark = pytest.mark.same_tab

RED, GREEN, BLUE, WHITE = [255, 0, 0, 255], [0, 128, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]
# A red box at the top, a green one 3000 px down, blue between them.
PAGE = """<style>body { margin: 0; background: blue; width: 600px } div { width: 100px; height: 50px }</style>
<div id=red style="background: red"></div><p style="height: 2950px; margin: 0"></p><div id=green style="background: green"></div>"""
MAX_SIDE = 2000
MAX_BASE64 = 700_000


IN_VIEW = "(({ offsetLeft, offsetTop, width, height }) => [offsetLeft, offsetTop, Math.round(width), Math.round(height)])(visualViewport)"
"""The part of the viewport that is in view: all of it but in a pinched page."""


class Picture:
    """A decoded screenshot; the browser decodes it."""

    def __init__(self, reply: Reply, page: ShownPage) -> None:
        (image,) = reply.images
        self.kind = image.mime_type
        self.length = len(image.data)
        self._source = f"data:{image.mime_type};base64,{image.data}"
        self._page = page
        self.size = tuple(self._look("[picture.width, picture.height]"))

    def _look(self, expression: str) -> Any:
        return self._page.evaluate(
            f"""(async () => {{
              const picture = await createImageBitmap(await (await fetch("{self._source}")).blob());
              const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d", {{ willReadFrequently: true }});
              context.drawImage(picture, 0, 0);
              return {expression};
            }})()"""
        )

    def pixel(self, x: int, y: int) -> list[int]:
        found: list[int] = self._look(f"[...context.getImageData({x}, {y}, 1, 1).data]")
        return found

    def column(self, x: int) -> list[list[int]]:
        found: list[list[int]] = self._look(
            f"""Array.from({{ length: picture.height }}, (_, y) => [...context.getImageData({x}, y, 1, 1).data])"""
        )
        return found


def shoot(tabwire: Tabwire, page: ShownPage, **arguments: object) -> Picture:
    return Picture(tabwire.ok("screenshot", **arguments), page)


@pytest.mark.conditions
def test_the_viewport_is_the_default(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    # The viewport is the default.
    before = page.evaluate(IN_VIEW)
    picture = shoot(tabwire, page)
    left, top, width, height = page.evaluate(IN_VIEW)
    assert abs(picture.size[0] - width) <= 20
    # Chrome's notice of a debugger, which comes and goes when it likes, takes height from the page of a window.
    assert picture.size[1] in (before[3], height)
    assert (picture.kind, picture.pixel(300, 300)) == ("image/png", BLUE)
    if (left, top) == (0, 0):
        assert picture.pixel(5, 5) == RED


@pytest.mark.conditions
def test_an_element_below_the_fold_is_pictured_alone_in_as_many_pixels_as_are_asked_for(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page(PAGE))
    picture = shoot(tabwire, page, selector="#green")
    assert (picture.size, picture.pixel(1, 1), picture.pixel(98, 48)) == ((100, 50), GREEN, GREEN)
    assert shoot(tabwire, page, selector="#red", scale=2).size == (200, 100)
    assert shoot(tabwire, page, selector="#red", scale=0.5).size == (50, 25)


@pytest.mark.conditions
def test_a_clip_is_counted_from_the_top_of_the_page(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    page.evaluate("scrollTo(0, 500)")
    assert shoot(tabwire, page, clip={"x": 0, "y": 0, "width": 60, "height": 40}).pixel(30, 20) == RED
    picture = shoot(tabwire, page, clip={"x": 90, "y": 2990, "width": 60, "height": 40})
    assert (picture.size, picture.pixel(5, 20), picture.pixel(20, 20)) == ((60, 40), GREEN, BLUE)


@pytest.mark.conditions
def test_the_full_page_holds_what_is_below_the_fold(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    page.evaluate("scrollTo(0, 500)")
    reply = tabwire.ok("screenshot", full_page=True)
    picture = Picture(reply, page)
    assert max(picture.size) <= MAX_SIDE
    assert "shown at" in reply.text
    assert picture.pixel(5, 5) == RED
    assert picture.pixel(5, picture.size[1] - 5) == GREEN


def test_a_clip_that_reaches_beyond_the_page_is_cut_and_says_so(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    reply = tabwire.ok("screenshot", clip={"x": -20, "y": -10, "width": 60, "height": 40})
    assert "only the part inside the page" in reply.text
    picture = Picture(reply, page)
    assert (picture.size, picture.pixel(1, 1)) == ((40, 30), RED)
    width, height = Picture(tabwire.ok("screenshot", clip={"x": 10, "y": 3000, "width": 50, "height": 500}), page).size
    assert (width, height) == (50, 50)
    for x, y in ((-500, 0), (0, 9000)):
        reply = tabwire.fails("screenshot", clip={"x": x, "y": y, "width": 60, "height": 40})
        assert reply.code == "invalid_argument"
        assert "3050 px high" in reply.text
    assert tabwire.fails("screenshot", clip={"x": 0, "y": 0, "width": 0, "height": 40}).is_error
    assert "exclude each other" in tabwire.fails("screenshot", full_page=True, selector="#red").text


def test_a_very_long_page_is_cut_and_says_where_to_go_on(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<body style='margin: 0'><p style='height: 30000px; margin: 0'>Long</p>"))
    reply = tabwire.ok("screenshot", full_page=True)
    assert "for what follows, scroll there and leave full_page out" in reply.text
    assert Picture(reply, page).size[1] <= MAX_SIDE


def test_a_picture_has_the_format_that_was_asked_for(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    for kind in ("jpeg", "webp"):
        picture = shoot(tabwire, page, format=kind, quality=60)
        assert picture.kind == f"image/{kind}"
        red, green, blue, _ = picture.pixel(20, 20)
        assert red > 200, kind
        assert max(green, blue) < 60, kind


def test_the_reply_says_how_large_the_picture_is(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(PAGE))
    for kind in ("png", "jpeg", "webp"):
        file = tmp_path / f"picture.{kind}"
        told = tabwire.ok("screenshot", clip={"x": 0, "y": 0, "width": 61, "height": 43}, save_path=str(file)).data
        with Image.open(file) as saved_picture:
            assert (told["width"], told["height"]) == saved_picture.size == (61, 43), kind
            assert saved_picture.format == kind.upper()


def test_a_saved_picture_keeps_its_size(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page(PAGE))
    file = tmp_path / "page.png"
    reply = tabwire.ok("screenshot", full_page=True, save_path=str(file))
    assert reply.images == []
    content = file.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[20:24], "big") == page.evaluate("document.documentElement.scrollHeight") == 3050


def test_omit_background_leaves_holes_and_the_page_as_it_was(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<p>Text</p>"))
    assert shoot(tabwire, page, omit_background=True).pixel(600, 400)[3] == 0
    assert shoot(tabwire, page, scale=0.9).pixel(500, 350) == WHITE
    assert tabwire.fails("screenshot", omit_background=True, format="jpeg").code == "invalid_argument"


def test_a_picture_with_too_many_bytes_is_sent_smaller_and_says_so(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    noise = """<canvas id=c width=1200 height=640></canvas><script>
    const context = c.getContext("2d"), data = context.createImageData(1200, 640);
    for (let at = 0; at < data.data.length; at += 1) data.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
    context.putImageData(data, 0, 0);</script>"""
    tabwire.open(site.page(noise))
    reply = tabwire.ok("screenshot")
    picture = Picture(reply, page)
    assert picture.length <= MAX_BASE64
    assert "sent as jpeg" in reply.text


@pytest.mark.conditions
def test_a_hidden_tab_is_pictured_where_it_is(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    hidden = tabwire.ok("tab_new", url=site.page(PAGE)).data["tabId"]
    shown = site.page("<h1>In front</h1>")
    tabwire.ok("tab_new", url=shown)
    for _ in range(4):
        assert shoot(tabwire, page, tabId=hidden, clip={"x": 0, "y": 0, "width": 60, "height": 40}).pixel(30, 20) == RED
    tabwire.ok("evaluate", tabId=hidden, expression="red.style.background = 'green', 1")
    assert shoot(tabwire, page, tabId=hidden).pixel(30, 20) == GREEN
    assert page.url == shown


@pytest.mark.fresh_tab
def test_an_empty_tab_has_a_picture(tabwire: Tabwire, page: ShownPage) -> None:
    tabwire.ok("tab_new")
    encoded = tabwire.ok("screenshot").images[0].data
    assert base64.b64decode(encoded).startswith(b"\x89PNG")


def test_an_open_dialog_does_not_hold_a_picture(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button onclick='alert(1)'>Ask</button>"))
    tabwire.ok("click", selector=tabwire.ref("button", "Ask"))
    reply = tabwire.ok("screenshot")
    assert "alert dialog is open" in reply.text
    assert tabwire.fails("screenshot", full_page=True).code == "dialog_pending"


def saved(tabwire: Tabwire, path: Path, **arguments: object) -> tuple[Image.Image, str]:
    reply = tabwire.ok("screenshot", save_path=str(path), **arguments)
    with Image.open(path) as picture:
        picture.load()
    return picture, reply.text


SEEN_BY_NOBODY = """<p id=none style='display: none'>x</p><p id=hidden style='visibility: hidden'>Hidden</p>
<p id=away style='position: absolute; left: -9999px'>Away</p>"""


def test_what_has_no_picture_is_an_error(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(SEEN_BY_NOBODY))
    for selector in ("#none", "#hidden", "#away"):
        failed = tabwire.fails("screenshot", selector=selector)
        assert failed.code == "element_not_interactable", selector
    assert tabwire.fails("screenshot", selector="#absent").code == "no_such_element"


def test_a_file_holds_a_page_that_no_surface_holds(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    stripes = "".join(f"<div style='height: 1000px; background: rgb({n * 8}, {255 - n * 8}, 0)'></div>" for n in range(20))
    tabwire.open(site.page(f"<body style='margin: 0; width: 300px; overflow-x: hidden'>{stripes}"))
    clip = {"x": 0, "y": 0, "width": 100, "height": 20_000}
    picture, _ = saved(tabwire, tmp_path / "page.png", clip=clip)
    assert picture.size == (100, 20_000)
    assert [picture.getpixel((50, n * 1000 + edge))[:2] for n in range(20) for edge in (0, 999)] == [
        (n * 8, 255 - n * 8) for n in range(20) for _ in (0, 999)
    ]
    picture, text = saved(tabwire, tmp_path / "page.webp", clip=clip)
    assert picture.height == 16_383
    assert "holds no more than" in text


def test_the_suffix_of_a_file_says_what_it_is(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(PAGE))
    for name, kind in (("a.jpg", "JPEG"), ("a.JPEG", "JPEG"), ("a.webp", "WEBP"), ("a.png", "PNG")):
        assert saved(tabwire, tmp_path / name)[0].format == kind
    plain = Path(tabwire.ok("screenshot", save_path=str(tmp_path / "plain"), format="webp").data["path"])
    assert plain == tmp_path / "plain.webp"
    assert plain.read_bytes()[8:12] == b"WEBP"
    for wrong in ({"save_path": "a.png", "format": "jpeg"}, {"save_path": "a.txt"}):
        assert "that agree" in tabwire.fails("screenshot", **wrong).text
    assert tabwire.fails("screenshot", save_path="/etc/a.png").code == "permission_denied"
    theirs = tmp_path / "theirs.png"
    theirs.write_text("theirs")
    assert "overwrite: true" in tabwire.fails("screenshot", save_path=str(theirs)).text
    assert theirs.read_text() == "theirs"
    tabwire.ok("screenshot", save_path=str(theirs), overwrite=True)
    tabwire.ok("screenshot", save_path=str(theirs))
    assert theirs.read_bytes().startswith(b"\x89PNG") and theirs.stat().st_mode & 0o777 == 0o600


def test_a_zoomed_page_in_a_browser_of_the_users(own: Launched, site: Site) -> None:
    client, front = own.tabwire, ShownPage(own.browser)
    client.ok("navigate", url=site.page(PAGE))
    (tab,) = [one["tabId"] for one in client.tabs() if one["active"]]
    own.browser.in_worker(f"chrome.tabs.setZoom({tab}, 2)")
    try:
        front.wait_for("devicePixelRatio === 2")
        # The picture is of what the window shows, so the page has to be drawn in its new size first.
        front.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))")
        picture = shoot(client, front)
        assert picture.size == pytest.approx(front.evaluate("[innerWidth, innerHeight]"), abs=1)
        assert (picture.pixel(97, 47), picture.pixel(103, 53)) == (RED, BLUE)
        assert attached(own.browser) == 0
    finally:
        own.browser.in_worker(f"chrome.tabs.setZoom({tab}, 0)")


def test_quick_pictures_one_after_another_in_a_browser_of_the_users(own: Launched, site: Site) -> None:
    client, front = own.tabwire, ShownPage(own.browser)
    client.ok("navigate", url=site.page(PAGE))
    for _ in range(4):
        assert shoot(client, front).pixel(30, 20) == RED


@pytest.mark.conditions
def test_an_element_higher_than_the_window_is_pictured_whole(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tall = "<div id=tall style='width: 50px; height: 1500px; background: linear-gradient(red 50%, green 50%)'></div>"
    tabwire.open(site.page(f"<p style='height: 300px'></p>{tall}<p style='height: 900px'></p>"))
    picture = shoot(tabwire, page, selector="#tall")
    assert (picture.size, picture.pixel(25, 10), picture.pixel(25, 1490)) == ((50, 1500), RED, GREEN)


def test_pictures_of_a_tab_behind_others_are_taken_one_after_the_other(own: Joined, site: Site) -> None:
    """Chrome hung at about every second one of an element that is higher than the window."""
    url = site.page("<div id=tall style='width: 50px; height: 1500px; background: linear-gradient(red 50%, green 50%)'></div>")
    tab = own.tabwire.ok("tab_new", url=url, active=False).data["tabId"]
    for _ in range(8):
        picture = Picture(own.tabwire.ok("screenshot", selector="#tall", tabId=tab), ShownPage(own.browser))
        assert (picture.size, picture.pixel(25, 10), picture.pixel(25, 1490)) == ((50, 1500), RED, GREEN)


@pytest.mark.conditions
def test_an_element_in_a_frame_or_a_shadow_root(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    far = site.cross_page(
        "<body style='margin: 0'><p style='height: 500px'></p><div id=box style='width: 40px; height: 30px; background: red'></div>"
    )
    large = site.cross_page("<body style='margin: 0'><div id=large style='width: 500px; height: 500px; background: red'></div>")
    shadows = "".join(
        f'<div id={mode}Host></div><script>{mode}Host.attachShadow({{ mode: "{mode}" }}).innerHTML = '
        f"`<div role=button aria-label={mode} style='width: 40px; height: 30px; background: red'></div>`</script>"
        for mode in ("open", "closed")
    )
    tabwire.open(
        site.page(
            f"<body style='background: blue'><p>Above</p><iframe style='border: 7px solid; height: 200px' src='{far}'></iframe>{shadows}"
            f"<iframe style='border: 0; width: 200px; height: 100px' src='{large}' scrolling=no></iframe>"
        )
    )
    for selector in ("#box", "#large"):
        tabwire.ok("wait", **{"for": "selector", "selector": selector})
    # Where an edge lies between two device pixels it has a colour between the two.
    edge = 1 if page.evaluate("devicePixelRatio * visualViewport.scale % 1 === 0") else 3
    for selector in ("#box", tabwire.ref("button", "open"), tabwire.ref("button", "closed")):
        picture = shoot(tabwire, page, selector=selector)
        corners = picture.pixel(edge, edge), picture.pixel(39 - edge, 29 - edge)
        assert (picture.size, *corners) == ((40, 30), RED, RED), selector
    # Of one that is larger than its frame only what the frame shows.
    picture = shoot(tabwire, page, selector="#large")
    assert (picture.size, picture.pixel(198, 98)) == ((200, 100), RED)


def test_a_picture_of_what_is_in_view_does_not_resize_the_page(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE + "<script>let resizes = 0; addEventListener('resize', () => resizes += 1)</script>"))
    tabwire.ok("screenshot", full_page=True)  # The debugger is attached from here on.
    page.evaluate("resizes = 0")
    shoot(tabwire, page)
    shoot(tabwire, page, selector="#red")
    shoot(tabwire, page, clip={"x": 0, "y": 0, "width": 60, "height": 40})
    assert page.evaluate("new Promise((done) => setTimeout(() => done(resizes), 100))") == 0


@pytest.mark.conditions
def test_a_fixed_header_is_on_the_full_page_once(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    header = "<header style='position: fixed; top: 0; width: 100%; height: 60px; background: green'></header>"
    tabwire.open(site.page(f"<body style='margin: 0; background: blue'>{header}<p style='height: 2900px'>Long</p>"))
    page.evaluate("scrollTo(0, 1000)")
    picture = shoot(tabwire, page, full_page=True)
    column = picture.column(300)
    assert 40 * picture.size[1] / 2900 <= column.count(GREEN) <= 70 * picture.size[1] / 2900
    assert page.evaluate("scrollY") == 1000


@pytest.mark.fresh_tab
def test_a_pixel_of_the_picture_is_a_pixel_of_the_page_on_a_dense_screen(
    tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page(PAGE))
    tabwire.ok("hover", selector="#red")
    (tab,) = [one["tabId"] for one in tabwire.tabs() if one["active"]]
    metrics = "{ width: 700, height: 500, deviceScaleFactor: 2, mobile: false }"
    browser.in_worker(f"chrome.debugger.sendCommand({{ tabId: {tab} }}, 'Emulation.setDeviceMetricsOverride', {metrics})")
    picture = shoot(tabwire, page)
    assert 680 <= picture.size[0] <= 700
    assert (picture.size[1], picture.pixel(98, 48), picture.pixel(103, 53)) == (500, RED, BLUE)
    assert shoot(tabwire, page, selector="#red").size == (100, 50)
    assert shoot(tabwire, page, selector="#green", scale=2).size == (200, 100)


def test_a_zoomed_page(tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    (tab,) = [one["tabId"] for one in tabwire.tabs() if one["active"]]
    browser.in_worker(f"chrome.tabs.setZoom({tab}, 1.5)")
    try:
        page.wait_for("devicePixelRatio === 1.5")
        page.evaluate("scrollTo(0, 200)")
        for selector, colour in (("#red", RED), ("#green", GREEN)):
            picture = shoot(tabwire, page, selector=selector)
            assert (picture.size, picture.pixel(2, 2), picture.pixel(97, 47)) == ((100, 50), colour, colour)
        picture = shoot(tabwire, page, clip={"x": 90, "y": 2990, "width": 60, "height": 40})
        assert (picture.size, picture.pixel(5, 20), picture.pixel(20, 20)) == ((60, 40), GREEN, BLUE)
    finally:
        browser.in_worker(f"chrome.tabs.setZoom({tab}, 0)")


def test_quality_is_that_of_the_picture(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<p>Many words of a page</p>" * 20))
    for kind in ("jpeg", "webp"):
        low, high = (shoot(tabwire, page, format=kind, quality=quality).length for quality in (5, 95))
        assert low < high * 0.7
    assert "png knows no quality" in tabwire.ok("screenshot", quality=5).text
