"""Files that tools read (uploads) and write (screenshots), confined to folders the user knows of."""

from __future__ import annotations

import base64
import binascii
import mimetypes
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.disk import private_files
from tabwire.errors import InvalidArgument, PermissionDenied
from tabwire.surfaces.shared.artifacts import Artifacts

if TYPE_CHECKING:
    from tabwire.commands.input import FileContent, UploadFile

MAX_UPLOAD_BYTES = 32 * 1024 * 1024
DEFAULT_MIME_TYPE = "application/octet-stream"


class Files:
    """The folders tools may touch.

    Args:
        artifacts: where relative paths land; created at the first write.
        folders: further folders that may be read and written.
    """

    def __init__(self, artifacts: Path, folders: Iterable[Path] = ()) -> None:
        self.artifacts = Artifacts(artifacts)
        self.folders = [artifacts, Path(tempfile.gettempdir()), *folders]
        self.roots: list[Path] = []
        """Folders the client works in, as it has told."""

    def allowed(self, name: str) -> Path:
        """The real path behind a name given by a client.

        Raises:
            InvalidArgument: it is no path.
            PermissionDenied: it lies outside the allowed folders.
        """
        path = _real(self.artifacts.folder, name)
        folders = [*self.folders, *self.roots]
        if any(path.is_relative_to(folder.resolve()) for folder in folders):
            return path
        raise PermissionDenied(
            f"{path} is outside the folders tabwire may use ({', '.join(str(folder) for folder in folders)}); "
            "use a relative path, or start tabwire with --files FOLDER"
        )

    def writable(self, name: str) -> Path:
        """A path that can be written to.

        Raises:
            PermissionDenied: outside the allowed folders.
            InvalidArgument: it is a folder.
        """
        path = self.allowed(name)
        if path.is_dir():
            raise InvalidArgument(f"{path} is a folder; give a file name")
        return path

    def write_base64(self, path: Path, data: str) -> int:
        """Write decoded bytes; returns how many."""
        content = base64.b64decode(data)
        try:
            private_files.write(path, content)
        except OSError as error:
            raise InvalidArgument(f"{path} cannot be written: {error.strerror}; name another file") from None
        return len(content)

    def contents(self, files: Sequence[str | UploadFile]) -> list[FileContent]:
        """Files as the extension wants them. Those at an address are fetched by it, once it is allowed.

        Raises:
            InvalidArgument: a file that does not exist, is too large or is not base64.
            PermissionDenied: a path outside the allowed folders.
        """
        return [self._content(file) for file in files]

    def _content(self, file: str | UploadFile) -> FileContent:
        if isinstance(file, str):
            return self._encoded(*self._read(file))
        if file.url is not None:
            return {"name": file.name or "", "mime_type": file.mime_type or "", "url": file.url}
        if file.path is not None:
            name, data = self._read(file.path)
        else:
            name, data = file.name or "file", _decode(file.base64 or "")
        return self._encoded(file.name or name, data, file.mime_type)

    def _read(self, name: str) -> tuple[str, bytes]:
        path = self.allowed(name)
        if not path.is_file():
            raise InvalidArgument(f"no such file {path}")
        if path.stat().st_size > MAX_UPLOAD_BYTES:
            raise InvalidArgument(f"{path} is over the limit of {MAX_UPLOAD_BYTES:,} bytes")
        return path.name, path.read_bytes()

    @staticmethod
    def _encoded(name: str, data: bytes, mime_type: str | None = None) -> FileContent:
        guessed = mime_type or mimetypes.guess_type(name)[0] or DEFAULT_MIME_TYPE
        return {"name": name, "mime_type": guessed, "base64": base64.b64encode(data).decode()}


def _real(folder: Path, name: str) -> Path:
    """The real path behind a name.

    Raises:
        InvalidArgument: no system has such a path.
    """
    try:
        path = (folder / Path(name).expanduser()).resolve()
        # Python looks for a file, and only some systems then say that none can have this name.
        path.lstat()
    except FileNotFoundError:
        return path
    except (OSError, RuntimeError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InvalidArgument(f"{name[:100]!r} is no path that can be used: {why}") from None
    return path


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise InvalidArgument(f"base64: {error}; give standard base64 without line breaks") from None
