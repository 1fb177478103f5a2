"""Reading files whose names come from outside: a pipe would be waited for without end, a device has no end."""

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

from tabwire.errors import InvalidArgument

NOT_PLAIN = "it is not a plain file"
MAX_BYTES = 64 * 1024 * 1024
"""More than any configuration, key or note has."""


def opened(path: Path) -> BinaryIO:
    """Open a file to read it.

    Raises:
        OSError: it is not there, may not be read, or is a folder, a pipe, a socket or a device.
    """
    # Looked at before it is opened, because opening alone makes some devices act.
    _refuse_others(path, os.stat(path))
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        _refuse_others(path, os.fstat(descriptor))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read(path: Path, max_bytes: int = MAX_BYTES) -> bytes:
    """The content of a file.

    Raises:
        OSError: as `opened` does, or it is larger than `max_bytes`.
    """
    with opened(path) as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {max_bytes:,} bytes", str(path))
    return content


def read_text(path: Path) -> str:
    """The UTF-8 text of a file.

    Raises:
        OSError: as `read` does.
        UnicodeDecodeError: it is not UTF-8.
    """
    return read(path).decode("utf-8")


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        InvalidArgument: it cannot be read.
    """
    import tomllib

    try:
        return tomllib.loads(read_text(path))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidArgument(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file; an empty one where it cannot be read or holds something else."""
    try:
        found = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _refuse_others(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, NOT_PLAIN, str(path))
