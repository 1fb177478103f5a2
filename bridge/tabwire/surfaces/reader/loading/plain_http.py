"""Pages by plain HTTP: no browser, no scripts, no user's cookies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import anyio.to_thread

from tabwire.errors import InvalidArgument
from tabwire.surfaces.reader.cache import Kept, PageCache
from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.addresses import Zone, canonical, checked
from tabwire.surfaces.reader.loading.attempts import Attempts, refused
from tabwire.surfaces.reader.loading.document import Document, content_type
from tabwire.surfaces.reader.loading.exchange import READ_STATUSES, Answer, Exchange
from tabwire.surfaces.reader.loading.extracting import Extract, extract, refuse_unlisted
from tabwire.surfaces.reader.loading.freshness import fresh_s, says_noindex
from tabwire.surfaces.reader.loading.policy import Policy
from tabwire.surfaces.reader.loading.references import joined
from tabwire.surfaces.reader.loading.robots import Robots
from tabwire.surfaces.reader.loading.time_limit import TimeLimit, within
from tabwire.surfaces.reader.page import PageSnapshot

REDIRECTS = frozenset({301, 302, 303, 307, 308})
NOT_MODIFIED = 304


class HttpLoader:
    """Loads pages by plain HTTP.

    Args:
        policy: Limits and manners.
        cache: Where pages are kept; None for nowhere.
        sleep: Waits for seconds.

    Raises:
        UnsupportedOperation: a library for it is not installed.
    """

    sends_cookies = False

    def __init__(
        self,
        policy: Policy | None = None,
        cache: PageCache | None = None,
        *,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._policy = policy or Policy()
        self._cache = cache or PageCache(0)
        self._sleep = sleep
        self._exchange = Exchange(self._policy)
        self._robots = Robots(self._exchange)

    async def __aenter__(self) -> HttpLoader:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End all connections."""
        await self._exchange.close()

    async def load(self, url: str) -> PageSnapshot:
        """Fetch and read a page.

        Raises:
            InvalidArgument: the address is none of a web page.
            FetchFailed: network or HTTP error; `data["status"]` has the status where there is one.
            UnsupportedMime: there is no text in it that we can read.
            Timeout: it took longer than the policy allows.
        """
        address = checked(url)
        async with within(self._policy.deadline_s) as limit:
            return (await _Load(self, limit, self._cache).follow(address)).page

    async def html(self, url: str) -> tuple[str, str]:
        """A page's text as its server sent it, and its address after redirects.

        Raises:
            As `load`.
        """
        address = checked(url)
        async with within(self._policy.deadline_s) as limit:
            document = (await _Load(self, limit, PageCache(0)).arrive(address, None)).document()
        return document.text(), document.url

    async def fetch(self, url: str, headers: dict[str, str] | None = None) -> Answer:
        """An answer as it is, redirects not followed: for machines' interfaces, as search engines have.

        Raises:
            FetchFailed: network or HTTP error.
            Timeout: it took longer than the policy allows.
        """
        address = checked(url)
        async with within(self._policy.deadline_s) as limit:
            answer = await _Load(self, limit, PageCache(0)).ask(address, None, headers or {})
        if answer.status not in READ_STATUSES:
            raise refused(url, answer)
        return answer


_NO_ANSWER = Answer(0, "", {}, b"", Zone.PUBLIC)
"""Answer for a page that need not be asked for."""


class _Load:
    """Loading of one page, through redirects and attempts."""

    def __init__(self, loader: HttpLoader, limit: TimeLimit, cache: PageCache) -> None:
        self._policy = loader._policy
        self._cache = cache
        self._exchange = loader._exchange
        self._robots = loader._robots
        self._limit = limit
        self._attempts = Attempts(loader._policy, limit, loader._sleep)
        self._cookies = self._exchange.new_cookies()
        self._hops: list[str] = []

    async def follow(self, url: str) -> Extract:
        """Load the page at the end of all redirects, those that pages make themselves included."""
        came_from = None
        while True:
            arrival = await self.arrive(url, came_from)
            if arrival.kept is not None:
                return arrival.kept.extract
            found = await self._read(arrival)
            if found.refresh is None or canonical(found.refresh) == canonical(arrival.url):
                return found
            url, came_from = self._onward(found.refresh, arrival.url), arrival.answer.zone

    async def arrive(self, url: str, came_from: Zone | None) -> _Arrival:
        """Get the answer at the end of the redirects that servers make."""
        while True:
            self._note(url)
            kept = self._cache.latest(url)
            if kept is not None and self._cache.is_fresh(kept):
                return _Arrival(url, _NO_ANSWER, kept)
            if self._policy.respect_robots:
                await self._robots.allow(url, came_from)
            answer = await self.ask(url, came_from, _conditions(kept))
            if answer.status == NOT_MODIFIED and kept is not None:
                self._cache.renew(kept, fresh_s(answer.headers))
                return _Arrival(url, answer, kept)
            if answer.status not in REDIRECTS:
                return _Arrival(url, answer)
            url, came_from = self._target(url, answer), answer.zone

    def _note(self, url: str) -> None:
        self._hops.append(url)
        # Once round may be for a cookie.
        if self._hops.count(url) > 2:
            raise FetchFailed(f"{self._hops[0]} redirects in a circle.", {"redirects": len(self._hops) - 1})
        if len(self._hops) - 1 > self._policy.max_redirects:
            raise FetchFailed(
                f"{self._hops[0]} redirects more than {self._policy.max_redirects} times.", {"redirects": len(self._hops) - 1}
            )

    def _target(self, url: str, answer: Answer) -> str:
        location = answer.headers.get("location")
        if not location:
            raise FetchFailed(f"{url} answered {answer.status} and says not where to go.", {"status": answer.status, "url": url})
        # The bytes of a header are Latin-1 to the parser; addresses in them are UTF-8.
        with suppress(UnicodeError):
            location = location.encode("latin-1").decode()
        return self._onward(location, url)

    @staticmethod
    def _onward(location: str, url: str) -> str:
        try:
            return checked(joined(url, location))
        except (InvalidArgument, ValueError):
            raise FetchFailed(f"{url} redirects to {location[:200]!r}, which cannot be read.", {"url": url}) from None

    async def ask(self, url: str, came_from: Zone | None, headers: dict[str, str]) -> Answer:
        """An answer that will not change by asking again."""
        once = partial(self._exchange.get, url, came_from=came_from, cookies=self._cookies, headers=headers)
        return await self._attempts.settle(url, once)

    async def _read(self, arrival: _Arrival) -> Extract:
        document = arrival.document()
        found = await read(document, self._limit, self._cache)
        if self._policy.respect_robots:
            refuse_unlisted(document.is_indexable and found.is_indexable, arrival.url)
        return found


@dataclass(frozen=True, slots=True)
class _Arrival:
    """End of the redirects that servers make."""

    url: str
    answer: Answer
    kept: Kept | None = None
    """The page, where it is known to be the same as before."""

    def document(self) -> Document:
        """Raises: FetchFailed when the answer is no page."""
        if self.answer.status not in READ_STATUSES:
            raise refused(self.url, self.answer)
        return document_of(self.url, self.answer)


async def read(document: Document, limit: TimeLimit, cache: PageCache) -> Extract:
    """Read a document, from the cache if it was read before; else in a thread, so that other calls go on.

    Raises:
        UnsupportedMime: there is no text in it.
        Timeout: its time was over.
    """
    found = cache.same(document)
    if found is None:
        # A thread that was left alone ends by itself: it looks at the limit.
        found = await anyio.to_thread.run_sync(partial(extract, document, limit), abandon_on_cancel=True)
    if found.is_whole:
        cache.keep(document, found)
    return found


def document_of(url: str, answer: Answer) -> Document:
    """The page in an answer."""
    mime_type, charset = content_type(answer.headers.get("content-type", ""))
    headers: dict[str, Any] = {"etag": answer.headers.get("etag"), "last_modified": answer.headers.get("last-modified")}
    is_indexable = not says_noindex(answer.headers)
    return Document(url, mime_type, answer.body, charset, **headers, fresh_s=fresh_s(answer.headers), is_indexable=is_indexable)


def _conditions(kept: Kept | None) -> dict[str, str]:
    """An answer that would be the same need not be sent again."""
    if kept is None:
        return {}
    given = {"If-None-Match": kept.etag, "If-Modified-Since": None if kept.etag else kept.last_modified}
    return {name: value for name, value in given.items() if value}
