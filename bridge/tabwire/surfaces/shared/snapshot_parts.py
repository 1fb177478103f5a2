"""A snapshot in parts: first what a person looks at first, then everything else, once, in the order of the page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tabwire.surfaces.shared.snapshot_changes import SOME
from tabwire.surfaces.shared.snapshot_lines import PIECE, REF, SHORT_REF, pieces

Measure = Callable[[str], int]

VIEW_SHARE, HEADING_SHARE, CONTROL_SHARE = 0.3, 0.65, 0.9
"""Parts of the budget up to which the view, then headings, then fields and buttons go where not every control fits."""
OUTLINE_SHARE = 0.08
MAX_SECTIONS = 30
NOTE = f"\n\n{'-' * 120}"
"""Room for the sentence below a part."""

FAR = 1 << 30
MAX_INLINE = 4
"""Links between two texts of one paragraph that are named by their reference alone, so that the text can be read."""

HEADING, CONTROL, LINK, REST = range(4)
_CONTROLS = frozenset(
    "button checkbox combobox listbox menuitem menuitemcheckbox menuitemradio radio searchbox slider spinbutton summary switch "
    "tab textbox treeitem".split()
)
_RANKS = {**dict.fromkeys(_CONTROLS, CONTROL), "heading": HEADING, "link": LINK}
_MARKED = re.compile(r" \[(?:clickable|editable|draggable|droppable|scrollable|focusable|active)\]")
_DIALOG = re.compile(r"\s*- (?:alert)?dialog\b")
DIALOG_SHARE = 0.6
"""Part of the budget up to which an open dialog is given whole."""
_LEVEL = re.compile(r"\[level=(\d+)\]")


@dataclass(frozen=True)
class Section:
    """Lines that were left out between two headings, or in an open dialog: a range of all that were left out."""

    after: int
    """The line of the heading or dialog; -1: before the first one."""
    start: int
    end: int
    place: str = "here"

    def without(self, inner: Section) -> list[Section]:
        """The parts of it before and after the lines of another one."""
        if inner.end <= self.start or inner.start >= self.end:
            return [self]
        parts = [replace(self, end=inner.start), replace(self, start=inner.end)]
        return [part for part in parts if part.start < part.end]


@dataclass(frozen=True)
class Rest:
    """Lines that the first part of a snapshot left out."""

    page: Page
    left: Sequence[int]
    """The lines that were left out, in order."""

    def part(self, start: int, end: int | None, budget: int, measure: Measure) -> tuple[str, int | None]:
        """The part of a range that fits, and where it goes on, if it does. A line is always given, so that it gets on."""
        last = len(self.left) if end is None else min(end, len(self.left))
        room = budget - measure(self.page.head) - measure(NOTE)
        shown: list[str] = []
        for at in range(start, last):
            lines = [*self._between(self.left[at - 1] if at > start else -1, self.left[at]), self.page.lines[self.left[at]]]
            room -= sum(measure(f"{line}\n") for line in lines)
            if room < 0 and shown:
                return self.page.written(shown), at
            shown += lines
        return self.page.written(shown), None

    def _between(self, before: int, index: int) -> list[str]:
        """References of lines already given, which say where a line stands that does not follow the one given before it."""
        refs = {at: self.page.ref(at) for at in range(max(before + 1, index - 2 * MAX_INLINE), index)}
        given = [at for at, ref in refs.items() if ref]
        if before == index - 1 or not given:
            return []
        indent = " " * self.page.depths[index]
        is_run = given == list(range(before + 1, index)) and len(given) <= MAX_INLINE
        if is_run and before >= 0 and all(self.page.depths[at] == self.page.depths[index] for at in (before, *given)):
            return [f"{indent}- {refs[at]}" for at in given]
        return [f"{indent}… after {refs[given[-1]]}"]


@dataclass(frozen=True)
class First:
    """The first part of a snapshot."""

    page: Page
    shown: Sequence[int]
    rest: Rest
    sections: Sequence[Section]

    def text(self, cursor: str) -> str:
        """The part, with a line for each section that has lines left out."""
        lines = self.page.lines
        notes: dict[int, list[str]] = {}
        for section in self.sections:
            notes.setdefault(section.after, []).append(self._outline(section, cursor))
        told = [text for at in self.shown for text in (lines[at], *notes.get(at, ()))]
        return self.page.written([*notes.get(-1, ()), *told]) + self.page.foot

    def _outline(self, section: Section, cursor: str) -> str:
        count = section.end - section.start
        indent = "" if section.after < 0 else " " * (self.page.depths[section.after] + 2)
        lines = f"{count} more line{'s' if count > 1 else ''}"
        return f"{indent}… {lines} {section.place}: cursor {cursor}.{section.start}-{section.end}"


class Page:
    """The lines of a snapshot, and how they hang together."""

    def __init__(self, text: str, seen: Iterable[int] = (), *, short_refs: bool = False) -> None:
        self._ref = SHORT_REF if short_refs else REF
        self.head, lines, self.foot = _parts(text)
        self.lines, self._seen = _in_pieces(lines, seen)
        self.depths = [len(line) - len(line.lstrip(" ")) for line in self.lines]
        self.ranks = [_rank(line, depth, self._ref.search(line)) for line, depth in zip(self.lines, self.depths, strict=True)]
        self.parents = _parents(self.depths)

    def ref(self, at: int) -> str:
        """The reference on a line; empty where it has none."""
        found = self._ref.search(self.lines[at])
        return found[1] if found else ""

    def written(self, lines: Iterable[str]) -> str:
        """Lines under the head of the page."""
        return "\n".join([self.head, *lines])

    def first(self, budget: int, measure: Measure) -> First:
        """Controls and headings of the whole page and what is in and around the view, as far as the budget goes."""
        outline = measure(f"{' ' * 12}… 1,000 more lines here: cursor s10.10000-20000\n")
        sections = min(MAX_SECTIONS, int(budget * OUTLINE_SHARE / outline))
        room = budget - measure(self.head) - measure(self.foot) - measure(NOTE) - sections * outline
        choice = _Choice(self, max(room, 1), measure)
        choice.choose(self._by_distance())
        shown = choice.shown
        left = [at for at in range(len(self.lines)) if at not in shown]
        return First(self, sorted(shown), Rest(self, left), self._sections(left, shown, sections))

    def _by_distance(self) -> list[int]:
        """All lines, those in view first; those at the beginning where the view is not known."""
        count = len(self.lines)
        if not self._seen:
            return list(range(count))
        distance = [FAR] * count
        for order, step in ((range(count), 1), (range(count - 1, -1, -1), -1)):
            last = -FAR if step > 0 else 2 * FAR
            marks = set(self._seen)
            for at in order:
                if at in marks:
                    last = at
                distance[at] = min(distance[at], abs(at - last))
        return sorted(range(count), key=distance.__getitem__)

    def _sections(self, left: Sequence[int], shown: set[int], most: int) -> list[Section]:
        headings = [at for at in range(len(self.lines)) if self.ranks[at] == HEADING and at in shown]
        levels = {at: int(level[1]) if (level := _LEVEL.search(self.lines[at])) else 1 for at in headings}
        dialogs = self._dialogs(left, shown)
        for deepest in range(6, 0, -1):
            found = _cut([at for at in headings if levels[at] <= deepest], left)
            for dialog in dialogs:
                found = [part for section in found for part in section.without(dialog)]
            if len(found) + len(dialogs) <= most:
                return [*dialogs, *found] if dialogs or len(found) > 1 else []
        return dialogs

    def _dialogs(self, left: Sequence[int], shown: set[int]) -> list[Section]:
        """The lines that were left out of open dialogs, which a client must not take for whole."""
        found: list[Section] = []
        last = 0
        for top, end in self.dialogs():
            section = Section(top, bisect_left(left, top), bisect_left(left, end), "in this dialog")
            # A dialog in another one is a part of it.
            if top >= last and top in shown and section.start < section.end:
                found.append(section)
                last = end
        return found

    def dialogs(self) -> list[tuple[int, int]]:
        """The lines of each open dialog, from its first one up to the one behind it."""
        return [(top, self._end(top)) for top, line in enumerate(self.lines) if _DIALOG.match(line)]

    def _end(self, top: int) -> int:
        return next((at for at in range(top + 1, len(self.depths)) if self.depths[at] <= self.depths[top]), len(self.depths))


class _Choice:
    """The lines of a first part while they are chosen. A line brings those that contain it along."""

    def __init__(self, page: Page, room: int, measure: Measure) -> None:
        self.page = page
        self.room = room
        self.shown: set[int] = set()
        self._measure = measure
        self._size = 0
        self._costs: dict[int, int] = {}

    def choose(self, near: Sequence[int]) -> None:
        ranks = self.page.ranks
        wanted = {rank: [at for at in near if ranks[at] == rank] for rank in (HEADING, CONTROL, LINK)}
        self._take_dialogs()
        every = [at for rank in (HEADING, CONTROL, LINK) for at in wanted[rank]]
        if not self._take(every, 1 - VIEW_SHARE):
            self.shown.clear()
            self._size = 0
            self._take_dialogs()
            self._take(near, VIEW_SHARE)
            self._take(wanted[HEADING], HEADING_SHARE)
            self._take(wanted[CONTROL], CONTROL_SHARE)
            self._take(wanted[LINK], 1)
        self._take(near, 1)
        self.shown.update([] if self.shown else self._new(near[0]))

    def _take_dialogs(self) -> None:
        """Take open dialogs, the last one first: it is on top of the others. One that is too large is treated as the page is."""
        for top, end in reversed(self.page.dialogs()):
            if top in self.shown:
                continue
            if sum(map(self._cost, [*self._new(top), *range(top + 1, end)])) <= self.room * DIALOG_SHARE - self._size:
                self._take(range(top, end), DIALOG_SHARE)

    def _take(self, lines: Iterable[int], share: float) -> bool:
        """Take lines until the share of the room is used up; whether all were taken."""
        limit = self.room * share
        for at in lines:
            new = self._new(at)
            size = self._size + sum(map(self._cost, new))
            if size > limit:
                return False
            self._size = size
            self.shown.update(new)
        return True

    def _new(self, at: int) -> list[int]:
        found = []
        while at >= 0 and at not in self.shown:
            found.append(at)
            at = self.page.parents[at]
        return found

    def _cost(self, at: int) -> int:
        if at not in self._costs:
            self._costs[at] = self._measure(f"{self.page.lines[at]}\n")
        return self._costs[at]


@lru_cache(maxsize=4)
def first_part(text: str, seen: tuple[int, ...], budget: int, measure: Measure, *, short_refs: bool = False) -> First:
    """The first part of a snapshot. Those of the last few pages are kept: a page is often looked at again unchanged."""
    return Page(text, seen, short_refs=short_refs).first(budget, measure)


def _cut(headings: Sequence[int], left: Sequence[int]) -> list[Section]:
    """The lines that were left out, by the heading before them."""
    starts = [0, *(bisect_left(left, at) for at in headings)]
    ends = [*starts[1:], len(left)]
    return [Section(*one) for one in zip((-1, *headings), starts, ends, strict=True) if one[1] < one[2]]


def _rank(line: str, depth: int, ref: re.Match[str] | None) -> int:
    """The rank of a line with a reference; of one without, it is the last."""
    if ref is None:
        return REST
    start = depth + len("- ")
    rank = _RANKS.get(line[start : line.find(" ", start)], REST)
    return CONTROL if rank == REST and _MARKED.search(line, ref.end()) else rank


def _parents(depths: Sequence[int]) -> list[int]:
    """The line around each one; -1: none."""
    parents: list[int] = []
    around = [-1]
    for at, depth in enumerate(depths):
        last = around[-1]
        while last >= 0 and depths[last] >= depth:
            around.pop()
            last = around[-1]
        parents.append(last)
        around.append(at)
    return parents


def _in_pieces(lines: list[str], seen: Iterable[int]) -> tuple[list[str], list[int]]:
    """The lines, long ones in pieces, and where among them those are that are in view."""
    if all(len(line) <= PIECE for line in lines):
        return lines, [at for at in seen if at < len(lines)]
    result: list[str] = []
    starts: list[int] = []
    for line in lines:
        starts.append(len(result))
        result += pieces(line)
    return result, [starts[at] for at in seen if at < len(starts)]


def _parts(text: str) -> tuple[str, list[str], str]:
    """Head (page, viewport), the tree's lines, and the foot (what is not shown). Changes have a head of one line."""
    if text.startswith(SOME):
        return SOME, text.splitlines()[1:], ""
    head, _, body = text.partition("\n\n")
    tree, _, foot = body.partition("\n\n")
    return f"{head}\n", tree.splitlines(), f"\n\n{foot}" if foot else ""
