"""The last snapshot of each tab, to tell what changed, and the rest of cut ones, to continue."""

import re
from collections import OrderedDict
from dataclasses import dataclass
from itertools import count

from tabwire.errors import InvalidArgument
from tabwire.surfaces import recent
from tabwire.surfaces.shared.pdf.pages import Pdfs
from tabwire.surfaces.shared.snapshot_parts import Rest

MAX_TABS = 32
MAX_CURSORS = 16

_CURSOR = re.compile(r"(?P<name>s\d{1,9})(?:\.(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?)?")


@dataclass(frozen=True)
class Range:
    """Position that a cursor stands for."""

    name: str
    browser: str
    rest: Rest
    start: int
    end: int | None

    def after(self, position: int) -> str:
        """The cursor that continues this one."""
        return f"{self.name}.{position}" + ("" if self.end is None else f"-{self.end}")


@dataclass(frozen=True, slots=True)
class Whole:
    """The snapshot of a whole page."""

    text: str
    version: str = ""
    """Name that the browser has given to the text; "" where it gave none."""


class Snapshots:
    """Bounded memory; the least recently used goes first. Ids of tabs are those of one browser: two browsers have the same."""

    def __init__(self) -> None:
        self.current: dict[str, int] = {}
        """Browser → the tab of the last call there, as far as results tell."""
        self._last: OrderedDict[tuple[str, int], Whole] = OrderedDict()
        self._rest: OrderedDict[str, tuple[str, Rest]] = OrderedDict()
        self._numbers = count(1)
        self.pdfs = Pdfs()

    def last(self, browser: str, tab: int) -> Whole | None:
        """The last whole snapshot of a browser's tab."""
        return self._last.get((browser, tab))

    def remember(self, browser: str, tab: int, whole: Whole) -> None:
        """Note a whole snapshot of a browser's tab."""
        recent.keep(self._last, (browser, tab), whole, MAX_TABS)

    def keep(self, browser: str, rest: Rest) -> str:
        """Keep what the first part of a browser's snapshot left out; the cursor to continue with."""
        cursor = f"s{next(self._numbers)}"
        recent.keep(self._rest, cursor, (browser, rest), MAX_CURSORS)
        return cursor

    def rest(self, cursor: str) -> Range:
        """Lines that a cursor continues with: `s3` is all that was left out, `s3.40` that from its line 40, `s3.40-90` a section.

        Raises:
            InvalidArgument: there is no such cursor (any more).
        """
        found = _CURSOR.fullmatch(cursor)
        if not found or found["name"] not in self._rest:
            raise InvalidArgument(
                f"no such snapshot cursor {cursor!r}: only those of the last {MAX_CURSORS} long snapshots are kept; "
                "take a new snapshot"
            )
        self._rest.move_to_end(found["name"])
        browser, rest = self._rest[found["name"]]
        start, end = int(found["start"] or 0), min(int(found["end"]), len(rest.left)) if found["end"] else None
        if start >= (len(rest.left) if end is None else end):
            raise InvalidArgument(
                f"the snapshot cursor {cursor!r} names no lines: {len(rest.left):,} were left out; use a cursor as it was given"
            )
        return Range(found["name"], browser, rest, start, end)
