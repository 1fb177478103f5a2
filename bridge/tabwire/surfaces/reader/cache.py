"""Pages that were read, so that reading them again costs no extraction, and often no answer."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from tabwire.surfaces.reader.loading.addresses import canonical
from tabwire.surfaces.reader.loading.document import Document
from tabwire.surfaces.reader.loading.extracting import Extract

_LINK_SIZE = 200
"""Characters that a link counts as."""


@dataclass(frozen=True, slots=True)
class _Key:
    url: str
    tag: str
    """The server's ETag; without one the body's own digest."""
    length: int


@dataclass(slots=True)
class Kept:
    """A page, with what says whether it is still the same."""

    extract: Extract
    etag: str | None
    last_modified: str | None
    fresh_until: float
    size: int


class PageCache:
    """Least recently used pages go first.

    Args:
        max_characters: Of all pages together.
        clock: Seconds, monotonic.
    """

    def __init__(self, max_characters: int = 20_000_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._max = max_characters
        self._clock = clock
        self._size = 0
        self._pages: OrderedDict[_Key, Kept] = OrderedDict()
        self._latest: dict[str, _Key] = {}
        """Canonical address → the page that was there last. After redirects: those are asked for each time."""

    def latest(self, url: str) -> Kept | None:
        """The page that was last at this address."""
        key = self._latest.get(canonical(url))
        return None if key is None else self._use(key)

    def is_fresh(self, kept: Kept) -> bool:
        """Whether the server said it need not be asked yet."""
        return self._clock() < kept.fresh_until

    def renew(self, kept: Kept, fresh_s: float) -> None:
        """The server said that the page is still the same."""
        kept.fresh_until = self._clock() + fresh_s

    def same(self, document: Document) -> Extract | None:
        """Extract of the page that was read from the same body; None if there is none."""
        kept = self._use(_key(document))
        if kept is None:
            return None
        self.renew(kept, document.fresh_s)
        return kept.extract

    def keep(self, document: Document, extract: Extract) -> None:
        """Keep what was read from a document."""
        key = _key(document)
        self._forget(key)
        page = extract.page
        size = sum(map(len, page.lines)) + len(page.lines) + _LINK_SIZE * len(page.links)
        if size > self._max:
            return
        fresh_until = self._clock() + document.fresh_s
        self._pages[key] = Kept(extract, document.etag, document.last_modified, fresh_until, size)
        self._size += size
        self._latest[canonical(document.url)] = key
        while self._size > self._max:
            self._forget(next(iter(self._pages)))

    def _use(self, key: _Key) -> Kept | None:
        if key in self._pages:
            self._pages.move_to_end(key)
        return self._pages.get(key)

    def _forget(self, key: _Key) -> None:
        kept = self._pages.pop(key, None)
        if kept is not None:
            self._size -= kept.size
            self._latest = {url: found for url, found in self._latest.items() if found != key}

    @property
    def count(self) -> int:
        """Number of pages that are kept."""
        return len(self._pages)


def _key(document: Document) -> _Key:
    tag = document.etag or hashlib.sha256(document.body).hexdigest()
    return _Key(canonical(document.url), tag, len(document.body))
