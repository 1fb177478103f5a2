"""Adds the bearer token to each request, which the conformance suite cannot send, and leaves everything else as it was.

Its own port in Host and Origin becomes the server's, so that what the suite forges there stays forged and what it means stays meant.
"""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

HEAD_LIMIT = 64 * 1024
FORWARDED = re.compile(rb"^(host|origin):.*$", re.IGNORECASE | re.MULTILINE)
CONNECTION = re.compile(rb"^connection:[^\r]*\r\n", re.IGNORECASE | re.MULTILINE)


class BearerProxy:
    """One request per connection: its head is rewritten, all that follows is passed on as it comes, both ways."""

    def __init__(self, port: int, token_file: Path) -> None:
        self._port = port
        self._token = token_file.read_text(encoding="utf-8").strip()
        self.port = 0

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["BearerProxy"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=HEAD_LIMIT)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    def rewritten(self, head: bytes) -> bytes:
        """A request's head with the token and the server's port, for this one request."""
        own, theirs = b":%d" % self.port, b":%d" % self._port
        head = CONNECTION.sub(b"", FORWARDED.sub(lambda line: line[0].replace(own, theirs), head))
        return head[:-2] + b"Connection: close\r\nAuthorization: Bearer " + self._token.encode() + b"\r\n\r\n"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            there, back = await asyncio.open_connection("127.0.0.1", self._port)
            back.write(self.rewritten(head))
            asking = asyncio.create_task(_pass_on(reader, back))
            await _pass_on(there, writer)
            asking.cancel()
        writer.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(64 * 1024):
            writer.write(data)
            await writer.drain()
        writer.close()
