"""Appends to the log: one file a process and day, readable by its owner only, never rewritten.

Beside each file `NAME.jsonl` a small one, `NAME.head`, holds number and hash of its last line: a file that was cut off at its end
is a sound chain, only a shorter one than was said. The first line of a file names the file before it and that one's head.
"""

import logging
import os
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tabwire.disk import plain_files, private_files
from tabwire.eventlog.entry import GENESIS, seal

SUFFIX = ".jsonl"
HEAD = ".head"
MAX_FILE_BYTES = 32 * 1024 * 1024
"""A file that is larger is followed by a new one."""

log = logging.getLogger(__name__)


class EventLog:
    """The log of this process. Nothing is made on disk before the first event.

    Args:
        folder: where the files are.
        about: facts for the first line of each file, such as the version.
        max_bytes: see `MAX_FILE_BYTES`.
    """

    def __init__(self, folder: Path, about: Mapping[str, Any], *, max_bytes: int = MAX_FILE_BYTES) -> None:
        self._folder = folder
        self._about = dict(about)
        self._max_bytes = max_bytes
        self._file: int | None = None
        self._head_file: int | None = None
        self._day = ""
        self._written = 0
        self._seq = 0
        self._head = GENESIS
        self._failed = ""
        self.path: Path | None = None
        """The file written to now."""

    @property
    def head(self) -> tuple[int, str]:
        """Number of lines in the file, and the hash of the last."""
        return self._seq, self._head

    @property
    def problem(self) -> str | None:
        """Reason why the last event could not be written; None when it was."""
        return self._failed or None

    def append(self, event: Mapping[str, Any]) -> None:
        """Write one event; `time` is added.

        A disk that cannot be written to is said on stderr and in `problem`, and does not fail the call: whether a client may
        work without a log is policy, and not decided here.
        """
        now = datetime.now(UTC)
        try:
            if self._file is None or now.date().isoformat() != self._day or self._written > self._max_bytes:
                self._begin(now)
            self._write({"time": now.isoformat(timespec="milliseconds"), **event})
            self._failed = ""
        except OSError as error:
            # A part of a line may be there: what follows goes into a file of its own.
            self.close()
            if not self._failed:
                log.error("the event log cannot be written: %s", error)
            self._failed = f"the event log cannot be written: {error}"

    def close(self) -> None:
        """Write no more."""
        for descriptor in (self._file, self._head_file):
            if descriptor is not None:
                os.close(descriptor)
        self._file = self._head_file = None

    def _begin(self, now: datetime) -> None:
        before = self._before()
        self.close()
        private_files.make_own_folder(self._folder)
        self._day = now.date().isoformat()
        # Files of one day sort by the time they were begun at.
        name = f"{now:%Y-%m-%dT%H%M%S}.{now.microsecond:06d}Z-{os.getpid()}-{secrets.token_hex(2)}"
        self.path = self._folder / (name + SUFFIX)
        self._file = private_files.create(self.path, os.O_WRONLY | os.O_APPEND)
        self._head_file = private_files.create(self.path.with_suffix(HEAD))
        self._seq, self._head, self._written = 0, GENESIS, 0
        opened = {"time": now.isoformat(timespec="milliseconds"), "event": "log_opened", "pid": os.getpid(), **self._about}
        self._write(opened if before is None else {**opened, "before": before})

    def _before(self) -> dict[str, str] | None:
        """The file that this one follows: the last of ours, else the last that anybody has begun here."""
        if self.path is not None:
            return {"file": self.path.name, "head": self._head}
        heads = sorted(path for path in self._folder.glob(f"*{HEAD}") if path.is_file())
        for head in reversed(heads):
            said = plain_files.read_text(head).split()
            if len(said) == 2:
                return {"file": head.with_suffix(SUFFIX).name, "head": said[1]}
        return None

    def _write(self, event: Mapping[str, Any]) -> None:
        assert self._file is not None
        assert self._head_file is not None
        line, digest = seal(self._seq, self._head, event)
        content = line.encode()
        # One write: a process that is killed has written all of the line, or a part of it as the last one.
        if os.write(self._file, content) != len(content):
            raise OSError("the disk took only a part of a line")
        self._seq, self._head = self._seq + 1, digest
        self._written += len(content)
        os.lseek(self._head_file, 0, os.SEEK_SET)
        os.write(self._head_file, b"%020d %s" % (self._seq, digest.encode()))
