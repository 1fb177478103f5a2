"""Double clicks in editors: they select a word, wherever the words of a line are."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

EDITORS = {
    "a line of an editor": "<div contenteditable><p id=it>short words</p><p>another line</p></div>",
    "an editor": "<div id=it contenteditable role=textbox aria-label=Note><br><p>short words</p></div>",
    "a line that is set to the right": "<div contenteditable><p id=it style='text-align: right'>short words</p></div>",
    "a line of code": "<div class=cm-content contenteditable><div id=it class=cm-line>  <span>short</span>.words()</div></div>",
    "a line of CodeMirror 5": "<div class=CodeMirror><textarea style='opacity: 0; width: 0'></textarea><pre id=it class=CodeMirror-line>short words</pre></div>",
    "an editor that is scrolled": "<div id=it contenteditable style='height: 60px; overflow: auto'><p style='height: 300px'>hidden</p>"
    "<p>short words</p></div><script>it.scrollTop = 400</script>",
}


@pytest.mark.conditions
@pytest.mark.parametrize("editor", EDITORS)
def test_a_double_click_in_an_editor_selects_a_word(tabwire: Tabwire, page: ShownPage, site: Site, editor: str) -> None:
    tabwire.open(
        site.page(f"{EDITORS[editor]}<script>twice = 0; it.addEventListener('dblclick', () => {{ twice += 1 }})</script>")
    )
    tabwire.ok("click", selector="#it", click_count=2)
    assert page.evaluate("[String(getSelection()).trim(), twice]") == ["short", 1]


def test_a_double_click_elsewhere_keeps_to_the_middle(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    row = "<div id=it tabindex=0 style='width: 400px'><a href=#left>Open</a></div>"
    tabwire.open(site.page(f"{row}<script>twice = 0; it.addEventListener('dblclick', () => {{ twice += 1 }})</script>"))
    tabwire.ok("click", selector="#it", click_count=2)
    assert page.evaluate("[location.hash, twice]") == ["", 1]
