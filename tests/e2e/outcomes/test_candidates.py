"""Elements that could be meant: refusals name the place of each, and elements that are about to go do not count."""

import re

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

PLACES = """
<table><tr><td>Anna</td><td><button onclick='document.title = `Anna`'>Edit</button></td></tr><tr><td>Bert</td><td><button>Edit</button></td>
</tr></table>
<fieldset><legend>Tag</legend><input aria-label=Value></fieldset><section aria-label='Field name'><input aria-label=Value></section>
<p>First <a href=#1>More</a></p><p>Second <a href=#2>More</a></p>
"""


def test_ambiguous_selectors_name_the_place_of_each_candidate(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PLACES))
    tabwire.snapshot()
    for selector, one, other in (
        ("role:button[name=Edit]", "Anna", "Bert"),
        ("label:Value", "Tag", "Field name"),
        ("role:link[name=More]", "First", "Second"),
    ):
        reply = tabwire.call("click", selector=selector)
        assert reply.code == "ambiguous_selector"
        assert re.search(rf'@e\d+ \w+ "\w+" in "{one}"; @e\d+ \w+ "\w+" in "{other}"', reply.text), reply.text
    first = tabwire.call("click", selector="role:button[name=Edit]").structured["data"]["candidates"][0]
    assert first["place"] == "Anna"
    tabwire.ok("click", selector=first["ref"])
    assert page.evaluate("document.title") == "Anna"


REPLACED = """
<div id=box><button id=ok>Save</button></div><button id=go onclick='change()'>Go</button>
<script>const change = () => { box.innerHTML = `<form aria-label=Tag><button onclick="document.title = 'Tag'">Save</button></form>
<form aria-label=Field><button>Save</button></form>` }</script>
"""


def test_a_replaced_element_names_the_places_of_those_like_it(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(REPLACED))
    tabwire.snapshot()
    ref = tabwire.ref("button", "Save")
    tabwire.ok("click", selector="#go")
    reply = tabwire.call("click", selector=ref)
    assert re.search(r'was replaced; now like it: @e\d+ in "Tag", @e\d+ in "Field"\.', reply.text), reply.text


LEAVING = """
<style>.card { transition: opacity 60s } .off { opacity: 0 }</style>
<div id=box><div class=card><button class=one onclick='seen.textContent += `old `'>Next</button></div></div>
<button id=go onclick='change()'>Go</button><p id=seen></p>
<script>const change = () => { document.querySelector(`.card`).classList.add(`off`);
  box.insertAdjacentHTML(`beforeend`, `<div><button class=one onclick="seen.textContent += 'new '">Next</button></div>`) }</script>
"""


def test_elements_that_are_leaving_do_not_count(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(LEAVING))
    tabwire.snapshot()
    tabwire.ok("click", selector="#go")
    tabwire.ok("click", selector="role:button[name=Next]")
    tabwire.ok("click", selector=".one")
    assert page.evaluate("seen.textContent") == "new new "
