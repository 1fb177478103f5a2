"""The reader: search, open, move and find, over a loader and a search provider."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import anyio

from tabwire.errors import Timeout, UnsupportedOperation
from tabwire.settings.reader import ReaderSettings
from tabwire.surfaces.reader import render
from tabwire.surfaces.reader.answers import (
    Cited,
    FindOutput,
    Lines,
    OpenResultOutput,
    OpenUrlOutput,
    Result,
    ScrollOutput,
    SearchOutput,
)
from tabwire.surfaces.reader.citation import Citation
from tabwire.surfaces.reader.cursors import Binding, Cursors
from tabwire.surfaces.reader.find import find_lines
from tabwire.surfaces.reader.limits import RateLimit
from tabwire.surfaces.reader.page import Found, Loader, PageSnapshot, SearchProvider
from tabwire.surfaces.reader.redaction import shown_hits, shown_page, shown_view
from tabwire.surfaces.reader.telemetry import Telemetry
from tabwire.surfaces.reader.viewport import view_of

GRACE_S = 2.0
"""A loader keeps to its own time, with the better message; this much later it is cut off."""


class Reader:
    """Work of the five tools.

    Args:
        settings: Limits.
        loader: Reads pages.
        provider: Searches; None when none is configured.
    """

    def __init__(self, settings: ReaderSettings, loader: Loader, provider: SearchProvider | None) -> None:
        self._settings = settings
        self._loader = loader
        self._provider = provider
        self.cursors = Cursors(settings.cursor_ttl, settings.max_cursors, settings.max_chars)
        self.telemetry = Telemetry()
        self._pages = RateLimit("pages", settings.pages_per_minute)
        self._searches = RateLimit("searches", settings.searches_per_minute)

    async def search(self, query: str, topn: int) -> SearchOutput:
        """Search, and keep the results under a new cursor.

        Raises:
            UnsupportedOperation: no search provider is configured.
            RateLimited: too many searches in a minute.
            FetchFailed, Timeout: see `SearchProvider`.
        """
        if self._provider is None:
            raise UnsupportedOperation(
                "no search provider is configured",
                next_step="Tell the user to set one: `search` below `[reader]` in config.toml. open_url works without.",
            )
        self._searches.take()
        async with _within(self._settings.search_timeout, "the search"):
            hits = [one for one in await self._provider.search(query, topn) if is_web_address(one.url)][:topn]
        found = shown_hits(hits)
        binding = self.cursors.for_results(query, found)
        results = [_result(number, one) for number, one in enumerate(found, 1)]
        return SearchOutput(cursor=binding.cursor, results=results, render=render.results(binding.cursor, query, found))

    async def open_result(self, cursor: str, result_id: int, loc: int, num_lines: int) -> OpenResultOutput:
        """Open a result. What was opened before is shown again as it was.

        Raises:
            UnknownCursor: see `Cursors.get`.
            ResultOutOfRange: see `Binding.result`.
            RateLimited: too many pages in a minute.
            FetchFailed, UnsupportedMime, Timeout: see `Loader`.
        """
        results = self.cursors.get(cursor)
        found = results.result(result_id)
        binding = self.cursors.opened(results, result_id)
        if binding is None:
            binding = self.cursors.attach(results, result_id, await self._load(found.url))
        return OpenResultOutput(**self._opened(binding, loc, num_lines))

    async def open_url(self, url: str, loc: int, num_lines: int) -> OpenUrlOutput:
        """Open an address, under a new cursor.

        Raises:
            RateLimited: too many pages in a minute.
            FetchFailed, UnsupportedMime, Timeout: see `Loader`.
        """
        binding = self.cursors.for_page(await self._load(url))
        return OpenUrlOutput(**self._opened(binding, loc, num_lines))

    async def scroll(self, cursor: str, loc: int | None, delta: int, num_lines: int) -> ScrollOutput:
        """Show other lines of a page: from `loc`, or from where it is, moved by `delta` and clamped to the page.

        Raises:
            UnknownCursor: see `Cursors.get`.
            InvalidArgument: no page was opened under the cursor.
        """
        binding = self.cursors.get(cursor)
        binding.opened_page()
        start = (binding.position if loc is None else loc) + delta
        return ScrollOutput(**self._shown(binding, start, num_lines))

    async def find(self, cursor: str, pattern: str, is_regex: bool) -> FindOutput:
        """Find lines of a page. Its viewport stays where it is.

        Raises:
            UnknownCursor: see `Cursors.get`.
            InvalidArgument, Timeout: no page was opened under the cursor, or see `find_lines`.
        """
        binding = self.cursors.get(cursor)
        most, seconds = self._settings.max_matches, self._settings.find_timeout
        found = await find_lines(binding.opened_page(), pattern, is_regex, most=most, seconds=seconds)
        return FindOutput(cursor=cursor, matches=list(found.listed), render=render.matches(cursor, pattern, found))

    async def _load(self, url: str) -> PageSnapshot:
        self._pages.take()
        async with _within(self._settings.page_timeout, f"loading {url:.300}"):
            return await self._loader.load(url)

    def _opened(self, binding: Binding, loc: int, num_lines: int) -> dict[str, Any]:
        page = binding.opened_page()
        return {"url": page.url, "title": render.one_line(shown_page(page).title), **self._shown(binding, loc, num_lines)}

    def _shown(self, binding: Binding, loc: int, num_lines: int) -> dict[str, Any]:
        page = binding.opened_page()
        view = shown_view(page, view_of(page, loc, num_lines, self._settings.view_chars, render.MAX_LINKS))
        binding.position = view.start
        return {
            "cursor": binding.cursor,
            "viewport": Lines(start=view.start, end=view.end),
            "text": view.text,
            "citation": Cited(cursor=binding.cursor, L_start=view.start, L_end=view.end),
            "render": render.page(shown_page(page), view, Citation(binding.cursor, view.start, view.end)),
        }


def _result(number: int, found: Found) -> Result:
    return Result(
        id=number, title=render.one_line(found.title) or found.url, url=found.url, snippet=render.one_line(found.snippet)
    )


def is_web_address(url: str) -> bool:
    """Whether it is an absolute address that can be read."""
    try:
        if any(character.isspace() or not character.isprintable() for character in url):
            return False
        parts = urlsplit(url)
        _ = parts.port
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


@asynccontextmanager
async def _within(seconds: float, what: str) -> AsyncIterator[None]:
    try:
        with anyio.fail_after(seconds + GRACE_S):
            yield
    except TimeoutError:
        raise Timeout(f"{what} took more than {seconds:g} s", next_step="Try again, or read another page.") from None
