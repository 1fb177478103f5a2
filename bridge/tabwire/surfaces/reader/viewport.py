"""Cuts a piece out of a page. The number of a line never changes: it is its index in the page."""

from collections import Counter
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
    is_short: bool = False
    """Whether it has fewer lines than were asked for, because of the limits of text and links."""
    is_altered: bool = False
    """Whether secrets were replaced in its lines."""

    @property
    def text(self) -> str:
        """The lines, joined."""
        return "\n".join(self.lines)


def view_of(page: PageSnapshot, loc: int, count: int, max_chars: int, max_links: int) -> View:
    """The lines from `loc` on, which is clamped to the page, `count` at most. A page without text is one empty line.

    The view ends earlier where there is more text or more links than allowed, but never without a line. So each line and
    each link is in some view.

    Args:
        page: The page.
        loc: 0-based line.
        count: Lines.
        max_chars: Most characters of text.
        max_links: Most links.
    """
    lines = page.lines or ("",)
    links = Counter(link.line for link in page.links)
    start = max(0, min(loc, len(lines) - 1))
    asked = lines[start : start + count]
    kept: list[str] = []
    for number, line in enumerate(asked, start):
        max_chars -= len(line) + 1
        max_links -= links[number]
        if kept and min(max_chars, max_links) < 0:
            break
        kept.append(line)
    return View(start, start + len(kept) - 1, tuple(kept), len(lines), is_short=len(kept) < len(asked))
