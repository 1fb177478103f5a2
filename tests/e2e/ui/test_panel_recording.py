"""A test recorded from the side panel: the person presses Record, acts in their tab, and takes the file that a program has written."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.cdp import Browser, Page
from e2e.person import Person as Owner
from e2e.plain import NO_BAR, PlainChromium
from e2e.site import Site
from e2e.steps.recorded_flows import FLOWS, has_got, served
from e2e.steps.recorded_person import RECORDED, Person
from e2e.ui.desk import Desk
from e2e.ui.hand import Hand
from e2e.ui.own_pages import PANEL, look_at, open_page
from polling import until
from tabwire.recordings.languages import written

TEXT = "document.querySelector('#record-text').value"
LOGIN = next(flow for flow in FLOWS if flow.name == "login")


def saved_by(hand: Hand, browser: Browser, folder: Path, name: str) -> Path:
    """The file that the button saves."""
    browser.call("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    try:
        hand.click("#record-save:enabled")
        hand.page.wait_for(f"document.querySelector('#record-said').textContent === 'Saved as {name}.'")
        until(lambda: (folder / name).is_file(), says="the file is saved")
    finally:
        browser.call("Browser.setDownloadBehavior", {"behavior": "default"})
    return folder / name


def test_a_test_is_recorded_written_in_each_language_and_saved(desk: Desk, site: Site, tmp_path: Path) -> None:
    desk.view("now")
    person = Person(desk.browser.open(served(LOGIN, site)))
    desk.shows("#record-title", "login")
    desk.hand.click("#record:enabled")
    person.ready()
    desk.shows("#record-said", "Recording.")
    desk.shows("#record-tab", "login")
    LOGIN.act(person, desk.browser, tmp_path)
    has_got(LOGIN, site)
    desk.shows("#record-count", "5 steps")
    desk.hand.click("#record")
    # A second press of the button begins nothing.
    desk.page.wait_for(
        "document.querySelector('#record').textContent === 'Recorded' && document.querySelector('#record').disabled"
    )
    person.page.wait_for(f"!({RECORDED})")
    text = desk.page.wait_for(TEXT, 15)
    assert "open sesame" not in text and "TABWIRE_RECORDED_PASSWORD" in text and "def test_127_0_0_1_login(tabwire):" in text
    look_at(desk.page, "panel-recorded")
    file = saved_by(desk.hand, desk.browser, tmp_path, "test_127_0_0_1_login.py")
    assert file.read_text() == text

    for language, says in (("selenium", "webdriver"), ("batch", "${TABWIRE_RECORDED_PASSWORD}"), ("steps", '"fingerprint"')):
        desk.select("#record-language", language)
        shown = desk.page.wait_for(f"{TEXT}.includes('{says}') && {TEXT}", 15)
    # The steps are those of this flow, and what is written from them is run in testing/test_recorded_steps.py.
    steps = json.loads(shown)["steps"]
    assert text == written(steps, "pytest", file.name)
    assert [line.strip() for line in text.splitlines() if "tabwire." in line] == [
        f'tabwire.navigate("{site.url("/login.html")}")',
        """tabwire.fill('role:textbox[name="User"]', "ada")""",
        """tabwire.press("Tab", selector='role:textbox[name="User"]')""",
        """tabwire.fill('role:textbox[name="Password"]', os.environ["TABWIRE_RECORDED_PASSWORD"])""",
        """tabwire.press("Enter", selector='role:textbox[name="Password"]')""",
        f'tabwire.wait("url", url="{site.url("/post")}")',
    ]
    desk.hand.click("#record-drop")
    desk.shows("#record", "Record this tab")
    desk.page.wait_for("document.querySelector('#record-test').hidden && document.querySelector('#record-steps').hidden")


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[PlainChromium]:
    """A browser beside which no program runs."""
    chromium = PlainChromium(tmp_path, "about:blank", flags=[NO_BAR])
    try:
        yield chromium
    finally:
        chromium.close()


def says(panel: Page, selector: str, text: str) -> None:
    panel.wait_for(f"document.querySelector('{selector}').textContent.includes({text!r})")


def test_steps_are_kept_until_a_program_comes_that_writes_the_test(alone: PlainChromium, site: Site) -> None:
    person = Person(alone.browser.open(site.page("<button>Buy</button>", "Shop")))
    panel = open_page(alone.browser, PANEL)
    hand = Hand(panel)
    # This comes last and moves the rest down.
    says(panel, "#clients-part", "tabwire install")
    says(panel, "#record-title", "Shop")
    hand.click("#record:enabled")
    person.ready()
    person.click("button")
    says(panel, "#record-count", "2 steps")
    # Nothing of it lies in the worker alone, which Chrome ends when it likes.
    alone.browser.stop_workers()
    person.expect("Is visible", "button")
    says(panel, "#record-count", "3 steps")

    client = alone.join()
    (tab,) = (one["tabId"] for one in client.tabs() if one["title"] == "Shop")
    client.ok("tab_switch", tabId=tab)
    refused = client.fails("record_steps", action="start")
    assert (refused.code, "the person at the browser" in refused.text) == ("tab_leased", True), refused
    client.close()
    panel.wait_for("document.querySelectorAll('#clients > li').length === 0", 15)

    person.press_bar("Stop")
    says(panel, "#record", "Recorded")
    panel.wait_for("document.querySelector('#record-needs').checkVisibility() && document.querySelector('#record-save').disabled")
    alone.join()
    text = panel.wait_for(TEXT, 20)
    assert """tabwire.click('role:button[name="Buy"]')""" in text and """tabwire.wait("selector",""" in text, text
    assert panel.evaluate("document.querySelector('#record-needs').hidden")


def test_what_cannot_be_recorded_is_said(desk: Desk, site: Site) -> None:
    desk.view("now")
    url = site.page("<button>Buy</button>", "Barred")
    desk.person.ask("setSiteRule", pattern="127.0.0.1", level="never")
    page = desk.browser.open(url)
    desk.shows("#record-title", "Barred")
    desk.hand.click("#record:enabled")
    desk.shows("#record-problem", "Not done: ")
    assert not page.evaluate(RECORDED)
    desk.person.ask("forgetSite", pattern="127.0.0.1")
    desk.hand.click("#record:enabled")
    page.wait_for(RECORDED)
    desk.shows("#record", "Stop recording")
    assert desk.page.evaluate("document.querySelector('#record-problem').textContent") == ""
    Owner(desk.browser).stop()
    desk.shows("#record-said", "The recording has ended: the person paused or stopped Tabwire.")
    desk.person.ask("resume")
    desk.hand.click("#record-drop")
    desk.shows("#record", "Record this tab")
    desk.browser.open("chrome://version")
    desk.shows("#record-title", "This page cannot be recorded")
    assert desk.page.evaluate("document.querySelector('#record').disabled")
