"""`tabwire log`: it shows, exports and verifies the calls of a folder."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.eventlog.test_event_log import lines_of
from tabwire.cli.program import main
from tabwire.eventlog.writer import SUFFIX, EventLog

Captured = pytest.CaptureFixture[str]
Command = Callable[..., int]


@pytest.fixture
def head(tmp_path: Path) -> str:
    """The head of a log with a call of each of two clients."""
    log = EventLog(tmp_path / "events", {})
    for tool, client in (("click", "Claude"), ("fill", "Cursor")):
        log.append({"event": "call", "tool": tool, "client": client, "outcome": "done", "decision": "allowed"})
    log.close()
    return log.head[1]


@pytest.fixture
def command(tmp_path: Path, head: str) -> Command:
    return lambda *words: main(["log", "--home", str(tmp_path), *words])


def test_calls_of_a_client_are_shown(command: Command, capsys: Captured) -> None:
    assert command("show", "--client", "claude") == 0
    shown = capsys.readouterr().out
    assert "Claude: click → done" in shown
    assert "Cursor" not in shown


@pytest.mark.parametrize("action", ["show", "export"])
@pytest.mark.parametrize(("option", "wrong", "known"), [("client", "Clyde", "Claude, Cursor"), ("tool", "clikc", "click, fill")])
def test_a_name_that_no_call_has_is_refused_with_those_there_are(
    action: str, option: str, wrong: str, known: str, command: Command, capsys: Captured
) -> None:
    assert command(action, f"--{option}", wrong) == 2
    told = capsys.readouterr()
    assert f"{wrong!r}" in told.err and known in told.err and told.out == ""


def test_what_is_not_a_time_is_refused(command: Command, capsys: Captured) -> None:
    assert command("show", "--since", "yestreday") == 2
    assert "not a time: write 2026-03-01" in capsys.readouterr().err


def test_calls_since_a_time_are_shown(command: Command, capsys: Captured) -> None:
    assert command("show", "--since", "an hour ago", "--last", "9") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert command("show", "--since", "now") == 0
    assert "No calls in" in capsys.readouterr().out


def test_calls_of_a_tool_are_exported(command: Command, capsys: Captured) -> None:
    assert command("export", "--tool", "fill") == 0
    assert [json.loads(line)["tool"] for line in capsys.readouterr().out.splitlines()] == ["fill"]


def test_a_whole_log_is_verified(command: Command, head: str, capsys: Captured) -> None:
    assert command("verify", "--head", head) == 0
    assert head in capsys.readouterr().out


def test_a_log_that_was_cut_off_is_said_to_be(command: Command, head: str, tmp_path: Path, capsys: Captured) -> None:
    (path,) = (tmp_path / "events").glob(f"*{SUFFIX}")
    path.write_text("".join(lines_of(path)[:-1]))
    assert command("verify") == 1
    assert "cut off" in capsys.readouterr().out
    assert command("verify", "--head", head) == 1
