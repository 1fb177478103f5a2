"""Lines of standard input as an async iterator that can be cancelled on every system.

The SDK's own reader sits in a worker thread that cannot be abandoned: a signal could not end the process before the client
closes the pipe. Here a daemon thread reads, and nothing waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Self

import anyio

__all__ = ["MAX_LINE_BYTES", "DaemonStdin"]

MAX_LINE_BYTES = 64 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024
_QUEUED_LINES = 64

logger = logging.getLogger(__name__)


class DaemonStdin:
    """Reads lines from a file descriptor. Make it on the event loop that iterates it.

    Args:
        descriptor: What to read; 0 is moved away, so that neither we nor a child process reads the pipe by accident.
        max_line: Longer lines are dropped.
        on_overlong: Called on the event loop with the first bytes of each dropped line.
    """

    def __init__(
        self,
        descriptor: int = 0,
        *,
        max_line: int = MAX_LINE_BYTES,
        on_overlong: Callable[[bytes], None] | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._send, self._receive = anyio.create_memory_object_stream[str](_QUEUED_LINES)
        self._lines = LineSplitter(max_line)
        self._on_overlong = on_overlong
        self._descriptor = _moved_away(descriptor) if descriptor == 0 else descriptor
        threading.Thread(target=self._run, name="stdin", daemon=True).start()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        try:
            return await self._receive.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    def close(self) -> None:
        """Stop listening to the thread; what it reads from now on is lost."""
        self._send.close()
        self._receive.close()

    def _run(self) -> None:
        # The loop may be gone, or its streams closed, at any line below: then nobody listens any more.
        try:
            # os.read: a buffered reader would hold a lock at the interpreter's exit.
            while data := os.read(self._descriptor, _CHUNK_BYTES):
                for line in self._lines.feed(data):
                    self._hand_over(line)
            if (rest := self._lines.rest()) is not None:
                self._hand_over(rest)
        except (RuntimeError, OSError, anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            logger.debug("standard input is no longer read: %r", error)
        finally:
            self._loop_gone_or(self._send.aclose())

    def _hand_over(self, line: Line) -> None:
        if line.overlong:
            self._loop.call_soon_threadsafe(self._drop, line.text)
        else:
            asyncio.run_coroutine_threadsafe(self._send.send(line.text.decode("utf-8", "replace")), self._loop).result()

    def _drop(self, start: bytes) -> None:
        logger.error("a line of standard input is over %d bytes and was dropped", self._lines.max_line)
        if self._on_overlong is not None:
            self._on_overlong(start)

    def _loop_gone_or(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()


class Line:
    """One line, or the beginning of one that was too long to keep."""

    __slots__ = ("overlong", "text")

    def __init__(self, text: bytes, *, overlong: bool = False) -> None:
        self.text = text
        self.overlong = overlong


class LineSplitter:
    """Bytes in, lines out; never keeps more than one line of the allowed length."""

    _START_BYTES = 1024

    def __init__(self, max_line: int) -> None:
        self.max_line = max_line
        self._buffer = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[Line]:
        """The lines that end in these bytes."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            yield from self._append(part)
            if not self._skipping:
                yield Line(bytes(self._buffer) + b"\n")
            self._buffer.clear()
            self._skipping = False
        yield from self._append(rest)

    def rest(self) -> Line | None:
        """What is left at the end of the input, if anything."""
        return Line(bytes(self._buffer)) if self._buffer else None

    def _append(self, part: bytes) -> Iterator[Line]:
        if self._skipping:
            return
        self._buffer += part
        if len(self._buffer) > self.max_line:
            start = bytes(self._buffer[: self._START_BYTES])
            self._buffer.clear()
            self._skipping = True
            yield Line(start, overlong=True)


def _moved_away(descriptor: int) -> int:
    moved = os.dup(descriptor)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, descriptor)
    os.close(null)
    return moved
