"""Finders of the words that later steps of a session need."""

import re

from bugs.session import Take


def first(pattern: str) -> Take:
    """Finds the first group of the first match."""

    def take(text: str) -> str | None:
        found = re.search(pattern, text)
        return found[1] if found else None

    return take


def api_prefix(text: str) -> str | None:
    """The first two parts of the path that is listed most often: the rest of it may be data."""
    paths = re.findall(r"https?://[^/\s]+(/\w+/\w+)", text)
    return max(paths, key=paths.count, default=None)
