"""Boxes that are not to be seen, checked where their label is pressed: never on what the label holds besides, such as a link."""

from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import InputMode, ShownPage
from e2e.site import Site

NONE = "style='display:none'"
LINK = "<a href=#terms onclick='globalThis.left = true'>the terms and conditions of this shop and of all others</a>"
LABELS = {
    "a link in the middle": f"<label><input id=box type=checkbox {NONE}> I agree to {LINK} of use</label>",
    "a link beside one word": f"<label style='display:inline'><input id=box type=checkbox {NONE}>I {LINK}</label>",
    "a drawn box beside the link": (
        "<style>.drawn { display: inline-block; padding-left: 24px; position: relative }"
        ".drawn::before { content: ''; position: absolute; left: 2px; top: 2px; width: 14px; height: 14px; border: 1px solid }</style>"
        f"<input id=box type=checkbox {NONE}><label class=drawn for=box>{LINK}</label>"
    ),
    "nothing but a link": f"<input id=box type=checkbox {NONE}><label for=box style='padding:0'>{LINK}</label>",
    "a link as a block": (
        f"<input id=box type=checkbox {NONE}><label for=box style='display:block;width:300px'>"
        f"<a href=#terms onclick='globalThis.left = true' style='display:block'>Terms</a></label>"
    ),
    "a button": f"<label><input id=box type=checkbox {NONE}><button type=button onclick='globalThis.left = true'>What is this?</button></label>",
    "a button made of a box": (
        f"<label><input id=box type=checkbox {NONE}> Yes <span role=link onclick='event.preventDefault(); globalThis.left = true'>"
        "the terms and conditions of this shop</span></label>"
    ),
    "a radio button": f"<label><input id=box type=radio name=r {NONE}> I agree to {LINK}</label>",
    "a box out of sight": (
        f"<label><input id=box type=checkbox style='position:absolute;opacity:0;width:0;height:0'> I agree to {LINK} of use</label>"
    ),
    "a link in a shadow tree": (
        f"<label><input id=box type=checkbox {NONE}> I agree to <x-link></x-link> of use</label><script>"
        "document.querySelector('x-link').attachShadow({ mode: 'closed' }).innerHTML ="
        "'<a href=\\'#terms\\'>the terms and conditions of this shop</a>'</script>"
    ),
}
SEEN = "<style>label { display: inline-block; padding: 4px }</style><script>globalThis.left = false; addEventListener('hashchange', () => { left = true })</script>"
TICKED = "[box.checked, left]"


@pytest.fixture
def shop(mode: InputMode) -> tuple[Tabwire, ShownPage]:
    """A client in each mode of input, and the page it works in."""
    return mode.tabwire, mode.page


def fill_form(tabwire: Tabwire, selector: str) -> Any:
    return tabwire.ok("fill_form", fields=[{"selector": selector, "value": True}])


@pytest.mark.parametrize("label", LABELS)
def test_a_hidden_box_is_ticked_and_no_link_in_its_label_followed(
    shop: tuple[Tabwire, ShownPage], site: Site, label: str
) -> None:
    tabwire, page = shop
    for tool in ("check", "click", "fill_form"):
        tabwire.open(site.page(SEEN + LABELS[label]))
        fill_form(tabwire, "#box") if tool == "fill_form" else tabwire.ok(tool, selector="#box")
        assert page.evaluate(TICKED) == [True, False], tool


def test_a_label_is_pressed_beside_the_link_in_its_middle(shop: tuple[Tabwire, ShownPage], site: Site) -> None:
    tabwire, page = shop
    tabwire.open(site.page(SEEN + LABELS["a link in the middle"].replace("<label", "<label id=l")))
    tabwire.ok("click", selector="#l")
    assert page.evaluate(TICKED) == [True, False]
    tabwire.ok("check", selector="#l")
    tabwire.ok("uncheck", selector="#l")
    assert page.evaluate(TICKED) == [False, False]


def test_the_reply_says_that_a_box_was_clicked_by_script_where_its_label_is_all_link(
    shop: tuple[Tabwire, ShownPage], site: Site
) -> None:
    tabwire, page = shop
    tabwire.open(site.page(SEEN + LABELS["nothing but a link"]))
    assert "its label is all link or button: the box itself was clicked by script" in tabwire.ok("check", selector="#box").text
    assert page.evaluate(TICKED) == [True, False]
