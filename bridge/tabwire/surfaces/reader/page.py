"""Pages and hits that search and loading give to the tools of the reader surface (reader spec, "Data Structures")."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page."""

    id: int
    """1-based, in the order of the text."""
    url: str
    """Absolute."""
    title: str
    line: int
    """0-based index into the page's lines."""


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """A page as text, taken once."""

    url: str
    """Address after redirects."""
    title: str
    lines: tuple[str, ...]
    """Split once. None holds a line break."""
    links: tuple[Link, ...] = ()
    is_private: bool = False
    """Whether the user's cookies or login may have gone along, so that it may say what is the user's only."""
    notice: str = ""
    """Sentence about how the page was read, for its reader; "" where nothing needs to be said."""


@dataclass(frozen=True, slots=True)
class Found:
    """Hit of a search engine."""

    title: str
    url: str
    """Absolute."""
    snippet: str = ""
    is_private: bool = False
    """Whether the user's cookies may have gone along with the search."""


class Loader(Protocol):
    """A way to a page's text."""

    async def load(self, url: str) -> PageSnapshot:
        """Fetch and extract a page.

        Raises:
            FetchFailed: network or HTTP error, with the status code where there is one.
            UnsupportedMime: there is no text in it that we can read.
            Timeout: it took longer than its time.
        """


class SearchProvider(Protocol):
    """A search engine."""

    async def search(self, query: str, count: int) -> Sequence[Found]:
        """Return at most `count` hits, best first.

        Raises:
            FetchFailed: the engine did not answer as it should.
            Timeout: it took longer than its time.
        """
