"""Paths of the pointer: it passes the points in their order, rests at each for as long as was asked for, and then does the act."""

import pytest

from e2e.client import Tabwire
from e2e.conditions.condition import Condition
from e2e.conftest import InputMode, ShownPage
from e2e.site import Site

SLACK_MS = 2
"""Timers of the worker and the clock of the page may differ by so much."""
BOX = "position: absolute; width: 40px; height: 40px; background: #ccc"
PAGE = f"""<body style="margin: 0"><div id=s style="{BOX}; left: 20px; top: 20px">S</div>
<div id=a style="{BOX}; left: 200px; top: 20px">A</div><div id=b style="{BOX}; left: 200px; top: 200px">B</div>
<div id=t style="{BOX}; left: 20px; top: 200px">T</div><script>globalThis.seen = []; globalThis.down = false;
addEventListener('pointerdown', () => {{ down = true }}); addEventListener('pointerup', (e) => {{ seen.push(['up', e.target.id]); down = false }});
const note = (e) => {{ const now = performance.now(); const last = seen.at(-1);
  if (last?.[0] === e.target.id) last[2] = now; else if (e.target.id) seen.push([e.target.id, now, now, down]) }};
addEventListener('pointermove', note);
globalThis.order = () => seen.map(([id]) => id);
globalThis.rested = (id) => {{ const at = seen.findIndex(([one]) => one === id); return seen[at + 1][1] - seen[at][1] }}</script>"""
PATH = [{"x": 220, "y": 40, "pause": 300}, {"x": 220, "y": 220, "pause": 500}]


@pytest.mark.conditions
def test_a_drag_passes_its_path(mode: InputMode, condition: Condition) -> None:
    mode.show(PAGE)
    mode.tabwire.ok("drag", source="#s", target="#t", path=PATH)
    assert mode.page.evaluate("order().filter((id) => id !== 's')") == ["a", "b", "t", "up"]
    assert mode.page.evaluate("seen.filter(([id]) => 'ab'.includes(id)).map((one) => one[3])") == [True, True]
    assert mode.page.evaluate("rested('a')") >= 300 - SLACK_MS
    assert mode.page.evaluate("rested('b')") >= 500 - SLACK_MS


@pytest.mark.conditions
def test_the_pointer_passes_a_path_before_it_hovers(mode: InputMode, condition: Condition) -> None:
    mode.show(PAGE)
    mode.tabwire.ok("hover", selector="#t", path=PATH)
    assert mode.page.evaluate("order()") == ["a", "b", "t"]
    assert mode.page.evaluate("rested('a')") >= 300 - SLACK_MS
    assert mode.page.evaluate("rested('b')") >= 500 - SLACK_MS


def test_the_pointer_really_moves_from_point_to_point(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(
        site.page(
            "<p style='height: 400px'>x</p><script>ys = []; addEventListener('pointermove', (e) => { ys.push(e.clientY) })</script>"
        )
    )
    tabwire.ok("hover", coordinates={"x": 50, "y": 300}, path=[{"x": 50, "y": 20}, {"x": 50, "y": 180}])
    ys = page.evaluate("ys")
    assert ys[0] == 20
    assert ys[-1] == 300
    assert ys == sorted(ys)
    assert len([y for y in ys if 20 < y < 180]) >= 5


def test_points_of_a_path_are_those_of_the_frame(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    framed = site.page(PAGE.replace("<div id=t", "<div role=button tabindex=0 id=t"))
    tabwire.open(site.page(f"<iframe id=f src='{framed}' style='margin: 60px; width: 400px; height: 300px'></iframe>"))
    tabwire.ok("hover", selector=tabwire.ref("button", "T"), path=PATH)
    assert page.evaluate("f.contentWindow.order()") == ["a", "b", "t"]


def test_a_path_that_rests_too_long_is_refused(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(PAGE))
    for path in ([{"x": 1, "y": 1, "pause": 6000}], [{"x": 1, "y": 1, "pause": 5000}] * 5, [{"x": 1}]):
        assert tabwire.fails("hover", selector="#t", path=path).code == "invalid_argument"
    assert page.evaluate("seen") == []
