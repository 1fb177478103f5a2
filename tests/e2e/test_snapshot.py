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
    assert '- button "B" [ref=@e2] [box=110,72,50,20]' in tabwire.snapshot(include_bounds=True)


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
