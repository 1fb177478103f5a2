"""Hits without those that lead to the same page."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from tabwire.surfaces.reader.loading.addresses import canonical
from tabwire.surfaces.reader.page import Found


def distinct(found: Iterable[Found], count: int) -> list[Found]:
    """The first hit for each page, at most `count`."""
    kept: dict[str, Found] = {}
    for hit in found:
        kept.setdefault(page_key(hit.url), hit)
        if len(kept) == count:
            break
    return list(kept.values())


def page_key(url: str) -> str:
    """The same for addresses that as a rule show the same page: with and without www, TLS, a slash at the end."""
    parts = urlsplit(canonical(url))
    return f"{parts.netloc.removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"
