"""The popup: it times each hop, says which of them does not answer, and can be used without a mouse."""

import json
import os
import re
import signal
from collections.abc import Iterator

import pytest

from e2e.cdp import Page
from e2e.client import Tabwire
from e2e.plain import PlainChromium
from e2e.ports import free_port
from e2e.session.test_status import standing_still
from e2e.site import Site
from e2e.ui.own_pages import POPUP, UNTHROTTLED, hasten, look_at, open_page


@pytest.fixture(scope="module")
def watched(running_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainChromium]:
    """A browser whose popup is looked at. No bridge but this module's is where it looks for one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABWIRE_PORT", str(free_port()))
        chromium = PlainChromium(tmp_path_factory.mktemp("watched"), running_site.url("/blank.html"), flags=[UNTHROTTLED])
    yield chromium
    chromium.close()


@pytest.fixture
def popup(watched: PlainChromium, site: Site) -> Iterator[Page]:
    """The popup's page, behind the tab it tells of."""
    front = watched.browser.open(site.url("/blank.html"))
    page = open_page(watched.browser, POPUP)
    yield page
    page.close()
    front.close()


@pytest.fixture
def client(watched: PlainChromium, popup: Page) -> Iterator[Tabwire]:
    """A bridge that the popup shows."""
    (port,) = json.loads((watched.extension / "pairing.json").read_text())["ports"]
    bridge = watched.serve("--port", str(port))
    popup.wait_for(row("hops", f"port {port}"), 15)
    yield bridge
    bridge.close()


def row(list_id: str, text: str) -> str:
    return f"[...document.querySelectorAll('#{list_id} li')].some((row) => row.textContent.includes({json.dumps(text)}))"


def test_the_popup_times_client_worker_and_page(client: Tabwire, popup: Page) -> None:
    popup.evaluate("document.querySelector('#details').open = true")
    popup.wait_for(row("hops", "Workeranswers in "))
    popup.wait_for("/Page.*blank.html in [0-9.]+ ms/.test(document.querySelector('#hops').textContent)")
    popup.wait_for("document.querySelector('#state').dataset.state === 'ready'")
    assert popup.evaluate("document.querySelector('#verdict').textContent") == ""


def test_the_popup_says_that_a_client_is_stopped_and_takes_it_back(client: Tabwire, popup: Page) -> None:
    popup.evaluate("document.querySelector('#details').open = true")
    popup.wait_for(row("hops", "Workeranswers in "))
    os.kill(client.pid, signal.SIGSTOP)
    try:
        popup.wait_for(row("hops", "does not answer; last heard of "), 8)
        popup.wait_for("document.querySelector('#verdict').textContent.includes('is stopped or hangs')")
    finally:
        os.kill(client.pid, signal.SIGCONT)
    popup.wait_for("document.querySelector('#verdict').textContent === ''", 15)
    shown = popup.evaluate("document.querySelector('#details').open = false, document.body.innerText")
    assert re.search(r"port|paired|joined|worker| ms\b|_", shown, re.IGNORECASE) is None, shown


def test_the_popup_says_that_no_client_is_there(client: Tabwire, popup: Page) -> None:
    hasten(popup, "hideControl")
    client.close()
    popup.wait_for("document.querySelector('#state').textContent.includes('Not connected')", 15)
    popup.wait_for("!document.querySelector('#no-clients').hidden && document.querySelector('#control').hidden", 15)
    assert "tabwire install" in popup.evaluate("document.querySelector('#no-clients').innerText")
    look_at(popup, "popup-empty")


def test_the_popup_tells_of_a_page_that_stands_still(watched: PlainChromium, popup: Page, site: Site) -> None:
    page = watched.browser.open(site.page("<p>Busy"))
    with standing_still(page, site):
        popup.wait_for(row("hops", "the page does not answer"), 10)
    page.close()


def test_the_popup_reads_its_verdict_out_only_when_it_changes(watched: PlainChromium, popup: Page) -> None:
    popup.wait_for("document.querySelector('#hops li') !== null", 10)
    count = """new Promise((done) => {
      let told = 0, looks = 0;
      new MutationObserver(() => told++).observe(document.querySelector('#verdict'), { childList: true, characterData: true, subtree: true });
      new MutationObserver(() => { if (++looks === 3) done(told); }).observe(document.querySelector('#hops'), { childList: true });
    })"""
    hasten(popup, "again")
    assert popup.evaluate(count) == 0


def test_every_control_of_the_popup_is_named_and_reached_by_keyboard(watched: PlainChromium, popup: Page) -> None:
    popup.wait_for("document.querySelector('#hops li') !== null", 10)
    controls = "[...document.querySelectorAll('input, button, select, a[href], [tabindex]')].filter((control) => control.checkVisibility())"
    named = f"{controls}.map((control) => [control.labels?.[0]?.textContent ?? control.textContent, control.tabIndex])"
    names = ["", "Copy", "Open side panel", "Activity", "Sites"]
    assert popup.evaluate(named) == [[name, 0] for name in names]
    # The state changes with every act: it is not read out.
    assert popup.evaluate("[...document.querySelectorAll('[role=status][id]')].map(({ id }) => id)") == ["paused", "verdict"]
