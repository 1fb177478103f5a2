"""Lines of standard input as an async iterator that can be cancelled on every system.

The SDK's own reader sits in a worker thread that cannot be abandoned: a signal could not end the process before the client
closes the pipe. Here a daemon thread reads, and nothing waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwire.server.handshake import Handshake

MAX_LINE_BYTES = 16 * 1024 * 1024
"""The longest message of a client. Larger files are named by their path."""
_CHUNK_BYTES = 64 * 1024
_QUEUED_LINES = 64
_KEPT_BYTES = 1024
"""Bytes kept of the start and of the end of a line that is too long."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or the start and the end of one that was too long to keep."""

    text: bytes
    overlong: bool = False
    end: bytes = b""
    result: Mapping[str, Any] | None = None
    """The result with which the request in it has been answered already."""


class LineSplitter:
    """Bytes in, lines out; never keeps more than one line of the allowed length."""

    def __init__(self, max_line: int) -> None:
        self.max_line = max_line
        self._buffer = bytearray()
        self._skipping = False
        self._end = b""

    def feed(self, data: bytes) -> Iterator[Line]:
        """The lines that end in these bytes."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            self._append(part)
            yield self._line(b"\n")
        self._append(rest)

    def rest(self) -> Line | None:
        """The text that is left at the end of the input, if any."""
        return self._line(b"") if self._buffer else None

    def _line(self, ending: bytes) -> Line:
        text, is_overlong = bytes(self._buffer), self._skipping
        self._buffer.clear()
        self._skipping = False
        return Line(text, overlong=True, end=self._end) if is_overlong else Line(text + ending)

    def _append(self, part: bytes) -> None:
        if self._skipping:
            self._end = (self._end + part)[-_KEPT_BYTES:]
            return
        self._buffer += part
        if len(self._buffer) > self.max_line:
            self._end = bytes(self._buffer[-_KEPT_BYTES:])
            del self._buffer[_KEPT_BYTES:]
            self._skipping = True


class DaemonStdin:
    """Reads lines from a file descriptor. Make it on the event loop that iterates it.

    Args:
        descriptor: What to read.
        handshake: The reader of the first lines, whose descriptor it is; what it has read comes first.
        max_line: Of longer lines only the start and the end are kept.
    """

    def __init__(self, descriptor: int, handshake: Handshake | None = None, *, max_line: int = MAX_LINE_BYTES) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Line | None] = asyncio.Queue(_QUEUED_LINES)
        self._splitter = LineSplitter(max_line)
        self._descriptor = descriptor
        self._handshake = handshake
        threading.Thread(target=self._run, name="stdin", daemon=True).start()

    async def __aiter__(self) -> AsyncIterator[Line]:
        while (line := await self._queue.get()) is not None:
            yield line

    def _run(self) -> None:
        # The loop may be gone at any of these lines: then nobody listens any more.
        try:
            self._read()
            self._hand_over(None)
        except (RuntimeError, CancelledError) as error:
            logger.debug("standard input is no longer read: %r", error)

    def _read(self) -> None:
        if self._handshake is not None:
            self._take(self._handshake.received(), self._handshake.answers)
            self._take(self._handshake.rest())
        try:
            # os.read: a buffered reader would hold a lock at the interpreter's exit.
            while data := os.read(self._descriptor, _CHUNK_BYTES):
                self._take(data)
        except OSError as error:
            logger.warning("standard input cannot be read: %s", error)
        if (rest := self._splitter.rest()) is not None:
            self._hand_over(rest)

    def _take(self, data: bytes, answers: Mapping[int, Mapping[str, Any]] = MappingProxyType({})) -> None:
        for number, line in enumerate(self._splitter.feed(data)):
            self._hand_over(replace(line, result=answers.get(number)))

    def _hand_over(self, line: Line | None) -> None:
        work = self._queue.put(line)
        try:
            asyncio.run_coroutine_threadsafe(work, self._loop).result()
        except RuntimeError:
            work.close()
            raise
