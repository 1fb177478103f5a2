"""The start of a session and its end, where something comes between. No session of these tests is a real one."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from bridge.cli.session.fake_session import fake_session
from programs import ran
from tabwire.cli import uninstall_command
from tabwire.cli.session import frames, own_commands, places, start, start_lock
from tabwire.cli.session.options import asked_in

Started = list[subprocess.Popen[bytes]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a folder of sessions, whose programs never say that they are ready, and end only when they are told to."""
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\ntrap '' PIPE\nwhile :; do printf x; sleep 0.01; done\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    (tmp_path / "shell").mkdir(mode=0o700)
    return tmp_path


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[Started]:
    """The processes that a test starts."""
    found: Started = []
    popen: Any = subprocess.Popen

    def starting(*words: Any, **options: Any) -> subprocess.Popen[bytes]:
        found.append(popen(*words, **options))
        return found[-1]

    monkeypatch.setattr(start.subprocess, "Popen", starting)
    yield found
    for one in found:
        one.kill()
        one.wait(10)
        if one.stdout:
            one.stdout.close()


def test_ctrl_c_while_a_session_starts_ends_it(home: Path, started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(start, "_told", interrupted)
    with pytest.raises(KeyboardInterrupt):
        start._spawn(asked_in(["title"]))
    assert [one.returncode for one in started] == [-signal.SIGTERM]


def test_a_start_has_one_limit_however_much_is_said(home: Path, started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "START_LIMIT_S", 0.1)
    assert start._spawn(asked_in(["title"]))
    assert [one.returncode for one in started] == [-signal.SIGTERM]


def test_a_command_does_not_wait_for_ever_for_another_that_starts_the_session(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with start_lock.alone("default"):
        with monkeypatch.context() as limited:
            limited.setattr(start_lock, "LIMIT_S", 0.05)
            assert start.session(asked_in(["title"]), "/") == frames.FAILED
        with start_lock.alone("other"):
            pass
    assert "session default is still being started by other commands; " in capsys.readouterr().err


def test_a_timer_of_the_process_goes_on_after_the_lock(home: Path) -> None:
    of_pytest = signal.setitimer(signal.ITIMER_REAL, 50, 7)
    try:
        with start_lock.alone("default"):
            left, interval = signal.getitimer(signal.ITIMER_REAL)
    finally:
        signal.setitimer(signal.ITIMER_REAL, *of_pytest)
    assert 0 < left <= 50 and interval == 7


def test_a_folder_to_which_others_may_write_is_refused(tmp_path: Path) -> None:
    with fake_session(tmp_path, lambda session, parts: session.say(frames.END, "0")):
        (tmp_path / "shell").chmod(0o777)
        told = [ran(command, home=tmp_path) for command in ("title", "close")]
        listed = ran("sessions", home=tmp_path).stdout
    assert [one.returncode for one in told] == [1, 1]
    assert all("session default cannot be reached: other users may write to the folder" in one.stderr for one in told)
    assert listed.startswith("default: cannot be reached: other users")


def test_a_session_that_was_started_anew_meanwhile_is_not_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    with fake_session(tmp_path, lambda session, parts: None):
        assert own_commands._forget("default", ConnectionRefusedError()) == frames.FAILED
        assert places.sessions() == ["default"]
    assert own_commands.close("default") == frames.DONE and places.sessions() == []
    assert own_commands._forget("default", ConnectionRefusedError()) == frames.DONE
    said = capsys.readouterr().err
    assert "another command has just started it" in said and said.endswith("there is no session default\n")


def test_uninstall_says_which_session_it_could_not_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(places, "sessions", lambda: ["one", "two"])
    monkeypatch.setattr(own_commands, "close", lambda name: frames.FAILED if name == "two" else frames.DONE)
    uninstall_command._end_sessions(only_print=False)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Ended the shell session one." and said[1].startswith("The shell session two could not be ended")
