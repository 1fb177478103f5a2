"""Files that were written for clients into folders that may hold others', too: what is listed, and what may be deleted.

A note is kept of each. A file that is no longer as it was noted is not ours any more and is left alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tabwire.disk import plain_files
from tabwire.wire.keys import write_private

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Note:
    path: str
    size: int
    modified_ns: int


class WrittenFiles:
    """The files of one folder.

    Args:
        folder: it need not exist.
        notes: where the notes of all such folders are.
    """

    def __init__(self, folder: Path, notes: Path) -> None:
        self.folder = folder
        self._notes = notes / hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]

    def holds(self, path: Path) -> bool:
        """Whether a file lies in the folder, links followed."""
        return path.resolve().is_relative_to(self.folder.resolve())

    def note(self, path: Path) -> None:
        """A file of the folder was written just now."""
        status = path.stat()
        note = {"path": str(path.resolve()), "size": status.st_size, "modified_ns": status.st_mtime_ns}
        write_private(self._note_of(path), json.dumps(note) + "\n")

    def listed(self) -> list[Facts]:
        """All files of the folder, the newest first: `name`, `path`, `size` in bytes, `modified` as ISO date."""
        if not self.folder.is_dir():
            return []
        found = [(path, path.stat()) for path in self.folder.iterdir() if path.is_file() and not path.is_symlink()]
        found.sort(key=lambda item: item[1].st_mtime_ns, reverse=True)
        return [
            {
                "name": path.name,
                "path": str(path),
                "size": status.st_size,
                "modified": datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds"),
            }
            for path, status in found
        ]

    def clear(self) -> int:
        """Delete those that were noted and are as they were; how many."""
        return sum(self._delete(file) for file in self._notes.glob("*.json")) if self._notes.is_dir() else 0

    def _delete(self, file: Path) -> bool:
        try:
            note = _Note(**json.loads(plain_files.read_text(file)))
        except (OSError, ValueError, TypeError):
            return False
        path = Path(note.path)
        is_deleted = False
        if not path.is_symlink() and self.holds(path) and _is_as_noted(path, note):
            try:
                os.unlink(path)
            except FileNotFoundError:
                is_deleted = False
            else:
                is_deleted = True
        file.unlink(missing_ok=True)
        return is_deleted

    def _note_of(self, path: Path) -> Path:
        return self._notes / f"{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:32]}.json"


def _is_as_noted(path: Path, note: _Note) -> bool:
    try:
        status = path.stat()
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (note.size, note.modified_ns)
