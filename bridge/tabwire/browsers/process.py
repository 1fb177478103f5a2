"""An ordinary browser process on this computer."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from tabwire.browsers import chromium
from tabwire.browsers.guard import Guard, exit_of
from tabwire.browsers.running import Start
from tabwire.disk import private_files

TAIL_BYTES = 2000
_LATER = 'read -r go && exec "$@" </dev/null'
"""Script for sh: nothing runs before the guard knows of the process, nor if the owner dies before that."""

_FROM_OUTSIDE = frozenset({signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)})
"""Signals by which a program ends whatever it did. Windows knows no SIGKILL."""
_NOISE = re.compile(r"dbus|DBus|google_apis/gcm|vaInitialize")
"""Pattern of the lines that Chromium writes on a computer without a desktop."""


class Process:
    """A browser we started as a process; `running.Running`."""

    driver: Any = None

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.pid = process.pid
        self.where = f"process {process.pid}"
        self._process = process
        self._log = log

    async def ended(self) -> str:
        """Wait until it is gone; how it ended, with its last words unless it ended well."""
        return await self._how(await exit_of(self._process))

    async def is_alive(self) -> str | None:
        """None while it runs."""
        code = self._process.poll()
        return None if code is None else await self._how(code)

    async def close(self) -> None:
        """Do nothing: the guard has ended all of it."""

    async def _how(self, code: int) -> str:
        ended = f"The browser ended by {signal.Signals(-code).name}." if code < 0 else f"The browser ended with exit code {code}."
        words = "" if -code in _FROM_OUTSIDE or not code else last_words(self._log)
        return f"{ended} Its last words: {words}" if words else ended


async def start(start: Start) -> Process:
    """A `running.Starter`.

    Raises:
        UnsupportedOperation: there is no Chromium to start.
    """
    options = start.options
    command = chromium.command(options, profile=start.profile, extension=start.extension, spki=start.spki)
    log = start.extension.with_name("browser.log")
    with os.fdopen(private_files.create(log), "wb") as words:
        process = spawn(command, start.guard, words, environment=chromium.environment(start.profile))
        return Process(process, log)


def spawn(
    command: Sequence[str],
    guard: Guard,
    errors: IO[bytes] | int = subprocess.DEVNULL,
    output: IO[bytes] | int = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own, which the guard knows of before the program runs.

    Args:
        errors: where its stderr goes.
        output: where its stdout goes.
        environment: its variables; None for ours.
    """
    deferred = os.name == "posix"
    process = subprocess.Popen(
        ["/bin/sh", "-c", _LATER, "sh", *command] if deferred else command,
        stdin=subprocess.PIPE if deferred else subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        env=environment,
        start_new_session=True,
        creationflags=_creation_flags(),
    )
    guard.child(process)
    if process.stdin is not None:
        with process.stdin as gate:
            gate.write(b"\n")
    return process


def _creation_flags() -> int:
    """Windows: it waits for the guard's job, hears no Ctrl-C of ours, and has no console; elsewhere 0."""
    if sys.platform != "win32":
        return 0
    from tabwire.windows import jobs

    return jobs.CREATE_SUSPENDED | subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW


def last_words(log: Path) -> str:
    """The end of what a program wrote, in whole lines; empty when it wrote nothing."""
    try:
        with log.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL_BYTES))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    lines = text.splitlines()[size > TAIL_BYTES :]
    return "\n".join(line for line in lines if not _NOISE.search(line)).strip()
