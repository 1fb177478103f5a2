"""Lines of standard input as an async iterator that can be cancelled on every system.

The SDK's own reader sits in a worker thread that cannot be abandoned: a signal could not end the process before the client
closes the pipe. Here a daemon thread reads, and nothing waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Self

MAX_LINE_BYTES = 64 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024
_QUEUED_LINES = 64
_START_BYTES = 1024

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Line:
    """One line, or the beginning of one that was too long to keep."""

    text: bytes
    overlong: bool = False


class LineSplitter:
    """Bytes in, lines out; never keeps more than one line of the allowed length."""

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
            start = bytes(self._buffer[:_START_BYTES])
            self._buffer.clear()
            self._skipping = True
            yield Line(start, overlong=True)


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
        self._queue: asyncio.Queue[Line | None] = asyncio.Queue(_QUEUED_LINES)
        self._splitter = LineSplitter(max_line)
        self._on_overlong = on_overlong
        self._descriptor = _moved_away(descriptor) if descriptor == 0 else descriptor
        self._ended = False
        threading.Thread(target=self._run, name="stdin", daemon=True).start()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        while not self._ended:
            line = await self._queue.get()
            if line is None:
                self._ended = True
            elif line.overlong:
                self._report(line)
            else:
                return line.text.decode("utf-8", "replace")
        raise StopAsyncIteration

    def _report(self, line: Line) -> None:
        logger.error("a line of standard input is over %d bytes and was dropped", self._splitter.max_line)
        if self._on_overlong is not None:
            self._on_overlong(line.text)

    def _run(self) -> None:
        # The loop may be gone at any of these lines: then nobody listens any more.
        try:
            self._read()
            self._hand_over(None)
        except (RuntimeError, CancelledError) as error:
            logger.debug("standard input is no longer read: %r", error)

    def _read(self) -> None:
        try:
            # os.read: a buffered reader would hold a lock at the interpreter's exit.
            while data := os.read(self._descriptor, _CHUNK_BYTES):
                for line in self._splitter.feed(data):
                    self._hand_over(line)
        except OSError as error:
            logger.warning("standard input cannot be read: %s", error)
        if (rest := self._splitter.rest()) is not None:
            self._hand_over(rest)

    def _hand_over(self, line: Line | None) -> None:
        work = self._queue.put(line)
        try:
            asyncio.run_coroutine_threadsafe(work, self._loop).result()
        except RuntimeError:
            work.close()
            raise


def _moved_away(descriptor: int) -> int:
    moved = os.dup(descriptor)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, descriptor)
    os.close(null)
    return moved
