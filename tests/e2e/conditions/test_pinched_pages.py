"""Pages that the user has pinched: acts reach what they name, wherever it is drawn."""

from collections.abc import Callable

import pytest

from e2e.client import Tabwire
from e2e.conditions.condition import CONDITIONS
from e2e.conftest import Launched, ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

PINCH = CONDITIONS["pinch-150"]
COUNTED = """<style>button { position: absolute; width: 60px; height: 24px }</style>
<script>addEventListener('click', ({ target }) => top.postMessage(target.id || target.localName, '*'))</script>"""
TOP = """<meta name=viewport content='width=device-width'><body style='margin: 0; height: 1500px'>
<script>globalThis.got = []; addEventListener('message', ({ data }) => typeof data === 'string' && got.push(data))</script>"""
PLACES = {"near": (420, 260), "left": (5, 240), "right": (1180, 250), "above": (430, 2), "low": (430, 600), "far": (640, 1400)}


@pytest.fixture
def pinched(launched: Launched, site: Site) -> Callable[[str], None]:
    """Opens a page and pinches it about a point: less than half of the window is shown, from 100, 67 on."""

    def open_pinched(html: str) -> None:
        launched.tabwire.open(site.page(html))
        PINCH.settle_page(launched.browser)

    return open_pinched


def test_clicks_reach_what_is_shown_and_what_is_not(pinched: Callable[[str], None], tabwire: Tabwire, page: ShownPage) -> None:
    buttons = "".join(f"<button id={name} style='left: {x}px; top: {y}px'>{name}</button>" for name, (x, y) in PLACES.items())
    pinched(TOP + COUNTED + buttons)
    refs = {line.name: line.ref for line in tabwire.lines() if line.role == "button"}
    for name in PLACES:
        tabwire.ok("click", selector=refs[name])
    assert page.wait_for(f"got.length >= {len(PLACES)} && got") == list(PLACES)
    assert page.evaluate("visualViewport.scale") == pytest.approx(1.5)


@pytest.mark.parametrize("where", ["page", "cross_page"])
def test_clicks_reach_what_is_in_frames(
    pinched: Callable[[str], None], tabwire: Tabwire, site: Site, page: ShownPage, where: str
) -> None:
    inner = getattr(site, where)(f"{COUNTED}<button id=b style='left: 30px; top: 20px'>Go</button>")
    framed = [
        f"<iframe src='{inner}' style='position: absolute; left: {x}px; top: {y}px; width: 150px; height: 90px'></iframe>"
        for x, y in ((400, 250), (1100, 520), (40, 900))
    ]
    pinched(TOP + "".join(framed))
    refs = [line.ref for line in tabwire.lines() if line.role == "button"]
    for ref in refs:
        tabwire.ok("click", selector=ref)
    assert page.wait_for("got.length >= 3 && got") == ["b"] * 3


def test_points_are_those_of_the_page(pinched: Callable[[str], None], tabwire: Tabwire, page: ShownPage) -> None:
    pinched(TOP + COUNTED + "<button id=b style='left: 420px; top: 260px'>Go</button>")
    for tool in ("hover", "click"):
        tabwire.ok(tool, coordinates={"x": 450, "y": 272})
    assert page.wait_for("got.length && got") == ["b"]
    assert page.evaluate("b.matches(':hover')")


def test_the_wheel_moves_what_is_shown_by_the_distance(pinched: Callable[[str], None], tabwire: Tabwire, page: ShownPage) -> None:
    pinched(TOP)
    before = page.evaluate("visualViewport.pageTop")
    told = tabwire.ok("scroll", direction="down", amount=300).data
    assert page.evaluate("visualViewport.pageTop") - before == pytest.approx(300, abs=1)
    assert told["moved"]["y"] == pytest.approx(300, abs=1)
    assert "note" not in told
