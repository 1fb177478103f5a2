"""The facade's web search: an engine's page in a tab of its own, which is closed again."""

from contextlib import suppress
from dataclasses import asdict
from urllib.parse import urlsplit

import anyio
import anyio.to_thread

from tabwire.commands import tabs
from tabwire.commands.markup import Read
from tabwire.commands.navigation import Navigate
from tabwire.errors import InvalidArgument, TabwireError, Timeout
from tabwire.surfaces.facade.models import Search
from tabwire.surfaces.facade.replies import Response, bounded
from tabwire.surfaces.facade.state import of
from tabwire.surfaces.shared import markup, search_results
from tabwire.surfaces.shared.search_results import SearchResult
from tabwire.surfaces.shared.text_chunks import utf8
from tabwire.surfaces.tool import ToolCall

DEFAULT_SECONDS = 30.0
LATE_SECONDS = 3.0
"""Seconds to wait for pages whose results come after their document."""
LOOK_SECONDS = 0.1
CLOSE_SECONDS = 5.0


async def run(call: ToolCall) -> Response:
    """The results, and a summary of them as text."""
    asked: Search = call.parameters
    try:
        url = search_results.request_url(asked.search_engine_url or of(call).search_url, asked.query)
    except ValueError as error:
        raise InvalidArgument(f"search_engine_url: {error}") from None
    seconds = asked.timeout or DEFAULT_SECONDS
    try:
        with anyio.fail_after(seconds):
            found = await _found(call, url, seconds * 1000)
    except TimeoutError:
        raise Timeout(f"{url} gave no results within {seconds:g} s", next_step="Give it more timeout.") from None
    provider = urlsplit(url).netloc
    data = {"provider": provider, "query": asked.query, "request_url": url}
    note = {} if found else {"note": "nothing on its page reads as a result; it may ask for a person: see request_url"}
    text = bounded("text", utf8(_summary(asked.query, provider, found)), of(call).limits.of("web_search"))
    return {"result": {"results": [asdict(result) for result in found]}, **text, "data": {**data, **note}}


async def _found(call: ToolCall, url: str, timeout_ms: float) -> list[SearchResult]:
    context = call.context
    tab: int | None = None
    try:
        opened = await context.send(Navigate(url=url, new_tab=True, background=True, timeout=timeout_ms))
        tab = opened["tabId"]
        until = anyio.current_time() + LATE_SECONDS
        while True:
            found = await _read(call, tab)
            if found or anyio.current_time() >= until:
                return found
            await anyio.sleep(LOOK_SECONDS)
    finally:
        if tab is not None:
            # It may be closed already, or the browser away.
            with anyio.move_on_after(CLOSE_SECONDS, shield=True), suppress(TabwireError):
                await context.send(tabs.Close(tabId=tab, force=True))


async def _read(call: ToolCall, tab: int) -> list[SearchResult]:
    asked: Search = call.parameters
    result = await call.context.send(Read(tabId=tab))

    def parse() -> list[SearchResult]:
        return search_results.results(markup.parse(result["rows"]), result["url"], asked.max_results)

    return await anyio.to_thread.run_sync(parse)


def _summary(query: str, provider: str, found: list[SearchResult]) -> str:
    if not found:
        return f"No results for {query!r} from {provider}"
    blocks = ("\n   ".join(filter(None, [f"{each.rank}. {each.title}", each.url, each.snippet])) for each in found)
    return "\n".join([f"Results for {query!r} from {provider}:", *blocks])
