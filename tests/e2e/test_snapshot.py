"""Snapshot, query and locator in the extension: frames in one tree, refs across documents, waiting, refusing."""

from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

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


def test_bounds_in_frames_are_those_of_the_top_viewport(tabwire: Tabwire, site: Site) -> None:
    cross = site.cross_page(
        "<body style='margin:0'><button style='position:absolute;left:7px;top:9px;width:50px;height:20px'>B</button>"
    )
    style = "position:absolute;left:100px;top:60px;border:3px solid"
    tabwire.open(site.page(f"<iframe style='{style}' src='{cross}'></iframe>"))
    line = next(line for line in tabwire.lines(include_bounds=True) if line.role == "button")
    assert line.text == f'- button "B" [ref={line.ref}] [box=110,72,50,20]'


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
    tabwire.open(
        site.page(
            "<div id=d></div><script>setTimeout(() => d.innerHTML = '<button onclick=\"hit = 1\">Late</button>', 400)</script>"
        )
    )
    tabwire.ok("click", selector="role:button[name=Late]")
    assert page.evaluate("hit") == 1


@pytest.mark.parametrize(
    ("selector", "code"),
    [("@e9999", "no_such_element"), ("#none", "no_such_element"), ("div[", "invalid_selector"), ("role:", "invalid_selector")],
)
def test_a_selector_without_an_element_fails_with_its_reason(tabwire: Tabwire, site: Site, selector: str, code: str) -> None:
    tabwire.open(site.page("<p>Nothing</p>"))
    assert tabwire.fails("click", selector=selector, timeout=300).code == code


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


PICTURED = "<button>A</button><iframe src='{inner}'></iframe><button>C</button>"


@pytest.mark.parametrize(
    ("step", "name"),
    [
        ({"method": "first"}, "A"),
        ({"method": "nth", "value": "1"}, "B"),
        ({"method": "nth", "value": "2"}, "C"),
        ({"method": "nth", "value": "-2"}, "B"),
        ({"method": "last"}, "C"),
    ],
)
def test_positions_count_in_reading_order_across_frames(tabwire: Tabwire, site: Site, step: dict[str, str], name: str) -> None:
    tabwire.open(site.page(PICTURED.format(inner=site.cross_page("<button>B</button>"))))
    ref = tabwire.ok("locator", chain=[{"method": "role", "value": "button"}, step]).data["ref"]
    assert ref == tabwire.ref("button", name)
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


def test_a_form_whose_fields_hide_its_tag_name_is_described(tabwire: Tabwire, site: Site) -> None:
    fields = "".join(f"<input name={name}>" for name in ("localName", "tagName"))
    tabwire.open(site.page(f"<form aria-label='my form' data-testid=t>{fields}</form>"))
    found = tabwire.ok("query", by="testid", value="t", **{"return": "all"}).data
    assert (found["role"], found["name"]) == ("form", "my form")
