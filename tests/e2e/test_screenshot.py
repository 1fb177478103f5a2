"""screenshot: the right pixels, of the right part, in the right size, without bringing anything to the front."""

import base64
from pathlib import Path
from typing import Any

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.plain import PlainChromium
from e2e.site import Site

RED, GREEN, BLUE, WHITE = [255, 0, 0, 255], [0, 128, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]
# A red box at the top, a green one 3000 px down, blue between them.
PAGE = """<style>body { margin: 0; background: blue; width: 600px } div { width: 100px; height: 50px }</style>
<div id=red style="background: red"></div><p style="height: 2950px; margin: 0"></p><div id=green style="background: green"></div>"""
MAX_SIDE = 2000
MAX_BASE64 = 700_000


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
              const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
              context.drawImage(picture, 0, 0);
              return {expression};
            }})()"""
        )

    def pixel(self, x: int, y: int) -> list[int]:
        found: list[int] = self._look(f"[...context.getImageData({x}, {y}, 1, 1).data]")
        return found


def shoot(tabwire: Tabwire, page: ShownPage, **arguments: object) -> Picture:
    return Picture(tabwire.ok("screenshot", **arguments), page)


def test_the_viewport_is_the_default(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    picture = shoot(tabwire, page)
    width, height = page.evaluate("[document.documentElement.clientWidth, document.documentElement.clientHeight]")
    assert abs(picture.size[0] - width) <= 20
    assert picture.size[1] == height
    assert (picture.kind, picture.pixel(5, 5), picture.pixel(300, 300)) == ("image/png", RED, BLUE)


def test_an_element_below_the_fold_is_pictured_alone(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    picture = shoot(tabwire, page, selector="#green")
    assert (picture.size, picture.pixel(1, 1), picture.pixel(98, 48)) == ((100, 50), GREEN, GREEN)


def test_an_element_in_a_frame_of_another_site(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page(
        "<body style='margin: 0'><p style='height: 500px'></p><div id=box style='width: 40px; height: 30px; background: red'></div>"
    )
    tabwire.open(site.page(f"<p>Above</p><iframe style='border: 7px solid; height: 200px' src='{inner}'></iframe>"))
    tabwire.ok("wait", **{"for": "selector", "selector": "#box"})
    picture = shoot(tabwire, page, selector="#box")
    assert (picture.size, picture.pixel(1, 1), picture.pixel(38, 28)) == ((40, 30), RED, RED)


def test_a_clip_is_counted_from_the_top_of_the_page(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    page.evaluate("scrollTo(0, 500)")
    assert shoot(tabwire, page, clip={"x": 0, "y": 0, "width": 60, "height": 40}).pixel(30, 20) == RED
    picture = shoot(tabwire, page, clip={"x": 90, "y": 2990, "width": 60, "height": 40})
    assert (picture.size, picture.pixel(5, 20), picture.pixel(20, 20)) == ((60, 40), GREEN, BLUE)


def test_the_full_page_holds_what_lies_below_the_fold(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    reply = tabwire.ok("screenshot", full_page=True)
    picture = Picture(reply, page)
    assert max(picture.size) <= MAX_SIDE
    assert "shown at" in reply.text
    assert picture.pixel(5, 5) == RED
    assert picture.pixel(5, picture.size[1] - 5) == GREEN


def test_a_very_long_page_is_cut_and_says_where_to_go_on(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<body style='margin: 0'><p style='height: 30000px; margin: 0'>Long</p>"))
    reply = tabwire.ok("screenshot", full_page=True)
    assert "clip with y 4000" in reply.text
    assert Picture(reply, page).size[1] <= MAX_SIDE


@pytest.mark.parametrize("kind", ["jpeg", "webp"])
def test_other_formats(tabwire: Tabwire, site: Site, page: ShownPage, kind: str) -> None:
    tabwire.open(site.page(PAGE))
    picture = shoot(tabwire, page, format=kind, quality=60)
    assert picture.kind == f"image/{kind}"
    red, green, blue, _ = picture.pixel(20, 20)
    assert red > 200
    assert max(green, blue) < 60


def test_scale_changes_the_number_of_pixels(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    assert shoot(tabwire, page, selector="#red", scale=2).size == (200, 100)
    assert shoot(tabwire, page, selector="#red", scale=0.5).size == (50, 25)


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


def test_a_saved_picture_keeps_its_size(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page(PAGE))
    file = tmp_path / "page.png"
    reply = tabwire.ok("screenshot", full_page=True, save_path=str(file))
    assert reply.images == []
    content = file.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[20:24], "big") == page.evaluate("document.documentElement.scrollHeight") == 3050


def test_a_hidden_tab_is_pictured_where_it_is(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    hidden = tabwire.ok("tab_new", url=site.page(PAGE)).data["tabId"]
    shown = site.page("<h1>In front</h1>")
    tabwire.ok("tab_new", url=shown)
    for _ in range(4):
        assert shoot(tabwire, page, tabId=hidden, clip={"x": 0, "y": 0, "width": 60, "height": 40}).pixel(30, 20) == RED
    tabwire.ok("evaluate", tabId=hidden, expression="red.style.background = 'green', 1")
    assert shoot(tabwire, page, tabId=hidden).pixel(30, 20) == GREEN
    assert page.url == shown


def test_quick_pictures_one_after_another_in_a_browser_of_the_users(plain: PlainChromium, site: Site) -> None:
    tabwire = plain.serve()
    page = ShownPage(plain.browser)
    tabwire.ok("navigate", url=site.page(PAGE))
    for _ in range(4):
        assert shoot(tabwire, page).pixel(30, 20) == RED


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


def test_what_has_no_picture_is_an_error(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p id=none style='display: none'>x</p>"))
    assert tabwire.fails("screenshot", selector="#none").code == "element_not_interactable"
    assert tabwire.fails("screenshot", selector="#absent").code == "no_such_element"
