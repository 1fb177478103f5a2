"""Acts that have not done what they were for: their replies say so first."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab


def test_text_is_typed_once_the_focus_has_settled(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    opens = "setTimeout(() => { f.focus(); f.select() }, 100)"
    tabwire.open(site.page(f"<button id=b onclick='{opens}'>Open</button><input id=f aria-label=Name value=old>"))
    tabwire.snapshot()
    calls = [
        {"tool": "click", "arguments": {"selector": "#b"}},
        {"tool": "type", "arguments": {"selector": "#f", "text": "Function"}},
    ]
    tabwire.ok("batch", calls=calls)
    assert page.evaluate("f.value") in ("Function", "oldFunction")
    assert page.evaluate("f.value").endswith("Function"), "no key is lost to the focus that comes late"


FIELDS = """
<input id=lost aria-label=Lost oninput='if (this.value === `F`) this.value = ``'><input id=short aria-label=Short maxlength=3>
<input id=phone aria-label=Phone oninput='this.value = this.value.replace(/^(\\d{3})(\\d)/, `($1) $2`)'>
<input id=upper aria-label=Upper oninput='this.value = this.value.toUpperCase()'>
<div id=editor contenteditable role=textbox aria-label=Editor oninput='if (this.textContent === `# `) this.textContent = ``'></div>
<textarea id=hidden aria-label=Keys style='opacity: 0' oninput='this.value = ``'></textarea>
<input id=secret type=password aria-label=Secret oninput='this.value = `x`'>
"""


def test_a_field_that_holds_something_else_than_typed_is_reported_first(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(FIELDS))
    tabwire.snapshot()
    for selector, text, says in (
        ("#lost", "Function", 'Typed, but textbox "Lost" holds "unction", which is not what was typed'),
        ("#short", "Function", 'Typed, but textbox "Short" holds "Fun", which is not what was typed'),
        ("#phone", "5551234567", ""),
        ("#upper", "function", ""),
        ("#editor", "# Title", ""),
        ("#hidden", "keys", ""),
    ):
        reply = tabwire.ok("type", selector=selector, text=text).text
        assert reply.startswith(says or "Type text ·"), (selector, reply)
    secret = tabwire.ok("type", selector="#secret", text="hunter2").text
    assert secret.startswith('Typed, but textbox "Secret" holds') and "hunter2" not in secret.splitlines()[0]


DRAGS = """
<style>div, svg { width: 80px; height: 40px; margin: 8px }</style>
<div id=idle aria-label=Idle role=button>Idle</div>
<div id=tips aria-label=Tips role=button onmousedown='event.preventDefault(); tip.textContent = `A tip`'>Tips</div>
<div id=mover aria-label=Mover role=button style='position: relative' onpointerdown='this.setPointerCapture(event.pointerId)'
onpointermove='if (event.buttons) this.style.left = `50px`'>Mover</div>
<div id=card draggable=true>Card</div><div id=zone ondragover='event.preventDefault()' ondrop='this.title = `taken`'>Zone</div>
<div id=line onpointerdown='this.setPointerCapture(event.pointerId)' onpointerup='lines.innerHTML = `<path d="M0 0L9 9"/>`'>Line</div>
<div id=enables onpointerdown='this.setPointerCapture(event.pointerId)' onpointerup='go.disabled = false'>Enables</div>
<button id=go disabled>Go</button><svg id=lines></svg><div id=target>Target</div><p id=tip></p>
"""


def test_drags_say_whether_anything_came_of_them(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(DRAGS))
    tabwire.snapshot()
    for source, target, says in (
        ("#mover", "#target", 'button "Mover" moved 50 px right'),
        ("#card", "#zone", "the drop was taken"),
        ("#line", "#target", "1 new shape drawn"),
        ("#enables", "#target", 'button "Go" enabled'),
    ):
        reply = tabwire.ok("drag", source=source, target=target)
        assert reply.text.startswith("Drag and drop ·") and says in reply.text, (source, reply.text)
    missing = "nothing moved, no drop was taken, no line was drawn"
    tip = tabwire.ok("drag", source="#tips", target="#target").text
    assert tip.startswith(f"Dragged, but {missing} · ") and "A tip" in tip
    idle = tabwire.ok("drag", source="#idle", target="#target").text
    assert idle.startswith(f"Dragged, and nothing came of it that scripts can see: {missing} · ")


def test_an_error_of_the_page_stops_a_batch(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<button id=a onclick='n.textContent = 1'>A</button><button id=b onclick='n.textContent = 2; throw new Error(`Broken`)'>B"
            "</button><button id=c onclick='n.textContent = 3'>C</button><button id=d onclick='console.error(`Said`)'>D</button>"
            "<p id=n>0</p>"
        )
    )
    tabwire.snapshot()
    reply = tabwire.call("batch", calls=[{"tool": "click", "arguments": {"selector": f"#{name}"}} for name in "dabc"])
    assert reply.is_error and page.evaluate("n.textContent") == "2"
    assert reply.text.endswith("Stopped there: the call was made, and the page reported an error; not called: click")
    assert [one["success"] for one in reply.data["results"]] == [True, True, True]
    last = tabwire.ok("batch", calls=[{"tool": "click", "arguments": {"selector": f"#{name}"}} for name in "ab"])
    assert "Error: Broken" in last.text, "nothing was left to stop"
