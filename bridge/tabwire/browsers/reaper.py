"""Ends a launched browser when its owner is gone, however it went.

Run as a script, in a process of its own: it blocks on a pipe whose other end the owner holds. When the owner dies, even by
SIGKILL, the pipe closes and the browser's process group is ended and its temporary folder deleted. Imports nothing of tabwire.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time

TERM_SECONDS = 3.0
GONE_SECONDS = 5.0


def end_group(group: int) -> None:
    """SIGTERM, then SIGKILL for what is still there."""
    for sent, limit in ((signal.SIGTERM, TERM_SECONDS), (signal.SIGKILL, GONE_SECONDS)):
        try:
            os.killpg(group, sent)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return
            time.sleep(0.02)  # POSIX has no event for the end of somebody else's process group


def delete(folder: str) -> None:
    """Delete a folder that a dying browser may still write to."""
    deadline = time.monotonic() + GONE_SECONDS
    while os.path.isdir(folder) and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """`reaper.py GROUP [FOLDER…]`: wait for end of file on stdin, then clean up."""
    group, folders = int(sys.argv[1]), sys.argv[2:]
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    while os.read(0, 64):
        pass
    end_group(group)
    for folder in folders:
        delete(folder)


if __name__ == "__main__":
    main()
