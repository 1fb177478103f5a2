"""One scroll moves a page once, however late the page hears of the wheel and of its movement."""

from collections.abc import Iterator

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

TALL = "<div style='height: 9000px'></div>"
HOLD = "globalThis.hold = (ms) => { const began = performance.now(); while (performance.now() - began < ms); };"
LATE = {
    "held by the wheel": "addEventListener('wheel', () => hold(2000), { passive: true, once: true })",
    "held by its movement": "addEventListener('scroll', () => hold(2000), { once: true })",
    "held in every frame": "const draw = () => { hold(400); requestAnimationFrame(draw) }; draw()",
}
BEFORE_WHEEL = """((expression, ms) => {
  const send = chrome.debugger.sendCommand;
  globalThis.restore = () => { chrome.debugger.sendCommand = send };
  chrome.debugger.sendCommand = async (tab, method, params, ...rest) => {
    if (params?.type === "mouseWheel") {
      await send.call(chrome.debugger, tab, "Runtime.evaluate", { expression });
      await new Promise((resolve) => { setTimeout(resolve, ms) });
    }
    return send.call(chrome.debugger, tab, method, params, ...rest);
  };
})"""
"""Run in the worker: a script runs in the page right before each turn of the wheel, which follows so many ms later."""


@pytest.fixture
def restored(browser: Browser) -> Iterator[None]:
    yield
    browser.in_worker("restore()")


def down_and_up(tabwire: Tabwire, page: ShownPage) -> list[tuple[int, int]]:
    """Distances from the start of the places that two scrolls come to, as the page has them and as the replies say."""
    places = []
    start = page.evaluate("visualViewport.pageTop")
    for direction, amount in (("down", 900), ("up", 300)):
        reply = tabwire.ok("scroll", direction=direction, amount=amount)
        places.append((round(page.evaluate("visualViewport.pageTop") - start), round(reply.data["position"]["y"] - start)))
    return places


@pytest.mark.parametrize("late", LATE)
def test_a_late_page_is_scrolled_once(tabwire: Tabwire, site: Site, page: ShownPage, late: str) -> None:
    tabwire.open(site.page(f"{TALL}<script>{HOLD} {LATE[late]}</script>"))
    assert down_and_up(tabwire, page) == [(900, 900), (600, 600)]


@pytest.mark.conditions
@pytest.mark.usefixtures("restored")
def test_the_end_of_an_earlier_scroll_is_not_that_of_the_wheel(
    tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage
) -> None:
    """The page hears of that end in a frame that began before the wheel turned, and which is late."""
    tabwire.open(site.page(f"{TALL}<script>{HOLD}</script>"))
    earlier = "scrollBy(0, 40); scrollBy(0, -40); setTimeout(hold, 0, 600)"
    browser.in_worker(f"{BEFORE_WHEEL}({earlier!r}, 150)")
    assert down_and_up(tabwire, page) == [(900, 900), (600, 600)]
