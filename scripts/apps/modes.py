"""The two kinds of browser that the tasks are done in."""

from pathlib import Path

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.plain import PlainChromium

SIZE = "--window-size=1400,900"


class LaunchedMode:
    """A browser that Tabwire starts."""

    def __init__(self, work: Path) -> None:
        options = ["--launch", "--headless", "--profile", str(work / "profile"), "--files", str(work)]
        devtools = "--browser-arg=--remote-debugging-port=0"
        self.tabwire = Tabwire([*options, devtools, f"--browser-arg={SIZE}"], {"TABWIRE_HOME": str(work / "home")}, work)
        self.browser = Browser.of_profile(work / "profile")

    def close(self) -> None:
        self.browser.close()
        self.tabwire.close()


class OwnMode:
    """A browser that runs already, with the paired extension, as the user's own does."""

    def __init__(self, work: Path) -> None:
        self._chromium = PlainChromium(work, "about:blank", flags=[SIZE])
        self.tabwire = self._chromium.join("--files", str(work))
        self.browser = self._chromium.browser

    def close(self) -> None:
        self._chromium.close()


Mode = LaunchedMode | OwnMode
MODES: dict[str, type[LaunchedMode] | type[OwnMode]] = {"launched": LaunchedMode, "own": OwnMode}
