"""The owner's side of the reaper: whatever was named to it ends when this process does, however that ends.

The reaper is a process of its own that reads orders from a pipe (`reaper.py`). When the pipe closes, because `release` was
called or because this process died, it ends whatever was named to it. On Windows both hold a job object besides, whose processes
the system ends when neither is left.
"""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio

from tabwire.browsers import process_end

LOOK_SECONDS = 0.03
PIPED: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

_let_go: list[subprocess.Popen[bytes]] = []
"""Processes that run on after their guard was released. Python warns of a process that runs when its object is collected."""


class Guard:
    """A reaper process for one browser."""

    def __init__(self) -> None:
        self._children: list[subprocess.Popen[bytes]] = []
        script = ["-I", "-S", str(Path(__file__).with_name("reaper.py"))]
        if sys.platform == "win32":
            from tabwire.windows import jobs

            self._job = jobs.create()
            inherited = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [self._job]})
            # The program of a virtual environment starts the real one as a second process.
            self._reaper = subprocess.Popen(
                [getattr(sys, "_base_executable", sys.executable), *script, str(self._job)],
                **PIPED, startupinfo=inherited, creationflags=subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW,
            )  # fmt: skip
        else:
            self._reaper = subprocess.Popen([sys.executable, *script], **PIPED, start_new_session=True)

    def child(self, process: subprocess.Popen[bytes]) -> None:
        """End the process group of a child of ours, which nobody else need wait for."""
        self._children.append(process)
        self.group(process.pid)
        if sys.platform == "win32":
            from tabwire.windows import jobs

            jobs.take(self._job, process.pid)

    def group(self, number: int) -> None:
        """End this process group."""
        self._order("group", str(number))

    def folder(self, path: Path) -> None:
        """Delete this folder, after the processes have ended."""
        self._order("folder", str(path))

    def session(self, url: str) -> None:
        """Delete this WebDriver session: its URL."""
        self._order("session", url)

    def release(self) -> None:
        """Have it do its work now. It goes on by itself."""
        assert self._reaper.stdin is not None
        with suppress(OSError):
            self._reaper.stdin.close()
        if sys.platform == "win32" and self._job:
            from tabwire.windows import jobs

            jobs.close(self._job)
            self._job = 0
        _let_go[:] = [process for process in (*_let_go, self._reaper, *self._children) if process.poll() is None]

    async def finished(self) -> None:
        """Wait until everything has been ended and deleted, after `release`."""
        async with anyio.create_task_group() as tasks:
            # A child that has ended is there for the reaper until we have taken note of it.
            for child in self._children:
                tasks.start_soon(exit_of, child)
            await exit_of(self._reaper)
            tasks.cancel_scope.cancel()

    @property
    def is_finished(self) -> bool:
        """Whether everything has been ended and deleted."""
        return self._reaper.poll() is not None

    def _order(self, what: str, value: str) -> None:
        assert self._reaper.stdin is not None
        self._reaper.stdin.write(os.fsencode(f"{what} {value}\n"))
        self._reaper.stdin.flush()


async def exit_of(process: subprocess.Popen[bytes]) -> int:
    """Wait for a child of ours; its exit code."""
    if not await process_end.end_of(process.pid):
        # Other systems have no event for it but SIGCHLD, which is of whoever owns the process.
        while process.poll() is None:  # noqa: ASYNC110
            await anyio.sleep(LOOK_SECONDS)
    return process.wait()  # it is over
