"""The last snapshot of each tab, to tell what changed, and the rest of cut ones, to continue."""

from __future__ import annotations

from collections import OrderedDict
from itertools import count

from tabwire.errors import InvalidArgument

MAX_TABS = 32
MAX_CURSORS = 16


class Snapshots:
    """Bounded memory; the least recently used goes first. Ids of tabs are those of one browser: two browsers have the same."""

    def __init__(self) -> None:
        self.current: dict[str, int] = {}
        """Browser → the tab of the last call there, as far as results tell."""
        self._last: OrderedDict[tuple[str, int], str] = OrderedDict()
        self._rest: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._numbers = count(1)

    def last(self, browser: str, tab: int) -> str | None:
        """The last whole snapshot of a browser's tab."""
        return self._last.get((browser, tab))

    def remember(self, browser: str, tab: int, text: str) -> None:
        """Note a whole snapshot of a browser's tab."""
        self._last[browser, tab] = text
        self._last.move_to_end((browser, tab))
        while len(self._last) > MAX_TABS:
            self._last.popitem(last=False)

    def keep(self, browser: str, rest: str) -> str:
        """Keep what was cut off of a browser's snapshot; the cursor to continue with."""
        cursor = f"s{next(self._numbers)}"
        self._rest[cursor] = browser, rest
        while len(self._rest) > MAX_CURSORS:
            self._rest.popitem(last=False)
        return cursor

    def rest(self, cursor: str) -> tuple[str, str]:
        """The browser of a cursor, and what it continues with.

        Raises:
            InvalidArgument: there is no such cursor (any more).
        """
        if cursor not in self._rest:
            raise InvalidArgument(
                f"no such snapshot cursor {cursor!r}: only the last {MAX_CURSORS} are kept; take a new snapshot"
            )
        return self._rest[cursor]
