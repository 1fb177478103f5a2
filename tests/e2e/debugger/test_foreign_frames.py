"""Pages with a frame of another extension, such as a password manager's: Chrome keeps the debugger out of their tabs."""

from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched, Launcher, ShownPage
from e2e.site import Site

FOREIGN = "chrome-extension://abcdefghijklmnopabcdefghijklmnop/page.html"
PAGE = (
    "<button id=b>Go</button><input id=f><input id=k><p id=p>Text</p><iframe id=x></iframe><script>globalThis.got = [];"
    "for (const type of ['click', 'contextmenu', 'mouseover', 'keydown'])"
    " document.addEventListener(type, (event) => got.push(`${type} ${event.target.id}`), true);"
    "const taken = () => { const all = [...new Set(got)]; got.length = 0; return all }</script>"
)
WHY = "a frame of another extension"


@pytest.fixture
def shown(request: pytest.FixtureRequest, launcher: Launcher[Launched], joiner: Launcher[Any], site: Site) -> Launched:
    """A tab with the page, into which the frame comes while the debugger is attached. By DOM events acts go in either browser."""
    chosen = joiner if getattr(request, "param", "launched") == "own" else launcher
    launched = chosen.fresh(site)
    launched.tabwire.open(site.page(PAGE))
    launched.tabwire.ok("evaluate", expression="1")
    show(launched.browser, FOREIGN)
    return launched


def show(browser: Browser, address: str) -> None:
    browser.shown().evaluate(f"new Promise((done) => {{ x.onload = done; x.src = '{address}' }})")


ACTS: list[tuple[str, dict[str, Any], str, Any]] = [
    ("click", {"selector": "#b"}, "taken()", ["mouseover b", "click b"]),
    ("click", {"selector": "#b", "button": "right"}, "taken()", ["contextmenu b"]),
    ("hover", {"selector": "#p"}, "taken()", ["mouseover p"]),
    ("fill", {"selector": "#f", "value": "tea"}, "f.value", "tea"),
    ("type", {"selector": "#k", "text": "ab"}, "k.value", "ab"),
    ("press", {"selector": "#k", "key": "Backspace"}, "k.value", "a"),
]


@pytest.mark.parametrize("shown", ["launched", "own"], indirect=True)
def test_acts_go_by_dom_events_beside_a_frame_of_another_extension(shown: Launched) -> None:
    page = ShownPage(shown.browser)
    for tool, arguments, shows, value in ACTS:
        reply = shown.tabwire.ok(tool, **arguments)
        assert (page.evaluate(shows), reply.data["input"]) == (value, "dom"), (tool, reply)
        # In the user's own browser these are what DOM events are enough for.
        assert WHY in reply.data.get("note", "") or (shown.is_own and tool in ("click", "fill")), (tool, reply)
    # With the frame gone the debugger works again.
    show(shown.browser, "about:blank")
    page.evaluate("taken()")
    assert shown.tabwire.ok("click", selector="#b", button="right").data["input"] == "trusted"
    assert page.evaluate("taken()")[-1] == "contextmenu b"


def test_scripts_come_another_way_and_say_so(shown: Launched) -> None:
    tabwire = shown.tabwire
    told = tabwire.ok("evaluate", expression="const all = [1, p.textContent]; return all")
    assert told.data == [1, "Text"] and WHY in told.text, told
    assert tabwire.ok("evaluate", expression="[typeof name, typeof run, typeof text]").data == [
        "string",
        "undefined",
        "undefined",
    ]
    once = "globalThis.runs = (globalThis.runs ?? 0) + 1; throw new Error('boom')"
    assert "boom" in tabwire.fails("evaluate", expression=once).text
    assert ShownPage(shown.browser).evaluate("runs") == 1
    assert tabwire.fails("evaluate", expression="syntax error here").code == "javascript_error"
    secret = "k.type = 'password'; k.value = 'hunter22'; return ['it is', k.value]"
    assert "hunter22" not in tabwire.ok("evaluate", expression=secret).text


def test_pictures_come_another_way_and_say_so(shown: Launched) -> None:
    tabwire = shown.tabwire
    picture = tabwire.ok("screenshot")
    assert picture.images and WHY in picture.text, picture


def test_a_page_goes_on_loading_while_a_script_in_it_waits(shown: Launched, site: Site) -> None:
    """Chrome keeps the load event back while a script lasts that was injected before it."""
    site.hold("/gate/picture")
    shown.tabwire.ok("navigate", url=site.page(f"{PAGE}<img src='/gate/picture'>"), wait_until="domcontentloaded")
    show(shown.browser, FOREIGN)
    loaded = "globalThis.runs = 1; return new Promise((done) => addEventListener('load', () => done('loaded')))"
    under_way = shown.tabwire.start("evaluate", expression=loaded, timeout=5000)
    ShownPage(shown.browser).wait_for("globalThis.runs")
    site.let_go("/gate/picture")
    told = under_way.result(20)
    assert (told.data, WHY in told.text) == ("loaded", True), told


def test_what_has_no_other_way_says_what_stands_in_the_way(shown: Launched, temp: Any) -> None:
    tabwire: Tabwire = shown.tabwire
    calls: list[tuple[str, dict[str, Any]]] = [
        ("pdf", {"save_path": "a.pdf"}),
        ("screenshot", {"full_page": True}),
        ("route", {"action": "add", "url_pattern": "*", "handler": "abort"}),
        ("viewport", {"width": 500, "height": 400}),
        ("console", {"action": "get"}),
        ("capture", {"action": "start"}),
        ("geolocation", {"latitude": 1, "longitude": 1}),
        ("wait", {"for": "function", "function": "() => true"}),
    ]
    wrong = {}
    for tool, arguments in calls:
        reply = tabwire.call(tool, **arguments)
        if not reply.is_error or reply.code != "restricted_page" or WHY not in reply.text:
            wrong[tool] = reply
    assert wrong == {}
    assert tabwire.ok("snapshot").text and not tabwire.call("reload").is_error


def test_a_page_that_forbids_scripts_as_text_is_told_as_the_reason(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline'\">"
    tabwire.open(site.page(f"{policy}<iframe src='{FOREIGN}'></iframe>"))
    reply = tabwire.fails("evaluate", expression="document.title = 'changed'")
    assert reply.code == "unsupported_operation" and WHY in reply.text and "forbids scripts" in reply.text
    assert page.evaluate("document.title") != "changed"
