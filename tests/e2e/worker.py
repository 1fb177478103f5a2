"""What only the extension's service worker knows, asked there through DevTools."""

import json
import re
from typing import ClassVar, Self

from e2e.cdp import Browser
from polling import until

ALARM = "tabwire-discover"
"""The alarm by which a worker that was stopped looks for bridges."""

GONE_WITHIN_S = 12
"""A client that left may come back for 7 s; what it held is released after that."""

RETURN_MS = (6_000, 7_000, 8_000)
"""How long the worker waits for a client that is gone: for its tabs, for what it held, for its questions."""
IDLE_MS = 3_000
"""How long it keeps a debugger that nobody uses."""

CLOCK = """(() => {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const returns = %s, idle = %s, held = new Map();
  let isOver = false, last = 0;
  globalThis.setTimeout = (run, ms, ...args) => {
    if (!returns.includes(ms) && !(isOver && ms === idle)) return set(run, ms, ...args);
    if (isOver) return set(run, 0, ...args);
    held.set(--last, () => run(...args));
    return last;
  };
  globalThis.clearTimeout = (id) => held.delete(id) || clear(id);
  globalThis.clock = {
    held: () => held.size,
    end() {
      isOver = true;
      for (const run of held.values()) set(run, 0);
      held.clear();
    },
    restore: () => Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }),
  };
})()"""


class Absence:
    """Until :meth:`end` the worker waits for clients that are gone, however long a test takes; from then on for nobody.

    It replaces the worker's clock for these waits alone, so that a test neither sits them out nor has to be quicker than they are.
    """

    WAITS_MS: ClassVar[tuple[int, ...]] = RETURN_MS

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def __enter__(self) -> Self:
        self._browser.in_worker(CLOCK % (json.dumps(self.WAITS_MS), IDLE_MS))
        return self

    def __exit__(self, *raised: object) -> None:
        self._browser.in_worker("clock.end(), clock.restore()")

    def end(self) -> None:
        """The client does not come back. What waited, and what idles afterwards, goes on at once."""
        until(lambda: self._browser.in_worker("clock.held()"))
        self._browser.in_worker("clock.end()")


class Idleness(Absence):
    """Until :meth:`end` the worker keeps a debugger that nobody uses. The time itself is tested in tabs/test_own_browser.py."""

    WAITS_MS = (IDLE_MS,)


def clients_shown(browser: Browser) -> int:
    """Number of clients that the extension's button says are connected."""
    found = re.search(r"(\d+) program", browser.in_worker("chrome.action.getTitle({})"))
    return int(found[1]) if found else 0


def attached(browser: Browser) -> int:
    """To how many tabs the extension's debugger is attached."""
    return int(browser.in_worker("chrome.debugger.getTargets().then((all) => all.filter((t) => t.tabId && t.attached).length)"))


def until_attached(browser: Browser, count: int) -> None:
    """Waits until it is attached to so many tabs."""
    until(lambda: attached(browser), equals=count, within=GONE_WITHIN_S)


def purposes_of(browser: Browser, tab: int) -> list[str]:
    """The purposes for which a tab is held."""
    holds = f"chrome.storage.session.get('debugger.holds').then((all) => all['debugger.holds']?.[{tab}] ?? {{}})"
    return sorted(browser.in_worker(holds))


def holders_of(browser: Browser, tab: int, purpose: str) -> list[str]:
    """The ids of the clients for whom a tab is held for a purpose."""
    holds = f"chrome.storage.session.get('debugger.holds').then((all) => all['debugger.holds']?.[{tab}]?.['{purpose}'] ?? [])"
    return list(browser.in_worker(holds))


def frame_ids(browser: Browser, tab: int) -> list[int]:
    """The ids Chrome gives the frames of a tab, the top one first."""
    listed = f"chrome.webNavigation.getAllFrames({{tabId: {tab}}}).then((frames) => frames.map((frame) => frame.frameId))"
    return sorted(browser.in_worker(listed))
