"""The conditions in which users work: screens, zoom, a window, its focus, a browser that has just been set up.

``CONDITIONS`` declares each of them once; ``USUAL`` is the condition of a plain run. A browser of the tests is started with
``flags``, ``environment`` and ``write_preferences``; ``settle_tab`` and ``settle_page`` do the rest once there is a tab and a page.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from e2e.cdp import Browser
from e2e.conditions.display import Display
from polling import until
from tabwire.browsers import profiles

ZOOM_STEP = 1.2
"""Chrome stores a zoom as its logarithm to this base."""
DEFAULT_PARTITION = "x"
"""Key of the profile's own storage partition in the preference of the default zoom."""
WINDOW_SIZE = "1280,800"
"""In CSS pixels at the zoom of 100 %."""
PINCHED_AT = {"x": 300, "y": 200}
PINCH_SPEED = 8_000
"""Pixels per second of the two fingers: ten times the speed of a hand."""


@dataclass(frozen=True)
class Condition:
    """One condition. Every field has the value of a plain run as its default."""

    name: str
    device_scale: float = 1
    """Device pixels per CSS pixel of the screen."""
    default_zoom: float = 1
    """Zoom of every page, as in Chrome's settings."""
    site_zoom: float = 1
    """Zoom of the test's sites alone, as by Ctrl and +."""
    pinch: float = 1
    """Scale of the visual viewport in each page that ``Tabwire.open`` has opened."""
    has_window: bool = False
    """A window under Xvfb in place of ``--headless``."""
    has_focus: bool = True
    """Whether that window has the focus of the display; if not, a window of another program has it."""
    is_own: bool = False
    """Whether ``tabwire`` works in a browser of the user's own, which Tabwire has joined, and not in one that it has launched."""
    is_new_user: bool = False
    """The welcome page is in front when a client makes its first call; each test has a new client."""

    @property
    def flags(self) -> list[str]:
        """Command-line switches of Chromium, without ``--headless``."""
        if self == USUAL:
            return []
        scale = [f"--force-device-scale-factor={self.device_scale:g}"] if self.device_scale != 1 else []
        # Chromium's own choice of a size depends on the screen, and with the scale it is too small to work in.
        return [*scale, "--window-position=0,0", f"--window-size={WINDOW_SIZE}"]

    @property
    def environment(self) -> Mapping[str, str]:
        """Environment variables that the browser needs beside those of this process."""
        return {"DISPLAY": self._display.name} if self.has_window else {}

    @property
    def _display(self) -> Display:
        return Display.of_this_process(keeps_focus=not self.has_focus)

    def write_preferences(self, profile: Path) -> None:
        """Adds the preferences of this condition to a profile before its browser starts."""
        if self.default_zoom == 1:
            return
        profiles.prepare(profile, None)
        file = profile / "Default" / "Preferences"
        level = math.log(self.default_zoom, ZOOM_STEP)
        preferences = json.loads(file.read_text())
        file.write_text(json.dumps({**preferences, "partition": {"default_zoom_level": {DEFAULT_PARTITION: level}}}))

    def settle_tab(self, browser: Browser) -> None:
        """Gives the focus to the window of the tab in front, or takes it away."""
        if not self.has_focus:
            self._display.focus_another_program()
        if self.has_window:
            page = browser.shown()
            until(lambda: page.evaluate("document.hasFocus()"), equals=self.has_focus)

    def settle_page(self, browser: Browser) -> None:
        """Zooms or pinches a page that has just been opened."""
        if self.site_zoom == self.pinch == 1:
            return
        page = browser.shown()
        if self.site_zoom != 1 and urlsplit(url := page.url).scheme == "http":
            # Chrome keeps it for the host: only the first page of each is zoomed here.
            browser.in_worker(SET_ZOOM % (json.dumps(url), self.site_zoom, self.site_zoom))
            page.wait_for(f"Math.abs(devicePixelRatio - {self.site_zoom}) < 0.01")
        if self.pinch != 1:
            page.call("Input.synthesizePinchGesture", {**PINCHED_AT, "scaleFactor": self.pinch, "relativeSpeed": PINCH_SPEED})
            page.wait_for(f"Math.abs(visualViewport.scale - {self.pinch}) < 0.01")

    def check_focus(self) -> None:
        """Asserts that nothing has taken the focus from the other program meanwhile."""
        if not self.has_focus:
            assert self._display.is_another_program_focused(), "the browser took the focus of the display"


SET_ZOOM = """chrome.tabs.query({ url: %s }).then(async ([{ id }]) => {
  if (Math.abs((await chrome.tabs.getZoom(id)) - %g) > 0.01) await chrome.tabs.setZoom(id, %g);
})"""

USUAL = Condition("usual")
CONDITIONS: Mapping[str, Condition] = {
    condition.name: condition
    for condition in (
        Condition("scale-1.25", device_scale=1.25),
        Condition("scale-2", device_scale=2, is_own=True),
        Condition("scale-3", device_scale=3),
        Condition("zoom-67", default_zoom=0.67),
        Condition("zoom-110", site_zoom=1.1, is_own=True),
        Condition("zoom-150", default_zoom=1.5),
        Condition("pinch-150", pinch=1.5),
        Condition("window", has_window=True, is_own=True),
        Condition("window-unfocused", has_window=True, has_focus=False, is_own=True),
        Condition("new-user", is_own=True, is_new_user=True),
    )
}
