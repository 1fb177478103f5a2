"""Scrolling without an element where a frame fills the page: its document is what a person would scroll."""

from collections.abc import Callable

import pytest

from e2e.client import Tabwire
from e2e.conftest import InputMode, ShownPage
from e2e.site import Site

HEARS = "<script>addEventListener('message', ({ data }) => { globalThis.at = data; });</script>"
TALL = "<div style='height: 5000px'>Tall</div><script>onscroll = () => top.postMessage(scrollY, '*')</script>"
FILLING = "position: fixed; inset: 0; width: 100%; height: 100%; border: 0"
BOX = (
    "<body style='margin: 0'><div id=box style='height: 100vh; overflow: auto'><div style='height: 5000px'></div></div>"
    "<script>box.onscroll = () => top.postMessage(box.scrollTop, '*')</script>"
)


def framed(url: str, style: str = FILLING) -> str:
    return f"<body style='margin: 0'><iframe title=Inner src='{url}' style='{style}'></iframe>"


PAGES: dict[str, Callable[[Site], str]] = {
    "of the same site": lambda site: HEARS + framed(site.page(TALL)),
    "of another site": lambda site: HEARS + framed(site.cross_page(TALL)),
    "in a frame": lambda site: HEARS + framed(site.cross_page(framed(site.page(TALL)))),
    "with a box that scrolls": lambda site: HEARS + framed(site.page(BOX)),
    "of a frameset": lambda site: (
        f"<head>{HEARS}</head><frameset cols='20%,80%'><frame src='{site.page('Menu')}'><frame src='{site.page(TALL)}'></frameset>"
    ),
}


def assert_scrolled(tabwire: Tabwire, page: ShownPage) -> None:
    """Assert the places that the frame itself has come to, in its CSS pixels."""
    reply = tabwire.ok("scroll", direction="down", amount=700)
    page.wait_for("Math.round(globalThis.at) === 700")
    assert reply.data["moved"] == {"x": 0, "y": 700}
    tabwire.ok("scroll", direction="up", amount=300)
    page.wait_for("Math.round(at) === 400")
    tabwire.ok("scroll", position={"y": 1200})
    page.wait_for("Math.round(at) === 1200")


@pytest.mark.parametrize("kind", PAGES)
def test_the_document_of_a_frame_that_fills_the_page_is_scrolled(mode: InputMode, kind: str) -> None:
    mode.show(PAGES[kind](mode.site))
    assert_scrolled(mode.tabwire, mode.page)


@pytest.mark.conditions
def test_it_is_scrolled_by_the_distance_on_every_screen(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGES["of another site"](site)))
    assert_scrolled(tabwire, page)


@pytest.mark.parametrize("around", ["<div style='height: 3000px'>Page</div>", ""], ids=["a page that scrolls", "a small frame"])
def test_a_frame_that_does_not_fill_the_page_or_is_in_one_that_scrolls_is_left(mode: InputMode, around: str) -> None:
    style = FILLING if around else "width: 200px; height: 200px"
    mode.show(HEARS + framed(mode.site.page(TALL), style) + around)
    reply = mode.tabwire.ok("scroll", direction="down", amount=200)
    assert mode.page.evaluate("scrollY") == reply.data["moved"]["y"] == (200 if around else 0)
    assert mode.page.evaluate("globalThis.at ?? 0") == 0
