"""The side panel and the popup: each control does what it says, seen elsewhere than in the page it is on."""

import contextlib
import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser, CdpError, Page
from e2e.client import Tabwire
from e2e.site import Site
from e2e.tabs.two_clients import TwoClients
from e2e.ui.hand import Hand
from e2e.ui.own_pages import PANEL, POPUP, QUESTION, look_at, open_page
from polling import until

BUTTON = "<button onclick='globalThis.hits = (globalThis.hits ?? 0) + 1'>Go</button>"
GO = "role:button"
CONTROLS = """[...document.querySelectorAll('input, select, textarea, button, summary, a[href], [tabindex]')]
  .filter((control) => control.checkVisibility() && !control.disabled)"""
NAMED = "control.ariaLabel || control.labels?.[0]?.textContent.trim() || control.textContent.trim() || control.getAttribute('aria-labelledby')"


class Desk(TwoClients):
    """Two clients, and the side panel in a tab."""

    @cached_property
    def page(self) -> Page:
        return open_page(self.browser, PANEL)

    @property
    def hand(self) -> Hand:
        return Hand(self.page)

    def open(self, client: Tabwire, url: str, **more: Any) -> tuple[Page, int]:
        return super().open(client, url, **{"active": False, **more})

    def shows(self, selector: str, text: str) -> None:
        """Waits until a part of the panel says something."""
        self.page.wait_for(f"document.querySelector({json.dumps(selector)})?.textContent.includes({json.dumps(text)})")

    def select(self, selector: str, value: str) -> None:
        """Chooses with the keyboard, in a list that is not open."""
        find = f"document.querySelector({json.dumps(selector)})"
        steps = self.page.evaluate(
            f"{find}.focus(), [...{find}.options].findIndex((option) => option.value === {json.dumps(value)}) - {find}.selectedIndex"
        )
        for _ in range(abs(steps)):
            self.hand.press("ArrowDown" if steps > 0 else "ArrowUp")
        self.page.wait_for(f"{find} === null || {find}.value === {json.dumps(value)}")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with Desk.started(tmp_path_factory.mktemp("panel"), pairing={"permissions": {}}) as desk:
        desk.page.wait_for("document.querySelectorAll('#clients li').length === 2", 30)
        yield desk


@pytest.fixture
def desk(running: Desk, site: Site) -> Iterator[Desk]:
    with running.for_a_test():
        yield running


# ---- stop, pause, the connection ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["panel", "popup"])
def test_stop_pause_and_resume_hold_for_all_clients(desk: Desk, site: Site, where: str) -> None:
    _, tab = desk.open(desk.anna, site.page(BUTTON))
    page = desk.page if where == "panel" else open_page(desk.browser, POPUP)
    page.wait_for("document.querySelector('#clients li') !== null")
    hand = Hand(page)
    waiting = desk.anna.start("wait", **{"for": "text", "text": "Never", "timeout": 20_000, "tabId": tab})
    desk.page.wait_for("document.querySelector('#activity [data-state=running]') !== null")
    hand.click("#stop")
    assert waiting.result(5).code == "stopped_by_user"
    page.wait_for("document.querySelector('#paused').textContent.startsWith('You stopped everything')")
    assert desk.bert.fails("title", tabId=tab).code == "stopped_by_user"
    hand.click("#resume")
    page.wait_for("document.querySelector('#paused').textContent === ''")
    desk.bert.ok("title", tabId=tab)
    hand.click("#pause")
    desk.shows("#paused", "Paused since")
    assert "paused Tabwire" in desk.anna.fails("title", tabId=tab).text
    hand.click("#resume")
    desk.page.wait_for("document.querySelector('#paused').textContent === ''")
    desk.anna.ok("title", tabId=tab)
    if page is not desk.page:
        page.close()


def test_the_connection_is_the_proven_one_and_the_browser_gets_its_name_there(desk: Desk) -> None:
    for client, name in ((desk.anna, "Anna"), (desk.bert, "Bert")):
        # A client says its name with what it asks.
        client.ok("tab_list")
        desk.shows("#clients", name)
    assert desk.page.evaluate(
        "[...document.querySelectorAll('#clients li')].every((row) => row.dataset.ok === 'true' && row.textContent.includes('answers in '))"
    )
    desk.shows("#pairing", "paired")
    desk.page.evaluate("document.querySelector('#name').value = ''")
    desk.hand.type("#name", "Kitchen")
    desk.hand.press("Enter")
    until(lambda: desk.anna.ok("status").data["browsers"][0]["name"], equals="Kitchen")


def panels(browser: Browser, url: str) -> set[str]:
    """The documents at a URL, in tabs and beside them."""
    return {target["targetId"] for target in browser.targets() if target["url"] == url and target["type"] != "tab"}


def test_the_popup_opens_the_side_panel_and_what_is_asked_beside_it_needs_no_window(desk: Desk, site: Site) -> None:
    popup = open_page(desk.browser, POPUP)
    url = PANEL
    before = panels(desk.browser, url)
    popup.wait_for("!document.querySelector('#open-panel').disabled")
    Hand(popup).click("#open-panel")
    until(lambda: panels(desk.browser, url) - before)
    (target,) = panels(desk.browser, url) - before
    panel = Page(desk.browser, target)
    panel.wait_for("document.querySelectorAll('#clients li').length === 2", 15)
    # What the panel has said of itself goes before this.
    asked = "chrome.runtime.sendMessage({ type: 'handovers' })"
    assert panel.evaluate(f"chrome.tabs.getCurrent().then(() => chrome.windows.getCurrent()).then(() => {asked})") == {
        "handovers": []
    }
    popup.close()
    _, tab = desk.open(desk.anna, site.page("<p>Words"))
    call = desk.anna.start("ask_user", question="Well?", tabId=tab)
    panel.wait_for("document.querySelector('#handovers textarea') !== null")
    windows = "chrome.windows.getAll({ windowTypes: ['popup'] }).then((all) => all.length)"
    panel.evaluate("document.querySelector('#handovers textarea').value = 'Fine'")
    assert desk.browser.in_worker(windows) == 0
    Hand(panel).click("#handovers form button:not([type])")
    assert call.result(10).data["answer"] == "Fine"
    panel.evaluate("void setTimeout(() => window.close())")
    until(lambda: panels(desk.browser, url), equals=before)


# ---- tabs and activity --------------------------------------------------------------------------------------------------


def test_a_tab_in_use_is_listed_shown_taken_back_and_given_back(desk: Desk, site: Site) -> None:
    page, tab = desk.open(desk.anna, site.page(BUTTON, "Shopping"))
    row = f'#tabs [data-tab="{tab}"]'
    desk.shows(row, "Shopping")
    desk.shows(row, "Anna")
    desk.hand.click(f"{row} .link")
    until(lambda: desk.browser.in_worker(f"chrome.tabs.get({tab}).then((tab) => tab.active)"))
    desk.hand.click(f"{row} [data-take]")
    desk.shows(row, "you took it from Anna")
    assert desk.anna.fails("click", selector=GO, tabId=tab).code == "permission_denied"
    assert desk.browser.in_worker(f"chrome.tabs.get({tab}).then((tab) => tab.groupId)") == -1
    desk.hand.click(f"{row} [data-give]")
    desk.page.wait_for(f"document.querySelector('{row}') === null")
    desk.anna.ok("click", selector=GO, tabId=tab)
    assert page.evaluate("hits") == 1
    desk.page.evaluate("document.title = 'Still open'")
    page.evaluate("document.title = 'Basket'")
    desk.shows(row, "Basket")


def test_activity_is_seen_as_it_happens_filtered_saved_and_cleared(desk: Desk, site: Site, tmp_path: Path) -> None:
    _, tab = desk.open(desk.anna, site.page(BUTTON))
    desk.anna.ok("click", selector=GO, tabId=tab)
    assert desk.bert.fails("click", selector=GO, tabId=tab).code == "tab_leased"
    desk.anna.ok("title", tabId=tab)
    desk.shows('#activity [data-state="refused"]', "tab_leased")
    desk.page.wait_for("document.querySelector('#activity li .what').textContent === 'Page title'")
    desk.shows('#activity [data-state="done"] + [data-state="refused"] + [data-state="done"]', 'button "Go"')
    desk.select("#filter", "act")
    desk.page.wait_for("![...document.querySelectorAll('#activity .what')].some((what) => what.textContent === 'Page title')")
    desk.shows("#activity", "Click")
    desk.select("#filter", "all")
    desk.browser.call("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    for form in ("jsonl", "json"):
        desk.hand.click(f"#save-{form}")
        until(lambda form=form: list(tmp_path.glob(f"tabwire-activity-*.{form}")))
    (lines,) = tmp_path.glob("*.jsonl")
    saved = [json.loads(line) for line in lines.read_text().splitlines()]
    assert {"client": "Anna", "title": "Click", "state": "done", "origin": site.origin}.items() <= saved[-3].items()
    assert saved[-2]["error"] == "tab_leased"
    (whole,) = tmp_path.glob("*.json")
    assert json.loads(whole.read_text())[: len(saved)] == saved
    desk.hand.click("#clear")
    desk.page.wait_for("document.querySelector('#activity').children.length === 0")
    assert desk.page.evaluate("chrome.runtime.sendMessage({type: 'activity'})") == {"entries": []}


# ---- what is allowed ----------------------------------------------------------------------------------------------------


def test_rules_of_sites_are_made_changed_and_removed(desk: Desk, site: Site) -> None:
    _, tab = desk.open(desk.anna, site.page(f"<p>Words{BUTTON}"))
    host = site.origin.removeprefix("http://")
    rule = f'#rules [data-pattern="{host}"]'
    desk.hand.type("#new-pattern", "not a site")
    desk.hand.press("Enter")
    desk.shows("#rule-problem", "names no site")
    desk.page.evaluate("document.querySelector('#new-pattern').value = ''")
    desk.hand.type("#new-pattern", host)
    desk.select("#new-level", "never")
    desk.hand.click("#new-rule button")
    desk.page.wait_for(f"document.querySelector('{rule} select')?.value === 'never'")
    assert desk.anna.fails("snapshot", tabId=tab).code == "permission_denied"
    desk.select(f"{rule} select", "read")
    until(lambda: not desk.anna.call("snapshot", tabId=tab).is_error)
    assert desk.anna.fails("click", selector=GO, tabId=tab).code == "permission_denied"
    desk.hand.click(f"{rule} button")
    desk.page.wait_for(f"document.querySelector('{rule}') === null")
    desk.anna.ok("click", selector=GO, tabId=tab)
    assert desk.page.evaluate("document.querySelector('#never').textContent").count("credentials") == 1


def test_a_question_is_answered_in_the_panel_and_an_answer_for_good_is_forgotten_there(desk: Desk, site: Site) -> None:
    _, tab = desk.open(desk.anna, site.page("<p>Words"))
    call = desk.anna.start("cookies", action="get_all", url=site.origin)
    desk.shows("#questions", "read or change cookies")
    desk.page.wait_for("performance.now() - (document.querySelector('#questions li').seen ??= performance.now()) > 600")
    desk.hand.click("#questions [data-answer=site]")
    assert not call.result(10).is_error
    desk.page.wait_for("document.querySelector('#asked').hidden")
    assert not desk.anna.call("cookies", action="get_all", url=site.origin).is_error
    desk.shows("#answers", "cookies: allowed on")
    desk.hand.click("#answers button")
    desk.page.wait_for("document.querySelector('#answers-part').hidden")
    again = desk.anna.start("cookies", action="get_all", url=site.origin)
    desk.shows("#questions", "read or change cookies")
    desk.page.wait_for("performance.now() - (document.querySelector('#questions li').seen ??= performance.now()) > 600")
    desk.hand.click("#questions [data-answer=later]")
    assert again.result(10).code == "permission_denied"


@pytest.mark.parametrize("where", ["panel", "popup"])
def test_what_a_client_asks_is_answered_there(desk: Desk, site: Site, where: str) -> None:
    _, tab = desk.open(desk.anna, site.page("<p>Words", "The shop"))
    page = desk.page if where == "panel" else open_page(desk.browser, POPUP)
    call = desk.anna.start("ask_user", question="Which size?", choices=["Small", "Large"], tabId=tab)
    page.wait_for("document.querySelector('#told').textContent === 'Anna asks you: Which size?'")
    page.wait_for("document.querySelector('.where span').textContent === 'The shop'")
    assert desk.browser.in_worker("chrome.action.getBadgeText({})") == "?"
    Hand(page).click("[data-show=tab]")
    until(lambda: desk.browser.in_worker(f"chrome.tabs.get({tab}).then((tab) => tab.active)"))
    page.evaluate("document.querySelector('[data-choice=Large]').focus()")
    Hand(page).press("Enter")
    assert call.result(10).data["answer"] == "Large"
    page.wait_for("document.querySelector('#asked').hidden")
    if page is not desk.page:
        page.close()


def test_signs_are_switched_there(desk: Desk) -> None:
    for choice, value in (("off", False), ("on", True), ("own", None)):
        desk.select("#signs", choice)
        until(
            lambda value=value: desk.browser.in_worker("chrome.storage.local.get('settings').then((all) => all.settings.signs)"),
            equals=value,
        )


def allowed_once(consent: Page) -> bool:
    """Clicks, which may be too early and is none then; never the last word on whether it counted."""
    with contextlib.suppress(CdpError, TimeoutError, AssertionError):
        Hand(consent).click("[data-answer=once]")
    return False


# ---- for everybody ------------------------------------------------------------------------------------------------------


def test_every_page_is_fit_to_be_seen_and_heard_in_light_and_dark(desk: Desk, site: Site, tmp_path: Path) -> None:
    _, tab = desk.open(desk.anna, site.page(BUTTON, "Shopping"))
    desk.anna.ok("click", selector=GO, tabId=tab)
    desk.page.evaluate("chrome.runtime.sendMessage({type: 'setSiteRule', pattern: 'bank.example', level: 'never'})")
    desk.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    task = desk.anna.start("ask_user", question="Please log in to the shop", please_do=True, tabId=tab)
    _, other = desk.open(desk.bert, site.page("<p>Words", "Other"))
    text = desk.bert.start("ask_user", question="Which colour?", tabId=other)
    cookies = desk.bert.start("cookies", action="get_all", url=site.origin)
    desk.page.wait_for(
        "document.querySelectorAll('#handovers li').length === 2 && document.querySelector('#questions li') !== null"
    )
    popup = open_page(desk.browser, POPUP)
    popup.wait_for("document.querySelectorAll('#handovers li').length === 2 && document.querySelector('#clients li') !== null")
    window = desk.browser.at(QUESTION)
    window.wait_for("document.querySelectorAll('#handovers li').length === 2 && document.querySelector('#questions li') !== null")
    for name, page in {"panel": desk.page, "popup": popup, "question": window}.items():
        look_at(page, name, tmp_path)
        unnamed = page.evaluate(f"{CONTROLS}.filter((control) => !({NAMED})).map((control) => control.outerHTML)")
        assert unnamed == [], name
        assert page.evaluate(f"{CONTROLS}.every((control) => control.tabIndex === 0)"), name
    Hand(popup).click("[data-outcome=done]")
    Hand(window).type("textarea", "Blue")
    Hand(window).click("form button:not([type])")
    # A click soon after a question came is no answer.
    until(lambda: cookies.done() or allowed_once(window))
    assert (task.result(10).data["outcome"], text.result(10).data["answer"], cookies.result(10).is_error) == (
        "done",
        "Blue",
        False,
    )
    popup.close()
    desk.hand.click('#rules [data-pattern="bank.example"] button')


def test_the_keyboard_reaches_every_control_in_the_order_of_the_page(desk: Desk) -> None:
    desk.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = false")
    expected = desk.page.evaluate(f"{CONTROLS}.map((control) => control.id || control.outerHTML.slice(0, 60))")
    desk.browser.call("Target.activateTarget", {"targetId": desk.page.target_id})
    desk.page.evaluate("document.querySelector('#stop').focus()")
    reached = ["stop"]
    for _ in expected[1:]:
        desk.hand.press("Tab")
        reached.append(desk.page.evaluate("document.activeElement.id || document.activeElement.outerHTML.slice(0, 60)"))
    assert reached == expected
