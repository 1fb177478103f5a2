"""The search providers by the names they have in the configuration."""

from collections.abc import Callable
from dataclasses import dataclass

from tabwire.errors import InvalidArgument
from tabwire.settings.result_page import ResultPage
from tabwire.surfaces.reader.page import SearchProvider
from tabwire.surfaces.reader.searching.interfaces import BRAVE, SEARXNG, Fetcher, InterfaceSearch
from tabwire.surfaces.reader.searching.result_page import HtmlSource, ResultPageSearch


@dataclass(frozen=True, slots=True)
class Choice:
    """Search settings of the configuration."""

    provider: str
    url: str | None = None
    key: str | None = None
    page: ResultPage | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """Means that providers search with."""

    fetcher: Callable[[], Fetcher]
    """Plain HTTP, made when it is needed."""
    source: HtmlSource
    """Pages as the reader loads them."""


def _searxng(choice: Choice, means: Means) -> SearchProvider:
    if not choice.url:
        raise _missing(choice, "search_url", 'the address of the instance, such as "http://localhost:8888"')
    return InterfaceSearch(SEARXNG, means.fetcher(), choice.url, choice.key)


def _brave(choice: Choice, means: Means) -> SearchProvider:
    if not choice.key:
        raise _missing(choice, "search_key", "the API key")
    return InterfaceSearch(BRAVE, means.fetcher(), choice.url, choice.key)


def _page(choice: Choice, means: Means) -> SearchProvider:
    if choice.page is None:
        raise _missing(choice, "search_page", "the address of the page of results and the selectors of what is in it")
    return ResultPageSearch(choice.page, means.source)


PROVIDERS: dict[str, Callable[[Choice, Means], SearchProvider]] = {"searxng": _searxng, "brave": _brave, "page": _page}


def provider_of(choice: Choice, means: Means) -> SearchProvider:
    """The provider that the configuration names.

    Raises:
        InvalidArgument: there is none of that name, or something it needs is not set.
    """
    make = PROVIDERS.get(choice.provider)
    if make is None:
        raise InvalidArgument(f"[reader] search: there is no provider {choice.provider!r}; one of {', '.join(PROVIDERS)}.")
    return make(choice, means)


def _missing(choice: Choice, setting: str, what: str) -> InvalidArgument:
    return InvalidArgument(f'[reader] search = "{choice.provider}" needs {setting}: {what}.')
