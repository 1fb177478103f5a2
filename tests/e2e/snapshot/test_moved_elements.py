"""Elements that the page moves elsewhere: the same node keeps its ref, unless the words around it say that it means another thing."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

BUTTON = "<button id=it onclick='presses += 1'>Pay</button>"
SAME = {
    "out of a box into a footer": f"<div>{BUTTON}</div><footer id=there>Imprint</footer>",
    "out of a section into a dialog": f"<section><h1>Shop</h1>{BUTTON}</section><dialog open id=there>Sure?</dialog>",
    "out of a list into a box": f"<ul><li>{BUTTON}</li><li><button>Other</button></li></ul><div id=there></div>",
    "out of a toolbar into a menu": f"<ul><li>{BUTTON}</li><li><button>Other</button></li></ul><ul><li id=there></li><li>Help</li></ul>",
    "out of a cell into a box": f"<table><tr><td>{BUTTON}</td></tr></table><div id=there></div>",
    "into a shadow tree": f"<div>{BUTTON}</div><div id=host></div><script>there = host.attachShadow({{ mode: 'closed' }})</script>",
}
OTHER = {
    "from line to line": f"<ul><li>Milk {BUTTON}</li><li id=there>Tea</li></ul>",
    "out of a line": f"<ul><li>Milk {BUTTON}</li><li>Tea</li></ul><div id=there></div>",
}
MOVE = "there.appendChild(it); 1"


@pytest.mark.parametrize("layout", SAME)
def test_a_button_that_is_moved_keeps_its_ref(tabwire: Tabwire, page: ShownPage, site: Site, layout: str) -> None:
    tabwire.open(site.page(f"<script>presses = 0</script>{SAME[layout]}"))
    ref = tabwire.ref("button", "Pay")
    page.evaluate(MOVE)
    tabwire.ok("click", selector=ref)
    assert page.evaluate("presses") == 1
    assert tabwire.ref("button", "Pay") == ref


@pytest.mark.parametrize("layout", OTHER)
def test_a_button_that_has_left_its_line_is_refused_with_the_reason(
    tabwire: Tabwire, page: ShownPage, site: Site, layout: str
) -> None:
    tabwire.open(site.page(f"<script>presses = 0</script>{OTHER[layout]}"))
    ref = tabwire.ref("button", "Pay")
    page.evaluate(MOVE)
    reply = tabwire.fails("click", selector=ref)
    assert page.evaluate("presses") == 0
    assert 'was in the item that read "Milk Pay"; ' in reply.text
    assert ('that item reads "Tea Pay" now' if layout == "from line to line" else "it is in no item now") in reply.text
