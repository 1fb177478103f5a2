"""The last snapshot of each tab, to tell what changed, and the rest of cut ones, to continue."""

from __future__ import annotations

from collections import OrderedDict
from itertools import count

from tabwire.errors import InvalidArgument

MAX_TABS = 32
MAX_CURSORS = 16


class Snapshots:
    """Bounded memory; the least recently used goes first."""

    def __init__(self) -> None:
        self.current: int | None = None
        """The tab of the last call, as far as results tell."""
        self._last: OrderedDict[int, str] = OrderedDict()
        self._rest: OrderedDict[str, str] = OrderedDict()
        self._numbers = count(1)

    def last(self, tab: int) -> str | None:
        """The last whole snapshot of a tab."""
        return self._last.get(tab)

    def remember(self, tab: int, text: str) -> None:
        """Note a whole snapshot of a tab."""
        self._last[tab] = text
        self._last.move_to_end(tab)
        while len(self._last) > MAX_TABS:
            self._last.popitem(last=False)

    def keep(self, rest: str) -> str:
        """Keep what was cut off; the cursor to continue with."""
        cursor = f"s{next(self._numbers)}"
        self._rest[cursor] = rest
        while len(self._rest) > MAX_CURSORS:
            self._rest.popitem(last=False)
        return cursor

    def rest(self, cursor: str) -> str:
        """What a cursor continues with.

        Raises:
            InvalidArgument: there is no such cursor (any more).
        """
        if cursor not in self._rest:
            raise InvalidArgument(
                f"no such snapshot cursor {cursor!r}: only the last {MAX_CURSORS} are kept; take a new snapshot"
            )
        return self._rest[cursor]
