"""Cursors: names for a set of results or a page, good for a while.

A cursor keeps what it once means. Search results keep their numbers, and a cursor that has shown a page never shows another one:
the first result opened is read under the cursor of its search, each further one under a cursor of its own, which knows the
results, too. So a citation never comes to point at other lines.
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tabwire.errors import InvalidArgument
from tabwire.surfaces import recent
from tabwire.surfaces.reader.errors import ResultOutOfRange, UnknownCursor
from tabwire.surfaces.reader.page import Found, PageSnapshot

REMEMBERED = 1_000
"""Number of cursors whose end is remembered, so that they differ from cursors that never were."""


@dataclass
class Results:
    """Results of a search. Their numbers are 1-based."""

    query: str
    found: tuple[Found, ...]
    opened: dict[int, str] = field(default_factory=dict)
    """Number of a result → the cursor its page is read under."""


@dataclass
class Binding:
    """Binding of a cursor to the results or the page that it means."""

    cursor: str
    results: Results | None = None
    page: PageSnapshot | None = None
    position: int = 0
    """The first line that was last shown."""
    used: float = 0

    def result(self, number: int) -> Found:
        """The result of that number.

        Raises:
            ResultOutOfRange: there is none.
        """
        if self.results is None:
            raise ResultOutOfRange(
                f"cursor {self.cursor} is that of a page that open_url opened; it has no results",
                next_step="Call open_result with the cursor that search returned.",
            )
        count = len(self.results.found)
        if not 1 <= number <= count:
            has = {0: "no results", 1: "1 result"}.get(count, f"{count} results")
            raise ResultOutOfRange(
                f"result_id {number} is not among the results of cursor {self.cursor}, which has {has}",
                {"results": count},
                next_step="Search again with other words." if not count else f"Use a result_id from 1 to {count}.",
            )
        return self.results.found[number - 1]

    def opened_page(self) -> PageSnapshot:
        """The page.

        Raises:
            InvalidArgument: none was opened under this cursor.
        """
        if self.page is None:
            raise InvalidArgument(
                f"cursor {self.cursor} has search results, but no page was opened from them yet",
                next_step="Call open_result with {cursor, result_id} first.",
            )
        return self.page

    def again(self) -> str:
        """Instruction for getting such a cursor again."""
        if self.results is not None:
            return f"Call search again with the query {self.results.query!r:.300}."
        assert self.page is not None
        return f"Call open_url again with {self.page.url:.300}."

    def chars(self) -> int:
        """Characters of the text that it holds."""
        return 0 if self.page is None else sum(map(len, self.page.lines))


class Cursors:
    """All cursors of a server.

    Args:
        ttl: How long one lives after its last use, in seconds.
        most: How many live at once; the least recently used goes first.
        max_chars: How much text their pages have together.
        clock: Seconds that only grow.
    """

    def __init__(self, ttl: float, most: int, max_chars: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._ttl = ttl
        self._most = most
        self._max_chars = max_chars
        self._clock = clock
        # The least recently used first.
        self._live: OrderedDict[str, Binding] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._gone: OrderedDict[str, tuple[str, str]] = OrderedDict()

    def __len__(self) -> int:
        self._expire()
        return len(self._live)

    def for_results(self, query: str, found: Sequence[Found]) -> Binding:
        """A new cursor for what a search found."""
        return self._add(Binding(self._new_id(), results=Results(query, tuple(found))))

    def for_page(self, page: PageSnapshot) -> Binding:
        """A new cursor for a page."""
        return self._add(Binding(self._new_id(), page=page))

    def get(self, cursor: str) -> Binding:
        """Binding of a cursor, which lives on from now.

        Raises:
            UnknownCursor: it was never issued, or is gone; the next step says how to get such a one again.
        """
        self._expire()
        binding = self._live.get(cursor)
        if binding is not None:
            self._use(binding)
            return binding
        if cursor in self._gone:
            why, again = self._gone[cursor]
            raise UnknownCursor(f"cursor {cursor} {why}", next_step=again)
        raise UnknownCursor(
            f"there is no cursor {cursor[:100]!r}",
            next_step="Use a cursor exactly as search, open_result or open_url returned it.",
        )

    def opened(self, binding: Binding, number: int) -> Binding | None:
        """The cursor that a result's page is read under, if it was opened and that cursor lives."""
        self._expire()
        found = self._live.get(binding.results.opened.get(number, "")) if binding.results else None
        if found is not None:
            self._use(found)
        return found

    def attach(self, binding: Binding, number: int, page: PageSnapshot) -> Binding:
        """Keep the page of a result: under this cursor if it has no page yet, else under a new one with the same results."""
        assert binding.results is not None
        held = self.opened(binding, number)
        if held is not None:
            # Another call has opened it meanwhile. What that one cited must stay true.
            return held
        if binding.page is None and self._live.get(binding.cursor) is binding:
            binding.page = page
            reader = self._add(binding)
        else:
            reader = self._add(Binding(self._new_id(), binding.results, page))
        binding.results.opened[number] = reader.cursor
        return reader

    def _add(self, binding: Binding) -> Binding:
        self._live[binding.cursor] = binding
        self._sizes[binding.cursor] = binding.chars()
        self._use(binding)
        while len(self._live) > self._most or (len(self._live) > 1 and sum(self._sizes.values()) > self._max_chars):
            self._drop(next(iter(self._live)), "made room for newer ones")
        return binding

    def _use(self, binding: Binding) -> None:
        binding.used = self._clock()
        self._live.move_to_end(binding.cursor)

    def _expire(self) -> None:
        now = self._clock()
        while self._live and now - next(iter(self._live.values())).used >= self._ttl:
            self._drop(next(iter(self._live)), f"expired after {self._ttl:g} s without use")

    def _drop(self, cursor: str, why: str) -> None:
        binding = self._live.pop(cursor)
        del self._sizes[cursor]
        recent.keep(self._gone, cursor, (why, binding.again()), REMEMBERED)

    def _new_id(self) -> str:
        while True:
            cursor = f"c_{secrets.token_hex(4)}"
            if cursor not in self._live and cursor not in self._gone:
                return cursor
