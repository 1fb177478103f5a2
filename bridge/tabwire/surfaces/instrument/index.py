"""SQLite index of all sessions and their events, over the files of the event log.

The log is the truth, the index is made of it: each read first takes in what bridges have written since the last one. So it
survives whatever ends a bridge, several bridges use it at once, and where it is missing or damaged it is made anew. Its calls
block: they are for worker threads.
"""

import json
import logging
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabwire.disk import plain_files, private_files
from tabwire.eventlog import reader
from tabwire.eventlog.entry import Malformed, unseal
from tabwire.surfaces.instrument.events import SESSION_ENDED, Event, event_of

VERSION = 1
BUSY_SECONDS = 10.0
_MARK = b'"session_id"'
_TABLES = """
CREATE TABLE IF NOT EXISTS sources (file TEXT PRIMARY KEY, taken INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, bridge TEXT NOT NULL, created TEXT NOT NULL, details TEXT NOT NULL,
    escalated TEXT, reason TEXT, closed TEXT, cause TEXT
);
CREATE INDEX IF NOT EXISTS sessions_by_name ON sessions (name, created);
CREATE TABLE IF NOT EXISTS events (
    file TEXT NOT NULL, seq INTEGER NOT NULL, session TEXT NOT NULL, call INTEGER, is_start INTEGER NOT NULL, time TEXT NOT NULL,
    type TEXT NOT NULL, name TEXT NOT NULL, details TEXT NOT NULL, reason TEXT, PRIMARY KEY (file, seq)
);
CREATE INDEX IF NOT EXISTS events_by_session ON events (session, file, seq);
"""
_EVENTS = """
SELECT time, type, name, details, reason FROM events AS event WHERE session = ? AND NOT (is_start AND EXISTS (
    SELECT 1 FROM events AS ended WHERE ended.session = event.session AND ended.call = event.call AND NOT ended.is_start
)) ORDER BY file, seq
"""
"""The beginning of an act counts only as long as its end is not known."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Known:
    """A session as the log knows it. Whether its bridge still lives is another question."""

    id: str
    name: str
    bridge: str
    created: str
    details: Mapping[str, Any]
    escalated: str | None
    """Time of its escalation; None: there was none."""
    reason: str | None
    """Reason for its escalation."""
    closed: str | None
    cause: str | None
    """Reason why it was closed, where nobody has asked for that."""

    @property
    def end(self) -> str:
        """The reason for its end where its bridge does not live; empty where it was asked for."""
        return self.cause or ("" if self.closed else "The bridge it belonged to has ended.")


class Index:
    """The index.

    Args:
        path: its file; others of SQLite's lie beside it.
        events: the folder of the event log.
    """

    def __init__(self, path: Path, events: Path) -> None:
        self._path = path
        self._events = events

    def sessions(self, limit: int) -> list[Known]:
        """The latest ones, the oldest first."""
        rows = self._read(f"SELECT {_COLUMNS} FROM sessions ORDER BY created DESC, rowid DESC LIMIT ?", limit)
        return [_known(row) for row in reversed(rows)]

    def latest(self, name: str) -> Known | None:
        """The last session of that name."""
        rows = self._read(f"SELECT {_COLUMNS} FROM sessions WHERE name = ? ORDER BY created DESC, rowid DESC LIMIT 1", name)
        return _known(rows[0]) if rows else None

    def events(self, session_id: str) -> list[Event]:
        """All events of a session, in order."""
        rows = self._read(_EVENTS, session_id)
        return [Event(time, kind, name, json.loads(details), reason) for time, kind, name, details, reason in rows]

    def _read(self, query: str, value: object) -> list[Any]:
        """Rows of an index that is up to date; a damaged one is made anew, once."""
        try:
            return self._rows(query, value)
        except sqlite3.DatabaseError as error:
            if not _is_damage(error):
                raise
            log.warning("the index of sessions (%s) is damaged and is made anew from the event log: %s", self._path, error)
        self._remove()
        return self._rows(query, value)

    def _rows(self, query: str, value: object) -> list[Any]:
        with self._opened() as db:
            self._catch_up(db)
            return db.execute(query, (value,)).fetchall()

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        private_files.make_own_folder(self._path.parent)
        # SQLite gives the files beside it the same mode.
        with suppress(FileExistsError):
            os.close(private_files.create(self._path, os.O_RDWR))
        with closing(sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None)) as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, VERSION):
                raise sqlite3.DatabaseError(f"it is of version {version}")
            if version == 0:
                # Another bridge may be just about it.
                with suppress(sqlite3.OperationalError):
                    db.execute("PRAGMA journal_mode = WAL")
                db.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
            db.execute("PRAGMA synchronous = NORMAL")
            yield db

    def _remove(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{self._path}{suffix}").unlink()

    def _catch_up(self, db: sqlite3.Connection) -> None:
        """Take in what the files of the log have grown by."""
        taken: dict[str, int] = dict(db.execute("SELECT file, taken FROM sources").fetchall())
        grown = [path for path in reader.files(self._events) if _size(path) != taken.get(path.name, 0)]
        if not grown:
            return
        with db:
            db.execute("BEGIN IMMEDIATE")
            # Another bridge may have done it meanwhile.
            taken = dict(db.execute("SELECT file, taken FROM sources").fetchall())
            for path in grown:
                _take_in(db, path, taken.get(path.name, 0))


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether SQLite's error means a damaged file. Most operational ones do not: locked for too long, or a disk that is full."""
    words = ("no such table", "no such column", "malformed")
    return not isinstance(error, sqlite3.OperationalError) or any(each in str(error) for each in words)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _take_in(db: sqlite3.Connection, path: Path, taken: int) -> None:
    size = _size(path)
    start = taken if taken <= size else 0
    with plain_files.opened(path) as file:
        file.seek(start)
        data = file.read(size - start)
    # A line that is still being written is left for the next time.
    whole = data[: data.rfind(b"\n") + 1]
    for line in whole.splitlines():
        if _MARK in line:
            _note(db, path.name, line)
    db.execute("INSERT OR REPLACE INTO sources VALUES (?, ?)", (path.name, start + len(whole)))


def _note(db: sqlite3.Connection, file: str, line: bytes) -> None:
    try:
        read = unseal(line.decode("ascii"))
        entry = read.event
        event = event_of(entry)
    except (Malformed, UnicodeDecodeError, KeyError, TypeError, AttributeError):
        # `tabwire log verify` says which lines are not as they were written.
        return
    if event is None:
        return
    is_start = entry["event"] == "act_started"
    details = json.dumps(event.details, ensure_ascii=False)
    row = (file, read.seq, entry["session_id"], entry.get("call"), is_start, event.timestamp)
    db.execute(
        "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*row, event.event_type, event.session, details, event.reason),
    )
    if not is_start:
        _note_session(db, entry, event, details)


def _note_session(db: sqlite3.Connection, entry: Mapping[str, Any], event: Event, details: str) -> None:
    which = entry["session_id"]
    if event.event_type == "session_created":
        values: Sequence[Any] = (which, event.session, entry.get("bridge", ""), event.timestamp, details)
        db.execute("INSERT OR IGNORE INTO sessions (id, name, bridge, created, details) VALUES (?, ?, ?, ?, ?)", values)
    elif event.event_type == "session_escalated":
        db.execute("UPDATE sessions SET escalated = ?, reason = ? WHERE id = ?", (event.timestamp, event.reason, which))
    elif event.event_type == "session_destroyed":
        cause = entry.get("cause") if entry["event"] == SESSION_ENDED else None
        db.execute("UPDATE sessions SET closed = ?, cause = ? WHERE id = ?", (event.timestamp, cause, which))


_COLUMNS = "id, name, bridge, created, details, escalated, reason, closed, cause"


def _known(row: Sequence[Any]) -> Known:
    which, name, bridge, created, details, *rest = row
    return Known(which, name, bridge, created, json.loads(details), *rest)
