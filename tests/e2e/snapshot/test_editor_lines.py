"""Lines and blocks of editors: each has a place and a reference in snapshots."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

#: The lines of Monaco: drawn apart from the field that takes the keys, in no order, and hidden from assistive technology.
CODE = """<div class=monaco-editor style="position:relative;height:90px">
<textarea aria-label=Code style="position:absolute;width:1px;height:1px;opacity:0"></textarea>
<div class=margin-view-overlays aria-hidden=true><div style="position:absolute;top:19px">8</div><div style="position:absolute;top:0">7</div></div>
<div class=view-lines aria-hidden=true role=presentation style="position:absolute;left:40px;width:300px;height:80px"
><div class=view-line style="position:absolute;top:38px;height:19px;width:300px"><span>}</span></div
><div class=view-line style="position:absolute;top:19px;height:19px;width:300px"><span>&nbsp;&nbsp;run();</span></div
><div class=view-line style="position:absolute;top:0px;height:19px;width:300px"><span>if (ok) {</span></div></div></div>
<script>onmousedown = (event) => { globalThis.pressed = event.target.textContent }</script>"""

TEXT = (
    "<div id=t contenteditable aria-label=Letter role=textbox><h2>Title</h2><p>Alpha<p><br><div>Beta</div><ul><li>One</ul></div>"
)


def test_lines_of_a_code_editor_are_shown_in_their_order_and_pressed_by_reference(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page(CODE))
    lines = tabwire.lines()
    assert [line.text.split("]", 1)[1] for line in lines if line.role == "generic"] == [': "if (ok) {"', ': "  run();"', ': "}"']
    assert [line.name for line in lines if line.role == "generic"] == ["line 7", "line 8", ""]
    tabwire.ok("click", selector=next(line.ref for line in lines if line.name == "line 8"))
    assert page.evaluate("pressed.trim()") == "run();"


def test_blocks_of_a_rich_text_are_lines_and_take_the_caret_by_reference(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"<p>Plain</p>{TEXT}"))
    blocks = [line for line in tabwire.lines() if line.role in ("paragraph", "heading", "generic", "listitem")]
    assert [(line.role, bool(line.ref)) for line in blocks] == [
        ("paragraph", False),
        ("heading", True),
        ("paragraph", True),
        ("paragraph", True),
        ("generic", True),
        ("listitem", True),
    ]
    for block, text in zip(blocks[2:], ("Alpha", "", "Beta", "One"), strict=True):
        tabwire.ok("click", selector=block.ref)
        assert page.evaluate("getSelection().anchorNode.textContent") == text
    assert 'generic "Beta"' in str(blocks[4])
