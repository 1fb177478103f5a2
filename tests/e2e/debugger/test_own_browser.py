"""Acts in the user's own browser: DOM events do what they can, the debugger comes for what they cannot and soon goes."""

from dataclasses import dataclass
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched, Launcher
from e2e.site import Site
from e2e.worker import attached
from polling import until

GONE_WITHIN_S = 6


@dataclass(frozen=True)
class Own:
    """A fresh tab of a browser that Tabwire did not start."""

    tabwire: Tabwire
    browser: Browser
    site: Site

    def show(self, html: str) -> None:
        self.tabwire.open(self.site.page(html))

    def evaluate(self, expression: str) -> Any:
        return self.browser.shown().evaluate(expression)

    def attached(self) -> int:
        """To how many tabs the extension's debugger is attached."""
        return attached(self.browser)


@pytest.fixture
def own(joiner: Launcher, site: Site) -> Own:
    joined: Launched = joiner.fresh(site)
    return Own(joined.tabwire, joined.browser, site)


HIT = "globalThis.hit"
BY_EVENTS: dict[str, tuple[str, list[tuple[Any, ...]], str, Any]] = {
    "a click": ("<button id=b onclick='globalThis.hit = (globalThis.hit ?? 0) + 1'>Go</button>", [("click", "#b")], HIT, 1),
    "a click on a link": ("<a id=b href='#there'>Go</a>", [("click", "#b")], "location.hash", "#there"),
    "a label": ("<label id=l>Yes <input type=checkbox id=b></label>", [("click", "#l")], "b.checked", True),
    "a form": (
        "<form onsubmit='event.preventDefault(); hit = new FormData(this).get(`q`)'><input id=f name=q><button id=b>Send</button></form>",
        [("fill", "#f", {"value": "tea"}), ("click", "#b")],
        HIT,
        "tea",
    ),
    "boxes": (
        "<input type=checkbox id=a><input type=checkbox id=b checked>",
        [("check", "#a"), ("uncheck", "#b")],
        "[a.checked, b.checked]",
        [True, False],
    ),
    "a list": (
        "<select id=s onchange='globalThis.hit = this.value'><option>a<option>b</select>",
        [("select", "#s", {"value": "b"})],
        HIT,
        "b",
    ),
    "a filled text with lines": (
        "<textarea id=f>old</textarea>",
        [("fill", "#f", {"value": "one\ntwo"})],
        "f.value",
        "one\ntwo",
    ),
    "an emptied model": (
        "<div id=f contenteditable>old</div><script>globalThis.text = 'old'; f.onbeforeinput = (e) => {"
        "e.preventDefault(); text = e.data ?? ''; f.textContent = text }</script>",
        [("clear", "#f")],
        "text",
        "",
    ),
    "an editable area takes the focus of a click": (
        "<div id=f contenteditable>some text</div>",
        [("click", "#f")],
        "document.activeElement.id",
        "f",
    ),
    "a focus": ("<input id=f onfocus='hit = 1'>", [("focus", "#f")], HIT, 1),
    "a scroll": (
        "<p style='height: 3000px'>Long</p><p id=end>End</p>",
        [("scroll", "#end", {"into_view": True})],
        "scrollY > 1000",
        True,
    ),
    "a press only after the last look": (
        "<button id=b style='position: absolute; left: 50px' onclick='hit = (globalThis.hit ?? 0) + 1'"
        " onmouseenter='this.style.left = `300px`'>Moves</button><script>onmousedown = (e) => globalThis.down = e.target.id</script>",
        [("click", "#b")],
        "[hit, down]",
        [1, "b"],
    ),
}
BY_DEBUGGER: dict[str, tuple[str, list[tuple[Any, ...]], str, Any]] = {
    # Its window is let go of by the time that the others are done.
    "a click that needs a user": (
        "<button id=b onclick='hit = !!window.open(`about:blank`)'>Go</button>",
        [("click", "#b")],
        HIT,
        True,
    ),
    "keys": (
        "<form onsubmit='event.preventDefault(); hit = f.value'><input id=f></form>",
        [("type", "#f", {"text": "tea", "delay": 0}), ("press", None, {"key": "Enter"})],
        HIT,
        "tea",
    ),
    "typing where a click has put the caret": (
        "<input id=f value='two words' style='width: 300px'>",
        [("click", "#f"), ("type", None, {"text": "!", "delay": 0})],
        "f.value",
        "two words!",
    ),
    "a hover": (
        "<style>#b:hover { color: rgb(1, 2, 3) }</style><button id=b>Go</button>",
        [("hover", "#b")],
        "getComputedStyle(b).color",
        "rgb(1, 2, 3)",
    ),
    "a double click": ("<p id=p ondblclick='hit = String(getSelection()).trim()'>word</p>", [("dblclick", "#p")], HIT, "word"),
    "a double click by its count": (
        "<p id=p ondblclick='hit = event.isTrusted'>x</p>",
        [("click", "#p", {"click_count": 2})],
        HIT,
        True,
    ),
    "a point": (
        "<script>onclick = (e) => globalThis.hit = e.isTrusted</script>",
        [("click", None, {"coordinates": {"x": 50, "y": 60}})],
        HIT,
        True,
    ),
    "a modifier": (
        "<button id=b onclick='hit = event.shiftKey'>Go</button>",
        [("click", "#b", {"modifiers": ["Shift"]})],
        HIT,
        True,
    ),
    "a drag": (
        "<div id=a draggable=true>A</div><div id=z style='height: 80px' ondragover='event.preventDefault()' ondrop='hit = event.isTrusted'>Z</div>",
        [("drag", None, {"source": "#a", "target": "#z"})],
        HIT,
        True,
    ),
    "a press beside what closes by it": (
        "<div popover id=p>Menu</div><h1 id=b>Title</h1><script>p.showPopover()</script>",
        [("click", "#b")],
        "p.matches(':popover-open')",
        False,
    ),
    "a place on a slider": ("<input type=range id=r value=10>", [("click", "#r")], "r.value", "50"),
}


def run(own: Own, html: str, acts: list[tuple[Any, ...]]) -> list[str]:
    own.show(html)
    return act(own, acts)


def act(own: Own, acts: list[tuple[Any, ...]]) -> list[str]:
    """By what each act was done."""
    used = []
    for tool, on, *more in acts:
        arguments = {**(more[0] if more else {}), **({"selector": on} if on else {})}
        used.append(own.tabwire.ok(tool, **arguments).data["input"])
    return used


@pytest.mark.conditions
def test_dom_events_do_it_without_the_debugger(own: Own) -> None:
    for name, (html, acts, shows, value) in BY_EVENTS.items():
        assert run(own, html, acts) == ["dom"] * len(acts), name
        assert own.evaluate(shows) == value, name
        assert own.attached() == 0, name


def test_a_page_in_a_hidden_tab_is_told_of_the_focus(own: Own) -> None:
    """Chrome moves the focus there and fires nothing."""
    script = """<script>globalThis.log = [];
    for (const type of ["focus", "focusin", "blur", "focusout"]) addEventListener(type, (e) => log.push(`${type} ${e.target.id}`), true)
    </script>"""
    url = own.site.page(f"<input id=a><input id=b>{script}")
    tab = own.tabwire.ok("tab_new", url=url, active=False).data["tabId"]
    for element in ("#a", "#b", "#b"):
        own.tabwire.ok("focus", selector=element, tabId=tab)
    log = ["focus a", "focusin a", "blur a", "focusout a", "focus b", "focusin b"]
    page = own.browser.at(url)
    assert page.evaluate("log") == log
    page.close()


def test_the_debugger_does_it_and_goes_when_it_is_not_needed(own: Own) -> None:
    (first,) = [tab["tabId"] for tab in own.tabwire.tabs()]
    run(own, "<input id=f>", [("press", "#f", {"key": "a"})])
    assert own.attached() == 1
    # In a tab each: where it is attached already, it would do what DOM events do as well.
    for name, (html, acts, shows, value) in BY_DEBUGGER.items():
        url = own.site.page(html)
        tab = own.tabwire.ok("tab_new", url=url).data["tabId"]
        page = own.browser.at(url)
        assert act(own, acts)[-1] == "trusted", name
        assert page.evaluate(shows) == value, name
        own.tabwire.ok("tab_close", tabId=tab)
    own.tabwire.ok("tab_switch", tabId=first)
    run(own, "<input id=f>", [("press", "#f", {"key": "b"})])
    assert own.attached() == 1
    until(own.attached, equals=0, within=GONE_WITHIN_S)
    assert own.tabwire.ok("click", selector="#f").data["input"] == "dom"
    assert own.attached() == 0


def test_a_dialog_that_an_act_is_known_to_open_is_told_with_its_text(own: Own) -> None:
    own.show("<button id=b onclick='alert(`Hi`)'>Go</button>")
    reply = own.tabwire.ok("click", selector="#b")
    assert reply.data["effects"]["dialog"] == {"type": "alert", "message": "Hi"}
