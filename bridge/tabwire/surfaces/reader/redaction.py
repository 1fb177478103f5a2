"""Redaction of secrets in pages that were read with the user's cookies. What anyone can read is shown as it is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tabwire.commands.secret_shapes import MASK, mask_text
from tabwire.surfaces.reader.page import Found, PageSnapshot
from tabwire.surfaces.reader.viewport import View

_LOOK_BACK = 120
"""Lines before a view in which a key that goes on in it may begin: the longest ones have about a hundred."""
_KEY_START = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_KEY_END = re.compile(r"-----END [A-Z ]*PRIVATE KEY-----")
_KEY_LINE = re.compile(r"\s*(?:[\w+/=-]*|[A-Z][\w-]+: .*)")


def redacted(page: PageSnapshot, start: int, lines: Sequence[str]) -> tuple[str, ...]:
    """Lines of a page as its reader may see them: each stays a line, and says `[redacted]` where it was altered.

    Args:
        page: The page.
        start: 0-based number of the first of the lines.
        lines: Some of its lines, one after another.
    """
    if not page.is_private:
        return tuple(lines)
    first = max(0, start - _LOOK_BACK)
    return tuple(_without_secrets([*page.lines[first:start], *lines]))[start - first :]


def shown_view(page: PageSnapshot, view: View) -> View:
    """A view as its reader may see it."""
    lines = redacted(page, view.start, view.lines)
    return replace(view, lines=lines, is_altered=lines != view.lines)


def shown_page(page: PageSnapshot) -> PageSnapshot:
    """A page whose title and names of links are as its reader may see them. Where links lead stays: they would not work."""
    if not page.is_private:
        return page
    links = tuple(replace(link, title=mask_text(link.title)) for link in page.links)
    return replace(page, title=mask_text(page.title), links=links)


def shown_hits(found: Sequence[Found]) -> list[Found]:
    """Hits of a search as its reader may see them."""
    return [replace(one, title=mask_text(one.title), snippet=mask_text(one.snippet)) if one.is_private else one for one in found]


def _without_secrets(lines: Sequence[str]) -> Iterator[str]:
    is_in_key = False
    for line in lines:
        if is_in_key and (_KEY_END.search(line) or _KEY_LINE.fullmatch(line)):
            yield MASK if line.strip() else line
            is_in_key = not _KEY_END.search(line)
            continue
        is_in_key = bool(_KEY_START.search(line)) and not _KEY_END.search(line)
        yield mask_text(line)
