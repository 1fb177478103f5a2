"""Boxes without words in snapshots and `find`, and elements that listen to the right button alone."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

TABLE = """<style>i, span, div.box { display: inline-block; width: 16px; height: 16px; background: green }</style>
<table><tr><th>Order<th>State<tr><td>1002<td><span aria-label=Overdue></span><tr><td>1007<td><div class=box title=Lost></div></table>
<p>Build <i title=passing></i></p>"""


def test_names_of_boxes_without_words_are_read_and_found(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(TABLE))
    text = tabwire.snapshot()
    assert "row: 1002 | Overdue" in text
    assert "row: 1007 | Lost" in text
    found = tabwire.ok("find", text="Overdue")
    assert "1 line matches" in found.text
    assert 'generic "passing"' in tabwire.ok("find", text="passing").text


def test_what_listens_to_the_right_button_alone_is_marked_and_takes_it(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<b id=a>File</b><script>a.addEventListener('contextmenu', (event) => "
            "{ event.preventDefault(); globalThis.menu = event.button })</script>"
        )
    )
    line = next(line for line in tabwire.lines() if line.name == "File")
    assert "[right-clickable]" in line.text
    assert "[clickable]" not in line.text
    tabwire.ok("click", selector=line.ref, button="right")
    assert page.evaluate("menu") == 2
