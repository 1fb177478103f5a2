"""The table of a run: a row for each piece of work, a column for each server; nothing in it measures."""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from row import Row

NOTHING = "–"
OURS = ("launched", "own")
FLOOR = "floor"


@dataclass(frozen=True)
class Goal:
    """The most that Tabwire may take, in the unit of the row, or as a multiple of the floor."""

    launched: float | None = None
    own: float | None = None
    floors: float | None = None

    def limit(self, server: str, floor: float | None) -> float | None:
        """The limit for one of Tabwire's columns."""
        if self.floors is not None:
            return None if floor is None else self.floors * floor
        return self.launched if server == "launched" else self.own

    def __str__(self) -> str:
        if self.floors is not None:
            return f"≤ {self.floors:g} × floor"
        given = [f"{value:g}" for value in (self.launched, self.own) if value is not None]
        return f"≤ {' / '.join(dict.fromkeys(given))}" if given else NOTHING


@dataclass
class Cell:
    """All samples of one server in one row, or why there are none."""

    samples: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def median(self) -> float | None:
        """The median; None after an error, whatever else was measured."""
        return statistics.median(self.samples) if self.samples and not self.errors else None

    def __str__(self) -> str:
        if self.errors:
            return "error"
        return f"{_figure(statistics.median(self.samples))} / {_figure(min(self.samples))}" if self.samples else NOTHING


@dataclass
class TableRow:
    """Figures of a piece of work in all servers."""

    name: str
    unit: str
    goal: Goal
    cells: dict[str, Cell]

    def best_peer(self, peers: Iterable[str]) -> tuple[str, float] | None:
        """The name and median of the peer that took least."""
        medians = {peer: median for peer in peers if peer in self.cells and (median := self.cells[peer].median) is not None}
        return min(medians.items(), key=lambda one: one[1]) if medians else None

    def against_goal(self) -> list[Row]:
        """Tabwire's medians as multiples of their limits."""
        floor = self.cells[FLOOR].median if FLOOR in self.cells else None
        rows = []
        for server in OURS:
            median = self.cells[server].median if server in self.cells else None
            limit = self.goal.limit(server, floor)
            if median is not None and limit is not None:
                rows.append(Row(f"{self.name}, {server}", median, limit, self.unit, 1.0))
        return rows

    def factor(self, peers: Iterable[str]) -> str:
        """The best peer's time as a multiple of Tabwire's."""
        best = self.best_peer(peers)
        medians = {server: self.cells[server].median for server in OURS if server in self.cells}
        if best is None or not any(medians.values()):
            return NOTHING
        factors = [f"{best[1] / median:.1f}×" if median else NOTHING for median in medians.values()]
        return f"{' / '.join(factors)} {best[0]}"

    def verdict(self) -> str:
        rows = self.against_goal()
        if not rows:
            return str(self.goal)
        return f"{self.goal}: {' / '.join('met' if row.is_met else f'{row.ratio:.1f}×' for row in rows)}"


def _figure(value: float) -> str:
    """Three digits are what a run can tell."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def markdown(rows: list[TableRow], servers: list[str], peers: Iterable[str]) -> str:
    """The table as Markdown: cells are median / minimum; below it each error once."""
    peers = [peer for peer in peers if peer in servers]
    head = ["work", *servers, "best peer / Tabwire", "goal"]
    lines = [head, ["---"] * len(head)]
    for row in rows:
        cells = [str(row.cells[server]) if server in row.cells else NOTHING for server in servers]
        lines.append([f"{row.name}, {row.unit}", *cells, row.factor(peers), row.verdict()])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    errors = [f"- {row.name}, {server}: {error}" for row in rows for server in servers for error in _errors(row, server)]
    return "\n".join([table, *(["", "Errors:", *errors] if errors else [])]) + "\n"


def _errors(row: TableRow, server: str) -> list[str]:
    """The different errors of a cell, each on one line."""
    cell = row.cells.get(server, Cell())
    return [" ".join(error.replace("|", "\\|").split()) for error in dict.fromkeys(cell.errors)]


def as_json(rows: list[TableRow]) -> list[dict[str, Any]]:
    """Everything that was measured, for other programs."""
    return [
        {
            "work": row.name,
            "unit": row.unit,
            "goal": str(row.goal),
            "servers": {
                name: {
                    "median": cell.median,
                    "min": min(cell.samples) if cell.samples and not cell.errors else None,
                    "samples": cell.samples,
                    "errors": cell.errors,
                }
                for name, cell in row.cells.items()
            },
        }
        for row in rows
    ]
