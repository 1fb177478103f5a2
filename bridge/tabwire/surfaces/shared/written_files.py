"""Files that were written for clients into folders that may hold others', too: what is listed, deleted, replaced.

A note is kept of each. A file that is no longer as it was noted is not ours any more and is left alone.
"""

import hashlib
import json
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tabwire.disk import private_files
from tabwire.disk.open_folders import OpenFolder, open_folder
from tabwire.errors import InvalidArgument

Facts = dict[str, Any]
MAX_NOTE_BYTES = 100_000


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

    def note(self, path: Path, status: os.stat_result | None = None) -> None:
        """Keep a note of a file of the folder that was written just now.

        Args:
            path: the file.
            status: its status when it was written; default: that of now.
        """
        written = status or path.stat()
        note = {"path": str(path.resolve()), "size": written.st_size, "modified_ns": written.st_mtime_ns}
        private_files.make_own_folder(self._notes)
        private_files.write(self._note_of(path), json.dumps(note) + "\n")

    def is_ours(self, path: Path, status: os.stat_result) -> bool:
        """Whether a file with this status is one that was noted, as it was noted."""
        note = _read(self._note_of(path))
        return note is not None and note.path == str(path.resolve()) and _is_as_noted(status, note)

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
        note = _read(file)
        if note is None:
            return False
        path = Path(note.path)
        is_deleted = False
        # The path was the real one when the note was made; what is a link by now is not opened.
        if self.holds(path):
            with suppress(FileNotFoundError, NotADirectoryError), open_folder(path.parent) as folder:
                is_deleted = _delete(folder, path.name, note)
        file.unlink(missing_ok=True)
        return is_deleted

    def _note_of(self, path: Path) -> Path:
        return self._notes / f"{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:32]}.json"


def _read(file: Path) -> _Note | None:
    try:
        with open_folder(file.parent.resolve()) as folder:
            data, _ = folder.read(file.name, MAX_NOTE_BYTES)
        return _Note(**json.loads(data))
    except (OSError, ValueError, TypeError, InvalidArgument):
        return None


def _delete(folder: OpenFolder, name: str, note: _Note) -> bool:
    status = folder.status(name)
    if status is None or not _is_as_noted(status, note):
        return False
    folder.unlink(name)
    return True


def _is_as_noted(status: os.stat_result, note: _Note) -> bool:
    return stat.S_ISREG(status.st_mode) and (status.st_size, status.st_mtime_ns) == (note.size, note.modified_ns)
