"""`tabwire serve --launch`: the browser begins and ends with the server, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.client import Tabwire
from e2e.processes import processes_of, until_ended, until_gone
from programs import ran


def start(tmp_path: Path, temp: Path, *args: str) -> Tabwire:
    tabwire = Tabwire(
        ["--launch", "--headless", *args], {"TABWIRE_HOME": str(tmp_path / "home"), "TMPDIR": str(temp)}, tmp_path / "work"
    )
    tabwire.ok("tab_list")
    assert processes_of(temp)
    return tabwire


def end_of_stdin(tabwire: Tabwire) -> None:
    tabwire.close()


def sigint(tabwire: Tabwire) -> None:
    os.kill(tabwire.pid, signal.SIGINT)


def sigterm(tabwire: Tabwire) -> None:
    os.kill(tabwire.pid, signal.SIGTERM)


def sigkill(tabwire: Tabwire) -> None:
    tabwire.kill()


@pytest.mark.parametrize("end", [end_of_stdin, sigint, sigterm, sigkill])
def test_the_browser_ends_with_the_server_and_no_folder_is_left(
    end: Callable[[Tabwire], None], tmp_path: Path, temp: Path
) -> None:
    tabwire = start(tmp_path, temp)
    try:
        end(tabwire)
        until_ended(lambda: not tabwire.is_running(), says="the server ended")
        until_gone(temp)
    finally:
        tabwire.close()


def test_a_named_profile_is_kept(tmp_path: Path, temp: Path) -> None:
    profile = tmp_path / "profile"
    tabwire = start(tmp_path, temp, "--profile", str(profile))
    tabwire.close()
    until_ended(lambda: processes_of(profile), equals=[])
    assert (profile / "Default").is_dir()


def test_a_browser_that_ends_is_reported_with_the_next_step(tmp_path: Path, temp: Path) -> None:
    tabwire = start(tmp_path, temp)
    try:
        # All are looked at before one ends: the others follow it.
        commands = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in processes_of(temp)}
        for pid, command in commands.items():
            if b"--type=" not in command and b"reaper" not in command:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        reply = tabwire.fails("tab_list")
        assert "ended" in reply.text
        assert "Restart" in reply.text
    finally:
        tabwire.close()


def test_a_chromium_that_is_not_there_is_named(tmp_path: Path) -> None:
    tabwire = Tabwire(["--launch", "--chromium", "/nowhere/chrome"], {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path / "work")
    try:
        reply = tabwire.fails("tab_list")
        assert reply.code == "not_connected"
        assert "/nowhere/chrome" in reply.text
        assert "TABWIRE_CHROMIUM" in reply.text
    finally:
        tabwire.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["serve", "--toolset", "nothing"], "toolset"),
        (["serve", "--port", "80"], "port"),
        (["serve", "--nonsense"], "--nonsense"),
    ],
)
def test_a_bad_command_line_is_refused_with_the_reason(arguments: list[str], words: str, tmp_path: Path) -> None:
    done = ran(*arguments, home=tmp_path, timeout=30)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""
