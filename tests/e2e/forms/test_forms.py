"""Fields, boxes, lists and focus, seen from the page."""

import itertools
from collections.abc import Iterable
from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import Launched, ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

RECORD = """<button id=other>other</button><script>globalThis.seen = {};
for (const type of ["focus", "beforeinput", "input", "keyup", "change", "blur", "click"])
  document.addEventListener(type, ({ target }) => (seen[target.id] ??= []).push(type), true)</script>"""


def show(tabwire: Tabwire, site: Site, html: str) -> None:
    tabwire.open(site.page(html + RECORD))


def show_all(tabwire: Tabwire, site: Site, fields: Iterable[str]) -> None:
    """One page with all fields: the first one is ``f0``, and so on."""
    show(tabwire, site, "".join(f"<p>{html.replace('=f', f'=f{number}')}</p>" for number, html in enumerate(fields)))


def seen(page: ShownPage, field: str = "f") -> list[str]:
    return list(page.evaluate(f"seen.{field} ?? []"))


FILLED: list[tuple[str, str]] = [
    ("<input id=f value=old>", "new"),
    ("<input id=f type=password>", "s3cret"),
    ("<input id=f type=number>", "-12.5"),
    ("<input id=f type=email value=a@b>", "a@b.example"),
    ("<textarea id=f>old</textarea>", "two\nlines"),
]


@pytest.mark.conditions
def test_a_filled_field_fires_focus_input_and_one_change_when_left(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show_all(tabwire, site, [html for html, _ in FILLED])
    for number, (html, value) in enumerate(FILLED):
        field = f"f{number}"
        tabwire.ok("fill", selector=f"#{field}", value=value)
        assert page.evaluate(f"{field}.value") == value, html
        # Chromium inserts text with line breaks piece by piece.
        begun = [kind for kind, _ in itertools.groupby(seen(page, field))]
        assert begun == ["focus", "beforeinput", "input", "keyup"], html
        tabwire.ok("click", selector="#other")
        ended = [kind for kind in seen(page, field) if kind != "input"]
        assert ended == ["focus", "beforeinput", "keyup", "change", "blur"], html


PICKED: list[tuple[str, str]] = [
    ("<input id=f type=date>", "2024-02-29"),
    ("<input id=f type=time>", "13:45"),
    ("<input id=f type=month>", "2024-02"),
    ("<input id=f type=datetime-local>", "2024-02-29T13:45"),
    ("<input id=f type=week>", "2024-W09"),
    ("<input id=f type=color>", "#ff8800"),
    ("<input id=f type=range min=0 max=10>", "7"),
]


def test_a_field_with_a_picker_takes_its_value_with_input_and_change(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show_all(tabwire, site, [html for html, _ in PICKED])
    for number, (html, value) in enumerate(PICKED):
        field = f"f{number}"
        tabwire.ok("fill", selector=f"#{field}", value=value)
        assert (page.evaluate(f"{field}.value"), seen(page, field)) == (value, ["focus", "input", "change"]), html


NAMED = (
    "<label for=f>Name</label><input id=f>",
    "<label>Name <input id=f></label>",
    "<input id=f aria-label=Name>",
    "<b id=x>Na</b><b id=y>me</b><input id=f aria-labelledby='x y'>",
    "<input id=f placeholder=Name>",
    "<input id=f title=Name>",
    "<label for=f>Name<span aria-hidden=true>*</span></label><input id=f>",
)


def test_a_field_is_found_by_its_name_however_it_is_given(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show_all(tabwire, site, NAMED)
    fields = [line for line in tabwire.lines() if line.role == "textbox"]
    assert [line.name for line in fields] == ["Na me" if "labelledby" in html else "Name" for html in NAMED]
    for number, line in enumerate(fields):
        tabwire.ok("fill", selector=line.ref, value=f"Ada {number}")
        assert page.evaluate(f"f{number}.value") == f"Ada {number}", NAMED[number]


def test_a_rich_editor_gets_new_content(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show(tabwire, site, "<div id=f contenteditable role=textbox aria-label=Body><p>Old <b>text</b></p><ul><li>item</ul></div>")
    tabwire.ok("fill", selector=tabwire.ref("textbox", "Body"), value="New text")
    assert page.evaluate("f.innerText.trim()") == "New text"
    assert "input" in seen(page)


def test_fill_appends_without_clear(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show(tabwire, site, "<input id=f value=one>")
    tabwire.ok("fill", selector="#f", value="two", clear=False)
    assert page.evaluate("f.value") == "onetwo"


def test_clear_empties_a_field(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show(tabwire, site, "<input id=f value=one>")
    tabwire.ok("clear", selector="#f")
    assert page.evaluate("f.value") == ""


def test_a_controlled_field_that_refuses_the_text_fails_with_what_it_holds(tabwire: Tabwire, site: Site) -> None:
    show(tabwire, site, "<input id=f value=kept oninput='this.value = \"kept\"'>")
    reply = tabwire.fails("fill", selector="#f", value="other", timeout=500)
    assert (reply.code, '"kept"' in reply.text) == ("invalid_element_state", True)


UNFILLABLE: list[tuple[str, str, str]] = [
    ("<input id=f type=date>", "29.2.2024", "invalid_argument"),
    ("<input id=f type=number>", "many", "invalid_argument"),
    ("<input id=f readonly>", "x", "element_not_editable"),
    ("<input id=f disabled>", "x", "element_not_interactable"),
    ("<input id=f type=checkbox>", "x", "element_not_editable"),
]


def test_what_cannot_be_filled_says_why(tabwire: Tabwire, site: Site) -> None:
    show_all(tabwire, site, [html for html, _, _ in UNFILLABLE])
    for number, (html, value, code) in enumerate(UNFILLABLE):
        assert tabwire.fails("fill", selector=f"#f{number}", value=value, timeout=200).code == code, html


@pytest.mark.conditions
def test_check_and_uncheck_click_once_and_are_no_ops_when_done(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show(tabwire, site, "<label><input id=f type=checkbox> Agree</label>")
    for tool, state in (("check", True), ("check", True), ("uncheck", False), ("uncheck", False)):
        tabwire.ok(tool, selector="#f")
        assert page.evaluate("f.checked") is state
    assert [kind for kind in seen(page) if kind in ("click", "input", "change")] == ["click", "input", "change"] * 2


STYLED_AWAY = (
    "<label>Agree <input id=f type=checkbox style='position:absolute;opacity:0;width:0;height:0'></label>",
    "<input id=f type=checkbox style='display:none'><label for=f>Agree</label>",
    "<input id=f type=checkbox style='position:absolute;clip:rect(0 0 0 0);width:1px;height:1px'><label for=f>Agree</label>",
    "<input id=f type=radio name=r>",
)


@pytest.mark.conditions
def test_boxes_that_are_styled_away_are_checked_by_their_label(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show_all(tabwire, site, STYLED_AWAY)
    for number, html in enumerate(STYLED_AWAY):
        tabwire.ok("check", selector=f"#f{number}")
        assert page.evaluate(f"f{number}.checked") is True, html


def test_an_aria_switch_is_checked(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show(
        tabwire,
        site,
        '<div id=f role=switch tabindex=0 aria-checked=false onclick="setTimeout(() => '
        "this.ariaChecked = String(this.ariaChecked !== 'true'), 50)\">Wifi</div>",
    )
    tabwire.ok("check", selector=tabwire.ref("switch", "Wifi"))
    assert page.evaluate("f.ariaChecked") == "true"
    tabwire.ok("uncheck", selector=tabwire.ref("switch", "Wifi"))
    assert page.evaluate("f.ariaChecked") == "false"


TOGGLES = """<button id=pressed role=checkbox aria-pressed=true>Row 1</button>
<button id=later aria-pressed=false>Bold</button>
<div id=absent role=checkbox tabindex=0>Subscribe</div>
<div id=untold role=switch tabindex=0>Mute</div>
<script>
  globalThis.clicks = [];
  for (const box of document.querySelectorAll('[id]')) box.onclick = () => clicks.push(box.id);
  pressed.addEventListener('click', () => { pressed.ariaPressed = String(pressed.ariaPressed !== 'true') });
  later.addEventListener('click', () => setTimeout(() => { later.ariaPressed = 'true' }, 300));
  absent.addEventListener('click', () => absent.toggleAttribute('aria-checked') && absent.setAttribute('aria-checked', 'true'));
  untold.addEventListener('click', () => { untold.textContent = untold.textContent === 'Mute' ? 'Unmute' : 'Mute' });
</script>"""


def test_the_state_of_a_toggle_is_read_where_its_page_tells_it(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """State by ``aria-pressed``, at once or later, by an attribute that is there only when it is on, or by nothing but the name."""
    tabwire.open(site.page(TOGGLES))
    assert tabwire.ok("check", selector="#pressed").data["changed"] is False
    assert (tabwire.ok("uncheck", selector="#pressed").data["checked"], page.evaluate("pressed.ariaPressed")) == (False, "false")
    assert tabwire.ok("check", selector="#later").data["checked"] is True
    for tool, state in (("check", "true"), ("uncheck", None)):
        tabwire.ok(tool, selector="#absent")
        assert page.evaluate("absent.getAttribute('aria-checked')") == state
    reply = tabwire.ok("uncheck", selector="#untold")
    assert (
        "Clicked it" in reply.text and 'its state is not told by the page; its name changed from "Mute" to "Unmute"' in reply.text
    )
    assert page.evaluate("clicks") == ["pressed", "later", "absent", "absent", "untold"]


def test_a_box_that_refuses_is_an_error(tabwire: Tabwire, site: Site) -> None:
    show(tabwire, site, "<input id=f type=checkbox onclick='return false'><input id=r type=radio checked>")
    assert tabwire.fails("check", selector="#f").code == "invalid_element_state"


def test_a_radio_to_uncheck_is_an_error(tabwire: Tabwire, site: Site) -> None:
    show(tabwire, site, "<input id=r type=radio checked>")
    assert tabwire.fails("uncheck", selector="#r").code == "invalid_element_state"


CHOICES: list[tuple[dict[str, Any], str]] = [({"value": "2"}, "2"), ({"label": "Three"}, "3"), ({"index": 1}, "2")]


@pytest.mark.conditions
def test_an_option_is_selected_with_input_then_change(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    numbers = "<select id=f><option value=1>One<option value=2>Two<option value=3>Three</select>"
    show_all(tabwire, site, [numbers] * len(CHOICES))
    for number, (choice, value) in enumerate(CHOICES):
        field = f"f{number}"
        tabwire.ok("select", selector=f"#{field}", **choice)
        assert (page.evaluate(f"{field}.value"), seen(page, field)) == (value, ["focus", "input", "change"]), choice


def test_a_multiple_select_ends_with_exactly_the_given_options(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show(tabwire, site, "<select id=f multiple><option value=1 selected>One<option value=2>Two<option value=3>Three</select>")
    tabwire.ok("select", selector="#f", value=["2", "3"])
    assert page.evaluate("[...f.selectedOptions].map((o) => o.value)") == ["2", "3"]


@pytest.mark.conditions
def test_focus_moves(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    show(tabwire, site, "<input id=f><p id=p>text</p>")
    tabwire.ok("focus", selector="#f")
    assert page.evaluate("document.activeElement.id") == "f"


@pytest.mark.conditions
def test_what_cannot_take_the_focus_says_so(tabwire: Tabwire, site: Site) -> None:
    show(tabwire, site, "<p id=p>text</p>")
    assert tabwire.fails("focus", selector="#p").code == "element_not_interactable"


# ---- forms in one call ------------------------------------------------------------------------------------------------------

KINDS = """<title>Form</title><form>
<label>Name <input name=name value=old></label><label>Notes <textarea name=notes></textarea></label>
<label>Day <input name=day type=date></label><label>At <input name=at type=time></label>
<label>Amount <input name=amount type=number></label><label>Level <input name=level type=range max=10></label>
<label>Colour <select name=colour><option value=r>Red<option value=g>Green</select></label>
<label>Tags <select name=tags multiple><option>one<option>two<option>three</select></label>
<label>Agree <input name=agree type=checkbox></label><label>News <input name=news type=checkbox checked></label>
<label>Small <input name=size type=radio value=s></label><label>Large <input name=size type=radio value=l></label>
<label>Photo <input name=photo type=file></label><label>Secret <input name=secret type=password></label>
<div id=rich contenteditable role=textbox aria-label=Body>old</div></form>
<div id=host></div><iframe srcdoc="<label>Framed <input id=f></label>"></iframe>
<script>host.attachShadow({mode: "open"}).innerHTML = "<label>Shadowed <input id=s></label>";
globalThis.state = () => ({...Object.fromEntries([...new FormData(document.forms[0])].map(([k, v]) => [k, v.name ?? v])),
  tags: [...document.forms[0].tags.selectedOptions].map((o) => o.value).join(), rich: rich.innerText.trim(),
  shadowed: host.shadowRoot.querySelector("input").value, framed: frames[0].document.querySelector("input").value})</script>"""

WANTED: dict[str, Any] = {
    **{"Name": "Ada", "Notes": "two\nlines", "Day": "2024-02-29", "At": "13:45", "Amount": 12.5, "Level": 7, "Colour": "Green"},
    **{"Tags": ["one", "three"], "Agree": True, "News": False, "Large": True, "Secret": "hunter2", "Body": "New text"},
    **{"Shadowed": "deep", "Framed": "inside"},
}

HELD = {
    **{"name": "Ada", "notes": "two\nlines", "day": "2024-02-29", "at": "13:45", "amount": "12.5", "level": "7", "colour": "g"},
    **{"tags": "one,three", "agree": "on", "size": "l", "photo": "a.txt", "secret": "hunter2", "rich": "New text"},
    **{"shadowed": "deep", "framed": "inside"},
}


def by_label(wanted: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"label": label, "value": value} for label, value in wanted.items()]


def fill_all_kinds(tabwire: Tabwire, site: Site) -> Any:
    """Fields by label, but for one by its reference."""
    tabwire.open(site.page(KINDS))
    rest = {label: value for label, value in WANTED.items() if label != "Name"}
    photo = {"label": "Photo", "files": [{"base64": "aGk=", "name": "a.txt"}]}
    name = {"selector": tabwire.ref("textbox", "Name"), "value": WANTED["Name"]}
    return tabwire.ok("fill_form", fields=[name, *by_label(rest), photo])


def test_every_kind_of_field_is_filled_in_one_call(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    reply = fill_all_kinds(tabwire, site)
    assert page.evaluate("state()") == HELD
    told = {field.get("value", field.get("selected", field.get("checked"))) for field in map(hashable, reply.data["fields"])}
    assert {"Ada", "two\nlines", "2024-02-29", ("g",), ("one", "three"), True, False} <= told
    assert "hunter2" not in reply.text + str(reply.structured)
    assert reply.text.startswith("Filled 16 fields")


def hashable(field: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if name == "selected" else value for name, value in field.items()}


def test_the_users_own_browser_fills_the_same(own: Launched, site: Site) -> None:
    fill_all_kinds(own.tabwire, site)
    assert own.browser.shown().evaluate("state()") == HELD


def test_what_cannot_hold_its_value_is_refused_before_anything_is_done(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(KINDS))
    before = page.evaluate("state()")
    wrong = (
        {"label": "Agree", "value": "perhaps"},
        {"label": "Photo", "value": "a.txt"},
        {"label": "Colour", "value": True},
        {"label": "Notes", "value": False},
        {"label": "Small", "value": False},
        {"label": "Agree", "value": "constructor"},
        {"selector": "#host", "value": True},
    )
    for field in wrong:
        reply = tabwire.fails("fill_form", fields=[{"label": "Name", "value": "Ada"}, field])
        assert (reply.code, "field 2 of 2" in reply.text) == ("invalid_argument", True)
    assert tabwire.fails("fill_form", fields=[{"label": "Name", "value": "x"}, {"selector": "@e99999999", "value": "y"}]).code
    assert page.evaluate("state()") == before


def test_a_failure_says_what_stays_and_what_was_not_tried(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(KINDS))
    fields = [*by_label({"Name": "Ada", "Colour": "Blue", "At": "13:45"})]
    reply = tabwire.fails("fill_form", fields=fields, timeout=300)
    assert reply.code == "no_such_element"
    data = reply.structured["data"]
    assert [[field["value"] for field in data["filled"]], data["failed"], data["not_tried"]] == [
        ["Ada"],
        "label:Colour",
        ["label:At"],
    ]
    assert all(words in reply.text for words in ("field 2 of 3", "Green", "filled before it: @e", "not tried: label:At"))
    state = page.evaluate("state()")
    assert (state["name"], state["colour"], state["at"]) == ("Ada", "r", "")


REDRAWN = """<title>Steps</title><form id=form><label>Country <input id=c></label></form><script>
form.addEventListener("input", ({target}) => {
  if (target.id !== "c" || document.querySelector("#r")) return;
  form.innerHTML = `<label>Country <input id=c value="${target.value}"></label><label>City <input id=t></label>`;
  setTimeout(() => form.insertAdjacentHTML("beforeend", "<label>Region <input id=r></label>"), 100);
})</script>"""


def test_fields_that_come_with_others_are_filled_in_their_turn(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(REDRAWN))
    tabwire.ok("fill_form", fields=by_label({"Country": "Peru", "City": "Lima", "Region": "Coast"}))
    assert page.evaluate("[t.value, r.value]") == ["Lima", "Coast"]


@pytest.mark.parametrize("button", ["<button>Send</button>", ""])
def test_submit_presses_the_button_of_the_form_or_enter(tabwire: Tabwire, site: Site, button: str) -> None:
    other = "<button type=button onclick='document.title = 1'>Other</button>"
    tabwire.open(site.page(f"<form method=post action=/form>{other}<label>Name <input name=n></label>{button}</form>"))
    reply = tabwire.ok("fill_form", fields=by_label({"Name": "Ada"}), submit=True)
    assert [post.form for post in site.posts] == [{"n": "Ada"}]
    assert "navigated" in reply.data["effects"]
    assert ("Send" if button else "by Enter") in reply.text


def test_enter_without_a_form_that_did_nothing_is_said_to_have(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<label>Name <input></label><button onclick='document.title = 1'>Check</button>"))
    reply = tabwire.ok("fill_form", fields=by_label({"Name": "Ada"}), submit=True)
    assert "changed nothing that was observed; click what sends them" in reply.text, (reply.text, reply.data)
    assert page.evaluate("document.title") == "Test page"
    tabwire.open(site.page("<label>Name <input onkeydown='document.title = event.key'></label>"))
    assert "note" not in tabwire.ok("fill_form", fields=by_label({"Name": "Ada"}), submit=True).data
    assert page.evaluate("document.title") == "Enter"


def test_submit_tells_only_that_the_page_changed_where_that_is_wanted(tabwire: Tabwire, site: Site) -> None:
    asks = "<form onsubmit='event.preventDefault(); more.textContent = \"A long answer\"'>"
    tabwire.open(site.page(f"{asks}<label>Name <input></label><button>Send</button></form><p id=more></p>"))
    reply = tabwire.ok("fill_form", fields=by_label({"Name": "Ada"}), submit=True, diff=False)
    assert "the page changed" in reply.text and "A long answer" not in reply.text


def test_a_dialog_ends_the_filling(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    asks = "<label>One <input id=a onchange='alert(1)'></label><label>Two <input id=b></label><label>Three <input id=c></label>"
    tabwire.open(site.page(f"<form method=post action=/form>{asks}<button>Send</button></form>"))
    reply = tabwire.ok("fill_form", fields=by_label({"One": "1", "Two": "2", "Three": "3"}), submit=True)
    assert reply.data["effects"]["dialog"]["type"] == "alert"
    assert "Filled 1 of 3 fields" in reply.text and "before label:Two was seen to hold its value" in reply.text
    assert "it was not submitted" in reply.text and "not tried: label:Three" in reply.text
    tabwire.ok("dialog", action="accept")
    # The site hears a later request of the page: one that submits the form would have come before.
    assert page.evaluate("fetch('/ok.json').then((response) => response.status)")
    assert (site.hit_count("/ok.json"), site.posts) == (1, [])
    # The dialog of the first field opened as the second one took the focus.
    assert page.evaluate("[a.value, b.value, c.value]") == ["1", "", ""]
