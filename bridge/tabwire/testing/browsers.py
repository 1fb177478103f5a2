"""The browser of a test, or of all tests of a scope: each test gets it as if it were new, as far as that goes."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabwire.testing.client import Tabwire

if TYPE_CHECKING:
    from tabwire.browsers.running import LaunchOptions
    from tabwire.testing.bridge import Bridge


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
        if self._last is None or self._last.ended is not None:
            self._last = self._bridge.launch(self._options)
        else:
            self._last = self._last.again()
            empty(self._last)
        return self._last

    def close(self) -> None:
        """End it."""
        if self._last is not None:
            self._last.close()


def empty(tabwire: Tabwire) -> None:
    """Leave a browser with one new tab, to which calls and WebDriver go."""
    others = [tab["tabId"] for tab in tabwire.tab_list().data["tabs"]]
    # Chrome's ids of tabs mean nothing to WebDriver: it finds the tab by its address.
    address = f"about:blank#{secrets.token_hex(8)}"
    tabwire.tab_new(address)
    if tabwire.options.driver:
        _go_to(tabwire.driver, address)
    if others:
        tabwire.tab_close(others)
    tabwire.calls.clear()


def _go_to(driver: Any, address: str) -> None:
    for handle in driver.window_handles:
        driver.switch_to.window(handle)
        if driver.current_url == address:
            return
    raise LookupError(f"WebDriver does not see the tab {address}")
