"""Targets that their page draws anew, moves or takes away while the pointer comes or the button is down: a reply tells no more than happened."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from e2e.cdp import Page
from e2e.client import Reply, Tabwire
from e2e.conftest import Launched, Launcher, ShownPage
from e2e.site import Site

LIST = """<div id=list style='width:300px'></div><script>
globalThis.clicks = 0; globalThis.doubles = 0; globalThis.over = false; globalThis.ticked = false;
const row = (name) => `<p><input type=checkbox aria-label=Milk ${ticked && 'checked'}> <button>${name}</button></p>`;
list.addEventListener('change', (event) => { ticked = event.target.checked });
const draw = (name = 'Buy milk') => { list.innerHTML = row(name) };
list.addEventListener('click', (event) => { clicks += event.target.localName === 'button' });
list.addEventListener('dblclick', (event) => { doubles += event.target.localName === 'button' });
draw();
list.addEventListener('mouseover', () => { if (!over) { over = true; AGAIN } });
</script>"""
TIMES = {"at once": "draw()", "with the next frame": "requestAnimationFrame(() => draw())", "soon": "setTimeout(draw, 5)"}
ELSEWHERE = {
    "another name": "draw('Buy bread')",
    "another place": "draw(); list.style.marginTop = '300px'",
    "nowhere": "list.replaceChildren()",
}


@dataclass(frozen=True)
class Stage:
    """A tab, in a browser and with a kind of input."""

    tabwire: Tabwire
    site: Site
    page: Page

    def show(self, again: str) -> None:
        self.tabwire.open(self.site.page(LIST.replace("AGAIN", again)))


@pytest.fixture(params=["trusted", "events"])
def stage(request: pytest.FixtureRequest, launcher: Launcher, joiner: Launcher, site: Site) -> Iterator[Stage]:
    launched: Launched = (launcher if request.param == "trusted" else joiner).fresh(site)
    launched.tabwire.open(site.page("<p>Empty"))
    yield Stage(launched.tabwire, site, launched.browser.shown())


ACTS = {"click": ("button", "Buy milk"), "dblclick": ("button", "Buy milk"), "check": ("checkbox", "Milk")}
DONE = {"click": "[clicks, doubles]", "dblclick": "[clicks, doubles]", "check": "list.querySelector('input').checked"}
ATTEMPTS = 3
VALUES = {"click": [1, 0], "dblclick": [2, 1], "check": True}


@pytest.mark.parametrize("tool", ACTS)
def test_what_is_drawn_anew_under_the_pointer_is_acted_on_in_its_place(stage: Stage, tool: str) -> None:
    for when, again in TIMES.items():
        reply, ref = acted(stage, tool, when, again)
        assert stage.page.evaluate(DONE[tool]) == VALUES[tool], (when, reply)
        if reply.data["ref"] != ref:
            assert f"{reply.data['ref']} replaced {ref}" in reply.data["note"], (when, reply)


def acted(stage: Stage, tool: str, when: str, again: str) -> tuple[Reply, str]:
    """The reply to an act, with the ref it was given.

    A page that draws after some time may do so between press and release, or between two clicks: then it is tried again, and
    the reply must have said so.
    """
    for _ in range(ATTEMPTS):
        stage.show(again)
        ref = stage.tabwire.ref(*ACTS[tool])
        reply = stage.tabwire.ok(tool, selector=ref)
        if "done" not in reply.data:
            break
        assert when == "soon" and "removed it, or drew it anew" in reply.text, (when, reply)
        assert stage.page.evaluate(DONE[tool]) != VALUES[tool], (when, reply)
    return reply, ref


@pytest.mark.parametrize("tool", ACTS)
def test_what_is_drawn_anew_as_something_else_is_not_acted_on(stage: Stage, tool: str) -> None:
    for what, again in ELSEWHERE.items():
        if (tool, what) == ("check", "another name"):
            continue
        stage.show(again)
        reply = stage.tabwire.fails(tool, selector=stage.tabwire.ref(*ACTS[tool]), timeout=800)
        assert reply.code == "stale_element_reference" and "replaced" in reply.text, (what, reply)
        assert stage.page.evaluate("[clicks, list.querySelector(':checked')]") == [0, None], what


GONE: dict[str, Any] = {
    "removed": "onpointerdown='this.remove()'",
    "dropped": "onmousedown='this.remove()'",
    "disabled": "onpointerdown='this.disabled = true'",
    "masked": "onmousedown='mask.hidden = false'",
    "moved": "onfocus='this.style.marginLeft = `600px`'",
    "twin": "onmousedown='this.replaceWith(this.cloneNode(true))'",
    "redrawn": "onfocus='this.parentElement.innerHTML = this.parentElement.innerHTML'",
}
BUTTONS = """<div id=mask hidden style='position:fixed;inset:0'></div><script>globalThis.got = [];
for (const one of document.querySelectorAll('button')) one.addEventListener('click', () => got.push(one.id))</script>"""


def test_a_press_without_a_click_is_told_as_one(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    html = "".join(f"<p><button id={name} {handler}>{name}</button></p>" for name, handler in GONE.items())
    tabwire.open(site.page(f"{html}<p><button id=plain>Plain</button></p>{BUTTONS}"))
    untold = {}
    for name in GONE:
        reply = tabwire.ok("click", selector=f"#{name}")
        assert page.evaluate("(mask.hidden = true, got.splice(0))") == [], name
        if "no click reached it" not in reply.text or not reply.text.startswith("Pressed without a click"):
            untold[name] = reply.text
    assert untold == {}
    reply = tabwire.ok("click", selector="#plain")
    assert (page.evaluate("got"), reply.text.startswith("Click"), "note" in reply.data) == (["plain"], True, False)
