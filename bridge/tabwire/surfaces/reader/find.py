"""Finds text in a page."""

from dataclasses import dataclass

from tabwire.errors import InvalidArgument
from tabwire.surfaces.reader.answers import Hit
from tabwire.surfaces.reader.page import PageSnapshot
from tabwire.surfaces.reader.redaction import redacted
from tabwire.surfaces.shared.matching import match_lines

PREVIEW = 160
"""Characters of a preview."""


@dataclass(frozen=True, slots=True)
class Matches:
    """Result of a find."""

    listed: tuple[Hit, ...]
    """The first lines that match, in the order of the page."""
    count: int
    """Number of lines that match in all."""


async def find_lines(page: PageSnapshot, pattern: str, is_regex: bool, *, most: int, seconds: float) -> Matches:
    """The lines of a page where the pattern begins.

    A literal is compared without regard to case, and a space in it also matches the end of a line. A regular expression
    (Python's) is applied to each line, with regard to case.

    Args:
        most: How many matches are listed.
        seconds: How long a regular expression may take.

    Raises:
        InvalidArgument: the pattern is empty, or is no regular expression.
        Timeout: it took longer than it may.
    """
    if not pattern.strip():
        raise InvalidArgument("pattern must not be empty")
    if not is_regex:
        return _literal(page, pattern, most)
    instead = "set is_regex false to find it as it stands"
    found = await match_lines(page.lines, pattern, most=most, seconds=seconds, instead=instead)
    listed = tuple(Hit(loc=loc, preview=_preview(page, loc, start, end)) for loc, start, end in found.listed)
    return Matches(listed, found.count)


def _preview(page: PageSnapshot, loc: int, start: int, end: int) -> str:
    (line,) = redacted(page, loc, page.lines[loc : loc + 1])
    # In a line that is altered, the match is elsewhere or gone.
    return preview(line, min(start, len(line)), min(end, len(line)))


def _literal(page: PageSnapshot, pattern: str, most: int) -> Matches:
    lines = page.lines
    wanted = " ".join(pattern.split()).casefold()
    # Whole texts at once: line by line it would hold up the bridge for a second where the page is large.
    text = "\n".join(lines).casefold()
    plain = text.replace("\n", " ").replace("\t", " ").replace("\xa0", " ")
    listed: list[Hit] = []
    count = loc = seen = 0
    at = plain.find(wanted)
    while at >= 0:
        loc += text.count("\n", seen, at)
        seen = at
        count += 1
        if len(listed) < most:
            start = at - (text.rfind("\n", 0, at) + 1)
            listed.append(Hit(loc=loc, preview=_preview(page, loc, start, start + len(wanted))))
        end = text.find("\n", at)
        at = plain.find(wanted, end) if end >= 0 else -1
    return Matches(tuple(listed), count)


def preview(line: str, start: int, end: int) -> str:
    """The line, or what is around a match in it."""
    if len(line) <= PREVIEW:
        return line.strip()
    middle = (start + min(end, start + PREVIEW)) // 2
    first = max(0, min(middle - PREVIEW // 2, len(line) - PREVIEW))
    last = first + PREVIEW
    return f"{'…' if first else ''}{line[first:last].strip()}{'…' if last < len(line) else ''}"
