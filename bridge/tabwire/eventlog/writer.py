"""Appends to the log: one file a process and day, readable by its owner only, never rewritten.

Beside each file `NAME.jsonl` a small one, `NAME.head`, holds number and hash of its last line: a file that was cut off at its end
is a sound chain, only a shorter one than was said. The first line of a file names the file before it and that one's head, and has
the file's number; `LogCount` says how many were begun.

Lines that cannot be written are counted. The next one that can be is preceded by one that says how many are missing.
"""

import logging
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tabwire.disk import plain_files, private_files
from tabwire.eventlog.entry import GENESIS, seal
from tabwire.eventlog.log_count import Counts, LogCount

SUFFIX = ".jsonl"
HEAD = ".head"
GAP = "log_gap"
"""Event of a line that stands for `lines` others, `acts` of which begin an act."""
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
        self._count = LogCount(folder)
        self._file: int | None = None
        self._head_file: int | None = None
        self._day = ""
        self._written = 0
        self._seq = 0
        self._acts = 0
        self._head = GENESIS
        self._failed = ""
        self._unsaved = Counts()
        """Lost lines that could not even be counted on disk."""
        self._reason = ""
        """Cause of the last loss."""
        self.lost = Counts()
        """Lines of this process that are in no file."""
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
        timed = {"time": now.isoformat(timespec="milliseconds"), **event}
        is_act = event.get("event") == "act_started"
        try:
            if self._file is not None and not self._is_in_place():
                self._leave_removed_file()
            if self._file is None or now.date().isoformat() != self._day or self._written > self._max_bytes:
                self._begin(now, timed)
            elif self._failed:
                self._go_on(now, timed)
            else:
                self._write([timed])
            self._failed = ""
            self._acts += is_act
        except OSError as error:
            if not self._failed:
                log.error("the event log cannot be written: %s", error)
            self._failed = f"the event log cannot be written: {error.strerror or error} ({self._folder})"
            self._lose(1, int(is_act), str(error.strerror or error))

    @property
    def loss(self) -> str | None:
        """The lines that are missing in the log, in words; None where none is."""
        if not self.lost.lost_lines:
            return self.problem
        missing = f"{self.lost.lost_lines} lines of this program, {self.lost.lost_acts} of them the beginning of an act, are lost"
        return f"{self._failed}; {missing}" if self._failed else f"{missing}, which its next line says"

    def close(self) -> None:
        """Write no more."""
        for descriptor in (self._file, self._head_file):
            if descriptor is not None:
                os.close(descriptor)
        self._file = self._head_file = None

    def _is_in_place(self) -> bool:
        """Whether the file is where it was made: what is written to a removed one is lost without a word."""
        assert self._file is not None
        assert self.path is not None
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._file))
        except FileNotFoundError:
            return False

    def _leave_removed_file(self) -> None:
        assert self._file is not None
        # One that was only moved away has its lines still.
        if os.fstat(self._file).st_nlink == 0:
            self._lose(self._seq, self._acts, "their file was removed")
        log.error("the file of the event log was removed or moved (%s): it goes on in a new one", self.path)
        self.close()

    def _lose(self, lines: int, acts: int, reason: str) -> None:
        self._reason = reason
        self.lost.lost_lines += lines
        self.lost.lost_acts += acts
        self._unsaved.lost_lines += lines
        self._unsaved.lost_acts += acts
        with suppress(OSError):
            with self._count.changing() as counts:
                counts.lost_lines += self._unsaved.lost_lines
                counts.lost_acts += self._unsaved.lost_acts
            # Only now they are on the disk.
            self._unsaved = Counts()

    def _begin(self, now: datetime, event: Mapping[str, Any]) -> None:
        """Begin a file with its first line, what was lost, and an event."""
        before = self._before()
        self.close()
        private_files.make_own_folder(self._folder)
        with self._count.changing() as counts:
            gap = self._gap(counts, now)
            counts.begun += 1
            opened = {
                "time": now.isoformat(timespec="milliseconds"),
                "event": "log_opened",
                "pid": os.getpid(),
                "file_number": counts.begun,
                **self._about,
            }
            self._create(now)
            try:
                self._write([opened if before is None else {**opened, "before": before}])
                self._write([*gap, event])
            except OSError:
                # A file for each failure would be left.
                self._discard()
                raise
        self._unsaved = Counts()

    def _go_on(self, now: datetime, event: Mapping[str, Any]) -> None:
        """Say in the file what is missing before an event."""
        with self._count.changing() as counts:
            self._write([*self._gap(counts, now), event])
        self._unsaved = Counts()

    def _gap(self, counts: Counts, now: datetime) -> list[dict[str, Any]]:
        """The line that reports everything lost so far, if anything was; resets the counts."""
        lines, acts = counts.lost_lines + self._unsaved.lost_lines, counts.lost_acts + self._unsaved.lost_acts
        counts.lost_lines = counts.lost_acts = 0
        gap = {"time": now.isoformat(timespec="milliseconds"), "event": GAP, "lines": lines, "acts": acts}
        return [{**gap, **({"reason": self._reason} if self._reason else {})}] if lines else []

    def _create(self, now: datetime) -> None:
        self._day = now.date().isoformat()
        # Files of one day sort by the time they were begun at.
        name = f"{now:%Y-%m-%dT%H%M%S}.{now.microsecond:06d}Z-{os.getpid()}-{secrets.token_hex(2)}"
        path = self._folder / (name + SUFFIX)
        file = private_files.create(path, os.O_WRONLY | os.O_APPEND)
        try:
            self._head_file = private_files.create(path.with_suffix(HEAD))
        except OSError:
            os.close(file)
            path.unlink(missing_ok=True)
            raise
        self._file, self.path = file, path
        self._seq, self._acts, self._head, self._written = 0, 0, GENESIS, 0

    def _discard(self) -> None:
        assert self.path is not None
        self.close()
        for path in (self.path, self.path.with_suffix(HEAD)):
            with suppress(OSError):
                path.unlink(missing_ok=True)
        self.path = None

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

    def _write(self, events: list[Mapping[str, Any]]) -> None:
        """Write lines, all of them or none."""
        assert self._file is not None
        assert self._head_file is not None
        seq, head, content = self._seq, self._head, b""
        for event in events:
            line, head = seal(seq, head, event)
            seq, content = seq + 1, content + line.encode()
        try:
            # One write: a process that is killed has written all of the line, or a part of it as the last one.
            if os.write(self._file, content) != len(content):
                raise OSError("the disk took only a part of a line")
            os.lseek(self._head_file, 0, os.SEEK_SET)
            os.write(self._head_file, b"%020d %s" % (seq, head.encode()))
        except OSError:
            self._take_back()
            raise
        self._seq, self._head, self._written = seq, head, self._written + len(content)

    def _take_back(self) -> None:
        """Cut off what a failed write has left of a line, so that the next one follows the last whole one."""
        assert self._file is not None
        try:
            os.ftruncate(self._file, self._written)
        except OSError:
            # The next line starts a new file.
            self.close()
