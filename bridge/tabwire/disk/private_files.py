"""Files and folders that only their owner may read, from their creation on. All that is made below `~/.tabwire` is made here."""

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path

from tabwire.disk import plain_files
from tabwire.disk.replacing import replace
from tabwire.errors import UnsupportedOperation

FILE_MODE = 0o600
FOLDER_MODE = 0o700
OTHERS = 0o077


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing; `Path.mkdir` gives its mode to the last one only.

    Raises:
        OSError: it cannot be made, or something else has its name.
    """
    try:
        os.mkdir(path, FOLDER_MODE)
    except FileNotFoundError:
        make_folder(path.parent)
        make_folder(path)
    except FileExistsError:
        if not path.is_dir():
            raise


def make_own_folder(path: Path) -> None:
    """Make a folder that is Tabwire's alone. One that others may enter, such as that of an earlier version, is closed to them.

    Raises:
        OSError: it cannot be made.
    """
    make_folder(path)
    if path.stat().st_mode & OTHERS:
        with suppress(OSError):
            path.chmod(FOLDER_MODE)


def create(path: Path, flags: int = os.O_WRONLY) -> int:
    """Make a new file; its descriptor. Never goes through a file or link that is there already.

    Raises:
        FileExistsError: the name is taken.
        OSError: it cannot be made.
    """
    return os.open(path, flags | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), FILE_MODE)


def open_to_change(path: Path) -> int:
    """Open a file to read and change it in its place, or make it; its descriptor. Never goes through a link.

    Raises:
        OSError: it cannot be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, flags, FILE_MODE)


def write(path: Path, content: bytes | str) -> None:
    """Replace a file whole, or make it, with the folders above it that are missing: nobody sees half of it.

    Raises:
        OSError: it cannot be written; the earlier file is as it was.
    """
    make_folder(path.parent)
    temporary = path.with_name(f".{secrets.token_hex(8)}.tabwire")
    descriptor = create(temporary)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read(path: Path) -> str:
    """The text of a file that holds a secret.

    Raises:
        OSError: It cannot be read.
        UnsupportedOperation: Others may read it, too.
    """
    with plain_files.opened(path) as file:
        # Windows keeps no such bits; there the folder in the user's profile protects the file.
        if sys.platform != "win32" and os.fstat(file.fileno()).st_mode & OTHERS:
            raise UnsupportedOperation(
                f"{path} may be read by other users of this computer.",
                next_step=f"Run `chmod 600 {path}`, and replace the secret in it if others could have seen it.",
            )
        return file.read().decode("utf-8")
