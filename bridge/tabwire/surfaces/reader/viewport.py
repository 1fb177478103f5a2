"""Cuts a piece out of a page. The number of a line never changes: it is its index in the page."""

from dataclasses import dataclass

from tabwire.surfaces.reader.page import PageSnapshot


@dataclass(frozen=True, slots=True)
class View:
    """Lines of a page."""

    start: int
    """0-based."""
    end: int
    """Inclusive."""
    lines: tuple[str, ...]
    total: int
    """Number of lines that the page has."""

    @property
    def text(self) -> str:
        """The lines, joined."""
        return "\n".join(self.lines)


def view_of(page: PageSnapshot, loc: int, count: int, max_chars: int) -> View:
    """The lines from `loc` on, which is clamped to the page, `count` at most. A page without text is one empty line.

    Args:
        max_chars: the most text. The view ends earlier where lines are long, but never without a line.
    """
    lines = page.lines or ("",)
    start = max(0, min(loc, len(lines) - 1))
    kept: list[str] = []
    room = max_chars
    for line in lines[start : start + count]:
        room -= len(line) + 1
        if kept and room < 0:
            break
        kept.append(line)
    return View(start, start + len(kept) - 1, tuple(kept), len(lines))
