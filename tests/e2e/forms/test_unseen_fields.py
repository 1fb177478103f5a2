"""A field that no one can see: snapshots mark it, and the reply of `fill` says so."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab


def test_filling_a_trap_says_that_no_one_can_see_it(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<input id=t aria-label=Website style='position:absolute;left:-5000px'><input aria-label=Name>"))
    assert "[unseen]" in next(line.text for line in tabwire.lines() if line.name == "Website")
    reply = tabwire.ok("fill", selector=tabwire.ref("textbox", "Website"), value="x", force=True)
    assert "no one can see this field" in reply.text
    assert page.evaluate("t.value") == "x"
    assert "no one can see" not in tabwire.ok("fill", selector="label:Name", value="Ann").text
