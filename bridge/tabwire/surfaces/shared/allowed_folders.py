"""Folders that tools may use, and what in them is private all the same."""

import os
import stat
import tempfile
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from tabwire.browsers.profiles import STATE
from tabwire.disk.private_files import make_folder
from tabwire.install.extension_files import MANIFEST
from tabwire.wire.keys import PAIRING_FILE


def real_path(path: Path) -> Path | None:
    """A path with its links resolved; None where the system takes no such path."""
    with suppress(OSError, ValueError):
        return Path(os.path.realpath(path))
    return None


class TemporaryFolder:
    """A folder of our own below that for everything temporary, which others use, too.

    Args:
        parent: the folder for everything temporary; default: the system's.
    """

    def __init__(self, parent: Path | None = None) -> None:
        owner = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
        self.path = Path(os.path.realpath(parent or tempfile.gettempdir())) / f"tabwire-files{owner}"

    def is_usable(self) -> bool:
        """True where it is ours alone, or does not exist yet. Somebody else may have made it, or a link of its name."""
        try:
            status = self.path.lstat()
        except FileNotFoundError:
            return True
        except OSError:
            return False
        if not stat.S_ISDIR(status.st_mode):
            return False
        return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o077)

    def make(self) -> bool:
        """Make it, if it does not exist; whether it is ours then."""
        with suppress(OSError):
            make_folder(self.path)
        return self.path.exists() and self.is_usable()


class PrivateFiles:
    """Files that no tool reads or writes, whatever folders it may use: keys, tokens, logs, profiles of browsers.

    Args:
        private: files, and folders with all that is in them.
        open_to_tools: folders inside those that tools may use all the same.
    """

    def __init__(self, private: Iterable[Path] = (), open_to_tools: Iterable[Path] = ()) -> None:
        self._private = real_paths(private)
        self._open = real_paths(open_to_tools)

    def hold(self, path: Path) -> bool:
        """Whether a real path is that of such a file."""
        if path.name.lower() == PAIRING_FILE and (path.parent / MANIFEST).exists():
            return True
        for place in (path, *path.parents):
            status = _status(place)
            if _is_one_of(place, status, self._open):
                return False
            if _is_one_of(place, status, self._private) or (place != path and (place / STATE).exists()):
                return True
        return False


def _is_one_of(path: Path, status: os.stat_result | None, others: Collection[Path]) -> bool:
    """Whether a path is one of the others. Identity counts, too: a file system may take several spellings of a name for one, and
    show a folder in two places."""
    return path in others or (
        status is not None and any(other is not None and os.path.samestat(status, other) for other in map(_status, others))
    )


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def real_paths(places: Iterable[Path]) -> tuple[Path, ...]:
    """Files or folders by their real paths, each once."""
    return tuple(dict.fromkeys(path for place in places if (path := real_path(place.expanduser()))))
