"""What only the extension's service worker knows, asked there through DevTools."""

import time
from collections.abc import Callable
from typing import Any

from e2e.cdp import Browser

GONE_WITHIN_S = 12
"""A client that left may come back for 7 s; what it held is released after that."""


def attached(browser: Browser) -> int:
    """To how many tabs the extension's debugger is attached."""
    return int(browser.in_worker("chrome.debugger.getTargets().then((all) => all.filter((t) => t.tabId && t.attached).length)"))


def until_attached(browser: Browser, count: int) -> None:
    """Waits until it is attached to so many tabs."""
    end = time.monotonic() + GONE_WITHIN_S
    while attached(browser) != count and time.monotonic() < end:
        time.sleep(0.1)
    assert attached(browser) == count


def until(is_so: Callable[[], Any], limit: float = GONE_WITHIN_S) -> None:
    """Waits until a condition holds."""
    end = time.monotonic() + limit
    while not is_so():
        assert time.monotonic() < end, f"not so within {limit} s"
        time.sleep(0.05)


def holders_of(browser: Browser, tab: int, purpose: str) -> list[str]:
    """The ids of the clients for whom a tab is held for a purpose."""
    holds = f"chrome.storage.session.get('debugger.holds').then((all) => all['debugger.holds']?.[{tab}]?.['{purpose}'] ?? [])"
    return list(browser.in_worker(holds))


def frame_ids(browser: Browser, tab: int) -> list[int]:
    """The ids Chrome gives the frames of a tab, the top one first."""
    listed = f"chrome.webNavigation.getAllFrames({{tabId: {tab}}}).then((frames) => frames.map((frame) => frame.frameId))"
    return sorted(browser.in_worker(listed))
