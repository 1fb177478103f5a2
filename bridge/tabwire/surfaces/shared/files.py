"""Files that tools read (uploads) and write (pictures, captures, downloads): every reader and writer of a tool goes through here.

A file lies in a folder the user knows of, links resolved, and is none of tabwire's own. What is written is for its owner only, is
there whole or not at all, and replaces nothing that somebody else has made unless the client says so.
"""

from __future__ import annotations

import base64
import errno
import logging
import os
import stat
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.disk.open_folders import open_folder
from tabwire.errors import InvalidArgument, PermissionDenied, UnsupportedOperation
from tabwire.surfaces.shared.allowed_folders import PrivateFiles, TemporaryFolder, real_path, real_paths
from tabwire.surfaces.shared.artifacts import Artifacts, mime_type_of
from tabwire.surfaces.shared.file_errors import told_of
from tabwire.surfaces.shared.file_names import checked_path, path_of_address, suffixed
from tabwire.surfaces.shared.written_files import WrittenFiles

if TYPE_CHECKING:
    from tabwire.commands.input import FileContent, UploadFile

MAX_UPLOAD_BYTES = 32 * 1024 * 1024
MAX_FOLDER_FILES = 10_000
MAX_NEW_NAMES = 1000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Destination:
    """A file that a tool will write. It was checked before the browser was asked for what goes into it."""

    path: Path
    overwrites: bool = False
    """Whether it replaces what tabwire has not written."""


class Files:
    """The folders tools may touch.

    Args:
        artifacts: where relative paths land; created at the first write.
        folders: further folders that may be read and written.
        private: files and folders that are never read or written, except for the artifacts.
    """

    def __init__(self, artifacts: Path, folders: Iterable[Path] = (), private: Iterable[Path] = ()) -> None:
        self.artifacts = Artifacts(artifacts)
        self.notes = artifacts.with_name("written")
        """The folder with a note of each file that was written."""
        self.roots: list[Path] = []
        """Folders the client works in, as it has told."""
        self._named = list(folders)
        self._temporary = TemporaryFolder()
        self._private = PrivateFiles(private, [artifacts])

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that tools may use, by their real paths."""
        temporary = [self._temporary.path] if self._temporary.is_usable() else []
        return real_paths([self.artifacts.folder, *temporary, *self._named, *self.roots])

    def allowed(self, name: str) -> Path:
        """The real path behind a name given by a client.

        Raises:
            InvalidArgument: no file can have that name.
            PermissionDenied: it lies outside the allowed folders, or is private.
        """
        path = self.real(name)
        self._check_allowed(path)
        return path

    def real(self, name: str) -> Path:
        """The real path behind a name, wherever it is.

        Raises:
            InvalidArgument: no file can have that name.
        """
        path = real_path(self.artifacts.folder / checked_path(name))
        if path is None:
            raise InvalidArgument(f"{name} is no name of a file here; give another one")
        return path

    def is_readable_address(self, address: str) -> bool:
        """Whether a `file:` address is one of a file or folder that tools may read; links are resolved."""
        path = path_of_address(address)
        place = None if path is None else real_path(path)
        return place is not None and self._is_below_folders(place) and not self._private.hold(place)

    def _is_below_folders(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self.folders)

    def _check_allowed(self, path: Path) -> None:
        if not self._is_below_folders(path):
            raise PermissionDenied(
                f"{path} is outside the folders tabwire may use ({', '.join(map(str, self.folders))}); "
                "use a relative path, or start tabwire with --files FOLDER"
            )
        if self._private.hold(path):
            raise PermissionDenied(
                f"{path} belongs to tabwire itself or to a browser's profile, which tools do not touch; use another file"
            )

    def destination(self, name: str, suffixes: Sequence[str], *, overwrites: bool = False) -> Destination:
        """A file that can be written, checked as far as it can be before there is anything to write.

        Args:
            name: as the client gave it.
            suffixes: what it may end in; the first is added where the name has none.
            overwrites: whether the client wants to replace whatever file is there.

        Raises:
            InvalidArgument: the name does not fit, or a file is there that tabwire has not written.
            PermissionDenied: outside the allowed folders, or the folder cannot be written to.
        """
        path = self.allowed(suffixed(name, suffixes))
        if path.suffix.lower() not in suffixes:
            raise InvalidArgument(f"{name} is a link to {path}, which does not end in {' or '.join(suffixes)}; give another name")
        destination = Destination(path, overwrites)
        with told_of(path):
            self.check_folder(path.parent)
            if path.parent.is_dir():
                with open_folder(path.parent) as folder:
                    folder.check_replaceable(path.name, lambda status: self.may_replace(destination, status))
        return destination

    def check_folder(self, folder: Path) -> None:
        """Make sure that files can be written to a folder of a real path, or that it can be made.

        Raises:
            PermissionDenied: they cannot.
        """
        self._make_temporary(folder)
        with told_of(folder):
            if folder.is_dir():
                with open_folder(folder) as found:
                    found.check_writable()
                return
            above = next(parent for parent in (folder, *folder.parents) if os.path.lexists(parent))
            if not stat.S_ISDIR(above.stat().st_mode):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(above))
            if not os.access(above, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(above))

    def write(self, destination: Destination, data: bytes) -> int:
        """Write a file, whole or not at all; the number of bytes.

        Raises:
            TabwireError: it cannot be written, with the reason.
        """
        path = destination.path
        self._make_temporary(path.parent)
        with told_of(path), open_folder(path.parent, is_made=True) as folder:
            status = folder.write(path.name, data, lambda status: self.may_replace(destination, status))
        self._note(path, status)
        return len(data)

    def write_new(self, stem: str, suffix: str, data: bytes) -> Path:
        """Write a file of a name of ours to the artifacts folder; its path.

        Raises:
            TabwireError: it cannot be written, with the reason.
        """
        name = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
        place = self.real(".")
        with told_of(place), open_folder(place, is_made=True) as folder:
            for number in range(1, MAX_NEW_NAMES):
                path = place / f"{name}{f'-{number}' if number > 1 else ''}{suffix}"
                try:
                    status = folder.write(path.name, data, lambda status: False)
                except FileExistsError:
                    continue
                self._note(path, status)
                return path
        raise UnsupportedOperation(f"{place} has {MAX_NEW_NAMES:,} files of this second; try again")

    def move(self, source: Path, folder: Path, stem: str, suffix: str) -> Path:
        """Move a finished download to a folder of a real path, under a name that nobody has there; its path.

        Raises:
            TabwireError: it cannot be moved, with the reason.
        """
        origin = real_path(source.parent) or source.parent
        self._make_temporary(folder)
        with told_of(folder), open_folder(origin) as left, open_folder(folder, is_made=True) as entered:
            for number in range(MAX_NEW_NAMES):
                name = f"{stem}{f' ({number})' if number else ''}{suffix}"
                try:
                    entered.take(left, source.name, name)
                except FileExistsError:
                    continue
                return folder / name
        raise UnsupportedOperation(f"{folder} has {MAX_NEW_NAMES:,} files of this name; clear it")

    def may_replace(self, destination: Destination, status: os.stat_result) -> bool:
        """Whether a file that is there with this status may be replaced: where the client says so, or where it is ours."""
        path = destination.path
        return destination.overwrites or WrittenFiles(path.parent, self.notes).is_ours(path, status)

    def _note(self, path: Path, status: os.stat_result) -> None:
        try:
            WrittenFiles(path.parent, self.notes).note(path, status)
        except OSError as error:
            # The file is there; it is only not known as ours, and will not be replaced.
            log.warning("cannot note in %s that %s was written: %s", self.notes, path, error)

    def _make_temporary(self, folder: Path) -> None:
        """Our temporary folder is made here, where somebody else may make one of its name at the same moment."""
        place = self._temporary.path
        if folder.is_relative_to(place) and not self._temporary.make():
            raise PermissionDenied(f"{place} was made by somebody else, so tabwire does not use it; use a relative path")

    def contents(self, files: Sequence[str | UploadFile]) -> list[FileContent]:
        """Files as the extension wants them. Those at an address are fetched by it, once it is allowed.

        Raises:
            InvalidArgument: a file that does not exist, is too large or is not base64.
            PermissionDenied: a path outside the allowed folders.
        """
        return [self._content(file) for file in files]

    def _content(self, file: str | UploadFile) -> FileContent:
        place = file if isinstance(file, str) else file.path
        if place is not None and self.allowed(place).is_dir():
            return self._folder(self.allowed(place))
        if isinstance(file, str):
            return self._encoded(*self._read(file))
        if file.url is not None:
            return {"name": file.name or "", "mime_type": file.mime_type or "", "url": file.url}
        if file.path is not None:
            name, data = self._read(file.path)
        else:
            name, data = file.name or "file", _decode(file.base64 or "")
        return self._encoded(file.name or name, data, file.mime_type)

    def _folder(self, folder: Path) -> FileContent:
        """A folder for the browser to read, each file of which the client may read."""

        def refuse(error: OSError) -> None:
            raise error

        count = 0
        with told_of(folder):
            for parent, folders, names in os.walk(folder, onerror=refuse):
                count += len(names)
                if count > MAX_FOLDER_FILES:
                    raise InvalidArgument(f"{folder} has more than {MAX_FOLDER_FILES:,} files; give a folder in it")
                for name in (*folders, *names):
                    self.allowed(os.path.join(parent, name))
        if not count:
            raise InvalidArgument(f"{folder} has no files in it; give another folder")
        return {"name": folder.name, "mime_type": "", "folder": str(folder)}

    def _read(self, name: str) -> tuple[str, bytes]:
        path = self.allowed(name)
        with told_of(path), open_folder(path.parent) as folder:
            return path.name, folder.read(path.name, MAX_UPLOAD_BYTES)[0]

    @staticmethod
    def _encoded(name: str, data: bytes, mime_type: str | None = None) -> FileContent:
        return {"name": name, "mime_type": mime_type or mime_type_of(name), "base64": base64.b64encode(data).decode()}


def _decode(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise InvalidArgument(f"base64: {error}; give standard base64 without line breaks") from None
    if len(data) > MAX_UPLOAD_BYTES:
        raise InvalidArgument(f"base64: the file is over the limit of {MAX_UPLOAD_BYTES:,} bytes")
    return data
