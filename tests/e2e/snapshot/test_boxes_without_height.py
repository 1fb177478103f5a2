"""Boxes of widgets without a height, which are drawn by what overflows them: shown in snapshots, and clicked there."""

import pytest

from e2e.conftest import InputMode
from e2e.site import Site

FACE = "<div style='position: absolute; top: 0; left: 0; width: 280px; height: 30px; border: 1px solid'></div>"
BOXES = {
    "a list box": f"<div role=listbox aria-multiselectable=true tabindex=0 style='position: relative; height: 0'>{FACE}</div>",
    "a combobox in lines": f"<span role=combobox aria-expanded=false tabindex=0 style='position: relative; line-height: 0'>{FACE}</span>",
    "a box of floats": "<span role=combobox aria-expanded=false tabindex=0 style='height: 0'>"
    "<ul style='margin: 0; padding: 0'><li style='float: left; border: 1px solid; width: 90px; height: 24px'>Red</li></ul></span>",
    "a box with a hand": f"<div style='position: relative; height: 0; cursor: pointer' onclick='0'>{FACE}</div>",
}
PAGE = """<script>presses = 0</script><div id=shop>{box}</div><p style="clear: both; margin-top: 80px">Below</p>
<script>shop.firstChild.ariaLabel = 'Colours'; shop.firstChild.addEventListener('click', () => {{ presses += 1 }})</script>"""


@pytest.mark.parametrize("box", BOXES)
def test_a_box_without_height_is_shown_and_clicked(mode: InputMode, site: Site, box: str) -> None:
    mode.tabwire.open(site.page(PAGE.format(box=BOXES[box])))
    line = next(line for line in mode.tabwire.lines() if line.name == "Colours")
    assert "[unseen]" not in line.text
    mode.tabwire.ok("click", selector=line.ref)
    assert mode.page.evaluate("presses") == 1
