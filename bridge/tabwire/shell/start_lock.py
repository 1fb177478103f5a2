"""The lock under which one command at a time starts a session or forgets a dead one."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabwire.disk import locks, private_files
from tabwire.shell import places

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
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
    lock = os.open(os.path.join(places.folder(), places.lock_name(session)), flags, private_files.FILE_MODE)
    try:
        give_up = time.monotonic() + LIMIT_S
        while not locks.take(lock):
            if time.monotonic() > give_up:
                raise StartBusy
            time.sleep(_LOOK_S)
        yield
    finally:
        os.close(lock)
