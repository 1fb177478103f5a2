"""Places in frames: whatever the screen, the zoom and the styles around a frame, the pointer comes to the point that was named."""

import random
from collections.abc import Iterator

import pytest

from e2e.conditions.condition import Condition
from e2e.conftest import Launched, ShownPage
from e2e.input.frame_nestings import DevToolsMap, Nesting, Point
from e2e.site import Site

SEED = 45
SCREENS = (
    Condition("scale 1"),
    Condition("scale 1.25", device_scale=1.25),
    Condition("scale 2 and zoom 150", device_scale=2, default_zoom=1.5),
    Condition("scale 3 and zoom 67", device_scale=3, default_zoom=0.67),
    Condition("pinched", pinch=1.5),
)
NESTINGS = 8
POINTS = 2
NEAR_PX = 0.5
"""Within a frame, in its own CSS pixels."""

SPY = """(() => {
  const send = chrome.debugger.sendCommand;
  globalThis.moved = [];
  chrome.debugger.sendCommand = (tab, method, params, ...rest) => {
    if (params?.type === "mouseMoved") moved.push([params.x, params.y]);
    return send.call(chrome.debugger, tab, method, params, ...rest);
  };
})()"""
"""Run in the worker: keeps the places to which the debugger is told to move the pointer."""


@pytest.fixture(scope="module", params=SCREENS, ids=lambda screen: screen.name)
def screened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launched]:
    launched = Launched(tmp_path_factory.mktemp("places"), condition=request.param)
    launched.tabwire.ok("tab_list")
    launched.browser.in_worker(SPY)
    yield launched
    launched.close()


def test_a_point_of_a_frame_is_mapped_onto_the_window_and_back(screened: Launched, site: Site) -> None:
    """The way there is Tabwire's; the way back is Chrome's, by its hit test and by DevTools."""
    chance, page = random.Random(SEED), ShownPage(screened.browser)
    device_px = 1 / (screened.condition.device_scale * screened.condition.default_zoom)
    wrong: list[str] = []
    seen_count = 0
    for number in range(NESTINGS):
        nesting = Nesting(site, chance)
        if screened.condition.pinch != 1 and nesting.process_count > 1:
            # Chrome does not give events of a pinched page to the place where it draws a process's frame within another one's.
            continue
        screened.tabwire.open(nesting.url)
        known = DevToolsMap(screened.browser, nesting)
        frame = frame_id(screened, nesting.frames[-1].url)
        for point in nesting.points(chance, POINTS):
            page.evaluate("globalThis.seen = null")
            reply = screened.tabwire.call("hover", coordinates={"x": point[0], "y": point[1]}, frameId=frame)
            told = known.in_frame(screened.browser.in_worker("moved.at(-1)"))
            if nesting.is_mapped_by_devtools and distance(told, point) >= NEAR_PX:
                wrong.append(f"{number}: {point} is {told} for DevTools: {nesting.styles}")
            seen = page.evaluate("globalThis.seen && [seen.x, seen.y]")
            seen_count += bool(seen)
            # Other frames, or the edge of the window, may hide the point.
            if reply.is_error is not (seen is None):
                wrong.append(f"{number}: {point} is {seen} for the page, but the reply is {reply.text}")
            # A scaled frame has its own pixels.
            if seen and distance(seen, point) >= NEAR_PX + 2 * nesting.slack * device_px:
                wrong.append(f"{number}: {point} is {seen} for the page: {nesting.styles}")
    assert not wrong, "\n".join(wrong)
    assert seen_count > NESTINGS * POINTS / 3


def distance(one: Point, other: Point) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def frame_id(launched: Launched, url: str) -> int:
    """The id by which Chrome's extensions know a frame."""
    found = (
        f"chrome.webNavigation.getAllFrames({{ tabId: tab.id }}).then((all) => all.find((one) => one.url === '{url}').frameId)"
    )
    return int(launched.browser.in_worker(f"chrome.tabs.query({{ active: true }}).then(([tab]) => {found})"))
