"""Call of a session: the command goes there, and its reply to where it is to go."""

from __future__ import annotations

import os
from _socket import MSG_PEEK, socket

from tabwire.cli.session import frames, places
from tabwire.cli.session.connection import dial, process_of, tell
from tabwire.cli.session.interrupts import Interrupts
from tabwire.cli.session.options import Asked

TYPE_CHECKING = False
"""The constant that type checkers take for true. `typing` itself is not imported: every command would pay for it."""
if TYPE_CHECKING:
    from collections.abc import Callable

    Heard = Callable[[str], bool | None]
    """Callback with each text that goes to standard output. One that it takes (True) is not printed."""

CANCEL_LIMIT_S = 10.0
"""Time for a session to say what became of a call that was withdrawn."""
HEARD_LIMIT_S = 10.0
"""Time for a session to say that it has heard a call. It does so before it looks at it."""
MAX_LOST = 3
"""Sessions that may end in a row before they hear a call. One that is being killed still takes connections for a moment."""
_UNTOLD = "the session did not say what became of the call; take a snapshot to see"
_SILENT = "session {} does not answer: nothing came within {:g} s. End {} and run the command again"
_LOST = "session {} ended before it answered: the act may have happened. The next command starts it anew; take a snapshot to see"


def run(asked: Asked, cwd: str, heard: Heard | None = None) -> int:
    """Run a command in its session, which is started if it has to be; the exit code.

    Args:
        asked: the command.
        cwd: the folder in which it was typed.
        heard: hears what is printed.
    """
    for _ in range(MAX_LOST):
        connection = dial(asked.session)
        if isinstance(connection, PermissionError):
            tell(f"session {asked.session} cannot be reached: {connection.strerror} ({places.folder()})")
            return frames.FAILED
        if isinstance(connection, OSError):
            from tabwire.cli.session import start

            started = start.session(asked, cwd)
            if isinstance(started, int):
                return started
            connection = started
        try:
            code = converse(connection, asked, cwd, heard)
        finally:
            connection.close()
        if code is not None:
            return code
    tell(f"session {asked.session} ends whenever it is called; its log is {places.log_name(asked.session)} in {places.folder()}")
    return frames.FAILED


def converse(line: socket, asked: Asked, cwd: str, heard: Heard | None = None) -> int | None:
    """Send a call and pass on what comes back; the exit code, or None where the session ended before it heard the call."""
    with Interrupts() as interrupts:
        call = Call(asked.session, cwd, heard, interrupts)
        try:
            line.settimeout(HEARD_LIMIT_S)
            line.sendall(frames.frame(frames.CALL, frames.VERSION, cwd, " ".join(asked.options), *asked.words))
            code = _passed_on(line, call)
            return frames.INTERRUPTED if interrupts.is_pending else code
        except TimeoutError:
            if call.is_interrupted:
                tell(_UNTOLD)
                return frames.INTERRUPTED
            tell(_SILENT.format(asked.session, HEARD_LIMIT_S, process_of(line)))
        except ConnectionError:
            if not call.is_heard and not call.is_interrupted:
                return frames.INTERRUPTED if interrupts.is_pending else None
            tell(_LOST.format(asked.session))
        except _OutputError as error:
            if error.problem:
                tell(f"the reply could not be written: {error.problem}")
        return frames.FAILED


def _passed_on(line: socket, call: Call) -> int:
    """Pass the frames of a reply on; the exit code.

    Raises:
        ConnectionError: the session has ended.
        TimeoutError: it says nothing where it should.
        _OutputError: what comes back cannot be written.
    """
    # A look that takes nothing: bytes that were read as Ctrl-C came would be gone.
    replies = frames.Reader(line, lambda: call.interrupts.in_wait(line.recv, 1, MSG_PEEK))
    while True:
        try:
            told = replies.read()
            if told is None:
                raise ConnectionResetError
            if not call.is_interrupted:
                # The first frame comes at once. After it, a call takes as long as it takes.
                line.settimeout(None)
            code = call.take(*told)
            if code is not None:
                return code
        except KeyboardInterrupt:
            if call.is_interrupted:
                tell(_UNTOLD)
                return frames.INTERRUPTED
            call.is_interrupted = True
            _withdraw(line)


def _withdraw(line: socket) -> None:
    line.settimeout(CANCEL_LIMIT_S)
    try:
        line.sendall(frames.frame(frames.CANCEL))
    except ConnectionError:
        # The session has ended, perhaps after its last frame, which is still to be read.
        return


class _OutputError(Exception):
    """The failure to write a reply.

    Args:
        problem: what went wrong; "" where the reader has gone, having seen enough.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class Call:
    """A call that is under way.

    Args:
        session: the name of its session.
        cwd: the folder in which it was typed.
        heard: hears what is printed.
        interrupts: Ctrl-C.
    """

    def __init__(self, session: str, cwd: str, heard: Heard | None, interrupts: Interrupts) -> None:
        self.session = session
        self._heard = heard
        self.interrupts = interrupts
        self.is_interrupted = False
        self.is_heard = False
        self._cwd = cwd
        self._problem = ""

    def take(self, kind: bytes, content: bytes) -> int | None:
        """Pass a frame on to where it is to go; the exit code with the last one."""
        self.is_heard = True
        if kind == frames.OUT:
            if self._heard is None or not self._heard(content.decode("utf-8", "replace")):
                _write(1, content + b"\n", self.interrupts)
        elif kind == frames.ERR:
            _write(2, content + b"\n", self.interrupts)
        elif kind == frames.COPY:
            self._copy(*frames.parts_of(content))
        elif kind == frames.END:
            failed = frames.FAILED if self._problem else frames.DONE
            return frames.INTERRUPTED if self.is_interrupted else int(content) or failed
        return None

    def _copy(self, source: str, target: str) -> None:
        from tabwire.cli.session.written_files import copy

        self._problem = copy(source, os.path.join(self._cwd, os.path.expanduser(target)))
        if self._problem:
            tell(self._problem)


def _write(descriptor: int, text: bytes, interrupts: Interrupts) -> None:
    """Write a text.

    Raises:
        _OutputError: it cannot be written.
    """
    text = _shown(text)
    while text:
        try:
            text = text[interrupts.in_output(os.write, descriptor, text) :]
        except BlockingIOError:
            # Whoever opened it reads slowly, and wants no program to wait in a write.
            import select

            interrupts.in_output(select.select, [], [descriptor], [])
        except OSError as error:
            # Python would complain of it once more when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
            raise _OutputError("" if isinstance(error, BrokenPipeError) else str(error.strerror)) from None


def _shown(text: bytes) -> bytes:
    """Text without the control characters by which a page could give orders to a terminal, now or where a pipe ends."""
    # C0 but tab and line feed, DEL and C1; bytes that are no UTF-8 come as surrogates, and some terminals take them for C1.
    controls = (*range(9), *range(11, 32), *range(0x7F, 0xA0), *range(0xDC80, 0xDD00))
    lines = text.decode("utf-8", "surrogateescape").split("\r\n")
    return "\r\n".join(line.translate(dict.fromkeys(controls, "?")) for line in lines).encode()
