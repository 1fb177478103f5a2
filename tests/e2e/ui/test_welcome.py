"""The page that greets a person after the installation, once, and nobody in browsers that programs start."""

from pathlib import Path

from e2e.conftest import Launched
from e2e.person import Person
from e2e.plain import PlainChromium
from e2e.ui.hand import Hand
from e2e.ui.own_pages import WELCOME, hasten, look_at
from polling import until

LETTER_MS, BETWEEN_MS = 90, 700
"""Pauses of the demonstration, which a person follows."""


def test_a_person_is_greeted_once_sees_who_is_connected_tries_it_and_says_what_programs_may_see(tmp_path: Path) -> None:
    chromium = PlainChromium(tmp_path, "about:blank", pairing={"welcome": True}, is_fresh=True)
    try:
        page = chromium.browser.at(WELCOME)
        page.wait_for("document.readyState === 'complete' && document.querySelector('[name=sight]:checked')?.value === 'all'")
        assert page.evaluate("document.querySelector('#command').textContent") == "tabwire install"
        assert page.evaluate("!document.querySelector('#no-programs').hidden")
        anna = chromium.join(name="Anna")
        page.wait_for("document.querySelector('#programs').textContent === 'Anna: connected ✓'")
        hand = Hand(page)
        hand.click("#start")
        page.wait_for("document.querySelector('#doing').textContent.includes('fills in')")
        hand.click("#stop")
        page.wait_for("document.querySelector('#doing').textContent.startsWith('Stopped')")
        assert len(page.evaluate("document.querySelector('#demo-name').value")) < len("Ada Example")
        hasten(page, LETTER_MS, BETWEEN_MS)
        hand.click("#start")
        page.wait_for("document.querySelector('#doing').textContent.startsWith('Done')", 15)
        assert page.evaluate("document.querySelector('#demo-news').checked")
        hand.click("[value=given]")
        until(lambda: Person(chromium.browser).ask("settings")["tabs"], equals="given")
        look_at(page, "welcome", 640)
        look_at(page, "welcome-narrow", 320)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        chromium.restart()
        anna.until_joined(30)
        assert WELCOME not in {target["url"] for target in chromium.browser.targets("page")}
    finally:
        chromium.close()


def test_nobody_is_greeted_in_a_browser_that_was_launched(launched: Launched) -> None:
    launched.tabwire.ok("tab_list")
    assert WELCOME not in {target["url"] for target in launched.browser.targets("page")}
