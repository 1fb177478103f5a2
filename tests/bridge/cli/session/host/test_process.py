"""The process of a session before it serves: how it tells the command that has started it that it cannot."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from programs import environment
from tabwire import app
from tabwire.cli.session import frames
from tabwire.cli.session.host import process
from tabwire.errors import NoSuchTab, SessionNotCreated, only_told


def test_a_session_whose_command_has_gone_starts_without_a_traceback(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    script = "from tabwire.cli.session.host.process import _say; _say(b'ready')"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(tmp_path), stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_error_among_tasks_is_told_as_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    error, said = SessionNotCreated("no browser"), list[bytes]()
    group = BaseExceptionGroup("tasks", [BaseExceptionGroup("more", [error]), NoSuchTab("gone")])
    assert only_told(group) is error and only_told(BaseExceptionGroup("tasks", [error, ValueError()])) is None

    def failing(_: object) -> NoReturn:
        raise group

    monkeypatch.setattr(app, "prepare", failing)
    monkeypatch.setattr(process, "_say", said.append)
    monkeypatch.setattr(os, "umask", lambda _: 0)
    assert (process.main(["work"]), said) == (frames.FAILED, [b"no browser"])
