"""The index of sessions: made of the event log, and no worse for what happens to either."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from programs import environment
from tabwire.eventlog.writer import EventLog
from tabwire.surfaces.instrument.index import Index
from tabwire.surfaces.instrument.liveness import Living, is_alive

CREATED = {"viewport": "1280x720", "headless": True}


class Bridge:
    """What a bridge writes into the log."""

    def __init__(self, folder: Path, name: str = "b1") -> None:
        self.log = EventLog(folder / "events", {"version": "1"})
        self.name = name
        self.calls = 0

    def call(self, tool: str, session: str, name: str = "demo", *, started: bool = False, **facts: Any) -> None:
        self.calls += 1
        about = {"call": self.calls, "tool": f"browser_{tool}", "session_id": session, "session": name, "arguments": {}}
        if started:
            self.log.append({"event": "act_started", **about, **facts})
            return
        self.log.append({"event": "call", **about, "decision": "allowed", "outcome": "done", **facts})

    def create(self, session: str, name: str = "demo") -> None:
        self.call("session_create", session, name, bridge=self.name, details=CREATED)


@pytest.fixture
def bridge(tmp_path: Path) -> Bridge:
    return Bridge(tmp_path)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path / "sessions" / "index.sqlite", tmp_path / "events")


def types(index: Index, session: str) -> list[str]:
    return [event.event_type for event in index.events(session)]


def test_it_is_empty_without_a_log(index: Index) -> None:
    assert (index.sessions(10), index.latest("demo"), index.events("1")) == ([], None, [])


def test_sessions_and_events_come_out_of_the_log(bridge: Bridge, index: Index) -> None:
    bridge.create("1")
    bridge.call("inspect_dom", "1", details={"url": "http://a/", "truncated": False})
    bridge.call("session_escalate", "1", reason="to test")
    bridge.call("act_click", "1", reason="the button", details={"selector": "#a", "confidence": "low"})
    (one,) = index.sessions(10)
    assert (one.id, one.name, one.bridge, one.details, one.reason, one.closed) == ("1", "demo", "b1", CREATED, "to test", None)
    bridge.call("session_destroy", "1", details={})
    assert types(index, "1") == ["session_created", "dom_read", "session_escalated", "click", "session_destroyed"]
    clicked = index.events("1")[3]
    assert (clicked.reason, clicked.details) == ("the button", {"selector": "#a", "confidence": "low"})
    closed = index.latest("demo")
    assert closed is not None and closed.closed and closed.cause is None


def test_the_latest_session_of_a_name_counts(bridge: Bridge, index: Index) -> None:
    for number in ("1", "2", "3"):
        bridge.create(number)
        bridge.call("session_destroy", number)
    latest = index.latest("demo")
    assert latest is not None and latest.id == "3"
    assert [one.id for one in index.sessions(2)] == ["2", "3"], "the oldest are left out"


def test_an_end_that_nobody_asked_for_has_its_cause(bridge: Bridge, index: Index) -> None:
    bridge.create("1")
    bridge.log.append({"event": "session_ended", "session": "demo", "session_id": "1", "cause": "Its tab was closed."})
    known = index.latest("demo")
    assert known is not None and known.closed and known.cause == "Its tab was closed."
    assert index.events("1")[-1].details == {"cause": "Its tab was closed."}


def test_an_act_that_began_is_told_until_its_end_is_known(bridge: Bridge, index: Index) -> None:
    bridge.create("1")
    bridge.call("act_click", "1", started=True, reason="one")
    (began,) = index.events("1")[1:]
    assert began.event_type == "click" and "not known" in began.details["outcome"] and began.reason == "one"
    bridge.calls -= 1
    bridge.call("act_click", "1", reason="one", details={"confidence": "low"})
    (ended,) = index.events("1")[1:]
    assert ended.details == {"confidence": "low"}


def test_it_is_private(bridge: Bridge, index: Index, tmp_path: Path) -> None:
    bridge.create("1")
    index.sessions(1)
    if sys.platform != "win32":
        assert {file.stat().st_mode & 0o777 for file in (tmp_path / "sessions").iterdir()} == {0o600}
        assert (tmp_path / "sessions").stat().st_mode & 0o777 == 0o700


def _removed(path: Path) -> None:
    path.unlink()


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _overwritten(path: Path) -> None:
    path.write_bytes(b"no database at all " * 500)


def _torn(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))


def _of_another_version(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 77")
    db.close()


def _without_a_table(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE events")
    db.close()


@pytest.mark.parametrize("damage", [_removed, _emptied, _overwritten, _torn, _of_another_version, _without_a_table])
def test_a_damaged_index_is_made_anew(bridge: Bridge, index: Index, tmp_path: Path, damage: Callable[[Path], None]) -> None:
    bridge.create("1")
    bridge.call("inspect_text", "1")
    before = index.sessions(10), index.events("1")
    damage(tmp_path / "sessions" / "index.sqlite")
    assert (index.sessions(10), index.events("1")) == before
    bridge.call("inspect_console", "1")
    assert types(index, "1") == ["session_created", "text_read", "console_read"]


def test_a_line_that_is_being_written_is_taken_in_when_it_is_whole(bridge: Bridge, index: Index) -> None:
    bridge.create("1")
    path = bridge.log.path
    assert path is not None
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert index.sessions(10) == []
    path.write_bytes(whole)
    assert types(index, "1") == ["session_created"]


def test_lines_that_are_no_entries_are_passed_over(bridge: Bridge, index: Index) -> None:
    bridge.create("1")
    assert bridge.log.path is not None
    with bridge.log.path.open("ab") as file:
        file.write(b'{"session_id": 1}\n["session_id"]\n"session_id" \xff\n')
    bridge.call("inspect_text", "1")
    assert types(index, "1") == ["session_created", "text_read"]


def test_several_bridges_read_and_write_at_once(tmp_path: Path) -> None:
    bridges = [Bridge(tmp_path, f"b{number}") for number in range(4)]

    def work(number: int) -> list[str]:
        index = Index(tmp_path / "sessions" / "index.sqlite", tmp_path / "events")
        bridges[number].create(str(number), f"s{number}")
        for _ in range(10):
            bridges[number].call("inspect_text", str(number), f"s{number}")
            index.sessions(10)
        return types(index, str(number))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [["session_created", *["text_read"] * 10]] * 4


KILLED = """
import os, signal, sys
from pathlib import Path
from tabwire.eventlog.writer import EventLog
from tabwire.surfaces.instrument.liveness import Living
home = Path(sys.argv[1])
living, log = Living(home / "sessions"), EventLog(home / "events", {})
about = {"session_id": "1", "session": "demo", "arguments": {}, "bridge": living.id}
log.append({"event": "call", "call": 1, "tool": "browser_session_create", **about, "outcome": "done", "decision": "allowed"})
log.append({"event": "act_started", "call": 2, "tool": "browser_act_click", **about, "reason": "why"})
print(living.id, flush=True)
sys.stdin.read()
"""


def test_a_bridge_that_is_killed_is_known_to_be_gone(tmp_path: Path, index: Index) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stdout is not None
        bridge = process.stdout.readline().strip()
        assert is_alive(tmp_path / "sessions", bridge)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(30)
    assert not is_alive(tmp_path / "sessions", bridge)
    assert [path.suffix for path in (tmp_path / "sessions").iterdir()] == [], "its file is removed"
    assert types(index, "1") == ["session_created", "click"]
    known = index.latest("demo")
    assert known is not None and (known.bridge, known.closed) == (bridge, None)


def test_a_bridge_lives_until_it_is_closed(tmp_path: Path) -> None:
    living, other = Living(tmp_path), Living(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda _: is_alive(tmp_path, living.id), range(20)))
    living.close()
    assert not is_alive(tmp_path, living.id) and is_alive(tmp_path, other.id)
    other.close()
    assert not is_alive(tmp_path, "nobody")
