"""A session without a browser: it answers as a test says, on a real socket."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tabwire.cli.session import frames

Answer = Callable[["FakeSession", list[str]], None]


class FakeSession:
    """The session's end of one call."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._reader = frames.Reader(line)

    def heard(self) -> tuple[bytes, bytes] | None:
        """The next frame of the command; None when it is gone."""
        try:
            return self._reader.read()
        except ConnectionError:
            return None

    def say(self, kind: bytes, *parts: str) -> None:
        self._line.sendall(frames.frame(kind, *parts))


@contextmanager
def fake_session(home: Path, answer: Answer, name: str = "default") -> Iterator[None]:
    """A session that answers calls in this way, one after the other, until the block is left."""
    folder = home / "shell"
    folder.mkdir(mode=0o700, parents=True)
    before = os.getcwd()
    listener = socket.socket(socket.AF_UNIX)
    os.chdir(folder)
    listener.bind(f"{name}.sock")
    os.chdir(before)
    listener.listen()
    thread = threading.Thread(target=_serve, args=(listener, answer))
    thread.start()
    try:
        yield
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)


def _serve(listener: socket.socket, answer: Answer) -> None:
    while True:
        try:
            line, _ = listener.accept()
        except OSError:
            return
        with line:
            session = FakeSession(line)
            heard = session.heard()
            if heard is not None:
                session.say(frames.HEARD)
                answer(session, frames.parts_of(heard[1]))
