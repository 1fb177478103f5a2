"""Snapshot, query and locator in the extension: frames in one tree, refs across documents, waiting, refusing."""

from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

INNER = "<button onclick='globalThis.clicked = true'>Inner</button><iframe title=Deep srcdoc='<button>Deep</button>'></iframe>"


def tree(tabwire: Tabwire, **arguments: Any) -> list[str]:
    """Role and name of every line, indented."""
    return [f"{'  ' * line.depth}{line.role} {line.name}".rstrip() for line in tabwire.lines(**arguments)]


def test_all_frames_are_one_tree_in_reading_order(tabwire: Tabwire, site: Site) -> None:
    cross = site.cross_page(INNER)
    tabwire.open(
        site.page(
            f"<iframe title=Cross src='{cross}'></iframe><p>Between</p><div id=open></div><div id=closed></div>"
            "<iframe title=Doc srcdoc='<button>In doc</button>'></iframe><script>"
            f"open_ = document.getElementById('open').attachShadow({{mode: 'open'}});"
            f"open_.innerHTML = `<iframe title=Hosted src='{cross}'></iframe>`;"
            "closed_ = document.getElementById('closed').attachShadow({mode: 'closed'});"
            "closed_.innerHTML = `<button>In closed</button><iframe title=Kept srcdoc='<button>In kept</button>'></iframe>`;"
            "</script>",
            title="Frames",
        )
    )
    inner = ["    button Inner", "    iframe Deep", "      button Deep"]
    assert tree(tabwire) == [
        "document Frames",
        "  iframe Cross",
        *inner,
        "  paragraph",
        "  iframe Hosted",
        *inner,
        "  button In closed",
        "  iframe Kept",
        "    button In kept",
        "  iframe Doc",
        "    button In doc",
    ]


@pytest.mark.conditions
def test_bounds_in_frames_are_those_of_the_top_viewport(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    cross = site.cross_page(
        "<body style='margin:0'><button style='position:absolute;left:7px;top:9px;width:50px;height:20px'>B</button>"
    )
    style = "position:absolute;left:100px;top:60px;border:3px solid"
    tabwire.open(site.page(f"<iframe style='{style}' src='{cross}'></iframe>"))
    line = next(line for line in tabwire.lines(include_bounds=True) if line.role == "button")
    # Borders are whole device pixels wide.
    border = page.evaluate("parseFloat(getComputedStyle(document.querySelector('iframe')).borderLeftWidth)")
    place = f"{round(100 + border + 7)},{round(60 + border + 9)}"
    assert line.text == f'- button "B" [ref={line.ref}] [box={place},50,20]'


def test_a_frame_that_cannot_be_read_is_told(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<iframe title=Lost src='http://127.0.0.1:9/'></iframe>"))
    text = tabwire.snapshot()
    assert "(this frame cannot be read)" in text
    assert "1 frame unreachable" in text


def test_refs_survive_the_end_of_the_service_worker(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page("<button>One</button><button onclick='document.title = 2'>Two</button>"))
    two = tabwire.ref("button", "Two")
    browser.stop_workers()
    tabwire.ok("click", selector=two)
    assert tabwire.ref("button", "Two") == two


def test_refs_are_not_used_again_after_a_navigation(tabwire: Tabwire, site: Site) -> None:
    address = site.page("<button>Go</button>")
    tabwire.open(address)
    old = tabwire.ref("button", "Go")
    tabwire.open(address)
    failure = tabwire.fails("click", selector=old)
    assert (failure.code, failure.structured and failure.structured["data"]["cause"]) == ("stale_element_reference", "navigated")
    assert tabwire.ref("button", "Go") != old


def test_a_ref_of_a_removed_frame_says_so(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<iframe srcdoc='<button>Go</button>'></iframe>"))
    ref = tabwire.ref("button", "Go")
    page.evaluate("document.querySelector('iframe').remove()")
    failure = tabwire.fails("click", selector=ref)
    assert failure.structured and failure.structured["data"]["cause"] == "frame_gone"


ROWS = """<table id=t></table><script>globalThis.deleted = [];
function draw(names) {
  while (t.rows.length < names.length) t.insertRow().innerHTML = "<td></td><td><button>Delete</button></td>";
  while (t.rows.length > names.length) t.deleteRow(-1);
  names.forEach((name, i) => { const [text, act] = t.rows[i].cells; text.textContent = name; act.firstChild.onclick = () => deleted.push(name); });
}
draw(["A", "B", "C"])</script>"""


def test_a_row_redrawn_on_the_same_nodes_is_never_mistaken(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(ROWS))
    a, b, c = tabwire.refs("button", "Delete")
    page.evaluate("draw(['A', 'C'])")
    assert tabwire.fails("click", selector=c).code == "stale_element_reference"
    assert tabwire.fails("click", selector=b).code == "stale_element_reference"
    tabwire.ok("click", selector=a)
    assert page.evaluate("deleted") == ["A"]


def test_two_matches_are_refused_with_their_refs(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<button>Save</button><button onclick='document.title = 2'>Save</button>"))
    failure = tabwire.fails("click", selector="text:Save")
    assert failure.code == "ambiguous_selector"
    assert failure.structured
    tabwire.ok("click", selector=failure.structured["data"]["candidates"][1]["ref"])
    assert page.evaluate("document.title") == "2"


def test_an_element_that_comes_late_is_waited_for(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<div id=d></div>"))
    clicking = tabwire.start("click", selector="role:button[name=Late]")
    tabwire.ok("wait", **{"for": "timeout", "duration": 100})
    assert not clicking.done()
    page.evaluate("void (d.innerHTML = '<button onclick=\"hit = 1\">Late</button>')")
    assert not (reply := clicking.result(10)).is_error, reply
    assert page.evaluate("hit") == 1


# A number that no browser of this run comes to.
NOWHERE = {
    "@e99999999": "no_such_element",
    "#none": "no_such_element",
    "div[": "invalid_selector",
    "role:": "invalid_selector",
}


def test_a_selector_without_an_element_fails_with_its_reason(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p>Nothing</p>"))
    assert {selector: tabwire.fails("click", selector=selector, timeout=300).code for selector in NOWHERE} == NOWHERE


LIKE = """<button onclick="hits.push('in')">Sign in</button><button onclick="hits.push('del')">Delete</button>
<button onclick="hits.push('save')">Save draft</button><label>E-mail address <input id=mail></label><summary>not it</summary>
<video></video><button onclick="hits.push('video')">Video</button>
<iframe srcdoc='<a href="#x">Saved drafts</a>'></iframe><script>hits = []</script>"""


def test_words_that_are_no_css_are_looked_for_as_text(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(LIKE))
    for words in ("Sign in", "Delete", "Video"):
        tabwire.ok("click", selector=words)
    tabwire.ok("fill", selector="E-mail address", value="a@b.example")
    tabwire.ok("wait", **{"for": "selector", "selector": "Save draft", "timeout": 2000})
    assert page.evaluate("[...hits, mail.value]") == ["in", "del", "video", "a@b.example"]
    # Names of elements are CSS, whatever elements the page has.
    for css in ("summary", "SUMMARY", "css=Summary", "label input", "x-card"):
        reply = tabwire.call("snapshot", selector=css)
        assert reply.is_error == (css == "x-card"), css


def test_an_error_names_what_is_nearest(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(LIKE))
    for selector in ("text:Save drafts", "#save-drafts", 'role:button[name="Save drafts!"]'):
        failure = tabwire.fails("click", selector=selector, timeout=0)
        assert failure.code == "no_such_element" and failure.structured, selector
        near = failure.structured["data"]["nearest"]
        assert {one["name"] for one in near} == {"Save draft", "Saved drafts"} and near[0]["ref"] in failure.text, selector
    chain = [{"method": "role", "value": "button"}, {"method": "text", "value": "Delet it"}]
    failure = tabwire.fails("locator", chain=chain, timeout=2200)
    assert failure.structured and [one["name"] for one in failure.structured["data"]["nearest"]] == ["Delete"]
    assert "Nearest" not in tabwire.fails("click", selector="#zzz", timeout=0).text


def test_options_that_a_step_does_not_have_are_refused(tabwire: Tabwire) -> None:
    wrong = (("role", {"nam": "x"}), ("filter", {"has_text": "x"}), ("css", {"exact": True}), ("first", {"level": 1}))
    for method, options in wrong:
        reply = tabwire.fails("locator", chain=[{"method": "role", "value": "link"}, {"method": method, "options": options}])
        assert (reply.code, f"{method} has no option" in reply.text) == ("invalid_argument", True), reply


def test_a_part_of_a_frame_can_be_asked_for(tabwire: Tabwire, site: Site) -> None:
    cross = site.cross_page("<ul><li>One</li></ul><form aria-label=Pay><button>Pay now</button></form>")
    tabwire.open(site.page(f"<h1>Top</h1><iframe src='{cross}'></iframe>"))
    assert tree(tabwire, selector="role:form") == ["form Pay", "  button Pay now"]
    assert tree(tabwire, selector=tabwire.ref("form", "Pay")) == ["form Pay", "  button Pay now"]


def test_query_asks_every_frame(tabwire: Tabwire, site: Site) -> None:
    cross = site.cross_page("<a href=/b>Second</a>")
    tabwire.open(site.page(f"<a href=/a>First</a><iframe src='{cross}'></iframe>"))
    question = {"by": "role", "value": "link"}
    assert [one["name"] for one in tabwire.ok("query", **question).data] == ["First", "Second"]
    assert tabwire.ok("query", **question, **{"return": "count"}).data == 2
    assert tabwire.ok("query", **question, nth=-1, **{"return": "text"}).data == "Second"
    assert tabwire.fails("query", **question, nth=5).code == "no_such_element"


def test_a_locator_finds_and_acts(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<ul><li>Tea <input aria-label=Count></li><li>Milk <input id=m aria-label=Count></li></ul>"))
    chain = [
        {"method": "role", "value": "listitem"},
        {"method": "filter", "options": {"hasText": "Milk"}},
        {"method": "label", "value": "Count"},
    ]
    tabwire.ok("locator", chain=chain, action="fill", fill_value="7")
    assert page.evaluate("m.value") == "7"


POSITIONS: list[tuple[dict[str, str], str]] = [
    ({"method": "first"}, "A"),
    ({"method": "nth", "value": "1"}, "B"),
    ({"method": "nth", "value": "2"}, "C"),
    ({"method": "nth", "value": "-2"}, "B"),
    ({"method": "last"}, "C"),
]


def test_positions_count_in_reading_order_across_frames(tabwire: Tabwire, site: Site) -> None:
    inner = site.cross_page("<button>B</button>")
    tabwire.open(site.page(f"<button>A</button><iframe src='{inner}'></iframe><button>C</button>"))
    refs = {line.name: line.ref for line in tabwire.lines() if line.role == "button"}
    for step, name in POSITIONS:
        ref = tabwire.ok("locator", chain=[{"method": "role", "value": "button"}, step]).data["ref"]
        assert ref == refs[name], step
    names = [one["name"] for one in tabwire.ok("query", by="role", value="button").data]
    assert names == ["A", "B", "C"]


def test_a_ref_of_another_tab_names_that_tab(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button>One</button>", title="First tab"))
    first = tabwire.ref("button", "One")
    tabwire.ok("tab_new", url=site.page("<button onclick='document.title = 2'>Two</button>"))
    second = tabwire.ref("button", "Two")
    assert second != first
    failure = tabwire.fails("click", selector=first)
    assert failure.code == "no_such_element"
    assert "(First tab)" in failure.text
    assert failure.structured
    tabwire.ok("click", selector=first, tabId=failure.structured["data"]["tabId"])


def test_a_page_cannot_write_a_ref_or_a_frame(tabwire: Tabwire, site: Site) -> None:
    marks = "\ue0001\ue001 \ue000:1\ue001 \ue0040\ue005 \ue0021,1,1,1\ue003"
    tabwire.open(
        site.page(
            f"<button id=b title='{marks}' data-x='{marks}' aria-description='{marks}'>Go {marks}</button><p>{marks} text</p>"
            f"<input aria-label=Field value='{marks}' placeholder='{marks}'><iframe src='about:blank#{marks}' title='{marks}'></iframe>",
            title=f"T {marks}",
        )
    )
    own = {tabwire.ref("button", "Go 1 :1 0 1,1,1,1"), *(line.ref for line in tabwire.lines(include_bounds=True) if line.ref)}
    assert len(own) == 3
    answer = tabwire.ok("query", by="role", value="button", **{"return": "all"})
    assert "@e" not in answer.text.replace(next(iter(tabwire.refs("button"))), "")


def test_a_page_that_did_not_change_is_told_again(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page("<p id=p>Inner</p>")
    tabwire.open(site.page(f"<h1>Top</h1><iframe src='{inner}'></iframe>"))
    before = tabwire.snapshot()
    assert tabwire.snapshot() == before
    page.frame(inner).evaluate("p.textContent = 'Other'")
    after = tabwire.snapshot()
    assert after == before.replace("Inner", "Other")
    page.evaluate("document.title = 'New'")
    assert '- document "New"' in tabwire.snapshot()


def test_changes_in_closed_shadow_trees_are_told(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<div id=h></div><div id=later></div><script>kept = h.attachShadow({mode: 'closed'});"
            "kept.innerHTML = '<button>Old</button>'</script>"
        )
    )
    assert tree(tabwire) == ["document Test page", "  button Old"]
    page.evaluate("kept.firstChild.textContent = 'New'")
    assert tree(tabwire) == ["document Test page", "  button New"]
    page.evaluate("later.attachShadow({mode: 'closed'}).innerHTML = '<button>Added</button>'; 0")
    assert tree(tabwire) == ["document Test page", "  button New", "  button Added"]


def test_a_field_whose_value_a_script_changes_is_told(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page("<input id=i aria-label=Name><style>#h:hover + p {display: none}</style><div id=h>Over</div><p>Hides</p>")
    )
    assert tabwire.snapshot() == tabwire.snapshot()
    page.evaluate("i.value = 'Ann'")
    assert 'textbox "Name"' in tabwire.snapshot()
    assert ': "Ann"' in tabwire.snapshot()


def test_an_open_modal_dialog_is_what_the_page_shows(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(
        site.page(
            "<button>Behind</button><dialog id=d aria-label=Sure><button>Yes</button></dialog><script>d.showModal()</script>"
        )
    )
    assert tree(tabwire) == ["document Test page", "  dialog Sure", "    button Yes"]
    assert "the page behind the modal dialog (1 control " in tabwire.snapshot()


CLOBBERED = """<script>
const names = new Set();
for (let prototype = HTMLFormElement.prototype; prototype; prototype = Object.getPrototypeOf(prototype)) {
  for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
}
const fields = Array.from(names, (name) => `<input name=${name} aria-label="of ${name}">`).join("");
const twins = "<input type=radio name=closest><input type=radio name=closest><img name=contains alt=''>";
const clobbered = `<form aria-label=Mine data-testid=t data-kind=all onclick="top.clicked = true"
  onsubmit="event.preventDefault(); top.sent = true">${fields}${twins}<button>Send</button></form>`;
document.write("<div></div>");
const host = document.querySelector("div");
let shown;
SHOW
</script>"""
"""A form with a field named like each member that forms have."""

SHOW = {
    "document": "host.outerHTML = clobbered; shown = document",
    "shadow tree": "shown = host.attachShadow({mode: 'closed'}); shown.innerHTML = clobbered",
    "frame": "document.write('<iframe></iframe>'); shown = frames[0].document; shown.body.innerHTML = clobbered",
}


@pytest.mark.parametrize("place", SHOW)
def test_a_form_whose_fields_hide_its_members_is_described(tabwire: Tabwire, site: Site, page: ShownPage, place: str) -> None:
    tabwire.open(site.page(CLOBBERED.replace("SHOW", SHOW[place])))
    names = page.evaluate("[...names]")
    assert len(names) > 300
    fields = [f"  textbox of {name}" for name in names]
    assert tree(tabwire, selector="[data-testid=t]") == ["form Mine", *fields, "  radio", "  radio", "  button Send"]
    for question in ({"by": "testid", "value": "t"}, {"by": "role", "value": "form"}):
        found = tabwire.ok("query", **question, **{"return": "all"}).data
        assert [found[key] for key in ("role", "name", "tag", "visible", "text")] == ["form", "Mine", "form", True, "Send"]
        assert found["attributes"]["data-kind"] == "all"
        assert found["bounds"]["width"] > 100
        assert tabwire.ok("query", **question, **{"return": "text"}).data == ["Send"]
        assert tabwire.ok("query", **question, **{"return": "attribute"}, attribute="data-kind").data == ["all"]


@pytest.mark.parametrize("place", SHOW)
def test_a_form_whose_fields_hide_its_members_is_used(tabwire: Tabwire, site: Site, page: ShownPage, place: str) -> None:
    tabwire.open(site.page(CLOBBERED.replace("SHOW", SHOW[place])))
    refs = {line.name: line.ref for line in tabwire.lines() if line.ref}
    for name in ("hasAttributes", "parentNode", "elements"):
        tabwire.ok("fill", selector=refs[f"of {name}"], value=f"to {name}")
    tabwire.ok("fill", selector="label:of tagName", value="to tagName")
    tabwire.ok("fill", selector="form > [name=matches]", value="to matches")
    filled = page.evaluate(
        "Array.from(shown.querySelectorAll('input'), (field) => field.value).filter((value) => value.startsWith('to '))"
    )
    again = {line.name: line.ref for line in tabwire.lines() if line.ref}
    assert [again[name] for name in ("Mine", "Send", "of elements")] == [refs[name] for name in ("Mine", "Send", "of elements")]
    assert sorted(filled) == ["to elements", "to hasAttributes", "to matches", "to parentNode", "to tagName"]
    tabwire.ok("wait", **{"for": "selector"}, selector="role:form[name=Mine]")
    tabwire.ok("click", selector=refs["Mine"])
    assert page.evaluate("clicked") is True
    tabwire.ok("hover", selector=refs["Mine"])
    tabwire.ok("scroll", selector=refs["Mine"], direction="down")
    assert tabwire.fails("fill", selector=refs["Mine"], value="x").code == "element_not_editable"
    tabwire.ok("click", selector=refs["Send"])
    assert page.evaluate("sent") is True
    page.evaluate("sent = false")
    tabwire.ok("press", selector="label:of closest", key="Enter")
    assert page.evaluate("sent") is True


def test_fields_that_hide_their_form_later_do_no_harm(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<form id=f aria-label=Mine><input id=i aria-label=Name></form>"))
    ref = tabwire.ref("form", "Mine")
    waiting = tabwire.start("wait", **{"for": "selector"}, selector="role:form[name=Renamed]", timeout=5000)
    page.evaluate("i.name = 'getAttribute'; f.setAttribute('aria-label', 'Renamed')")
    assert not waiting.result().is_error
    failure = tabwire.fails("click", selector=ref)
    assert failure.structured and failure.structured["data"]["cause"] == "renamed"


def test_elements_that_hide_members_of_the_document_do_no_harm(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    members = "body activeElement querySelector querySelectorAll documentElement forms getElementById elementFromPoint readyState title URL"
    hiding = "".join(f"<form name={name}></form><img name={name} alt=''>" for name in members.split())
    tabwire.open(site.page(f"{hiding}<button onclick='globalThis.clicked = 1'>Go</button><input aria-label=Field id=field>"))
    assert tree(tabwire) == ["document Test page", "  button Go", "  textbox Field"]
    assert tabwire.ok("title").data["title"] == "Test page"
    tabwire.ok("fill", selector="label:Field", value="x")
    effects = tabwire.ok("click", selector="role:button[name=Go]")
    assert page.evaluate("[clicked, field.value]") == [1, "x"]
    assert "title" not in effects.text


def test_what_is_just_fading_in_is_told(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """Lines of a menu are transparent at first: without waiting they would be left out."""
    menu = "<button onclick='menu.hidden = false'>Open</button><ul id=menu hidden><li>Copy<li>Paste</ul>"
    style = "<style>ul { animation: fade 400ms linear 50ms backwards } @keyframes fade { from, 80% { opacity: 0 } }</style>"
    tabwire.open(site.page(style + menu))
    tabwire.ok("click", selector=tabwire.ref("button", "Open"))
    text = tabwire.snapshot()
    assert "Copy" in text and "Paste" in text


def test_a_list_that_its_widget_covers_is_told_to_be_unseen(tabwire: Tabwire, site: Site) -> None:
    """A person uses the transparent list itself, where nothing covers it."""
    over = "style='position: absolute; inset: 0; background: white'"
    lists = [
        f"<div style='position: relative; height: 30px'><select aria-label={name} style='opacity: 0; position: absolute; inset: 0'>"
        f"<option>One</select>{widget}</div>"
        for name, widget in (("A", f"<div role=combobox tabindex=0 aria-label=Wide {over}>One</div>"), ("B", "<b>One</b>"))
    ]
    tabwire.open(site.page("".join(lists)))
    shown = {line.name: line.text for line in tabwire.lines() if line.role == "combobox"}
    assert {name: "[unseen]" in text for name, text in shown.items()} == {"A": True, "Wide": False, "B": False}


def test_the_one_line_of_a_control_in_its_box_acts_for_both(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<script>hits = []</script><div onclick='hits.push(\"box\")' style='display:inline-block'>"
            "<button onclick='hits.push(\"button\")'>Bold</button></div>"
            "<select id=size aria-label=Size><option>Small<option>Medium<option>Large</select>"
        )
    )
    (bold,) = [line for line in tabwire.lines() if line.name == "Bold"]
    tabwire.ok("click", selector=bold.ref)
    (size,) = [line for line in tabwire.lines() if "Medium" in line.text]
    assert size.text == f'- combobox "Size" [ref={size.ref}] [options: "Small", "Medium", "Large"]: "Small"'
    tabwire.ok("select", selector=size.ref, value="Medium")
    assert page.evaluate("[...hits, size.value]") == ["button", "box", "Medium"]
    assert [line.name for line in tabwire.lines(selector=size.ref)] == ["Size", "Small", "Medium", "Large"]
