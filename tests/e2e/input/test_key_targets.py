"""Keys reach the element that they are sent to, by trusted input and by DOM events, and the reply names another one that got them."""

from dataclasses import dataclass
from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conditions.condition import Condition
from e2e.conftest import Join, Joined, ShownPage
from e2e.site import Site

HEARD = """<script>globalThis.heard = []; globalThis.paid = 0;
addEventListener('keydown', (e) => heard.push((e.composedPath()[0].id || e.target.localName) + ' ' + e.key), true)</script>"""
PAY = "<button id=pay onclick='paid += 1'>Pay</button>"


@dataclass(frozen=True)
class Keys:
    """A client in one mode of input, and the page it works in."""

    tabwire: Tabwire
    page: ShownPage
    site: Site

    def show(self, html: str) -> None:
        self.tabwire.open(self.site.page(HEARD + html))

    def evaluate(self, expression: str) -> Any:
        return self.page.evaluate(expression)


@pytest.fixture(params=["trusted", "dom"])
def keys(request: pytest.FixtureRequest, condition: Condition, site: Site) -> Keys:
    """A launched browser, then a client that leaves the debugger out in a browser of the user's own."""
    if request.param == "trusted":
        return Keys(request.getfixturevalue("tabwire"), request.getfixturevalue("page"), site)
    join: Join = request.getfixturevalue("join")
    own: Joined = request.getfixturevalue("own")
    tabwire = join("--input", "dom")
    tabwire.ok("tab_new", url=site.url("/blank.html"))
    return Keys(tabwire, ShownPage(own.browser), site)


@pytest.mark.parametrize("selector", ["body", "html"])
def test_keys_for_the_page_do_not_go_to_the_only_control_in_it(keys: Keys, selector: str) -> None:
    keys.show(PAY)
    keys.tabwire.ok("press", selector=selector, key="Enter")
    assert keys.evaluate("[paid, heard, document.activeElement.localName]") == [0, ["body Enter"], "body"]
    keys.show("<input id=f>")
    keys.tabwire.ok("type", selector=selector, text="k", delay=0)
    assert keys.evaluate("[f.value, heard]") == ["", ["body k"]]


def test_a_secret_field_in_the_page_is_not_asked_about_for_keys_of_the_page(keys: Keys) -> None:
    keys.show("<input id=f type=password>")
    keys.tabwire.ok("press", selector="body", key="Escape")
    assert keys.evaluate("heard") == ["body Escape"]


def test_escape_for_the_page_closes_a_modal_dialog(keys: Keys) -> None:
    keys.show("<button>Behind</button><dialog id=d>Nothing to press</dialog><script>d.showModal()</script>")
    keys.tabwire.ok("press", selector="body", key="Escape")
    assert keys.evaluate("d.open") is False


def test_keys_for_a_box_do_not_go_to_the_only_button_in_it(keys: Keys) -> None:
    keys.show(f"<div id=box>Total: 5 {PAY}</div><p id=text>Note: <input id=f></p>")
    for tool, selector, arguments in (("press", "#box", {"key": "Enter"}), ("type", "#text", {"text": "k", "delay": 0})):
        refused = keys.tabwire.fails(tool, selector=selector, **arguments)
        assert refused.code == "element_not_interactable"
        assert "does not take the focus" in refused.text
    assert keys.evaluate("[paid, f.value, heard]") == [0, "", []]


def test_a_box_drawn_around_a_field_means_that_field_and_the_reply_names_it(keys: Keys) -> None:
    keys.show("<div id=box style='display:inline-block;padding:4px'><input id=f></div><label id=l>Name <input id=g></label>")
    assert 'the keys went to <input id="f">' in keys.tabwire.ok("type", selector="#box", text="k", delay=0).text
    assert 'the keys went to <input id="g">' in keys.tabwire.ok("type", selector="#l", text="m", delay=0).text
    assert keys.evaluate("[f.value, g.value]") == ["k", "m"]
    assert "went to" not in keys.tabwire.ok("type", selector="#f", text="n", delay=0).text


def test_an_element_that_takes_the_focus_gets_its_keys_and_not_the_button_in_it(keys: Keys) -> None:
    keys.show(f"<div id=row tabindex=0 role=row>Order 5 {PAY}</div>")
    keys.evaluate("pay.focus()")
    reply = keys.tabwire.ok("press", selector="#row", key="Enter")
    assert keys.evaluate("[paid, heard]") == [0, ["row Enter"]]
    assert "went to" not in reply.text


def test_the_reply_names_what_has_the_focus_in_a_box_that_takes_none(keys: Keys) -> None:
    keys.show(f"<section id=box>Total: 5 {PAY} <button>Cancel</button></section>")
    keys.evaluate("pay.focus()")
    for selector, count in (("#box", 1), ("body", 2)):
        assert 'the keys went to <button id="pay"> "Pay"' in keys.tabwire.ok("press", selector=selector, key="Enter").text
        assert keys.evaluate("paid") == count


def test_a_widget_that_hands_the_focus_on_is_named_by_what_got_the_keys(keys: Keys) -> None:
    keys.show("<div id=grid role=grid tabindex=0 onfocus='cell.focus()'><span id=cell role=gridcell tabindex=-1>One</span></div>")
    assert 'the keys went to <span id="cell">' in keys.tabwire.ok("press", selector="#grid", key="ArrowDown").text
    assert keys.evaluate("heard") == ["cell ArrowDown"]


def test_keys_for_the_host_of_a_shadow_tree_go_to_what_it_gives_the_focus(keys: Keys) -> None:
    keys.show(
        "<x-field id=x></x-field><script>const root = x.attachShadow({ mode: 'closed', delegatesFocus: true });"
        "root.innerHTML = '<input id=inner>'; globalThis.inner = root.firstChild</script>"
    )
    keys.tabwire.ok("type", selector="#x", text="k", delay=0)
    assert keys.evaluate("inner.value") == "k"


def test_an_access_key_does_what_its_element_does(keys: Keys) -> None:
    keys.show(
        "<button id=pay accesskey=k onclick='paid += 1'>Pay</button><input id=f accesskey=n><a accesskey=t href=#there>There</a>"
    )
    keys.tabwire.ok("press", key="Alt+k")
    assert keys.evaluate("paid") == 1
    keys.tabwire.ok("press", key="Alt+n")
    assert keys.evaluate("document.activeElement.id") == "f"
    keys.tabwire.ok("press", key="Alt+t")
    assert keys.evaluate("[paid, location.hash, f.value]") == [1, "#there", ""]


def test_keys_for_a_line_of_an_editor_go_to_its_end(keys: Keys) -> None:
    keys.show("<div id=f contenteditable><p id=one>one</p><p id=two>two</p></div>")
    keys.tabwire.ok("type", selector="#one", text="!", delay=0)
    keys.tabwire.ok("press", selector="#two", key="x")
    keys.tabwire.ok("type", selector="#one", text="?", delay=0)
    assert keys.evaluate("[one.innerText, two.innerText]") == ["one!?", "twox"]
