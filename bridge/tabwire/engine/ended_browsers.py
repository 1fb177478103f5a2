"""Browsers of our own that have ended: why, and which of them gets a successor. No I/O, no clock."""

from collections.abc import Sequence

from tabwire.engine import browser_choice
from tabwire.wire.messages import Browser

MAX_ENDED = 256


class EndedBrowsers:
    """Browsers that will not come back: no call chooses them, and calls that name one hear why."""

    def __init__(self) -> None:
        self._ended: dict[str, tuple[Browser, str]] = {}
        self._succeeded: set[str] = set()

    def __contains__(self, browser_id: object) -> bool:
        return browser_id in self._ended

    @property
    def all(self) -> Sequence[tuple[Browser, str]]:
        """Browsers with the reason of each, the latest first."""
        return tuple(reversed(self._ended.values()))

    def add(self, browser: Browser, problem: str) -> None:
        """Note a browser that has ended."""
        self._ended.pop(browser.id, None)
        self._ended[browser.id] = (browser, problem)
        if len(self._ended) > MAX_ENDED:
            oldest = next(iter(self._ended))
            del self._ended[oldest]
            self._succeeded.discard(oldest)

    def remove(self, browser_id: str) -> None:
        """Forget a browser that is there after all."""
        self._ended.pop(browser_id, None)

    def find(self, browser_id: str) -> Browser | None:
        """The browser of this id, if it has ended."""
        ended = self._ended.get(browser_id)
        return ended[0] if ended else None

    def why(self, browser_id: str) -> str | None:
        """Reason why a browser will not come back, with what to do; None while it may."""
        ended = self._ended.get(browser_id)
        return ended[1] if ended else None

    def named(self, wanted: str, is_expecting: bool) -> Browser | None:
        """The latest of this name or id. While a successor is expected the name means that one, which has another id."""
        found = next(iter(browser_choice.matching(wanted, [browser for browser, _ in self.all])), None)
        if found is None or (is_expecting and found.id != wanted and self.is_succeeded(found.id)):
            return None
        return found

    def expect_successor(self, browser_id: str) -> None:
        """Note that the owner of this browser starts another one for the next call after its end."""
        self._succeeded.add(browser_id)

    def is_succeeded(self, browser_id: str | None) -> bool:
        """Whether another browser takes, or has taken, the place of this one, which has ended."""
        return browser_id in self._succeeded and browser_id in self._ended
