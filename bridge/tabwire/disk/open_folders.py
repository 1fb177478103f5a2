"""Folders that are held open while files in them are read and written.

Each part of a path is opened from the part before, and no link is followed: a link that somebody puts into the path after it was
checked leads nowhere. Windows has no such descriptors; there the path has to be the real one still.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from tabwire.disk.private_files import FILE_MODE, FOLDER_MODE, make_folder
from tabwire.errors import InvalidArgument

DRAFT_PREFIX = ".tabwire-draft-"
"""Names of files that are being written."""

_HAS_DESCRIPTORS = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_ALWAYS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
# O_PATH: a folder on the way may be closed to readers.
_FOLDER = os.O_RDONLY | _ALWAYS | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", 0)
# O_NONBLOCK: a pipe that was put there after the look at it makes nobody wait.
_READ = os.O_RDONLY | _ALWAYS | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _ALWAYS | getattr(os, "O_BINARY", 0)

MayReplace = Callable[[os.stat_result], bool]
"""Whether a file that is there already may be replaced."""


class OpenFolder:
    """A folder that is open; `open_folder` makes it. Names are those of files in it.

    Methods raise OSError where the system refuses, and InvalidArgument for what is no regular file.
    """

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self._descriptor = descriptor

    def status(self, name: str) -> os.stat_result | None:
        """The status of a file, of a link itself; None where there is nothing."""
        try:
            return os.stat(self._at(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self, name: str, limit: int) -> tuple[bytes, os.stat_result]:
        """The bytes and the status of a regular file.

        Raises:
            FileNotFoundError: there is none.
            InvalidArgument: it is something else, or larger than the limit.
        """
        with self._open(name, limit) as file:
            data = file.read(limit + 1)
            if len(data) > limit:
                raise self._too_large(name, limit)
            return data, os.fstat(file.fileno())

    def check_replaceable(self, name: str, may_replace: MayReplace) -> None:
        """Make sure that a name is free, or that of a regular file that may be replaced.

        Raises:
            FileExistsError: it may not.
            InvalidArgument: something else than a file has the name.
        """
        there = self.status(name)
        if there is None:
            return
        self._check_regular(name, there)
        if not may_replace(there):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(self.path / name))

    def check_writable(self) -> None:
        """Make sure that files can be made here, by making one."""
        with self._draft(lambda file: None):
            pass

    def write(self, name: str, data: bytes, may_replace: MayReplace, *, is_durable: bool = False) -> os.stat_result:
        """Put a file here whole or not at all, for its owner only; its status.

        Args:
            name: the name of the file.
            data: what is in it.
            may_replace: whether a file of that name may be replaced.
            is_durable: whether it has to be on the disk before this returns.

        Raises:
            FileExistsError: there is a file that may not be replaced.
            InvalidArgument: something else than a file has the name.
        """

        def fill(file: IO[bytes]) -> None:
            file.write(data)
            if is_durable:
                file.flush()
                os.fsync(file.fileno())

        with self._draft(fill) as draft:
            return self._place(draft, name, may_replace)

    def take(self, origin: OpenFolder, name: str, new_name: str) -> os.stat_result:
        """Move a file of another folder here; its status.

        Raises:
            FileExistsError: the new name is taken.
            InvalidArgument: it is no regular file.
        """
        with origin._open(name) as source:
            try:
                os.link(origin._at(name), self._at(new_name), src_dir_fd=origin._descriptor, dst_dir_fd=self._descriptor)
                status = self._taken(new_name)
            except (FileExistsError, InvalidArgument):
                raise
            except OSError:
                # Another file system, or one without hard links.
                with self._draft(lambda file: shutil.copyfileobj(source, file)) as draft:
                    status = self._place(draft, new_name, lambda status: False)
        origin.unlink(name)
        return status

    def _taken(self, name: str) -> os.stat_result:
        """The status of a file that was linked here, which is now for its owner only."""
        try:
            with self._open(name) as file:
                if hasattr(os, "fchmod"):
                    os.fchmod(file.fileno(), FILE_MODE)
                return os.fstat(file.fileno())
        except BaseException:
            self.unlink(name)
            raise

    def unlink(self, name: str) -> None:
        """Delete a file."""
        os.unlink(self._at(name), dir_fd=self._descriptor)

    @contextmanager
    def _open(self, name: str, limit: int | None = None) -> Iterator[IO[bytes]]:
        # Looked at first: to open a device may do something already.
        self._check_regular(name, os.stat(self._at(name), dir_fd=self._descriptor, follow_symlinks=False), limit)
        descriptor = os.open(self._at(name), _READ, dir_fd=self._descriptor)
        try:
            self._check_regular(name, os.fstat(descriptor), limit)
        except BaseException:
            os.close(descriptor)
            raise
        with os.fdopen(descriptor, "rb") as file:
            yield file

    def _check_regular(self, name: str, status: os.stat_result, limit: int | None = None) -> None:
        if stat.S_ISDIR(status.st_mode):
            raise InvalidArgument(f"{self.path / name} is a folder; give a file name")
        if not stat.S_ISREG(status.st_mode):
            raise InvalidArgument(f"{self.path / name} is a link, a pipe or a device; tabwire uses regular files only; name one")
        if limit is not None and status.st_size > limit:
            raise self._too_large(name, limit)

    def _too_large(self, name: str, limit: int) -> InvalidArgument:
        return InvalidArgument(f"{self.path / name} is over the limit of {limit:,} bytes")

    @contextmanager
    def _draft(self, fill: Callable[[IO[bytes]], object]) -> Iterator[str]:
        name = f"{DRAFT_PREFIX}{secrets.token_hex(8)}"
        descriptor = os.open(self._at(name), _NEW, FILE_MODE, dir_fd=self._descriptor)
        try:
            with os.fdopen(descriptor, "wb") as file:
                fill(file)
            yield name
        finally:
            # Not there any more once it has its place.
            with suppress(OSError):
                self.unlink(name)

    def _place(self, draft: str, name: str, may_replace: MayReplace) -> os.stat_result:
        status = os.stat(self._at(draft), dir_fd=self._descriptor, follow_symlinks=False)
        self.check_replaceable(name, may_replace)
        if self.status(name) is None:
            self._claim(draft, name)
        else:
            self._rename(draft, name)
        return status

    def _claim(self, draft: str, name: str) -> None:
        """The draft gets a name that nobody has, and one that somebody takes at this moment is left alone."""
        here = self._descriptor
        try:
            os.link(self._at(draft), self._at(name), src_dir_fd=here, dst_dir_fd=here)
            return
        except FileExistsError:
            raise
        except OSError:
            # A file system without hard links.
            os.close(os.open(self._at(name), _NEW, FILE_MODE, dir_fd=here))
        try:
            self._rename(draft, name)
        except BaseException:
            self.unlink(name)
            raise

    def _rename(self, draft: str, name: str) -> None:
        os.replace(self._at(draft), self._at(name), src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def _at(self, name: str) -> str:
        return str(self.path / name) if self._descriptor is None else name


@contextmanager
def open_folder(path: Path, *, is_made: bool = False) -> Iterator[OpenFolder]:
    """Hold a folder open.

    Args:
        path: its real path.
        is_made: whether it is made where it does not exist, for its owner only, with those above it.

    Raises:
        OSError: it cannot be opened; NotADirectoryError where a link or a file stands in the path.
    """
    if not _HAS_DESCRIPTORS:
        if is_made:
            make_folder(path)
        if os.path.realpath(path) != str(path):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        yield OpenFolder(path, None)
        return
    descriptor = os.open(path.anchor, _FOLDER)
    try:
        for part in path.parts[1:]:
            inner = _inner(descriptor, part, is_made=is_made)
            os.close(descriptor)
            descriptor = inner
        yield OpenFolder(path, descriptor)
    finally:
        os.close(descriptor)


def _inner(descriptor: int, name: str, *, is_made: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=descriptor)
    except FileNotFoundError:
        if not is_made:
            raise
    with suppress(FileExistsError):
        os.mkdir(name, FOLDER_MODE, dir_fd=descriptor)
    return os.open(name, _FOLDER, dir_fd=descriptor)
