"""Signs of life of bridges: each holds a lock on its own file, and the system frees it whatever ends the bridge."""

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from tabwire.disk import private_files

SUFFIX = ".bridge"


class Living:
    """Sign that this bridge is alive, until `close` or until its process ends.

    Args:
        folder: where all bridges have their files.
    """

    def __init__(self, folder: Path) -> None:
        private_files.make_own_folder(folder)
        self.folder = folder
        self.id = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._path = folder / (self.id + SUFFIX)
        descriptor = private_files.create(self._path, os.O_RDWR)
        self._file = os.fdopen(descriptor, "r+")
        _lock(self._file, alone=True)

    def close(self) -> None:
        """Remove the sign: this bridge is no longer alive."""
        self._file.close()
        with suppress(OSError):
            self._path.unlink()


def is_alive(folder: Path, bridge: str) -> bool:
    """Whether the bridge of that id lives. The file of one that does not is removed."""
    path = folder / (bridge + SUFFIX)
    try:
        file = path.open("r+")
    except OSError:
        return False
    with file:
        # A shared lock: others that look at the same moment do not take each other for the bridge.
        if not _lock(file, alone=False):
            return True
    with suppress(OSError):
        path.unlink()
    return False


def _lock(file: IO[str], *, alone: bool) -> bool:
    """Whether it could be had."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
