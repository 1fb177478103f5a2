"""What a selector finds, and what the query and locator tools answer."""

from collections.abc import Iterator
from typing import Any

import pytest

from extension.content_page import ContentPage

HTML = """
<form aria-label=Login>
  <label for=m>Email address</label><input id=m placeholder='you@example.org'>
  <label>Remember <input type=checkbox id=r checked></label>
  <button id=in>Sign in</button><button id=sso title='Single sign-on'>Sign in with SSO</button>
</form>
<h1 id=h1>Shop</h1><h2 id=h2>Tea</h2>
<ul><li id=l1>Green <a id=a1 href=/g>Buy</a></li><li id=l2>Black <a id=a2 href=/b>Buy</a></li></ul>
<img id=i src=data:, alt='A cup'><p id=p data-testid=note>Some <b id=b>bold</b> words</p>
<div id=gone style='display:none'>Sign in</div><input type=submit id=s value='Send it'>
<x-open id=xo></x-open>
<script>
  xo.attachShadow({mode: 'open'}).innerHTML = '<div class=inner><button id=deep class=go>Deep</button></div>';
</script>
"""


@pytest.fixture(scope="module")
def page(page: ContentPage) -> ContentPage:
    page.show(HTML)
    return page


@pytest.fixture
def other(page: ContentPage) -> Iterator[ContentPage]:
    """The page for a test that shows something else in it."""
    yield page
    page.show(HTML)


def found(page: ContentPage, selector: str) -> list[str]:
    (ids,) = page.run(FIND_ALL, [selector])
    assert isinstance(ids, list)
    return ids


FOUND: dict[str, list[str]] = {
    "role:button[name='Sign in']": ["in", "sso"],
    'role:button[name="Sign in with SSO"]': ["sso"],
    "role:button[name=/^sign in$/i]": ["in"],
    "role:heading[level=2]": ["h2"],
    "role:checkbox[checked]": ["r"],
    "role:checkbox[checked=false]": [],
    "text:bold": ["b"],
    "text:some bold": ["p"],
    'text:"Tea"': ["h2"],
    'text:"tea"': [],
    "text:/^te/i": ["h2"],
    "text:send it": ["s"],
    "label:email": ["m"],
    "label:Remember": ["r"],
    "placeholder:you@": ["m"],
    "alt:cup": ["i"],
    "title:single": ["sso"],
    "testid:note": ["p"],
    "#p > b": ["b"],
    ".go": ["deep"],
    "x-open .inner button": ["deep"],
    "xpath=//li[2]/a": ["a2"],
    "//h1": ["h1"],
    'heading "Tea"': ["h2"],
    'role:link "Buy"': ["a1", "a2"],
    "text=bold": ["b"],
    'role=button[name="Sign in with SSO"]': ["sso"],
    "role:summary": [],
}
FIND_ALL = """
const [selectors] = arguments, tw = __inside;
return selectors.map((selector) => tw.selectors.findAll(tw.selectorSyntax.parse(selector)).map(({ id }) => id));
"""


def test_a_selector_finds(page: ContentPage) -> None:
    assert dict(zip(FOUND, page.run(FIND_ALL, list(FOUND)), strict=True)) == FOUND


@pytest.mark.parametrize("selector", ["", "div[", "xpath=//[", "role:", "role:button[colour=red]", "text:/(/"])
def test_an_invalid_selector_says_so(page: ContentPage, selector: str) -> None:
    assert page.answer("selectors.find", selector=selector)["error"]["code"] == "invalid_selector"


@pytest.mark.parametrize(
    ("selector", "advice"),
    [
        ("role:buton", '"buton" is not an ARIA role, so nothing can match it; use role:button, '),
        (
            "role:input",
            '"input" is not an ARIA role, so nothing can match it; use a role that a snapshot shows, such as role:button',
        ),
        ("#p::before", "::before is a pseudo-element; name the element that has it"),
        ("a:has-text('Buy')", "CSS cannot look for text; use text:Buy"),
        ('li:contains("Green")', "CSS cannot look for text; use text:Green"),
    ],
)
def test_what_no_page_can_match_is_refused_with_another_way(page: ContentPage, selector: str, advice: str) -> None:
    error = page.answer("selectors.find", selector=selector)["error"]
    assert error["code"] == "invalid_selector"
    assert advice in error["message"]


def test_a_chain_names_roles_that_exist(page: ContentPage) -> None:
    error = page.answer("selectors.chain", chain=[{"method": "role", "value": "btn"}])["error"]
    assert (error["code"], '"btn" is not an ARIA role' in error["message"]) == ("invalid_selector", True)


@pytest.mark.parametrize("selector", ["[data-a='x::before']", "#p, #b::after", r".a\:\:b"])
def test_a_colon_in_a_literal_or_a_list_is_no_pseudo_element(page: ContentPage, selector: str) -> None:
    assert "result" in page.answer("selectors.find", selector=selector)


ADD_SHADOW = """
// Where there is a shadow root every element is looked at.
document.body.append(document.createElement("section"));
document.body.lastChild.attachShadow({ mode: "open" });
"""
BOTH_WAYS = f"""
const [html, selectors] = arguments, tw = globalThis.__inside;
document.body.innerHTML = html;
const ids = (selector) => tw.selectors.findAll(tw.selectorSyntax.parse(selector)).map(({{ id, localName }}) => id || localName);
const quick = selectors.map(ids);
{ADD_SHADOW}
return [quick, selectors.map(ids)];
"""
WORDS = """
<style>.off { display: none }</style>
<div id=far><p id=apart>Pay <b>n<i class=off>x</i>ow</b>, 7€</p><p>Pay later</p><input id=go type=submit value="Go on"></div>
<p id=soft>sur­prise</p><p id=kelvin>300 K</p><p id=dotted>İstanbul</p><p id=lists>Pa<span>y</span><br>day (1+1) [x] {y} a-b\\c</p>
<label id=label>Colour <input id=field title=Shade></label><p id=cyrillic>Привет</p><p id=cjk>付款</p>
"""


IN_WORDS: dict[str, list[str]] = {
    "text:pay now": ["apart"],
    "text:7€": ["apart"],
    "text:nxow": [],
    "text:go on": ["go"],
    'text:"Go on"': ["go"],
    "text:surprise": ["soft"],
    "text:300 k": ["kelvin"],
    "text:i̇stanbul": ["dotted"],
    "text:day (1+1) [x] {y} a-b\\c": ["lists"],
    "text:/^Pay/": ["apart", "p", "lists"],
    "text:привет": ["cyrillic"],
    "text:款": ["cjk"],
    "text:nowhere": [],
    "label:colour": ["field"],
    "role:button": ["go"],
    "role:textbox": ["field"],
    "role:paragraph": ["apart", "p", "soft", "kelvin", "dotted", "lists", "cyrillic", "cjk"],
}
TRANSFORMED = f"{WORDS}<style>.up {{ text-transform: uppercase }}</style><p id=sharp class=up>straße</p><p id=ligature class=up>ﬁn</p><p id=upper class=up>résumé</p>"
IN_TRANSFORMED = IN_WORDS | {
    "role:paragraph": [*IN_WORDS["role:paragraph"], "sharp", "ligature", "upper"],
    "text:STRASSE": ["sharp"],
    "text:FIN": ["ligature"],
    "text:RÉSUMÉ": ["upper"],
}


@pytest.mark.parametrize(("html", "expected"), [(WORDS, IN_WORDS), (TRANSFORMED, IN_TRANSFORMED)], ids=["plain", "transformed"])
def test_what_the_browser_finds_is_what_a_look_at_every_element_finds(
    other: ContentPage, html: str, expected: dict[str, list[str]]
) -> None:
    for found_ids in other.run(BOTH_WAYS, html, list(expected)):
        assert dict(zip(expected, found_ids, strict=True)) == expected


@pytest.mark.parametrize(
    ("html", "root", "selector", "ids"),
    [
        ("<x-card><button id=slotted>Buy it</button></x-card>", "shown.querySelector('section')", "role:button", ["slotted"]),
        ("<x-card><button id=slotted>Buy it</button></x-card>", "shown.querySelector('section')", "text:buy it", ["slotted"]),
        (
            "<div focusgroup=tablist><p id=in><button id=a>A</button></p></div>",
            "document.getElementById('in')",
            "role:tab",
            ["a"],
        ),
    ],
)
def test_what_is_around_a_part_counts_in_it(other: ContentPage, html: str, root: str, selector: str, ids: list[str]) -> None:
    other.show(html)
    card = "const card = document.querySelector('x-card'), shown = card?.attachShadow({mode: 'open'}) ?? {};"
    inside = "shown.innerHTML = '<section><slot></slot></section>';"
    look = (
        f"const tw = __inside; return tw.selectors.findAll(tw.selectorSyntax.parse(arguments[0]), {root}).map(({{ id }}) => id);"
    )
    assert other.run(card + inside + look, selector) == ids


FRAMED = """
<a href=#>1</a><p><a href=#>2</a><iframe id=one srcdoc="a"></iframe><a href=#>3</a></p><object></object>
<iframe id=two srcdoc="b"></iframe><iframe id=three srcdoc="c"></iframe><a href=#>4</a>
"""
LAYOUTS = f"""
const [html, roles] = arguments, tw = globalThis.__tabwire;
document.body.innerHTML = html;
const layout = async (role) => {{
  const {{ result }} = await tw.call("selectors.query", {{ by: "role", value: role, return: "count", nonce: "n" }});
  return result.layout.map((part) => part.slot === undefined ? part : "frame");
}};
return (async () => {{
  const quick = await Promise.all(roles.map(layout));
  {ADD_SHADOW}
  return [quick, await Promise.all(roles.map(layout))];
}})();
"""


LAYOUT: dict[str, list[Any]] = {
    "link": [2, "frame", 1, "frame", 0, "frame", 1],
    "iframe": [1, "frame", 1, "frame", 1, "frame", 0],
    "paragraph": [1, "frame", 0, "frame", 0, "frame", 0],
    "slider": [0, "frame", 0, "frame", 0, "frame", 0],
}


def test_matches_stand_before_and_after_frames(other: ContentPage) -> None:
    for layouts in other.run(LAYOUTS, FRAMED, list(LAYOUT)):
        assert dict(zip(LAYOUT, layouts, strict=True)) == LAYOUT


PATHS = """
const root = arguments[0] ? document.querySelector(arguments[0]).shadowRoot : document;
return [...root.querySelectorAll(":not(html, head, head *)")].filter((element) => {
  const css = __inside.elementIdentity.pathsOf(element).at(-1);
  return root.querySelectorAll(css).length !== 1 || root.querySelector(css) !== element;
}).map(({ outerHTML }) => outerHTML);
"""


def test_a_path_leads_to_its_element_alone(other: ContentPage) -> None:
    other.show(HTML + "<ul><li>a<li>b<p><b>c</b><i>d</i><b>e</b></p></ul><svg><a/><a/></svg><div id=gone>twice</div>")
    assert other.run("return document.querySelectorAll(':not(html, head, head *)').length") > 30
    assert other.run(PATHS, None) == []
    assert other.run("return __inside.elementIdentity.pathsOf(document.querySelectorAll('ul ~ ul b')[1])") == [
        "body > ul:nth-of-type(2) > li:nth-of-type(2) > p > b:nth-of-type(2)"
    ]
    other.run("xo.shadowRoot.innerHTML = '<p>1</p><p>2<b>3</b></p><a>4</a>'")
    assert other.run(PATHS, "x-open") == []


def find(page: ContentPage, selector: str) -> dict[str, Any]:
    answer = page.call("selectors.find", selector=selector)
    assert isinstance(answer, dict)
    return answer


def test_a_whole_match_wins_over_a_part(page: ContentPage) -> None:
    assert find(page, 'role:button[name="Sign in"]')["usable"] == 1
    assert find(page, "text:Sign in")["usable"] == 1


def test_several_matches_are_listed(page: ContentPage) -> None:
    answer = find(page, "text:Buy")
    assert answer["usable"] == 2
    assert [(one["role"], one["name"]) for one in answer["candidates"]] == [("link", "Buy"), ("link", "Buy")]


def test_only_hidden_matches_are_counted_apart(page: ContentPage) -> None:
    answer = find(page, "#gone")
    assert (answer["count"], answer["usable"]) == (1, 0)


def query(page: ContentPage, by: str, value: str, **args: Any) -> list[Any]:
    answers: list[Any] = page.call("selectors.query", by=by, value=value, **args)["answers"]
    return answers


def test_query_answers_texts_and_attributes(page: ContentPage) -> None:
    assert query(page, "role", "listitem", **{"return": "text"}) == ["Green Buy", "Black Buy"]
    assert query(page, "role", "link", **{"return": "attribute", "attribute": "href"}) == ["/g", "/b"]
    assert len(query(page, "role", "button", options={"name": "sign", "exact": False}, **{"return": "count"})) == 2
    assert query(page, "role", "button", options={"name": "sign in", "exact": True}) == []


def test_query_all_tells_everything(page: ContentPage) -> None:
    (answer,) = query(page, "label", "Remember", **{"return": "all"})
    assert answer["role"] == "checkbox"
    assert answer["name"] == "Remember"
    assert answer["states"]["checked"] is True
    assert answer["attributes"]["type"] == "checkbox"
    assert set(answer["bounds"]) == {"x", "y", "width", "height"}


def test_query_looks_at_hidden_elements_on_request(page: ContentPage) -> None:
    options = {"exact": True}
    assert len(query(page, "text", "Sign in", options=options)) == 1
    assert len(query(page, "text", "Sign in", options={**options, "include_hidden": True})) == 2


@pytest.mark.parametrize(
    ("chain", "names"),
    [
        (
            [
                {"method": "role", "value": "form", "options": {"name": "Login"}},
                {"method": "within"},
                {"method": "role", "value": "checkbox"},
            ],
            ["Remember"],
        ),
        (
            [{"method": "role", "value": "listitem"}, {"method": "nth", "value": "1"}, {"method": "role", "value": "link"}],
            ["Buy"],
        ),
        ([{"method": "role", "value": "button"}, {"method": "filter", "options": {"hasText": "SSO"}}], ["Sign in with SSO"]),
        ([{"method": "css", "value": "form button"}, {"method": "filter", "options": {"hasNotText": "SSO"}}], ["Sign in"]),
        ([{"method": "css", "value": "button"}, {"method": "within", "value": "form"}, {"method": "last"}], ["Sign in with SSO"]),
        ([{"method": "xpath", "value": "//h2"}, {"method": "first"}], ["Tea"]),
    ],
)
def test_a_chain_narrows_down(page: ContentPage, chain: list[dict[str, Any]], names: list[str]) -> None:
    assert [one["name"] for one in page.call("selectors.chain", chain=chain)["candidates"]] == names


def test_a_chain_cannot_start_by_picking(page: ContentPage) -> None:
    assert page.answer("selectors.chain", chain=[{"method": "first"}])["error"]["code"] == "invalid_argument"


def test_waiting_ends_at_the_next_change(page: ContentPage) -> None:
    stamp = page.call("selectors.find", selector="#late", watching=True)["stamp"]
    page.run("setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>Late</p>'), 50)")
    assert page.call("selectors.changed", stamp=stamp) is True
    assert find(page, "#late")["usable"] == 1


def test_what_a_dialog_shuts_away_is_not_a_rival(page: ContentPage) -> None:
    page.show("<div aria-hidden=true><button>Close</button></div><div role=dialog aria-label=D><button>Close</button></div>")
    assert find(page, "text:Close")["usable"] == 1
    assert find(page, "css=button")["usable"] == 1
    page.show(HTML)


def test_a_row_of_a_table_is_found_by_what_its_cells_say(page: ContentPage) -> None:
    page.show("<table><tr id=a><th>Name<th>Phone<tr id=b><td>Ann<td>12<tr id=c><td>Annette<td><img alt=none></table>")
    for name, rows in (("Ann 12", ["b"]), ("/^annette none$/i", ["c"]), ("Name", ["a"]), ("Ann", ["b", "c"])):
        assert found(page, f"role:row[name={name}]") == rows


def test_query_leaves_out_what_frameworks_leave_behind_and_falls_back_to_the_name(page: ContentPage) -> None:
    page.show(
        "<input id=q data-v-7ba5bd90 _ngcontent-abc-c12 ng-reflect-name=q data-reactroot data-value=v aria-label=Words>"
        "<button aria-label=Close></button><button>Save</button>"
    )
    (answer,) = query(page, "label", "Words", **{"return": "all"})
    assert answer["attributes"] == {"id": "q", "data-value": "v", "aria-label": "Words"}
    assert query(page, "role", "button", **{"return": "text"}) == ["Close", "Save"]
