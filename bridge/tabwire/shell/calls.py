"""Call of a session: the command goes there, and its reply to where it is to go."""

from __future__ import annotations

import os
from _socket import socket

from tabwire.shell import frames
from tabwire.shell.connection import dial, tell
from tabwire.shell.options import Asked

CANCEL_LIMIT_S = 10.0
"""Time for a session to say what became of a call that was withdrawn."""
_LOST = "session {} ended before it answered: the act may have happened. The next command starts it anew; take a snapshot to see"


def run(asked: Asked, cwd: str) -> int:
    """Run a command in its session, which is started if it has to be; the exit code.

    Args:
        asked: the command.
        cwd: the folder in which it was typed.
    """
    connection = dial(asked.session)
    if isinstance(connection, OSError):
        from tabwire.shell import start

        started = start.session(asked, cwd)
        if isinstance(started, int):
            return started
        connection = started
    return converse(connection, asked, cwd)


def converse(line: socket, asked: Asked, cwd: str) -> int:
    """Send a call and pass on what comes back; the exit code."""
    line.sendall(frames.frame(frames.CALL, frames.VERSION, cwd, " ".join(asked.options), *asked.words))
    replies, call = frames.Reader(line), Call(asked.session, cwd)
    while True:
        try:
            told = replies.read()
            if told is None:
                tell(_LOST.format(asked.session))
                return frames.FAILED
            code = call.take(*told)
            if code is not None:
                return code
        except KeyboardInterrupt:
            if call.is_interrupted:
                return frames.INTERRUPTED
            call.is_interrupted = True
            line.settimeout(CANCEL_LIMIT_S)
            line.sendall(frames.frame(frames.CANCEL))
        except TimeoutError:
            tell("the session did not say what became of the call; take a snapshot to see")
            return frames.INTERRUPTED
        except BrokenPipeError:
            # Whoever read has seen enough. Python would complain of it once more when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            return frames.FAILED
        except ConnectionError:
            tell(_LOST.format(asked.session))
            return frames.FAILED


class Call:
    """A call that is under way.

    Args:
        session: the name of its session.
        cwd: the folder in which it was typed.
    """

    def __init__(self, session: str, cwd: str) -> None:
        self.session = session
        self.is_interrupted = False
        self._cwd = cwd
        self._problem = ""

    def take(self, kind: bytes, content: bytes) -> int | None:
        """Pass a frame on to where it is to go; the exit code with the last one."""
        if kind == frames.OUT:
            _write(1, content + b"\n")
        elif kind == frames.ERR:
            _write(2, content + b"\n")
        elif kind == frames.COPY:
            self._copy(*frames.parts_of(content))
        elif kind == frames.END:
            failed = frames.FAILED if self._problem else frames.DONE
            return frames.INTERRUPTED if self.is_interrupted else int(content) or failed
        return None

    def _copy(self, source: str, target: str) -> None:
        from tabwire.shell.copies import copy

        self._problem = copy(source, os.path.join(self._cwd, os.path.expanduser(target)))
        if self._problem:
            tell(self._problem)


def _write(descriptor: int, text: bytes) -> None:
    while text:
        text = text[os.write(descriptor, text) :]
