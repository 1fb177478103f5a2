"""The browser of a test, or of all tests of a scope: each test gets it as if it were new, as far as that goes."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabwire.errors import SessionNotCreated
from tabwire.testing.client import Tabwire

if TYPE_CHECKING:
    from tabwire.browsers.running import LaunchOptions
    from tabwire.testing.bridge import Bridge


log = logging.getLogger(__name__)

ALONE_S = 10.0


class TestedBrowser:
    """Starts at the first test, and again when a test has ended it.

    Args:
        bridge: where it joins.
        options: how it is started.
        driver: whether it has a WebDriver, whatever the options say.
        spare: whether the next one may be started ahead.
    """

    __test__ = False

    def __init__(self, bridge: Bridge, options: LaunchOptions, *, driver: bool, spare: bool) -> None:
        self._bridge = bridge
        self._options = replace(options, driver=options.driver or driver, use_pool=options.use_pool and spare)
        self._last: Tabwire | None = None

    def give(self) -> Tabwire:
        """The browser for one test: with one tab, empty. Cookies and storage are what earlier tests left."""
        __tracebackhide__ = True
        if self._last is not None:
            self._last = self._emptied(self._last)
        if self._last is None:
            self._last = self._bridge.launch(self._options)
        return self._last

    def _emptied(self, used: Tabwire) -> Tabwire | None:
        """The browser without what the last test left in it; None when that test has ended or broken it."""
        again = used.again()
        try:
            empty(again)
        except Exception as error:
            # Whatever a test has done to it, and in whichever of the two libraries it shows.
            log.warning("the browser is replaced: %s", error)
            used.close()
            return None
        return again

    def close(self) -> None:
        """End it."""
        if self._last is not None:
            self._last.close()


def empty(tabwire: Tabwire) -> None:
    """Leave a browser with one new tab, to which calls and WebDriver go."""
    others = [tab["tabId"] for tab in tabwire.tab_list().data["tabs"]]
    tabwire.tab_new()
    if others:
        tabwire.tab_close(others)
    if tabwire.has_driver:
        _go_to_the_only_tab(tabwire.driver)
    tabwire.calls.clear()


def _go_to_the_only_tab(driver: Any) -> None:
    """Chrome's ids of tabs mean nothing to WebDriver, which learns of their end a moment later."""
    deadline = time.monotonic() + ALONE_S
    while len(handles := driver.window_handles) > 1 and time.monotonic() < deadline:
        time.sleep(0.02)
    if len(handles) != 1:
        raise SessionNotCreated(
            f"WebDriver still sees {len(handles)} tabs {ALONE_S:g} s after all but one were closed; start another browser."
        )
    driver.switch_to.window(handles[0])
