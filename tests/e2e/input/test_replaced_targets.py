"""Targets that their page draws anew, moves or takes away while the pointer comes or the button is down: a reply tells no more than happened."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from e2e.cdp import Browser, Page
from e2e.client import Reply, Tabwire
from e2e.conftest import Launched, Launcher, ShownPage
from e2e.site import Site
from e2e.tabs.windows import open_windows

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
    """A tab, in a browser and with a kind of input, whose name replies have."""

    kind: str
    tabwire: Tabwire
    site: Site
    browser: Browser
    page: Page

    def url(self, again: str) -> str:
        return self.site.page(LIST.replace("AGAIN", again))

    def show(self, again: str) -> None:
        self.tabwire.open(self.url(again))


@pytest.fixture(params=["trusted", "dom"], ids=["trusted", "events"])
def stage(request: pytest.FixtureRequest, launcher: Launcher, joiner: Launcher, site: Site) -> Iterator[Stage]:
    launched: Launched = (launcher if request.param == "trusted" else joiner).fresh(site)
    launched.tabwire.open(site.page("<p>Empty"))
    yield Stage("dom" if launched.is_own else "trusted", launched.tabwire, site, launched.browser, launched.browser.shown())


# A double click comes last: the debugger does it, and would do for a while what events do without it.
ACTS = {"click": ("button", "Buy milk"), "check": ("checkbox", "Milk"), "dblclick": ("button", "Buy milk")}
DONE = {"click": "[clicks, doubles]", "dblclick": "[clicks, doubles]", "check": "list.querySelector('input').checked"}
ATTEMPTS = 3
ANSWER_S = 20
VALUES = {"click": [1, 0], "dblclick": [2, 1], "check": True}


def test_what_is_drawn_anew_under_the_pointer_is_acted_on_in_its_place(stage: Stage) -> None:
    for tool in ACTS:
        for when, again in TIMES.items():
            reply, ref = acted(stage, tool, when, again)
            assert stage.page.evaluate(DONE[tool]) == VALUES[tool], (tool, when, reply)
            assert reply.data["input"] == ("trusted" if tool == "dblclick" else stage.kind), (tool, when, reply)
            if reply.data["ref"] != ref:
                assert f"{reply.data['ref']} replaced {ref}" in reply.data["note"], (tool, when, reply)


def acted(stage: Stage, tool: str, when: str, again: str) -> tuple[Reply, str]:
    """The reply to an act, with the ref it was given.

    A page that draws after some time may do so between press and release, or between two clicks: then it is tried again, and
    the reply must have said so.
    """
    for _ in range(ATTEMPTS):
        stage.show(again)
        ref = stage.tabwire.ref(*ACTS[tool])
        reply = stage.tabwire.call(tool, selector=ref)
        if not reply.is_error and "done" not in reply.data:
            break
        # On a busy computer the next frame comes as late.
        assert when != "at once" and "removed it, or drew it anew" in reply.text, (when, reply)
        assert stage.page.evaluate(DONE[tool]) != VALUES[tool], (when, reply)
    return reply, ref


# A checkbox keeps its name when the button gets another one.
UNMET = [(tool, what) for tool in ACTS for what in ELSEWHERE if (tool, what) != ("check", "another name")]


def test_what_is_drawn_anew_as_something_else_is_not_acted_on(stage: Stage) -> None:
    windows = open_windows(stage.tabwire, stage.browser, {case: stage.url(ELSEWHERE[case[1]]) for case in UNMET})
    refs = {(tool, what): stage.tabwire.ref(*ACTS[tool], tabId=window.tab) for (tool, what), window in windows.items()}
    acting = {
        case: stage.tabwire.start(case[0], selector=refs[case], tabId=window.tab, timeout=800) for case, window in windows.items()
    }
    for case, reply in ((case, act.result(ANSWER_S)) for case, act in acting.items()):
        assert reply.code == "stale_element_reference" and "replaced" in reply.text, (case, reply)
        assert windows[case].page.evaluate("[clicks, list.querySelector(':checked')]") == [0, None], case


GONE: dict[str, Any] = {
    "removed": "onpointerdown='this.remove()'",
    "dropped": "onmousedown='this.remove()'",
    "disabled": "onpointerdown='this.disabled = true'",
    "masked": "onmousedown='mask.hidden = false'",
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


FLEEING = """<input id=field aria-label=Field><p id=hint style='height:80px'>Required</p><button id=save>Save</button>
<button id=shy style='position:absolute;left:0;top:300px'>Shy</button><script>
globalThis.got = [];
field.addEventListener('blur', () => { hint.hidden = true });
for (const one of [save, shy]) one.addEventListener('click', () => got.push(one.id));
shy.addEventListener('mousedown', () => { shy.style.left = shy.style.left === '0px' ? '500px' : '0px' });
field.focus();
</script>"""


def test_a_target_that_moves_away_under_a_press_is_not_pressed_again(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """Its reply says where it is now; a person has to press twice as well."""
    tabwire.open(site.page(FLEEING))
    missed = tabwire.ok("click", selector="#save")
    assert page.evaluate("[hint.hidden, got.splice(0)]") == [True, []]
    assert missed.text.startswith("Pressed without a click") and "the page moved it away while it was pressed" in missed.text
    saved = tabwire.ok("click", selector="#save")
    assert page.evaluate("got.splice(0)") == ["save"] and saved.text.startswith("Click"), saved
    shy = tabwire.ok("click", selector="#shy")
    assert page.evaluate("got") == [] and shy.text.startswith("Pressed without a click")


# Frameworks draw a form anew when one of its fields gets the focus; for ever, in the last one.
FORM = """<form id=form></form><script>
globalThis.said = {};
const draw = () => { form.innerHTML = `<input aria-label=Name value="${said.name ?? ''}"><input type=date aria-label=Day>
<select aria-label=Size><option>small<option>big</select>` };
form.addEventListener('input', ({ target }) => { said[target.ariaLabel] = target.value });
form.addEventListener('change', ({ target }) => { said[target.ariaLabel] = target.value });
let drawn = new Set();
form.addEventListener('focusin', ({ target }) => { if (!drawn.has(target.ariaLabel)) { drawn.add(target.ariaLabel); draw() } });
draw();
</script>"""
ENTERED = {
    "Name": ("textbox", "fill", {"value": "Ada"}, "Ada"),
    "Day": ("textbox", "fill", {"value": "2024-02-29"}, "2024-02-29"),
    "Size": ("combobox", "select", {"label": "big"}, "big"),
}


def test_fields_that_are_drawn_anew_when_they_get_the_focus_are_filled(stage: Stage) -> None:
    for name, (_, tool, arguments, value) in ENTERED.items():
        stage.tabwire.open(stage.site.page(FORM))
        ref = stage.tabwire.lines()
        (ref,) = [line.ref for line in ref if line.name == name]
        reply = stage.tabwire.ok(tool, selector=ref, **arguments)
        assert stage.page.evaluate(f"[said['{name}'], form.querySelector('[aria-label={name}]').value]") == [value, value], reply
        assert f"{reply.data['ref']} replaced {ref}" in reply.text


SAVED = "<script>globalThis.saves = []; const save = (name) => saves.push(name)</script>"
"""The page notes which button was pressed, by the name of what it saves."""
BUTTON = "<button data-of={} onclick='save(dataset.of)'>Save</button>"
NOTE = f"<p>Note {BUTTON.format('note')}"
REDRAWN = {
    "itself": (f"<div id=a>{BUTTON.format('old')}</div>", f"a.innerHTML = `{BUTTON.format('new')}`"),
    "with its box": (f"<div id=a>{NOTE}</div>", f"a.innerHTML = `{NOTE.replace('of=note', 'of=new')}<p>Saved before`"),
    "with its part": (f"<div id=a><nav aria-label=Tools>{BUTTON.format('old')}</nav></div>",
                      f"a.innerHTML = `<nav aria-label=Tools>{BUTTON.format('new')}</nav>`"),
}  # fmt: skip
ANOTHER = {
    "was beside it": (f"<div id=a>{BUTTON.format('one')}</div><div>{BUTTON.format('two')}</div>", "a.remove()"),
    "other words": (f"<div id=a><p>Ann {BUTTON.format('Ann')}</div>", f"a.innerHTML = `<p>Ben {BUTTON.format('Ben')}`"),
    "another part": (f"<nav id=a>{BUTTON.format('old')}</nav><aside id=b></aside>",
                     f"a.innerHTML = ''; b.innerHTML = `{BUTTON.format('new')}`"),
    "another dialog": (f"<div id=a><dialog open>{BUTTON.format('old')}</dialog></div>",
                       f"a.innerHTML = `<dialog open>{BUTTON.format('new')}</dialog>`"),
    "two of them": (f"<div id=a>{BUTTON.format('old')}</div>", f"a.innerHTML = `{BUTTON.format('new')}{BUTTON.format('newer')}`"),
}  # fmt: skip


@pytest.mark.parametrize("how", REDRAWN)
def test_the_one_that_has_replaced_an_element_before_the_act_gets_it(
    tabwire: Tabwire, site: Site, page: ShownPage, how: str
) -> None:
    html, script = REDRAWN[how]
    tabwire.open(site.page(SAVED + html))
    ref = tabwire.ref("button", "Save")
    page.evaluate(script)
    reply = tabwire.ok("click", selector=ref)
    assert page.evaluate("saves") == ["new"], reply
    assert "had replaced the element of this ref" in reply.data["note"], reply
    assert "note" not in tabwire.ok("click", selector=ref).data, "it is the element of this ref now"
    assert page.evaluate("saves") == ["new", "new"]


@pytest.mark.parametrize("what", ANOTHER)
def test_an_element_that_is_only_called_like_the_removed_one_is_left_alone(
    tabwire: Tabwire, site: Site, page: ShownPage, what: str
) -> None:
    html, script = ANOTHER[what]
    tabwire.open(site.page(SAVED + html))
    ref = tabwire.refs("button", "Save")[0]
    page.evaluate(script)
    for _ in range(2):
        reply = tabwire.fails("click", selector=ref)
        assert reply.code == "stale_element_reference", reply
    assert page.evaluate("saves") == []


def test_fields_that_were_drawn_anew_before_the_act_are_filled(stage: Stage) -> None:
    for name, (_, tool, arguments, value) in ENTERED.items():
        stage.tabwire.open(stage.site.page(FORM))
        (ref,) = [line.ref for line in stage.tabwire.lines() if line.name == name]
        stage.page.evaluate(f"(draw(), drawn.add('{name}'))")
        reply = stage.tabwire.ok(tool, selector=ref, **arguments)
        assert stage.page.evaluate(f"[said['{name}'], form.querySelector('[aria-label={name}]').value]") == [value, value], reply
        assert "had replaced the element of this ref" in reply.text, reply
