"""A field or control that no one can see: snapshots mark it, and the replies of `fill` and `click` say so."""

import pytest

from e2e.client import Tabwire
from e2e.conditions.condition import Condition
from e2e.conftest import InputMode, ShownPage
from e2e.site import Site

pytestmark = [pytest.mark.same_tab, pytest.mark.conditions]

TRAPS = {
    "a link far outside": ("<a id=t href=#x style='position:absolute;left:-5000px'>Contact</a>", "link"),
    "a link without size": ("<a id=t href=#x aria-label=Contact style='display:block;width:0;height:0'></a>", "link"),
    "words without size": ("<a id=t href=#x style='display:block;width:0;height:0;overflow:hidden'>Contact</a>", "link"),
    "a button far outside": ("<button id=t style='position:fixed;left:-5000px'>Contact</button>", "button"),
}
WORDS = "it is outside the page, cut off or without size, as in a trap for robots"
COUNTED = "<button>Send</button><script>clicks = 0; addEventListener('click', () => clicks += 1)</script>"


def test_filling_a_trap_says_that_no_one_can_see_it(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<input id=t aria-label=Website style='position:absolute;left:-5000px'><input aria-label=Name>"))
    assert "[unseen]" in next(line.text for line in tabwire.lines() if line.name == "Website")
    reply = tabwire.ok("fill", selector=tabwire.ref("textbox", "Website"), value="x", force=True)
    assert "no one can see this field" in reply.text
    assert page.evaluate("t.value") == "x"
    assert "no one can see" not in tabwire.ok("fill", selector="label:Name", value="Ann").text


@pytest.mark.parametrize("kind", TRAPS)
def test_clicking_a_trap_says_that_no_one_can_see_it(mode: InputMode, condition: Condition, kind: str) -> None:
    html, role = TRAPS[kind]
    mode.show(html + COUNTED)
    tabwire, page = mode.tabwire, mode.page
    trap = tabwire.ref(role, "Contact")
    assert "[unseen]" in next(line.text for line in tabwire.lines() if line.name == "Contact")
    refused = tabwire.fails("click", selector=trap, timeout=3_000)
    assert refused.code == "element_not_interactable" and WORDS in refused.text
    assert page.evaluate("clicks") == 0
    assert f"no one can see it: {WORDS}" in tabwire.ok("click", selector=trap, force=True).text
    assert page.evaluate("clicks") == 1
    assert "no one can see" not in tabwire.ok("click", selector="text:Send", force=True).text
