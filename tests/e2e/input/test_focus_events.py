"""Events of the focus in pages that do not have it, as a person's acts fire them: once each, in the order of a focused page."""

from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Joined, ShownPage
from e2e.site import Site

LOG = """<script>globalThis.log = [];
for (const type of ['focus', 'focusin', 'blur', 'focusout', 'change', 'click'])
  addEventListener(type, (e) => { if (e.target.id) log.push(`${type} ${e.target.id}`) }, true)</script>"""
FORM = f"<input id=a><input id=b><label>Yes <input type=checkbox id=c></label><p id=text>Text</p>{LOG}"
CAME = ["focus {0}", "focusin {0}"]
LEFT = ["blur {0}", "focusout {0}"]


def moved(*steps: tuple[list[str], str]) -> list[str]:
    return [event.format(element) for events, element in steps for event in events]


CLICKS: list[tuple[str, str, list[str]]] = [
    ("click", "#a", [*moved((CAME, "a")), "click a"]),
    ("click", "#b", [*moved((LEFT, "a"), (CAME, "b")), "click b"]),
    ("check", "#c", [*moved((LEFT, "b"), (CAME, "c")), "click c", "change c"]),
    ("uncheck", "#c", ["click c", "change c"]),
    ("click", "#text", [*moved((LEFT, "c")), "click text"]),
]


def play(tabwire: Tabwire, evaluate: Any, **arguments: Any) -> None:
    for tool, selector, events in CLICKS:
        tabwire.ok(tool, selector=selector, **arguments)
        assert evaluate("log.splice(0)") == events, (tool, selector)


@pytest.mark.conditions
def test_a_press_moves_the_focus_with_its_events(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(FORM))
    play(tabwire, page.evaluate)


def test_a_press_in_a_hidden_tab_moves_the_focus_with_its_events(own: Joined, site: Site) -> None:
    url = site.page(FORM)
    tab = own.tabwire.ok("tab_new", url=url, active=False).data["tabId"]
    page = own.browser.at(url)
    play(own.tabwire, page.evaluate, tabId=tab)
    page.close()


@pytest.mark.conditions
def test_a_press_in_a_frame_moves_the_focus_with_its_events(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    frame = site.cross_page(FORM)
    tabwire.open(site.page(f"<iframe src='{frame}' width=400 height=300></iframe>"))
    play(tabwire, page.frame(frame.rsplit("/", 1)[1]).evaluate)


@pytest.mark.conditions
def test_typed_text_is_a_change_when_a_press_leaves_its_field(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(FORM))
    tabwire.ok("fill", selector="#a", value="tea")
    page.evaluate("log.length = 0")
    tabwire.ok("click", selector="#b")
    assert page.evaluate("log") == ["change a", *moved((LEFT, "a"), (CAME, "b")), "click b"]


LATE = """(() => {
  const original = chrome.debugger.sendCommand;
  globalThis.restore = () => { chrome.debugger.sendCommand = original; };
  chrome.debugger.sendCommand = async (target, method, params) => {
    if (method === "Emulation.setFocusEmulationEnabled") await new Promise((done) => setTimeout(done, 300));
    return original.call(chrome.debugger, target, method, params);
  };
})()"""
"""Chrome takes its time for the emulated focus."""


@pytest.mark.conditions
@pytest.mark.parametrize("tool", ["type", "press"])
def test_the_first_keys_give_the_focus_once(tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage, tool: str) -> None:
    arguments = {"type": {"text": "x", "delay": 0}, "press": {"key": "x"}}[tool]
    tabwire.open(site.page(FORM))
    browser.in_worker(LATE)
    try:
        tabwire.ok(tool, selector="#a", **arguments)
    finally:
        browser.in_worker("globalThis.restore()")
    assert page.evaluate("log") == moved((CAME, "a"))
