"""The two kinds of browser that the tasks are done in, and the peer with a browser of its own."""

import contextlib
from pathlib import Path

from model import Model
from peer import Peer, PeerModel

from e2e.cdp import Browser, CdpError, Page
from e2e.client import Tabwire
from e2e.plain import PlainChromium

SIZE = "--window-size=1400,900"
EMPTY = "about:blank"


def _close_tabs(browser: Browser) -> None:
    """Closes all tabs but an empty one, whatever their pages would ask."""
    targets = [target for target in browser.targets("page") if not target["url"].startswith("chrome-extension:")]
    if all(target["url"] != EMPTY for target in targets):
        browser.call("Target.createTarget", {"url": EMPTY})
    for target in targets:
        if target["url"] != EMPTY:
            page = Page(browser, target["targetId"])
            with contextlib.suppress(CdpError, TimeoutError):
                page.call("Page.navigate", {"url": EMPTY}, timeout=2)
            page.close()


class LaunchedMode:
    """A browser that Tabwire starts."""

    def __init__(self, work: Path) -> None:
        options = ["--launch", "--headless", "--profile", str(work / "profile"), "--files", str(work)]
        devtools = "--browser-arg=--remote-debugging-port=0"
        self.tabwire = Tabwire([*options, devtools, f"--browser-arg={SIZE}"], {"TABWIRE_HOME": str(work / "home")}, work)
        self.browser = Browser.of_profile(work / "profile")

    def model(self, transcript: Path) -> Model:
        return Model(self.tabwire, transcript)

    def close_tabs(self) -> None:
        _close_tabs(self.browser)

    def close(self) -> None:
        self.browser.close()
        self.tabwire.close()


class OwnMode:
    """A browser that runs already, with the paired extension, as the user's own does."""

    def __init__(self, work: Path) -> None:
        self._chromium = PlainChromium(work, "about:blank", flags=[SIZE])
        self.tabwire = self._chromium.join("--files", str(work))
        self.browser = self._chromium.browser

    def model(self, transcript: Path) -> Model:
        return Model(self.tabwire, transcript)

    def close_tabs(self) -> None:
        _close_tabs(self.browser)

    def close(self) -> None:
        self._chromium.close()


class PeerMode:
    """Playwright MCP, which starts a browser of its own."""

    def __init__(self, work: Path) -> None:
        self._peer = Peer()

    def model(self, transcript: Path) -> Model:
        return PeerModel(self._peer, transcript)

    def close_tabs(self) -> None:
        self._peer.renew_page()

    def close(self) -> None:
        self._peer.close()


Mode = LaunchedMode | OwnMode | PeerMode
OURS: dict[str, type[Mode]] = {"launched": LaunchedMode, "own": OwnMode}
MODES: dict[str, type[Mode]] = {**OURS, "playwright": PeerMode}
