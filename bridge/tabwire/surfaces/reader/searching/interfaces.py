"""Search engines with an interface for machines: SearXNG, and those in the manner of Brave."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit, urlunsplit

from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.exchange import Answer
from tabwire.surfaces.reader.loading.html.extraction import read_html
from tabwire.surfaces.reader.loading.time_limit import TimeLimit
from tabwire.surfaces.reader.page import Found
from tabwire.surfaces.reader.searching.distinct import distinct

_SNIPPET_S = 1.0
_FAR_TOO_LONG = 2_000


class Fetcher(Protocol):
    """Sender of requests that returns the answer as it is: `HttpLoader`."""

    async def fetch(self, url: str, headers: dict[str, str] | None = None) -> Answer:
        """Raises: FetchFailed, Timeout."""


@dataclass(frozen=True, slots=True)
class Interface:
    """Interface of a search engine: the request and the answer."""

    name: str
    path: str
    """Path below the configured address; empty where that says it all."""
    query: str
    """Name of the parameter for the query."""
    count: str | None
    """Name of the parameter for the number of hits."""
    fixed: Mapping[str, str]
    key_header: str | None
    results: tuple[str, ...]
    """Path to the hits in the answer."""
    snippet: str
    address: str | None
    """Address of the engine; None where each user has another."""
    hints: Mapping[int, str]
    """Usual causes of failures, by status."""


SEARXNG = Interface(
    name="SearXNG",
    path="/search",
    query="q",
    count=None,
    fixed={"format": "json"},
    key_header=None,
    results=("results",),
    snippet="content",
    address=None,
    hints={403: "Its settings.yml must list json under search.formats."},
)
BRAVE = Interface(
    name="Brave Search",
    path="",
    query="q",
    count="count",
    fixed={},
    key_header="X-Subscription-Token",
    results=("web", "results"),
    snippet="description",
    address="https://api.search.brave.com/res/v1/web/search",
    hints=dict.fromkeys((401, 403, 422), "The API key (search_key of the reader) is missing or not accepted."),
)


class InterfaceSearch:
    """Searches by an interface for machines.

    Args:
        interface: How.
        fetcher: Asks.
        address: Where; None for the engine's own address.
        key: API key.
    """

    def __init__(self, interface: Interface, fetcher: Fetcher, address: str | None = None, key: str | None = None) -> None:
        self._interface = interface
        self._fetcher = fetcher
        self._address = address or interface.address or ""
        self._key = key

    async def search(self, query: str, count: int) -> Sequence[Found]:
        """Return at most `count` hits, best first, each page once.

        Raises:
            FetchFailed: the engine did not answer as it should.
            Timeout: it took longer than its time.
        """
        interface = self._interface
        headers = {"Accept": "application/json"}
        if interface.key_header and self._key:
            headers[interface.key_header] = self._key
        try:
            answer = await self._fetcher.fetch(self._url(query, count), headers)
        except FetchFailed as error:
            raise self._refusal(error) from None
        return distinct(self._hits(answer), count)

    def _refusal(self, error: FetchFailed) -> FetchFailed:
        status = error.data.get("status")
        said = f"it answered {status}." if status else error.message
        hint = self._interface.hints.get(status) if isinstance(status, int) else None
        return FetchFailed(f"{self._interface.name} did not search: {said}", error.data, next_step=hint or error.next_step)

    def _url(self, query: str, count: int) -> str:
        parts = urlsplit(self._address)
        path = parts.path.rstrip("/")
        if not path.endswith(self._interface.path):
            path += self._interface.path
        asked = {self._interface.query: query, **self._interface.fixed}
        if self._interface.count:
            asked[self._interface.count] = str(count)
        own = f"{parts.query}&" if parts.query else ""
        return urlunsplit((parts.scheme, parts.netloc, path, own + urlencode(asked), ""))

    def _hits(self, answer: Answer) -> Iterator[Found]:
        try:
            found: Any = json.loads(answer.body)
            for name in self._interface.results:
                found = found.get(name, {} if name != self._interface.results[-1] else [])
            entries = [entry for entry in found if isinstance(entry, dict)]
        except (ValueError, AttributeError, TypeError, RecursionError):
            raise FetchFailed(
                f"{self._interface.name} answered something that is no list of results.",
                next_step="Check search_url of the reader.",
            ) from None
        for entry in entries:
            url = entry.get("url")
            if isinstance(url, str) and urlsplit(url).scheme in ("http", "https"):
                yield Found(plain(entry.get("title")) or url, url, plain(entry.get(self._interface.snippet)))


def plain(text: object) -> str:
    """A title or snippet without markup."""
    if not isinstance(text, str):
        return ""
    text = text[:_FAR_TOO_LONG]
    if "<" in text or "&" in text:
        text = " ".join(read_html(text, "http://snippet.invalid/", TimeLimit(_SNIPPET_S)).lines)
    return " ".join(text.split())
