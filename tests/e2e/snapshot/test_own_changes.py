"""Refs after an act that changed words of its target, or beside it; and after one that drew another list on the same nodes."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

PRESSES = "<script>globalThis.presses = []; let count = 0</script>"
CHANGED = {
    "its name": "<button onclick='presses.push(1); textContent = `Saved ${++count}`'>Save</button>",
    "its name in a list": "<ul><li>Ann <button onclick='presses.push(1); textContent = `Followed ${++count}`'>Follow</button>"
    "<li>Ben <button>Follow</button></ul>",
    "words beside it": "<ul><li><b id=n>one piece</b> <button onclick='presses.push(1); n.textContent = `${7 + count++} pieces`'>More</button>"
    "<li><b>one piece</b> <button>More</button></ul>",
}


@pytest.mark.parametrize("what", CHANGED)
def test_a_ref_stays_where_its_own_act_changed_words(tabwire: Tabwire, site: Site, page: ShownPage, what: str) -> None:
    tabwire.open(site.page(PRESSES + CHANGED[what]))
    ref = tabwire.refs("button")[0]
    tabwire.ok("batch", calls=[{"tool": "click", "arguments": {"selector": ref}}] * 2)
    tabwire.ok("click", selector=ref)
    assert page.evaluate("presses.length") == 3


def test_refs_beside_it_stay_as_well(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    item = "<li><b>timestamp</b> <input aria-label=Kind oninput='previousElementSibling.textContent = value'> <button onclick='presses.push(1)'>Add</button>"
    tabwire.open(site.page(f"{PRESSES}<ul>{item}{item.replace('timestamp', 'text')}</ul>"))
    field, add = tabwire.refs("textbox", "Kind")[0], tabwire.refs("button", "Add")[0]
    tabwire.ok("fill", selector=field, value="number")
    tabwire.ok("click", selector=add)
    assert page.evaluate("presses.length") == 1


ROWS = """<table id=t></table><script>globalThis.deleted = []; let names = ["A", "B", "C"];
function draw() {
  while (t.rows.length < names.length) t.insertRow().innerHTML = "<td></td><td><button>Delete</button></td>";
  while (t.rows.length > names.length) t.deleteRow(-1);
  names.forEach((name, i) => {
    const [text, act] = t.rows[i].cells;
    text.textContent = name;
    act.firstChild.onclick = () => { deleted.push(name); names = NEXT; draw() };
  });
}
draw()</script>"""
NEXT = {"shorter": "names.filter((each) => each !== name)", "sorted": "['C', 'A', 'B']", "another page": "['D', 'E', 'F']"}


@pytest.mark.parametrize("how", NEXT)
def test_a_row_that_its_act_filled_with_another_thing_is_refused(tabwire: Tabwire, site: Site, page: ShownPage, how: str) -> None:
    tabwire.open(site.page(ROWS.replace("NEXT", NEXT[how])))
    first, second, _ = tabwire.refs("button", "Delete")
    tabwire.ok("click", selector=first)
    assert page.evaluate("deleted") == ["A"]
    for ref in (first, second):
        assert tabwire.fails("click", selector=ref).code == "stale_element_reference"
    assert page.evaluate("deleted") == ["A"]


def test_what_the_page_changed_without_an_act_is_refused(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PRESSES + CHANGED["its name"]))
    (ref,) = tabwire.refs("button", "Save")
    tabwire.ok("click", selector=ref)
    page.evaluate("document.querySelector('button').textContent = 'Delete everything'")
    assert tabwire.fails("click", selector=ref).code == "stale_element_reference"
    assert page.evaluate("presses.length") == 1
