"""The lock under which one command at a time starts a session or forgets a dead one."""

import errno
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from tabwire.cli.session import places
from tabwire.disk import locks, private_files

LIMIT_S = 60.0
"""Time to wait for the commands that start the same session. Each of them has an end of its own before."""


_LOOK_S = 0.02


class StartBusy(Exception):
    """Another command holds the lock for longer than a start takes."""


@contextmanager
def alone(session: str) -> Iterator[None]:
    """The right to start or forget a session: the system takes it back from a process that ends, in whatever way.

    Raises:
        OSError: the folder of sessions cannot be used.
        StartBusy: another command did not give it back in time.
    """
    private_files.make_own_folder(Path(places.folder()))
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    lock = os.open(os.path.join(places.folder(), places.lock_name(session)), flags, private_files.FILE_MODE)
    try:
        _wait_for(lock)
        yield
    finally:
        os.close(lock)


def _wait_for(lock: int) -> None:
    if sys.platform == "win32":
        deadline = time.monotonic() + LIMIT_S
        # Windows has no event for a lock that is let go.
        while not locks.take(lock):
            if time.monotonic() > deadline:
                _give_up()
            time.sleep(_LOOK_S)
        return
    import fcntl

    # flock has no limit of its own; a signal whose handler raises ends it.
    before = signal.signal(signal.SIGALRM, _give_up)
    timer = signal.setitimer(signal.ITIMER_REAL, LIMIT_S)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)


def _give_up(*_: object) -> NoReturn:
    raise StartBusy(os.strerror(errno.ETIMEDOUT))
