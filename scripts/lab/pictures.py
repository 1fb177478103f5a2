"""Pictures of every page of the extension in every state; see scripts/lab/pictures."""

import argparse
import base64
import os
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from e2e.cdp import Page
from e2e.client import Tabwire
from e2e.install.store import Shop, press, until_state, welcome
from e2e.plain import PlainChromium
from e2e.ports import own_window
from e2e.site import Site
from e2e.ui.own_pages import OPTIONS, PANEL, POPUP, QUESTION, THEMES, WELCOME, open_page, themed

WIDTHS = (320, 600)
NAMES = ("claude-ai", "cursor-vscode", "Visual Studio Code")
SHOP = """<h1>Sign up</h1><label>E-mail <input type=email></label> <label>Password <input type=password></label>
<button>Create my account</button>"""
HAS_STATE = "document.querySelector('#state')?.textContent"
PAGES = {
    "popup": (POPUP, HAS_STATE),
    "options": (OPTIONS, HAS_STATE),
    "welcome": (WELCOME, "document.querySelector('[name=sight]:checked') !== null"),
}
VIEWS = ("now", "activity", "sites")


@dataclass
class Scene:
    """A browser of a person's own, its clients, and the state its pages are brought into."""

    chromium: PlainChromium
    site: Site
    clients: list[Tabwire] = field(default_factory=list)
    waiting: list["Future[Any]"] = field(default_factory=list)

    def ask(self, page: Page, request: str) -> None:
        page.evaluate(f"chrome.runtime.sendMessage({{ type: '{request}' }})")

    def join(self, count: int) -> None:
        """Connect clients up to this number; each has done something."""
        while len(self.clients) < count:
            client = self.chromium.join(name=NAMES[len(self.clients)])
            self.clients.append(client)
            tab = client.ok("tab_new", url=self.site.page(SHOP, f"Shop {len(self.clients)}"), active=False).data["tabId"]
            client.ok("fill", selector="label:E-mail", value="ada@example.com", tabId=tab)
            client.ok("click", selector="role:button", tabId=tab)
            client.call("click", selector="role:link", tabId=tab, timeout=100)

    def to_empty(self, page: Page) -> None:
        page.wait_for("document.querySelector('[data-state=not_connected]') !== null", 15)

    def to_one(self, page: Page) -> None:
        self.join(1)

    def to_three(self, page: Page) -> None:
        self.join(3)
        self.clients[0].ok("title")

    def to_question(self, page: Page) -> None:
        client = self.clients[0]
        self.waiting.append(client.start("fill", selector="label:Password", value="x", timeout=60_000))
        self.waiting.append(self.clients[1].start("ask_user", question="Which size do you want?", choices=["Small", "Large"]))
        page.wait_for("document.querySelector('[data-state=needs_you]') !== null", 15)

    def to_paused(self, page: Page) -> None:
        self.ask(page, "pause")

    def to_stopped(self, page: Page) -> None:
        self.ask(page, "resume")
        self.waiting.append(self.clients[0].start("wait", **{"for": "text", "text": "Never", "timeout": 20_000}))
        page.wait_for("document.querySelector('[data-state=working]') !== null", 15)
        self.ask(page, "stop")
        page.wait_for("document.querySelector('[data-state=stopped]') !== null", 15)

    def to_error(self, page: Page) -> None:
        """The one program that is there belongs to another user."""
        self.ask(page, "resume")
        for client in self.clients:
            client.close()
        self.chromium.serve(TABWIRE_HOME=str(self.chromium.home.parent / "other"))
        page.wait_for("document.querySelector('#verdict').textContent !== ''", 30)

    def after(self, state: str, page: Page) -> None:
        if state == "question":
            self.ask(page, "stop")
            self.ask(page, "resume")


STATES: dict[str, Callable[[Scene, Page], None]] = {
    "empty": Scene.to_empty,
    "one": Scene.to_one,
    "three": Scene.to_three,
    "question": Scene.to_question,
    "paused": Scene.to_paused,
    "stopped": Scene.to_stopped,
    "error": Scene.to_error,
}


def take(page: Page, name: str, folder: Path) -> None:
    """The whole page as it is now, in both themes and widths."""
    for theme in THEMES:
        for width in WIDTHS:
            with themed(page, theme, width) as session:
                shot = page.browser.call("Page.captureScreenshot", {"captureBeyondViewport": True}, session, 20)
                (folder / f"{name}-{theme}-{width}.png").write_bytes(base64.b64decode(shot["data"]))


def take_state(scene: Scene, panel: Page, state: str, folder: Path) -> None:
    """Every page in the state the browser is in."""
    for view in VIEWS:
        panel.evaluate(f"document.querySelector('#tab-{view}').click()")
        take(panel, f"{state}-panel-{view}", folder)
    for name, (url, there) in PAGES.items():
        page = open_page(scene.chromium.browser, url)
        page.wait_for(there)
        take(page, f"{state}-{name}", folder)
        page.close()
    if state == "question":
        take(scene.chromium.browser.at(QUESTION), f"{state}-window", folder)


PAIRING = "pairing"


def take_pairing(site: Site, folder: Path) -> None:
    """The welcome page of an extension from a store, as it is given its key."""
    with tempfile.TemporaryDirectory() as work:
        shop = Shop(Path(work), site)
        with shop.stack:
            page = welcome(shop.start())
            until_state(page, "looking")
            take(page, "pairing-looking", folder)
            shop.terminal()
            until_state(page, "asking")
            take(page, "pairing-asking", folder)
            press(page, "refusePairing")
            until_state(page, "ended")
            take(page, "pairing-ended", folder)


def main() -> int:
    """Takes them all."""
    parser = argparse.ArgumentParser(prog="scripts/lab/pictures", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", metavar="STATE", choices=[*STATES, PAIRING], help="pictures of this state alone")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
    os.environ["TABWIRE_FIRST_PORT"] = str(own_window())
    with tempfile.TemporaryDirectory() as work:
        site = Site()
        if chosen.only in (None, PAIRING):
            take_pairing(site, chosen.folder)
        chromium = PlainChromium(Path(work), site.page(SHOP, "My page"), pairing={"permissions": {}})
        try:
            scene = Scene(chromium, site)
            panel = open_page(chromium.browser, PANEL)
            for state, bring in STATES.items() if chosen.only != PAIRING else ():
                bring(scene, panel)
                if chosen.only in (None, state):
                    take_state(scene, panel, state, chosen.folder)
                scene.after(state, panel)
        finally:
            chromium.close()
            site.close()
    print(f"{len(list(chosen.folder.glob('*.png')))} pictures in {chosen.folder}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
