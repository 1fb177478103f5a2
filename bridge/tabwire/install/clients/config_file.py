"""A client's configuration file: read whole, changed in one place, backed up, replaced whole."""

import errno
import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tabwire.disk import plain_files, private_files
from tabwire.disk.replacing import replace
from tabwire.errors import UnsupportedOperation, system_failure_told

_BOM = b"\xef\xbb\xbf"
BACKUP = "tabwire-backup"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration file as it was read.

    Args:
        path: The file by its name.
        target: The file itself, where the name is a link.
        raw: Its bytes; None when it is not there.
    """

    path: Path
    target: Path
    raw: bytes | None

    @property
    def text(self) -> str:
        """Text of the file, without a byte order mark.

        Raises:
            UnicodeDecodeError: It is not UTF-8.
        """
        return (self.raw or b"").removeprefix(_BOM).decode("utf-8")

    def write(self, text: str, now: datetime) -> Path | None:
        """Replace the file, and keep what it was beside it.

        Returns:
            The backup; None if there was nothing to back up.

        Raises:
            UnsupportedOperation: It cannot be written; nothing is changed.
        """
        mark = _BOM if (self.raw or b"").startswith(_BOM) else b""
        next_step = "Make the file and its folder writable, or put the entry in yourself."
        with system_failure_told(f"{self.target} cannot be written", next_step, after="; nothing in it was changed"):
            return self._write(mark + text.encode("utf-8"), now)

    def _write(self, content: bytes, now: datetime) -> Path | None:
        self.target.parent.mkdir(parents=True, exist_ok=True)
        # Replacing needs the folder's permission only; a file made read-only is so on purpose.
        if self.raw is not None and not os.access(self.target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        status = self.target.stat() if self.raw is not None else None
        temporary = self.target.with_name(f".{self.target.name}.{secrets.token_hex(4)}")
        backup = _free(self.target.with_name(f"{self.target.name}.{BACKUP}-{now:%Y%m%d-%H%M%S}")) if status else None
        try:
            _create(temporary, content, status)
            if backup:
                _create(backup, self.raw or b"", status)
            # The client may have written it meanwhile: its change is not ours to lose.
            if _bytes(self.target) != self.raw:
                raise OSError("another program has just changed it; run this again")
            replace(temporary, self.target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            if backup:
                backup.unlink(missing_ok=True)
            raise
        return backup


def read(path: Path) -> ConfigFile:
    """Read a configuration file that may not be there yet.

    Raises:
        UnsupportedOperation: It is there and cannot be read.
    """
    try:
        target = path.resolve()
        return ConfigFile(path, target, _bytes(target))
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UnsupportedOperation(
            f"{path} cannot be read ({reason}); it is left as it is.",
            next_step="Make it a file that you may read, and try again.",
        ) from None


def _bytes(path: Path) -> bytes | None:
    try:
        return plain_files.read(path)
    except FileNotFoundError:
        return None


def _free(path: Path) -> Path:
    names = (path if number == 0 else path.with_name(f"{path.name}-{number}") for number in range(1000))
    return next(name for name in names if not name.exists())


def _create(path: Path, content: bytes, like: os.stat_result | None) -> None:
    """A new file with the mode and owner of another one: these files hold other servers' secrets."""
    descriptor = private_files.create(path)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if like is None:
        return
    if hasattr(os, "chown") and (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):
            os.chown(path, like.st_uid, like.st_gid)
    path.chmod(stat.S_IMODE(like.st_mode))
