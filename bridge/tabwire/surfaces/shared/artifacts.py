"""Files that tools have saved (pictures, documents, recordings, captures), as MCP resources."""

import mimetypes
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from tabwire.disk.open_folders import DRAFT_PREFIX, open_folder
from tabwire.surfaces.shared.file_errors import told_of

SCHEME = "tabwire:///artifacts/"
MAX_LISTED = 500


@dataclass(frozen=True)
class Artifact:
    """A saved file."""

    uri: str
    path: Path
    mime_type: str
    size: int
    """Bytes."""
    modified: float
    """Epoch seconds."""


def mime_type_of(name: str) -> str:
    """The type of a file by its name."""
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


class Artifacts:
    """The files of the artifacts folder.

    Args:
        folder: where they lie; it need not exist.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def listed(self) -> list[Artifact]:
        """The newest ones, newest first."""
        return sorted(self._all(), key=lambda artifact: artifact.modified, reverse=True)[:MAX_LISTED]

    def at(self, path: Path) -> Artifact | None:
        """The artifact that is this file; None for a file elsewhere."""
        try:
            inside = path.resolve().relative_to(self.folder.resolve())
            status = path.stat()
        except (ValueError, OSError):
            return None
        return Artifact(SCHEME + quote(inside.as_posix()), path, mime_type_of(path.name), status.st_size, status.st_mtime)

    def find(self, uri: str) -> Artifact | None:
        """The artifact of that URI; None when there is none (any more)."""
        if not uri.startswith(SCHEME):
            return None
        path = self.folder / unquote(uri.removeprefix(SCHEME))
        # `Path.is_file` raises for names that no file can have.
        return self.at(path.resolve()) if os.path.isfile(path) else None

    def read(self, artifact: Artifact, limit: int) -> bytes:
        """The bytes of an artifact that was found.

        Raises:
            TabwireError: it is gone, larger than the limit, or something else by now.
        """
        with told_of(artifact.path), open_folder(artifact.path.parent) as folder:
            return folder.read(artifact.path.name, limit)[0]

    def _all(self) -> Iterator[Artifact]:
        if not self.folder.is_dir():
            return
        for path in self.folder.rglob("*"):
            artifact = self.at(path) if path.is_file() and not path.name.startswith(DRAFT_PREFIX) else None
            if artifact is not None:
                yield artifact
