"""Lines of replies that say what the client knows already, or the same thing twice, are left out."""

import re

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab


def test_the_pressed_button_of_a_form_is_named_as_in_snapshots(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<form onsubmit='return false'><input aria-label=Name><button class='btn big'>Submit</button></form>"))
    tabwire.snapshot()
    reply = tabwire.ok("fill_form", fields=[{"label": "Name", "value": "Ada"}], submit=True).text
    assert re.search(r' · pressed: button "Submit" @e\d+$', reply.splitlines()[0]), reply


def test_the_focus_on_what_was_clicked_is_no_news(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button id=b>B</button><input id=i aria-label=I><button id=to onclick='i.focus()'>To</button>"))
    tabwire.snapshot()
    assert tabwire.ok("click", selector="#b").data["effects"] == {"none": True}
    assert tabwire.ok("click", selector="#to").data["effects"]["focus"] == 'textbox "I"'
    tabwire.ok("click", selector="#b")
    assert tabwire.ok("click", selector="#i").data["effects"]["focus"] == 'textbox "I"', "a field that was entered"
    tabwire.ok("click", selector="#b")
    typed = tabwire.ok("type", selector="#i", text="abc").text
    assert typed.splitlines()[1] == 'Observed: textbox "I" holds "abc"'


def test_a_field_that_scrolls_with_its_text_is_no_news(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<input id=i aria-label=I style='width: 60px'><textarea id=t aria-label=T rows=2></textarea>"))
    tabwire.snapshot()
    for selector in ("#i", "#t"):
        text = "words and more words" if selector == "#i" else "one\ntwo\nthree\nfour\nfive"
        assert "scrolled" not in tabwire.ok("type", selector=selector, text=text, delay=0).data["effects"], selector


LINES = """<button id=same onclick='box.innerHTML = `<p>Added</p>`.repeat(200)'>Same</button>
<button id=cases onclick='box.innerHTML = `<p>Ready</p><p>READY</p><p>Go</p>`'>Cases</button>
<button id=gone onclick='box.innerHTML = ``'>Gone</button>
<button id=many onclick='box.innerHTML = `<button>A</button>`.repeat(10)'>Many</button><div id=box></div>"""


def test_lines_that_read_the_same_are_one(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(LINES))
    tabwire.snapshot()
    assert 'text appeared: "Added" × 200' in tabwire.ok("click", selector="#same").text
    tabwire.ok("click", selector="#gone")
    assert 'text appeared: "Ready", "Go"' in tabwire.ok("click", selector="#cases").text
    assert 'text disappeared: "Ready", "READY", "Go"' in tabwire.ok("click", selector="#gone").text
    assert " more" not in tabwire.ok("click", selector="#many").text, "one or two more are named"


def test_a_label_finds_the_field_near_its_text(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<p>City <input id=c></p><p><input type=checkbox id=k> Agreed</p><label>Street <input id=s></label>"))
    assert '[near "City"]' in tabwire.snapshot()
    tabwire.ok("fill", selector="label:City", value="Bern")
    tabwire.ok("check", selector="label:Agreed")
    tabwire.ok("fill", selector="label:Street", value="Low")
    assert page.evaluate("[c.value, k.checked, s.value]") == ["Bern", True, "Low"]


def test_a_download_is_reported_with_its_path(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<a id=a href='/download'>A</a>"))
    tabwire.snapshot()
    reply = tabwire.ok("click", selector="#a")
    (file,) = reply.data["effects"]["downloads"]
    assert file["path"].endswith(file["filename"]) and len(file["path"]) > len(file["filename"])
    assert f"download {file['path']}" in reply.text


ICONS = """<button id=show onclick='box.innerHTML = `<button><i class="fa fa-trash">&nbsp;</i></button>`'>Show</button><div id=box></div>
<button data-tooltip=Undo><svg width=9 height=9></svg></button><p>Colour <button><svg width=9 height=9></svg></button></p>"""


def test_icons_are_named_by_tooltip_neighbour_or_class(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(ICONS))
    shown = tabwire.snapshot()
    assert re.search(r'button \[ref=@e\d+\] \[title="?Undo"?\]', shown) or 'button "Undo"' in shown, shown
    assert re.search(r'button \[ref=@e\d+\] \[near "Colour"\]', shown), shown
    reply = tabwire.ok("click", selector="#show").text
    assert re.search(r'controls appeared: \[button icon="trash" @e\d+\]', reply), reply
