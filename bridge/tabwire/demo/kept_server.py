"""The server of `tabwire demo --keep`: over HTTP, so that other clients reach the browser that is running."""

import asyncio
import os
import re
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TextIO

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tabwire.demo.transcript import DemoFailed

START_S = 30
END_S = 10
CALL_S = 120
_SERVING = re.compile(r"serving MCP at (http://\S+),")


@dataclass(frozen=True)
class KeptServer:
    """The demo's own client, and the address and token for others."""

    client: Client
    url: str
    token: str

    @property
    def entry(self) -> dict[str, object]:
        """The value for a client's configuration, under our name."""
        return {"type": "http", "url": self.url, "headers": {"Authorization": f"Bearer {self.token}"}}


@asynccontextmanager
async def kept_server(words: list[str], log: TextIO) -> AsyncIterator[KeptServer]:
    """A server over HTTP until the end of the block.

    Args:
        words: The command line of `serve`.
        log: Takes what it writes to stderr.

    Raises:
        DemoFailed: It does not start.
    """
    token = secrets.token_urlsafe(32)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *words, "--http", "0"),
        env={**os.environ, "TABWIRE_HTTP_TOKEN": token},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        url = await _started(process.stderr, log)
        copying = asyncio.create_task(_copied(process.stderr, log))
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=CALL_S, trust_env=False) as http:
            async with Client(streamable_http_client(url, http_client=http)) as client:
                yield KeptServer(client, url, token)
        copying.cancel()
    finally:
        # Ctrl-C at a terminal has reached it already.
        with suppress(ProcessLookupError):
            process.terminate()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), END_S)


async def _started(stderr: asyncio.StreamReader, log: TextIO) -> str:
    """The address that the server says once it listens."""
    with suppress(TimeoutError):
        async with asyncio.timeout(START_S):
            while line := (await stderr.readline()).decode("utf-8", "replace"):
                log.write(line)
                if found := _SERVING.search(line):
                    return found[1]
    log.flush()
    raise DemoFailed("the server did not start")


async def _copied(stderr: asyncio.StreamReader, log: TextIO) -> None:
    while line := await stderr.readline():
        log.write(line.decode("utf-8", "replace"))
        log.flush()
