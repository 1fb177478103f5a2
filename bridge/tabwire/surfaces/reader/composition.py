"""Settings → loader, search provider and reader: the one place that knows them all."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from tabwire.surfaces.reader.cache import PageCache
from tabwire.surfaces.reader.loading.browser import BrowserLoader
from tabwire.surfaces.reader.loading.plain_http import HttpLoader
from tabwire.surfaces.reader.loading.policy import Policy
from tabwire.surfaces.reader.reading import Reader
from tabwire.surfaces.reader.searching.providers import Choice, Means, provider_of

if TYPE_CHECKING:
    from tabwire.engine.engine import Engine
    from tabwire.rules.site_rules import SiteRules
    from tabwire.settings.reader import ReaderSettings
    from tabwire.surfaces.reader.page import SearchProvider

log = logging.getLogger(__name__)


@asynccontextmanager
async def reader_of(settings: ReaderSettings, engine: Engine, rules: SiteRules) -> AsyncIterator[Reader]:
    """A reader; its connections end with it.

    Args:
        settings: its settings.
        engine: the way to browsers.
        rules: for what is read without a browser; a browser has those of its owner.

    Raises:
        InvalidArgument: the search provider does not exist, or lacks a setting.
        UnsupportedOperation: a library it needs is not installed.
    """
    async with AsyncExitStack() as stack:
        loader = _loader(settings, engine, rules, stack)
        reader = Reader(settings, loader, _provider(settings, loader, rules, stack))
        try:
            yield reader
        finally:
            log.info("%s", json.dumps(reader.telemetry.summary()))


def _loader(settings: ReaderSettings, engine: Engine, rules: SiteRules, stack: AsyncExitStack) -> BrowserLoader | HttpLoader:
    policy, cache = _policy(settings, settings.page_timeout, rules), PageCache(settings.cache_chars)
    return BrowserLoader(engine, policy, cache) if settings.loader == "browser" else _http(policy, stack, cache)


def _provider(
    settings: ReaderSettings, loader: BrowserLoader | HttpLoader, rules: SiteRules, stack: AsyncExitStack
) -> SearchProvider | None:
    if settings.search is None:
        return None
    key = settings.search_key.get_secret_value() if settings.search_key else None
    choice = Choice(settings.search, settings.search_url, key, settings.search_page)
    # An interface is there for programs: its robots.txt is about its pages.
    policy = _policy(settings.model_copy(update={"robots": False}), settings.search_timeout, rules)
    return provider_of(choice, Means(fetcher=lambda: _http(policy, stack), source=loader))


def _http(policy: Policy, stack: AsyncExitStack, cache: PageCache | None = None) -> HttpLoader:
    loader = HttpLoader(policy, cache)
    stack.push_async_callback(loader.close)
    return loader


def _policy(settings: ReaderSettings, deadline_s: float, rules: SiteRules) -> Policy:
    return Policy(
        deadline_s=deadline_s, max_bytes=settings.max_bytes, reach=settings.reach, respect_robots=settings.robots, rules=rules
    )
