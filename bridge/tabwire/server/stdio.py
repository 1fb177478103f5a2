"""MCP over standard input and output: the SDK's transport, with an answer to lines that it would drop."""

import logging
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any, Protocol, Self

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from tabwire.server.json_rpc import LineProtocol
from tabwire.server.parent_process import parent_ended
from tabwire.server.stdin import MAX_LINE_BYTES, Line

log = logging.getLogger(__name__)


class WriteStream(Protocol):
    """The stream of the SDK's that takes messages to the client."""

    async def send(self, item: SessionMessage, /) -> None:
        """Write one message."""

    async def aclose(self) -> None:
        """Write no more."""


async def serve_stdio(server: Server[Any], stdin: AsyncIterable[Line]) -> None:
    """Serve until stdin ends or the parent process has. Both protocol eras; nothing of ours can reach stdout."""
    protocol = LineProtocol()
    answers: list[WriteStream] = []

    async def messages() -> AsyncIterator[str]:
        async for line in stdin:
            incoming = (
                protocol.too_long(line.text, line.end, MAX_LINE_BYTES)
                if line.overlong
                else protocol.read(line.text.decode("utf-8", "replace"), result=line.result)
            )
            for answer in incoming.answers:
                await answers[0].send(SessionMessage(answer))  # type: ignore[arg-type]  # a batch is written like a message
            for message in incoming.messages:
                yield message

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_with_parent, tasks.cancel_scope)
        async with stdio_server(stdin=messages()) as (read, write):  # type: ignore[arg-type]  # any async iterator of lines does
            answers.append(write)
            await server.run(read, _Outgoing(write, protocol), server.create_initialization_options())
        tasks.cancel_scope.cancel()


class _Outgoing:
    """A stream of the SDK's on which the answers to a batch wait for each other."""

    def __init__(self, stream: WriteStream, protocol: LineProtocol) -> None:
        self._stream = stream
        self._protocol = protocol

    async def send(self, item: SessionMessage, /) -> None:
        for message in self._protocol.sent(item.message):
            await self._stream.send(item if message is item.message else SessionMessage(message))

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


async def _end_with_parent(scope: anyio.CancelScope) -> None:
    await parent_ended()
    log.info("ending with the process that started this one")
    scope.cancel()
