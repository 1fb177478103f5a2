"""Actionability and DOM input of the content scripts, in a plain page without the extension."""

import re
from typing import Any

import pytest
from selenium import webdriver

from extension.content_page import ContentPage
from polling import until

CALL = """
const [name, selector, args, done] = arguments;
const tw = globalThis.__tabwire;
const target = selector ? {ref: __inside.refs.refFor(document.querySelector(selector))} : undefined;
Promise.resolve(tw.call(name, {target, ...args})).then(done);
"""
ALL_CHECKS = ["visible", "enabled", "stable", "receives"]


class PlainPage(ContentPage):
    """``call`` runs a content function on the element of a CSS selector."""

    def call(self, name: str, selector: str | None = None, **args: Any) -> Any:
        answer = self._driver.execute_async_script(CALL, name, selector, args)
        return answer.get("result", answer.get("error"))

    def evaluate(self, expression: str) -> Any:
        return self._driver.execute_script(f"return {expression}")

    def prepare(self, selector: str, timeout_ms: int = 50, **args: Any) -> Any:
        return self.call("actionability.prepare", selector, **{"checks": ALL_CHECKS, "timeout_ms": timeout_ms, **args})

    def click(self, selector: str) -> Any:
        point = self.prepare(selector)["point"]
        return self.call("input.perform", selector, point=point, verb="click", options={})


@pytest.fixture(scope="module")
def page(driver: webdriver.Chrome) -> PlainPage:
    page = PlainPage(driver)
    page.resize(1000, 800)
    return page


def test_a_button_below_the_fold_is_scrolled_to_and_its_point_hits_it(page: PlainPage) -> None:
    page.show("<div style='height:6000px'></div><button id=b>Go</button>")
    at = page.prepare("#b")["point"]
    assert page.evaluate("scrollY") > 5000
    assert page.evaluate(f"document.elementFromPoint({at['x']}, {at['y']}).id") == "b"


def test_a_covered_element_fails_naming_what_covers_it(page: PlainPage) -> None:
    page.show("<button id=b>Go</button><div class='veil dark' style='position:fixed;inset:0'>Loading</div>")
    error = page.prepare("#b")
    assert error["code"] == "element_click_intercepted"
    assert '<div class="veil dark"> "Loading"' in error["message"]


def test_a_cover_that_goes_away_is_waited_for(page: PlainPage) -> None:
    page.show(
        "<button id=b>Go</button><div id=veil style='position:fixed;inset:0'></div>"
        "<script>setTimeout(() => veil.remove(), 200)</script>"
    )
    assert page.prepare("#b", timeout_ms=3000)["point"]


def test_a_sticky_header_is_dodged_by_another_alignment(page: PlainPage) -> None:
    page.show(
        "<div style='position:fixed;top:0;left:0;right:0;height:70%;background:#ccc'></div>"
        "<div style='height:3000px'></div><button id=b>Go</button><div style='height:3000px'></div>"
    )
    at = page.prepare("#b")["point"]
    assert page.evaluate(f"document.elementFromPoint({at['x']}, {at['y']}).id") == "b"


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<button id=b disabled>Go</button>", "element_not_interactable"),
        ("<fieldset disabled><button id=b>Go</button></fieldset>", "element_not_interactable"),
        ("<div id=b role=button aria-disabled=true>Go</div>", "element_not_interactable"),
        ("<button disabled><span id=b>Go</span></button>", "element_not_interactable"),
        ("<button id=b style='visibility:hidden'>Go</button>", "element_not_interactable"),
        ("<button id=b style='display:none'>Go</button>", "element_not_interactable"),
        ("<div inert><button id=b>Go</button></div>", "element_not_interactable"),
        ("<button id=b style='position:fixed;left:-500px'>Go</button>", "element_not_interactable"),
    ],
)
def test_an_unfit_element_is_refused(page: PlainPage, html: str, code: str) -> None:
    page.show(html)
    assert page.prepare("#b")["code"] == code


def test_an_element_that_becomes_enabled_is_waited_for(page: PlainPage) -> None:
    page.show("<button id=b disabled>Go</button><script>setTimeout(() => b.disabled = false, 200)</script>")
    assert page.prepare("#b", timeout_ms=3000)["point"]


def test_force_skips_the_checks(page: PlainPage) -> None:
    page.show("<button id=b disabled>Go</button>")
    assert page.prepare("#b", force=True)["point"]


def test_a_moving_element_is_aimed_at_where_it_comes_to_rest(page: PlainPage) -> None:
    page.show(
        "<style>@keyframes slide { from { transform: translateX(600px) } }</style>"
        "<button id=b style='animation: slide .4s linear'>Go</button>"
    )
    assert page.prepare("#b", timeout_ms=3000)["point"]["x"] < 100


def test_an_endless_spinner_does_not_hold_the_act_up(page: PlainPage) -> None:
    page.show(
        "<style>@keyframes turn { to { transform: rotate(1turn) } }</style>"
        "<button id=b style='animation: turn 5s linear infinite'>Go</button>"
    )
    assert page.prepare("#b", timeout_ms=1000)["point"]


@pytest.mark.parametrize(
    "html",
    [
        "<a id=b href=#x style='display:block;height:0'><div style='float:left;width:50px;height:20px'>x</div></a>",
        "<span id=b style='display:contents'>text only</span>",
        "<div style='width:60px'><a id=b href=#x>a link that runs over several lines</a></div>",
        "<button><svg id=b width=20 height=20 style='pointer-events:none'><rect width=20 height=20 /></svg></button>",
        "<label><input id=b type=checkbox style='position:absolute;opacity:0'><span style='display:block;position:relative'>Agree</span></label>",
        "<label for=b>Agree</label><input id=b type=checkbox style='position:absolute;clip-path:inset(50%);width:1px;height:1px'>",
        "<select id=s size=3><option>a<option id=b>b</select>",
        "<map name=m><area id=b href=#x shape=rect coords=10,10,50,50></map><img usemap=#m width=100 height=100 style='background:red'>",
    ],
)
def test_a_point_is_found_for_unusual_boxes(page: PlainPage, html: str) -> None:
    page.show(html)
    assert "point" in page.prepare("#b"), page.prepare("#b")


RECORD = """<script>globalThis.seen = [];
for (const type of ["pointerdown", "mousedown", "focusin", "pointerup", "mouseup", "click", "input", "change", "submit"])
  addEventListener(type, (e) => seen.push([type, e.button ?? null, e.buttons ?? null, e.detail ?? null].join(" ")), true);
</script>"""


def test_a_click_by_dom_events_has_the_order_and_fields_of_a_real_one(page: PlainPage) -> None:
    page.show(f"<button id=b onclick='event.preventDefault()'>Go</button>{RECORD}")
    page.click("#b")
    assert page.evaluate("seen") == [
        "pointerdown 0 1 0",
        "mousedown 0 1 1",
        "focusin   0",
        "pointerup 0 0 0",
        "mouseup 0 0 1",
        "click 0 0 1",
    ]


@pytest.mark.parametrize("selector", ["#box", "label"])
def test_a_box_or_its_label_clicked_by_dom_events_toggles_once(page: PlainPage, selector: str) -> None:
    page.show(f"<label><input id=box type=checkbox> Agree</label>{RECORD}")
    page.click(selector)
    assert page.evaluate("box.checked") is True
    assert [line.split()[0] for line in page.evaluate("seen")].count("change") == 1


def test_a_submit_button_clicked_by_dom_events_submits_once(page: PlainPage) -> None:
    page.show(f"<form onsubmit='event.preventDefault()'><input name=a><button id=b>Send</button></form>{RECORD}")
    page.click("#b")
    assert [line.split()[0] for line in page.evaluate("seen")].count("submit") == 1


def fill(page: PlainPage, selector: str, value: str, clear: bool = True) -> Any:
    return page.call("forms.fill", selector, value=value, clear=clear, force=False, timeout_ms=50, allowed=["password"])


FILLED = [
    ("<input value=old>", "new"),
    ("<input type=password>", "s3cret"),
    ("<input type=email>", "a@b.example"),
    ("<input type=number>", "-12.5"),
    ("<input type=date>", "2024-02-29"),
    ("<input type=time>", "13:45"),
    ("<input type=datetime-local>", "2024-02-29T13:45"),
    ("<input type=month>", "2024-02"),
    ("<input type=week>", "2024-W09"),
    ("<input type=color>", "#ff8800"),
    ("<input type=range min=0 max=10>", "7"),
    ("<textarea>old</textarea>", "two\nlines"),
    ("<input value=old>", ""),
]


def test_fields_are_filled_by_dom_events_with_one_change(page: PlainPage) -> None:
    fields = "".join(re.sub(r"^<\w+", rf"\g<0> id=f{number}", html) for number, (html, _) in enumerate(FILLED))
    page.show(f"{fields}<button id=other>x</button>{RECORD}")
    # A page that gets the window's focus only now would focus its field once more.
    until(lambda: page.evaluate("document.hasFocus()"))
    outcomes = []
    for number in range(len(FILLED)):
        fill(page, f"#f{number}", FILLED[number][1])
        page.evaluate("document.getElementById('other').focus()")
        kinds = [line.split()[0] for line in page.evaluate("seen.splice(0)")]
        value = page.evaluate(f"f{number}.value")
        outcomes.append((value, kinds.count("change"), kinds.count("focusin"), "input" in kinds))
    assert outcomes == [(value, 1, 2, True) for _, value in FILLED]


def test_filling_without_clear_appends(page: PlainPage) -> None:
    page.show("<input id=f value=one><input id=g type=email value=a@b><div id=h contenteditable>one</div>")
    for selector in ("#f", "#g", "#h"):
        fill(page, selector, "two", clear=False)
    assert page.evaluate("[f.value, g.value, h.innerText]") == ["onetwo", "a@btwo", "onetwo"]


def test_a_rich_editor_is_replaced_by_dom_events(page: PlainPage) -> None:
    page.show(f"<div id=f contenteditable><p>Old <b>text</b></p><ul><li>item</ul></div>{RECORD}")
    fill(page, "#f", "New text")
    assert page.evaluate("f.innerText.trim()") == "New text"
    assert "input" in [line.split()[0] for line in page.evaluate("seen")]


@pytest.mark.parametrize(
    ("html", "value", "code"),
    [
        ("<input id=f type=date>", "2024-02-30", "invalid_argument"),
        ("<input id=f type=number>", "abc", "invalid_argument"),
        ("<input id=f type=color>", "reddish", "invalid_argument"),
        ("<input id=f readonly>", "x", "element_not_editable"),
        ("<input id=f disabled>", "x", "element_not_interactable"),
        ("<input id=f type=checkbox>", "x", "element_not_editable"),
        ("<select id=f><option>a</select>", "a", "element_not_editable"),
        ("<p id=f>text</p>", "x", "element_not_editable"),
        ("<input id=f onbeforeinput='event.preventDefault()' oninput='this.value = \"\"'>", "x", "invalid_element_state"),
    ],
)
def test_a_field_that_does_not_take_the_text_is_an_error(page: PlainPage, html: str, value: str, code: str) -> None:
    page.show(html)
    assert fill(page, "#f", value)["code"] == code


def test_a_page_that_reformats_the_text_is_reported_not_refused(page: PlainPage) -> None:
    page.show("<input id=f oninput='this.value = this.value.toUpperCase()'>")
    assert fill(page, "#f", "abc") == {
        "element": '<input id="f">',
        "value": "ABC",
        "note": 'the page changed the text: the field now holds \ue010"ABC"\ue011',
    }


def test_a_field_is_called_by_its_name_and_not_by_what_is_in_it(page: PlainPage) -> None:
    page.show("<label>Your name <input id=f></label><label>Note <textarea id=t>old</textarea></label>")
    assert fill(page, "#f", "Ada")["element"] == '<input id="f"> "Your name"'
    assert fill(page, "#t", "new")["element"] == '<textarea id="t"> "Note"'
    page.show("<select id=s aria-label=Size><option>Small<option>Large</select><button id=b><img alt=Close></button>")
    described = [page.call("actionability.prepare", at, checks=[], timeout_ms=50)["description"] for at in ("#s", "#b")]
    assert described == ['<select id="s"> "Size"', '<button id="b"> "Close"']


def test_options_are_selected_by_value_label_and_index(page: PlainPage) -> None:
    page.show(f"<select id=s><option value=1>One<option value=2>Two<option value=3>Three</select>{RECORD}")
    for choice, value in (({"value": "2"}, "2"), ({"label": "Three"}, "3"), ({"index": 0}, "1"), ({"value": "Two"}, "2")):
        assert page.call("forms.select", "#s", timeout_ms=50, **choice)["selected"] == [value]
    assert [line.split()[0] for line in page.evaluate("seen")] == ["focusin"] + ["input", "change"] * 4


def test_a_missing_option_is_an_error_that_lists_what_there_is(page: PlainPage) -> None:
    page.show("<select id=s><option value=1>One</select>")
    error = page.call("forms.select", "#s", value="9", timeout_ms=50)
    assert (error["code"], '"One" (1)' in error["message"]) == ("no_such_element", True)


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<input id=f type=password>", "password"),
        ("<input id=f type=text style='-webkit-text-security: disc'>", "password"),
        ("<label>Your PIN <input id=f></label>", "password"),
        ("<input id=f autocomplete='section-x shipping cc-number'>", "payment"),
        ("<input id=f type=password name=cvc>", "payment"),
        ("<select id=f autocomplete=cc-exp-month><option>1</select>", "payment"),
        ("<label id=f>Card number <input></label>", "payment"),
        ("<div id=f><input autocomplete=one-time-code></div>", "one_time_code"),
        ("<input id=f placeholder='Verification code'>", "one_time_code"),
        ("<input id=f name=search type=search aria-label='Find a password manager'>", None),
        ("<input id=f autocomplete=email>", None),
        ("<input id=f name=shipping>", None),
        ("<textarea id=f></textarea>", None),
    ],
)
def test_text_for_a_sensitive_field_needs_its_kind_to_be_allowed(page: PlainPage, html: str, kind: str | None) -> None:
    page.show(html)
    answer = page.call("keyboard.focus", "#f", timeout_ms=50)
    if kind is None:
        assert answer.get("code") != "sensitive"
        return
    assert (answer["code"], answer["data"]["kind"]) == ("sensitive", kind)
    assert page.evaluate("document.activeElement === document.body")
    assert page.call("keyboard.focus", "#f", timeout_ms=50, allowed=[kind]).get("code") != "sensitive"


COMBOBOX = """
<div id=widget style='position:relative;width:200px;height:30px' onclick='opened = (window.opened ?? 0) + 1'>
  <span style='position:absolute;inset:0'><input role=combobox readonly style='width:100%;opacity:0'></span>
  <span id=shown style='position:absolute;inset:0'>Please choose</span></div>
"""


def test_a_combobox_under_its_own_placeholder_is_clicked_there(page: PlainPage) -> None:
    page.show(COMBOBOX)
    assert "point" in page.prepare("input")
    page.click("input")
    assert page.evaluate("opened") == 1
    page.run("shown.style.inset = '-300px'")
    assert page.prepare("input")["code"] == "element_click_intercepted"
    page.run("shown.style.inset = '0'; shown.innerHTML = '<button style=\"width:200px;height:30px\">Clear</button>'")
    assert page.prepare("input")["code"] == "element_click_intercepted"
