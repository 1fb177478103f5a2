"""Any engine's page of results, read by a few selectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qs, quote_plus, urlsplit

from tabwire.errors import InvalidArgument
from tabwire.settings.result_page import QUERY, ResultPage
from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.references import joined
from tabwire.surfaces.reader.loading.requirements import required
from tabwire.surfaces.reader.page import Found
from tabwire.surfaces.reader.searching.distinct import distinct

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


class HtmlSource(Protocol):
    """Source of a page's HTML: a loader."""

    sends_cookies: bool
    """Whether the user's cookies go along."""

    async def html(self, url: str) -> tuple[str, str]:
        """HTML, and the address after redirects. Raises: FetchFailed, Timeout."""


class ResultPageSearch:
    """Searches by an engine's page for people.

    Args:
        page: How it looks.
        source: Gets it.
    """

    def __init__(self, page: ResultPage, source: HtmlSource) -> None:
        self._page = page
        self._source = source

    async def search(self, query: str, count: int) -> Sequence[Found]:
        """Return at most `count` hits, best first, each page once.

        Raises:
            FetchFailed: the engine did not answer, or with another page.
            Timeout: it took longer than its time.
        """
        html, url = await self._source.html(self._page.url.replace(QUERY, quote_plus(query)))
        parser: Any = required("selectolax.lexbor", "Reading a page of results").LexborHTMLParser(html)
        items = self._select(parser, self._page.item)
        if not items and not (self._page.nothing and self._select(parser, self._page.nothing)):
            raise FetchFailed(
                f"The page of {urlsplit(url).hostname} shows no results: nothing in it is {self._page.item!r}.",
                {"url": url},
                next_step="Open it in the browser: it may ask for consent, or not look as search_page of the reader says.",
            )
        return distinct(self._hits(items, url), count)

    def _hits(self, items: list[LexborNode], base: str) -> Iterator[Found]:
        for item in items:
            link = next(iter(self._select(item, self._page.link)), None)
            href = (link.attributes.get("href") or "").strip() if link is not None else ""
            address = self._address(base, href) if href else None
            if link is None or address is None:
                continue
            title = self._text(item, self._page.title) or _words(link)
            yield Found(title or address, address, self._text(item, self._page.snippet), self._source.sends_cookies)

    def _address(self, base: str, written: str) -> str | None:
        try:
            href = joined(base, written)
        except ValueError:
            return None
        parts = urlsplit(href)
        if self._page.unwrap and (inner := parse_qs(parts.query).get(self._page.unwrap)):
            href, parts = inner[0], urlsplit(inner[0])
        return href if parts.scheme in ("http", "https") and parts.hostname else None

    def _text(self, item: LexborNode, query: str | None) -> str:
        found = self._select(item, query) if query else []
        return _words(found[0]) if found else ""

    @staticmethod
    def _select(node: Any, query: str) -> list[LexborNode]:
        try:
            found: list[LexborNode] = node.css(query)
        except Exception as error:
            raise InvalidArgument(f"search_page of the reader: {query!r} is no CSS selector: {error}.") from None
        return found


def _words(node: LexborNode) -> str:
    return " ".join(node.text(separator=" ").split())
