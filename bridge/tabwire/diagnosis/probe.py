"""Ask a loopback port one question: who is there?"""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from tabwire.wire.ports import HOST

PROBE_LIMIT_S = 1.0
Who = Literal["bridge", "stranger", "silence", "nobody"]
_BRIDGE = b"HTTP/1.1 204 "


@dataclass(frozen=True, slots=True)
class Answer:
    """Reply of a port to `GET /probe`."""

    who: Who
    """A bridge; a program that answers otherwise; one that takes the connection and says nothing; nothing listens."""
    ms: float


async def probe(port: int, limit_s: float = PROBE_LIMIT_S) -> Answer:
    """Ask, and wait no longer than the limit."""
    started = time.perf_counter()
    who: Who = "silence"
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_s):
            who = await _who(port)
    return Answer(who, round((time.perf_counter() - started) * 1000, 1))


async def _who(port: int) -> Who:
    try:
        reader, writer = await asyncio.open_connection(HOST, port)
    except OSError:
        return "nobody"
    try:
        writer.write(f"GET /probe HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n\r\n".encode())
        await writer.drain()
        return "bridge" if (await reader.readexactly(len(_BRIDGE))) == _BRIDGE else "stranger"
    except (OSError, EOFError):
        return "stranger"
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
