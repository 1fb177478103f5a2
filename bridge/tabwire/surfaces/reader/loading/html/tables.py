"""Places of cells in the columns of a table, and numbers of the items of a list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_NUMBER = re.compile(r"\s*([+-]?\d{1,8})")
_MOST_COLUMNS = 100
"""Columns that a cell spans at most: browsers allow 1,000, and pages that are wrong use them."""
_LAST_ROW = 65_534


def number_of(node: LexborNode, attribute: str) -> int | None:
    """A whole number in an attribute, read as browsers do; None where there is none."""
    found = _NUMBER.match(node.attributes.get(attribute) or "")
    return int(found[1]) if found else None


class Columns:
    """Columns of one table. Cells that reach over several rows or columns leave the places empty that they take."""

    def __init__(self) -> None:
        self._taken: dict[int, int] = {}
        """Column → number of further rows in which a cell of an earlier one is there."""
        self._next = 0
        self._written = 0

    def begin_row(self) -> None:
        """Begin a row, at its first column."""
        self._next = self._written = 0

    def begin_cell(self, cell: LexborNode) -> int:
        """Put a cell into its columns.

        Returns:
            The number of empty cells to write before it.
        """
        while self._taken.get(self._next, 0) > 0:
            self._next += 1
        empty = self._next - self._written
        width = max(1, min(number_of(cell, "colspan") or 1, _MOST_COLUMNS))
        height = number_of(cell, "rowspan")
        rows = _LAST_ROW if height == 0 else max(1, height or 1)
        for column in range(self._next, self._next + width):
            # The row itself is counted as well: its end takes it away.
            self._taken[column] = rows
        self._written = self._next + 1
        self._next += width
        return empty

    def end_row(self) -> None:
        """End a row: cells from above have one row less."""
        self._taken = {column: rows - 1 for column, rows in self._taken.items() if rows > 1}

    def end_section(self) -> None:
        """End a head, body or foot: no cell reaches beyond it."""
        self._taken = {}


class ItemNumbers:
    """Numbers of the items of an ordered list.

    Args:
        items: The list.
    """

    def __init__(self, items: LexborNode) -> None:
        self._step = -1 if "reversed" in items.attributes else 1
        first = number_of(items, "start")
        if first is None:
            first = 1 if self._step > 0 else sum(1 for child in items.iter() if child.tag == "li")
        self._next = first

    def take(self, item: LexborNode) -> int:
        """The number of the next item."""
        given = number_of(item, "value")
        number = self._next if given is None else given
        self._next = number + self._step
        return number
