"""The frames between a command and its session: a kind, the length, the content. JSON would cost a command 20 ms of imports.

command → session   CALL version, folder, options, words · CANCEL · ABOUT · CLOSE
session → command   HEARD at once · OUT and ERR text · COPY a file's path and where to · END an exit code
"""

from __future__ import annotations

from _socket import socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CALL, CANCEL, ABOUT, CLOSE = b"c", b"k", b"a", b"q"
HEARD, OUT, ERR, COPY, END = b"h", b"o", b"e", b"f", b"x"
VERSION = "2"
"""The meaning of these frames. A session of another one is to be closed first."""
HEADER = 5
MAX_BYTES = 32 * 1024 * 1024
SEPARATOR = "\0"
"""Separator of the parts of a content: no argument of a program can have it."""

DONE, FAILED, USAGE, NO_BROWSER = 0, 1, 2, 3
"""Exit codes."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells know it."""


def frame(kind: bytes, *parts: str) -> bytes:
    """A frame as it travels."""
    text = SEPARATOR.join(parts)
    try:
        content = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # Pages may have halves of characters.
        content = text.encode("utf-8", "replace")
    return kind + len(content).to_bytes(4, "big") + content


def opened(header: bytes) -> tuple[bytes, int]:
    """Kind and length of the frame that begins so."""
    return header[:1], int.from_bytes(header[1:HEADER], "big")


def parts_of(content: bytes) -> list[str]:
    """The parts of a content."""
    return content.decode("utf-8", "surrogateescape").split(SEPARATOR)


class Reader:
    """Frames out of bytes. A read that is interrupted in its wait is gone on with.

    Args:
        line: the connection that they come from.
        wait: waits until something can be read; None: the read itself waits.
    """

    def __init__(self, line: socket, wait: Callable[[], object] | None = None) -> None:
        self._line = line
        self._wait = wait
        self._buffer = bytearray()

    def read(self) -> tuple[bytes, bytes] | None:
        """The next frame's kind and content; None where the other side has ended."""
        if not self._filled(HEADER):
            return None
        kind, length = opened(bytes(self._buffer[:HEADER]))
        if not self._filled(HEADER + length):
            return None
        content = bytes(self._buffer[HEADER : HEADER + length])
        del self._buffer[: HEADER + length]
        return kind, content

    def _filled(self, length: int) -> bool:
        while len(self._buffer) < length:
            if self._wait is not None:
                self._wait()
            part = self._line.recv(length - len(self._buffer))
            if not part:
                return False
            self._buffer += part
        return True
