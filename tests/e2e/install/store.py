"""A person whose browser has the extension from a store: without pairing.json in its folder, and so without a key."""

import json
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bridge.command import User
from e2e.cdp import Page
from e2e.client import Tabwire
from e2e.install.terminal import Terminal
from e2e.plain import LOAD, PlainChromium, copy_extension
from e2e.ports import own_window
from e2e.site import Site
from e2e.ui.hand import Hand
from e2e.ui.own_pages import WELCOME
from polling import until

PORTS = re.compile(r"export const PORTS = \[.*?\];")
CODE = re.compile(r"(?:Code:|The code is) (\d{3} \d{3})")
STATE_S = 30
CARD = "document.querySelector('#pairing')"
SHOWN = "document.querySelector('#pairing-code')?.textContent"


def as_from_a_store(folder: Path) -> Path:
    """A copy of the extension without a key; it looks at this process's ports only."""
    protocol = copy_extension(folder) / "extension/background/base/protocol.js"
    window = ", ".join(str(own_window() + offset) for offset in range(16))
    text, count = PORTS.subn(f"export const PORTS = [{window}];", protocol.read_text())
    assert count == 1
    protocol.write_text(text)
    return folder


class Shop:
    """A person with a computer: a home folder, terminals, and browsers with the extension from a store."""

    def __init__(self, work: Path, site: Site) -> None:
        self.work = work
        self.site = site
        self.user = User(work)
        self.stack = ExitStack()

    def terminal(self) -> Terminal:
        terminal = Terminal(self.user, "install", "--wait")
        self.stack.callback(terminal.close)
        terminal.until("Waiting for Chrome")
        return terminal

    def start(self, *beside: Path) -> PlainChromium:
        """Starts the browser.

        Args:
            beside: Folders of further extensions.
        """
        folder, home = self.work / "chrome", self.user.home / ".tabwire"
        flags = [LOAD + str(other) for other in beside]
        extension = as_from_a_store(folder / "unpacked")
        self.browser = PlainChromium(folder, self.site.url("/blank.html"), home=home, extension=extension, flags=flags)
        self.stack.callback(self.browser.close)
        return self.browser

    def client(self) -> Tabwire:
        """A client that has just been told of tabwire."""
        client = Tabwire([], self.user.environment(), self.work / "client")
        self.stack.callback(client.close)
        return client

    def keys(self) -> list[dict[str, Any]]:
        """Those that browsers were given by a click."""
        file = self.user.home / ".tabwire/keys.json"
        return [key for key in json.loads(file.read_text())["keys"] if key.get("browser_id")] if file.exists() else []


def welcome(browser: PlainChromium) -> Page:
    page = browser.browser.at(WELCOME, STATE_S)
    page.wait_for("document.readyState === 'complete'")
    return page


def until_state(page: Page, name: str) -> None:
    """Waits until the page shows this state of the pairing."""
    state, told = f"{CARD}?.dataset.state", f"{CARD}?.textContent"
    refused = "chrome.runtime.sendMessage({ type: 'status' }).then(({ refused }) => refused)"
    until(
        lambda: page.evaluate(state),
        equals=name,
        within=STATE_S,
        says=lambda: f"{page.evaluate(told)} {page.evaluate(refused)}",
    )


def code_in(terminal: Terminal) -> str:
    """The code that is printed next."""
    found = CODE.search(terminal.until("Code: "))
    assert found
    return found[1]


def press(page: Page, request: str) -> None:
    """Presses a button as soon as it is armed."""
    page.wait_for(f"document.querySelector('[data-request={request}]')?.disabled === false")
    Hand(page).click(f"[data-request={request}]")


def code_told(client: Tabwire, tool: str, **arguments: Any) -> str:
    """The code in the failure of a call; on a busy computer the first call may end before the page has asked."""
    text = until(lambda: client.fails(tool, **arguments).text, CODE.search, within=STATE_S)
    found = CODE.search(text)
    assert found
    return found[1]
