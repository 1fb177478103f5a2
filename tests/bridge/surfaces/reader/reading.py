"""The reader surface over a loader and a search engine made of plain values, through a real MCP client."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp import Client
from mcp.server import Server
from mcp_types import CallToolResult

from bridge.fake_engine import Surface
from tabwire.settings.reader import ReaderSettings
from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.page import Found, Link, PageSnapshot
from tabwire.surfaces.reader.reading import Reader

LINES = tuple(f"line {number} of the guide" if number % 10 else f"Chapter {number // 10}: Scheduling" for number in range(200))
GUIDE = PageSnapshot(
    "https://docs.example/guide", "The Guide", LINES, (Link(1, "https://docs.example/next", "Next chapter", 82),)
)
NOTES = PageSnapshot("https://docs.example/notes", "Notes", ("One.", "Two.", "Three."))
EMPTY = PageSnapshot("https://docs.example/empty", "", ())
HITS = (
    Found("The Guide", GUIDE.url, "How  to\nschedule"),
    Found("Notes", NOTES.url),
    Found("Gone", "https://docs.example/gone"),
)


class Pages:
    """A loader that has pages by their address.

    Args:
        pages: Address → page, or the failure it ends in.
    """

    def __init__(self, pages: Mapping[str, PageSnapshot | Exception] | None = None) -> None:
        self.pages = pages or {page.url: page for page in (GUIDE, NOTES, EMPTY)}
        self.loaded: list[str] = []

    async def load(self, url: str) -> PageSnapshot:
        self.loaded.append(url)
        page = self.pages.get(url, FetchFailed(f"{url} answered 404 Not Found", {"status": 404}))
        if isinstance(page, Exception):
            raise page
        return page


class Never:
    """A loader and search engine that never ends."""

    async def load(self, url: str) -> PageSnapshot:
        await anyio.sleep_forever()
        raise AssertionError("it sleeps forever")

    async def search(self, query: str, count: int) -> Sequence[Found]:
        await anyio.sleep_forever()
        raise AssertionError("it sleeps forever")


class Hits:
    """A search engine that always finds the same.

    Args:
        found: All it knows.
        obeys: Whether it keeps to the number asked for.
    """

    def __init__(self, found: Sequence[Found] = HITS, *, obeys: bool = True) -> None:
        self.found = found
        self._obeys = obeys

    async def search(self, query: str, count: int) -> Sequence[Found]:
        return self.found[:count] if self._obeys else self.found


class ReaderClient:
    """Calls the tools of a reader."""

    def __init__(self, client: Client, reader: Reader) -> None:
        self.client = client
        self.reader = reader

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of an answer; the client has checked it against the schema."""
        result = await self.raw(tool, arguments)
        assert not result.is_error, result
        assert result.structured_content is not None
        assert self.text(result) == result.structured_content["render"]
        return result.structured_content

    async def refused(self, tool: str, **arguments: Any) -> dict[str, str]:
        """The error object."""
        result = await self.raw(tool, arguments)
        assert result.is_error, result
        assert result.structured_content is None, "it would have to be of the output schema"
        told: dict[str, str] = json.loads(self.text(result))
        assert list(told) == ["error", "message", "hint"]
        assert all(told.values())
        return told

    async def raw(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        with anyio.fail_after(20):
            result = await self.client.call_tool(tool, arguments)
        assert isinstance(result, CallToolResult)
        return result

    @staticmethod
    def text(result: CallToolResult) -> str:
        return "\n".join(part.text for part in result.content if part.type == "text")


def server_of(reader: Reader) -> Server[Any]:
    """An MCP server of the reader surface."""
    return Surface("reader", surface=reader).server()


@asynccontextmanager
async def reading(loader: Any = None, provider: Any = None, **settings: Any) -> AsyncIterator[ReaderClient]:
    """A client of a reader.

    Args:
        loader: Default: `Pages()`.
        provider: Default: `Hits()`.
        settings: Fields of `ReaderSettings`.
    """
    reader = Reader(ReaderSettings(**settings), loader or Pages(), provider or Hits())
    async with Client(server_of(reader)) as client:
        yield ReaderClient(client, reader)
