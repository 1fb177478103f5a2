"""Signs of life of bridges: each holds a lock on its own file, and the system frees it whatever ends the bridge."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from tabwire.disk import locks, private_files

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
        with suppress(OSError):
            locks.take(descriptor)

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
    has_ended = False
    with file, suppress(OSError):
        # A shared lock: others that look at the same moment do not take each other for the bridge.
        has_ended = locks.take(file.fileno(), is_shared=True)
    if has_ended:
        with suppress(OSError):
            path.unlink()
    return not has_ended
