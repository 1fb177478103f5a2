"""Choices that the page takes back a moment later: the reply says the final state, once."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import InputMode, ShownPage
from e2e.site import Site
from polling import until

LATER = {
    "in the next frame": "requestAnimationFrame(back)",
    "two frames later": "requestAnimationFrame(() => requestAnimationFrame(back))",
    "after 60 ms": "setTimeout(back, 60)",
    "when a request has failed": "fetch('/missing').then(back)",
}
SLOW = "fetch('/slow').then(back)"
LIST = "<label>Plan <select id=it><option>Free<option>Paid</select></label>"
BOX = "<label><input id=it type=checkbox> Paid</label>"
SWITCH = "<div id=it role=switch aria-checked=false aria-label=Paid tabindex=0>Paid</div>"
TOGGLES = "it.onclick = () => { it.setAttribute('aria-checked', 'true'); later() }"
PAGE = "{body}<p id=p></p><script>globalThis.times = 0; const back = () => {{ {undo}; times += 1 }}; const later = () => {{ {later} }}; {wire}</script>"


@pytest.fixture
def shop(mode: InputMode) -> tuple[Tabwire, ShownPage]:
    """A client in each mode of input, and the page it works in."""
    return mode.tabwire, mode.page


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_an_option_that_is_taken_back_is_an_error(shop: tuple[Tabwire, ShownPage], site: Site, later: str) -> None:
    tabwire, page = shop
    undo = "it.value = 'Free'"
    tabwire.open(site.page(PAGE.format(body=LIST, undo=undo, later=later, wire="it.onchange = later")))
    tabwire.snapshot()
    reply = tabwire.call("select", selector="#it", label="Paid")
    until(lambda: page.evaluate("times") == 1)
    assert reply.code == "invalid_element_state", reply.text
    assert 'selected is now "Free"' in reply.text
    assert 'holds "Paid"' not in reply.text


def test_an_error_says_what_the_page_shows_with_it(tabwire: Tabwire, site: Site) -> None:
    undo = "it.value = 'Free'; p.textContent = 'Paid needs a card'"
    tabwire.open(site.page(PAGE.format(body=LIST, undo=undo, later="setTimeout(back, 60)", wire="it.onchange = later")))
    tabwire.snapshot()
    reply = tabwire.call("select", selector="#it", label="Paid")
    assert 'took the choice back: selected is now "Free"' in reply.text
    assert 'text appeared: "Paid needs a card"' in reply.text


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_a_box_that_is_taken_back_is_an_error(shop: tuple[Tabwire, ShownPage], site: Site, later: str) -> None:
    tabwire, page = shop
    tabwire.open(site.page(PAGE.format(body=BOX, undo="it.checked = false", later=later, wire="it.onchange = later")))
    tabwire.snapshot()
    reply = tabwire.call("check", selector="#it")
    until(lambda: page.evaluate("times") == 1)
    assert reply.code == "invalid_element_state", reply.text
    assert "unchecked" in reply.text


def test_a_slow_request_that_fails_is_waited_for(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    site.serve("/slow", "", status=500, delay_ms=250)
    for body, undo, tool, more in (
        (LIST, "it.value = 'Free'", "select", {"label": "Paid"}),
        (BOX, "it.checked = false", "check", {}),
    ):
        tabwire.open(site.page(PAGE.format(body=body, undo=undo, later=SLOW, wire="it.onchange = later")))
        tabwire.snapshot()
        reply = tabwire.call(tool, selector="#it", **more)
        until(lambda: page.evaluate("times") == 1)
        assert reply.code == "invalid_element_state", reply.text


def test_a_switch_that_is_taken_back_is_an_error(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    undo = "it.setAttribute('aria-checked', 'false')"
    tabwire.open(site.page(PAGE.format(body=SWITCH, undo=undo, later="setTimeout(back, 60)", wire=TOGGLES)))
    tabwire.snapshot()
    reply = tabwire.call("check", selector="#it")
    until(lambda: page.evaluate("times") == 1)
    assert "took the change back: it is unchecked now" in reply.text, reply.text


def test_a_form_says_which_field_was_taken_back(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    body = "<label>Name <input id=n></label>" + LIST
    tabwire.open(
        site.page(PAGE.format(body=body, undo="it.value = 'Free'", later="setTimeout(back, 60)", wire="it.onchange = later"))
    )
    tabwire.snapshot()
    fields = [{"selector": "#it", "value": "Paid"}, {"selector": "#n", "value": "Ann"}]
    reply = tabwire.call("fill_form", fields=fields)
    until(lambda: page.evaluate("times") == 1)
    assert reply.code == "invalid_element_state", reply.text
    assert '"Plan": the page took the choice back' in reply.text
    assert page.evaluate("[it.value, n.value]") == ["Free", "Ann"]


def test_a_click_on_a_box_says_its_final_state(shop: tuple[Tabwire, ShownPage], site: Site) -> None:
    tabwire, page = shop
    for later in LATER.values():
        tabwire.open(site.page(PAGE.format(body=BOX, undo="it.checked = false", later=later, wire="it.onchange = later")))
        tabwire.snapshot()
        reply = tabwire.ok("click", selector="#it")
        until(lambda: page.evaluate("times") == 1)
        assert 'checkbox "Paid" unchecked' in reply.text, (later, reply.text)


def test_a_choice_that_the_page_keeps_is_one(shop: tuple[Tabwire, ShownPage], site: Site) -> None:
    tabwire, page = shop
    tabwire.open(
        site.page(
            PAGE.format(body=LIST, undo="p.textContent = 'Saved'", later="setTimeout(back, 60)", wire="it.onchange = later")
        )
    )
    tabwire.snapshot()
    reply = tabwire.ok("select", selector="#it", label="Paid")
    assert page.evaluate("it.value") == "Paid"
    assert reply.data["selected"] == ["Paid"]
    # Text that came with the choice is reported with it.
    assert 'text appeared: "Saved"' in reply.text
