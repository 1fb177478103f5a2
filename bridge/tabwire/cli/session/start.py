"""The start of a session by the first command that needs it, and again by the next one when it was killed."""

import os
import select
import subprocess
import sys
import time
from _socket import socket
from typing import IO

from tabwire.cli.grammar.parsing import UsageError, parse
from tabwire.cli.session import frames, places
from tabwire.cli.session.connection import dial, tell
from tabwire.cli.session.options import COMMANDS, Asked

START_LIMIT_S = 30.0
END_LIMIT_S = 10.0
READY = b"ready"


def session(asked: Asked, cwd: str) -> socket | int:
    """A connection to a session that is started now; or the exit code, when that has failed and was said.

    A line that is wrong starts nothing.
    """
    try:
        parse(asked.words, cwd, COMMANDS)
    except UsageError as error:
        tell(str(error))
        return frames.USAGE
    from tabwire.cli.session.start_lock import StartBusy

    try:
        return _started(asked)
    except StartBusy:
        tell(f"session {asked.session} is still being started by other commands; {_log(asked)} may have the reason")
        return frames.FAILED
    except OSError as error:
        tell(f"sessions cannot be kept in {places.folder()}: {error.strerror}; set TABWIRE_HOME to a folder of your own")
        return frames.FAILED


def _started(asked: Asked) -> socket | int:
    from tabwire.cli.session.start_lock import alone

    with alone(asked.session):
        connection = dial(asked.session)
        if not isinstance(connection, OSError):
            # Another command was faster.
            return connection
        if isinstance(connection, ConnectionRefusedError):
            tell(f"session {asked.session} had ended unexpectedly; a new one is started")
        problem = _spawn(asked)
        if problem:
            tell(problem)
            return frames.FAILED
        started = dial(asked.session)
    if isinstance(started, OSError):
        tell(f"session {asked.session} ended as soon as it had started; {_log(asked)} has the reason")
        return frames.FAILED
    return started


def _spawn(asked: Asked) -> str:
    """Start the process and wait until it listens; what went wrong, or ""."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    log = os.open(os.path.join(places.folder(), places.log_name(asked.session)), flags, 0o600)
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tabwire.cli.session.host", asked.session, *asked.options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=places.folder(),
            env={**os.environ, "TABWIRE_HOME": places.home()},
            # Ctrl-C is for the command alone, and no console window belongs to a session.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    finally:
        os.close(log)
    told = b""
    try:
        told = _told(process)
    finally:
        # Also after Ctrl-C: nobody asked for a session that nobody waits for.
        if told == READY:
            # It outlives this process, which need not know how it ends.
            process.returncode = 0
        else:
            _end(process)
    if told == READY:
        return ""
    said = told.decode("utf-8", "replace").strip()
    return said or f"session {asked.session} did not start; {_log(asked)} has the reason"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a session that has not started: by itself, so that its browser ends with it, or else by force."""
    process.terminate()
    try:
        process.wait(END_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _told(process: subprocess.Popen[bytes]) -> bytes:
    """The words of a new session before it closes the pipe, or as many as came in time."""
    assert process.stdout
    if sys.platform == "win32":
        return _told_within(process.stdout)
    found = b""
    deadline = time.monotonic() + START_LIMIT_S
    with process.stdout as pipe:
        while found != READY and select.select([pipe], [], [], max(0, deadline - time.monotonic()))[0]:
            part = os.read(pipe.fileno(), 4096)
            if not part:
                break
            found += part
    return found


def _told_within(pipe: IO[bytes]) -> bytes:
    """The same where only sockets can be waited for: a thread reads, and stays behind where nothing comes."""
    import threading

    found = bytearray()

    def read() -> None:
        while bytes(found) != READY and (part := os.read(pipe.fileno(), 4096)):
            found.extend(part)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(START_LIMIT_S)
    return bytes(found)


def _log(asked: Asked) -> str:
    return os.path.join(places.folder(), places.log_name(asked.session))
