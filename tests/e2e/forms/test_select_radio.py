"""Lists, boxes and radio buttons: native ones, ARIA ones, and those that stand behind a widget."""

from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.input.acting import LOG, Case, noted, rows
from e2e.site import Site

pytestmark = pytest.mark.same_tab

EVENTS = "<script>watch(s, 'input', 'change')</script>"
FRUIT = "<select id=s aria-label=Fruit><option value=a>Apple<option value=p>Pear<optgroup label=More><option value=q>Quince</optgroup></select>"


def select(on: str, **choice: Any) -> tuple[Any, ...]:
    return ("select", on, choice)


LISTS = [
    Case(
        "by label, also in a group",
        FRUIT,
        [select("combobox Fruit", label="Pear"), noted("s.value"), select("combobox Fruit", label="Quince")],
        "[log, s.value]",
        [["p"], "q"],
    ),
    Case(
        "the same choice again is no event",
        FRUIT + EVENTS,
        [select("combobox Fruit", value="p"), select("combobox Fruit", value="p")],
        "log",
        ["input", "change"],
    ),
    Case(
        "by a label with odd spaces",
        "<select id=s aria-label=S><option>x<option> Two\n words </select>",
        [select("combobox S", label="Two words")],
        "s.selectedIndex",
        1,
    ),
    Case(
        "the empty value",
        "<select id=s aria-label=S><option value=''>None<option value=1 selected>One</select>",
        [select("combobox S", value="")],
        "s.selectedIndex",
        0,
    ),
    Case(
        "an option that comes later",
        "<select id=s aria-label=S><option>x</select><script>setTimeout(() => s.add(new Option('Late', 'l')), 300)</script>",
        [select("combobox S", value="l")],
        "s.value",
        "l",
    ),
    Case(
        "a list that changes another",
        FRUIT
        + "<select id=t aria-label=Size></select><script>s.onchange = () => { t.replaceChildren(new Option('Small'), new Option('Big')) }</script>",
        [select("combobox Fruit", label="Pear"), select("combobox Size", label="Big")],
        "t.value",
        "Big",
    ),
    Case(
        "a choice that the page takes back until it has noted it",
        FRUIT
        + "<script>s.onchange = () => { const now = s.value; s.value = 'a'; setTimeout(() => { s.value = now }, 100) }</script>",
        [select("combobox Fruit", label="Pear")],
        "s.value",
        "p",
    ),
    Case(
        "a list that a client has written as a string of JSON",
        "<select id=s multiple aria-label=S><option>A<option selected>B<option>C</select>",
        [select("listbox S", label='["A", "C"]')],
        "[...s.selectedOptions].map((o) => o.value)",
        ["A", "C"],
    ),
    Case(
        "an option that looks like a list",
        '<select id=s multiple aria-label=S><option>A<option>["A"]</select>',
        [select("listbox S", label='["A"]')],
        "[...s.selectedOptions].map((o) => o.value)",
        ['["A"]'],
    ),
    Case(
        "several by label",
        "<select id=s multiple aria-label=S><option>A<option selected>B<option>C</select>",
        [select("listbox S", label=["A", "C"])],
        "[...s.selectedOptions].map((o) => o.value)",
        ["A", "C"],
    ),
    Case(
        "several by index",
        "<select id=s multiple aria-label=S><option>A<option selected>B<option>C</select>" + EVENTS,
        [select("listbox S", index=[1, 2])],
        "[[...s.selectedOptions].map((o) => o.value), log]",
        [["B", "C"], ["input", "change"]],
    ),
    Case(
        "none of several",
        "<select id=s multiple aria-label=S><option selected>A<option selected>B</select>",
        [select("listbox S", value=[])],
        "s.selectedOptions.length",
        0,
    ),
    Case(
        "by arrow keys",
        FRUIT + EVENTS,
        [("press", "combobox Fruit", {"key": "ArrowDown"})],
        "[s.value, log]",
        ["p", ["input", "change"]],
    ),
    Case("by typing its first letter", FRUIT, [("type", "combobox Fruit", {"text": "Q"})], "s.value", "q"),
    Case(
        "a value a framework has taken over",
        FRUIT + "<script>let value = 'a'; const own = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value');"
        "s.addEventListener('change', () => { value = own.get.call(s); setTimeout(() => own.set.call(s, value)) })</script>",
        [select("combobox Fruit", value="p")],
        "s.value",
        "p",
    ),
    Case(
        "one behind a widget that opens on focus",
        f"<div style='position:relative;width:0;height:0;overflow:hidden'><div style='position:absolute;left:-100%'>{FRUIT}</div></div>"
        "<div id=w style='width:100px'>Apple</div><ul id=l hidden style='position:fixed;inset:0;background:#eee;margin:0'><li>Apple</ul><button onclick='globalThis.hit = 1'>Go</button>"
        "<script>s.onfocus = () => { l.hidden = false }; s.onchange = () => { w.textContent = s.selectedOptions[0].text }</script>",
        [select("combobox Fruit", label="Pear"), ("click", "button Go")],
        "[w.textContent, globalThis.hit]",
        ["Pear", 1],
    ),
    Case(
        "a click on a list far below is not for its neighbour",
        f"<div style='height:3000px'></div>{FRUIT}<input aria-label=Next onclick='globalThis.hit = 1'><script>s.onmousedown = (e) => {{ e.preventDefault(); log.push('s') }}</script>",
        [("click", "combobox Fruit")],
        "[log, globalThis.hit ?? 0]",
        [["s"], 0],
    ),
    Case(
        "a click on one behind a widget opens that",
        f"<style>.gone {{ position:absolute; width:1px; height:1px; clip:rect(0 0 0 0); overflow:hidden }}</style>{FRUIT.replace('<select', '<select class=gone')}"
        "<span><span role=combobox tabindex=0 aria-expanded=false aria-label=Shown style='display:inline-block;width:120px;height:20px' onclick='globalThis.hit = 1'>Apple</span></span>",
        [("click", "combobox Fruit")],
        "globalThis.hit",
        1,
    ),
]

BOXES = [
    Case(
        "a radio button fires once and clears the others",
        "<label><input type=radio name=r checked id=a>A</label><label><input type=radio name=r id=s>B</label><script>watch(s, 'click', 'input', 'change'); watch(a, 'change')</script>",
        [("check", "radio B")],
        "[a.checked, s.checked, log]",
        [False, True, ["click", "input", "change"]],
    ),
    Case(
        "a ticked radio button stays",
        "<label><input type=radio name=r checked id=s>A</label><script>watch(s, 'click', 'change')</script>",
        [("check", "radio A")],
        "log",
        [],
    ),
    Case(
        "arrow keys move in a group",
        "<input type=radio name=r aria-label=A checked><input type=radio name=r aria-label=B id=s>",
        [("press", "radio A", {"key": "ArrowRight"})],
        "[s.checked, document.activeElement.id]",
        [True, "s"],
    ),
    Case("Space ticks", "<input type=checkbox aria-label=A id=s>", [("press", "checkbox A", {"key": "Space"})], "s.checked"),
    Case(
        "a half ticked box becomes ticked",
        "<input type=checkbox aria-label=A id=s><script>s.indeterminate = true</script>",
        [("check", "checkbox A")],
        "[s.checked, s.indeterminate]",
        [True, False],
    ),
    Case(
        "a half ticked box becomes empty, by two clicks without a wait between them",
        "<input type=checkbox aria-label=A id=s><script>s.indeterminate = true; s.onclick = (e) => (s.at ??= []).push(e.timeStamp)</script>",
        [("uncheck", "checkbox A")],
        "[s.checked, s.indeterminate, s.at.length, s.at[1] - s.at[0] < 1000]",
        [False, False, 2, True],
    ),
    Case(
        "an ARIA radio group",
        "<div role=radiogroup><div role=radio tabindex=0 aria-checked=true>A</div><div role=radio tabindex=-1 aria-checked=false id=s>B</div></div><script>"
        "document.onclick = (e) => { for (const r of document.querySelectorAll('[role=radio]')) r.ariaChecked = String(r === e.target) }</script>",
        [("check", "radio B")],
        "s.ariaChecked",
        "true",
    ),
    Case(
        "an ARIA box that takes its time",
        "<div role=checkbox tabindex=0 aria-checked=false id=s onclick=\"setTimeout(() => { this.ariaChecked = 'true' }, 300)\">A</div>",
        [("check", "checkbox A")],
        "s.ariaChecked",
        "true",
    ),
    Case(
        "a menu item with a tick",
        "<div role=menu><div role=menuitemcheckbox tabindex=0 aria-checked=true id=s onclick=\"this.ariaChecked = String(this.ariaChecked !== 'true')\">Wrap</div></div>",
        [("uncheck", "menuitemcheckbox Wrap")],
        "s.ariaChecked",
        "false",
    ),
    Case(
        "a box drawn by its label",
        "<style>input { appearance:none; position:absolute; pointer-events:none }</style><label style='display:block;width:90px;height:20px'><input type=checkbox id=s> Agree</label>",
        [("check", "checkbox Agree")],
        "s.checked",
    ),
    Case(
        "a box the page redraws",
        "<div id=d></div><script>let on = false; const draw = () => { d.innerHTML = `<input type=checkbox aria-label=A ${on ? 'checked' : ''}>`; d.firstChild.onchange = () => { on = !on; setTimeout(draw) } }; draw()</script>",
        [("check", "checkbox A")],
        "[on, d.firstChild.checked]",
        [True, True],
    ),
    Case(
        "all of a list, one after the other",
        "".join(f"<label><input type=checkbox name=c value={n}>Item {n}</label>" for n in range(4)),
        [("check", f"checkbox Item {n}") for n in (0, 2, 3)],
        "[...document.querySelectorAll(':checked')].map((c) => c.value)",
        ["0", "2", "3"],
    ),
]


@rows(LISTS)
def test_an_option_is_chosen(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


@rows(BOXES)
def test_a_box_is_set(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


NO_CHOICES: list[tuple[str, dict[str, Any]]] = [
    (FRUIT, {"value": "kiwi"}),
    (FRUIT, {"value": ["a", "p"]}),
    (FRUIT, {"label": "Pear", "index": 0}),
    (FRUIT, {}),
    ("<select id=s><option>A<option disabled>B</select>", {"label": "B"}),
    ("<select id=s disabled><option>A<option>B</select>", {"label": "B"}),
    ("<button id=s>Not a list</button>", {"label": "B"}),
]


def test_a_choice_that_cannot_be_made_changes_nothing(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    lists = "".join(html.replace("id=s", f"id=s{number}") for number, (html, _) in enumerate(NO_CHOICES))
    tabwire.open(site.page(f"{LOG}{lists}<script>watch(document, 'input', 'change')</script>"))
    for number, (html, choice) in enumerate(NO_CHOICES):
        tabwire.fails("select", selector=f"#s{number}", timeout=200, **choice)
        assert page.evaluate(f"[log, s{number}.selectedIndex ?? 0]") == [[], 0], (html, choice)


def test_a_label_that_a_list_lacks_is_told_early_unless_others_come(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    late = "<select id=t><option>A<option>B</select><script>setTimeout(() => t.add(new Option('C')), 600)</script>"
    tabwire.open(site.page(FRUIT + late))
    tabwire.ok("select", selector="#t", label="C")
    assert page.evaluate("t.value") == "C"
    missing = tabwire.fails("select", selector="#s", label="Kiwi")
    assert missing.code == "no_such_element" and missing.elapsed_ms < 3000


def test_a_choice_that_the_widget_over_a_list_does_not_show_is_told(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    box = "<div style='position: relative; width: 120px'>{}<div tabindex=0 id={} style='position: absolute; inset: 0'>Apple</div></div>"
    lists = "".join(
        box.format(f"<select id={name} style='opacity: 0'><option>Apple<option>Pear</select>", f"over-{name}")
        for name in ("dead", "live")
    )
    tabwire.open(site.page(f"{lists}<script>live.onchange = () => {{ self['over-live'].textContent = live.value }}</script>"))
    dead = tabwire.ok("select", selector="#dead", label="Pear")
    assert "does not show the choice" in dead.text
    assert "over-dead" in dead.text
    live = tabwire.ok("select", selector="#live", label="Pear")
    assert "does not show" not in live.text
    assert page.evaluate("[dead.value, live.value]") == ["Pear", "Pear"]


@pytest.mark.conditions
def test_a_list_that_loads_its_options_as_it_gets_the_focus_has_them_chosen(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(
        site.page(
            "<select id=s onfocus='setTimeout(() => s.length < 2 && s.add(new Option(`Tea`, `t`)), 50)'><option>Choose</select>"
        )
    )
    tabwire.ok("select", selector="#s", value="Tea")
    assert page.evaluate("s.value") == "t"
