"""Sessions as processes: started by a command, healed, listed, ended. None of these commands gets as far as a browser."""

import contextlib
import os
import re
import signal
import socket
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bridge.command import User
from polling import until
from programs import command, environment, ran, ran_here

Run = Callable[..., subprocess.CompletedProcess[str]]
REFUSED = "invalid_argument: click: needs exactly one of selector or coordinates\n"
"""The reply to `tabwire click`, which is given before a browser is looked for."""


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs commands in a home of the test's own, whose sessions are ended with it. What a session says goes past Python's streams."""

    def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
        done = ran_here(*words, env=environment(tmp_path / "home", **env), cwd=tmp_path)
        said = capfd.readouterr()
        done.stdout, done.stderr = done.stdout + said.out, done.stderr + said.err
        return done

    yield run
    run("close", "--all")
    assert processes(run) == {}


def processes(run: Run) -> dict[str, int]:
    """The process of each session."""
    told = run("sessions").stdout
    return {name: int(number) for name, number in re.findall(r"^(\S+): process (\d+)", told, re.MULTILINE)}


def is_alive(number: int) -> bool:
    """Whether a process runs: not one that has ended and that nobody has looked after."""
    with contextlib.suppress(FileNotFoundError):
        return Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    return False


def test_the_first_command_starts_a_session_that_only_its_user_can_reach(run: Run, tmp_path: Path) -> None:
    assert run("sessions").stdout == ""
    done = run("click")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", REFUSED)
    folder = tmp_path / "home" / "shell"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {path.name: oct(stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir()} == {
        "default.sock": "0o600",
        "default.log": "0o600",
        "default.lock": "0o600",
    }
    assert re.fullmatch(r"default: process \d+, your browser, idle for \d+ s\n", run("sessions").stdout)
    first = processes(run)
    assert (run("click").stderr, processes(run)) == (REFUSED, first)
    assert run("close").returncode == 0
    assert run("sessions").stdout == ""
    # The connection is closed a moment before the system counts the process as ended.
    until(lambda: not is_alive(first["default"]))
    assert run("close").stderr == "tabwire: there is no session default\n"


def test_several_sessions_have_names_and_a_logout_ends_them(run: Run, tmp_path: Path) -> None:
    assert [run("click", "-s", name).stderr for name in ("one", "two", "three")] == [REFUSED] * 3
    found = processes(run)
    assert found.keys() == {"one", "two", "three"} and len({*found.values()}) == 3
    refused = run("-s", "one", "--launch", "title")
    assert refused.returncode == 2 and "session one works in your browser: `tabwire close` it first" in refused.stderr
    assert run("close", "-s", "one").returncode == 0 and processes(run).keys() == {"two", "three"}
    logouts = {"two": signal.SIGHUP, "three": signal.SIGTERM}
    for name, number in logouts.items():
        os.kill(found[name], number)
        until(lambda name=name: not is_alive(found[name]), says=f"{logouts[name].name} ends a session")
        assert f"{name}:" not in run("sessions").stdout, number
    assert list((tmp_path / "home" / "run").glob("*.json")) == []


def test_commands_that_come_at_once_share_the_session_that_one_of_them_starts(run: Run, tmp_path: Path) -> None:
    started = [
        subprocess.Popen(command("click"), env=environment(tmp_path / "home"), stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [one.communicate(timeout=60)[1] for one in started] == [REFUSED] * 3
    told = (tmp_path / "home" / "run").glob("*.json")
    assert len(list(told)) == 1


def test_a_killed_session_is_healed_by_the_next_command(run: Run) -> None:
    run("click")
    (number,) = processes(run).values()
    os.kill(number, signal.SIGKILL)
    until(lambda: not is_alive(number))
    assert run("sessions").stdout == "default: ended unexpectedly; `tabwire close -s default` forgets it\n"
    done = run("click")
    assert done.stderr == f"tabwire: session default had ended unexpectedly; a new one is started\n{REFUSED}"
    assert processes(run)["default"] != number
    (number,) = processes(run).values()
    os.kill(number, signal.SIGKILL)
    until(lambda: not is_alive(number))
    assert run("close").returncode == 0 and run("sessions").stdout == ""


def dying(folder: Path) -> threading.Thread:
    """A session that is being killed: it takes one more connection, and drops it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    (folder / "default.sock").unlink(missing_ok=True)
    listening.bind(str(folder / "default.sock"))
    listening.listen()

    def drop() -> None:
        line, _ = listening.accept()
        listening.close()
        line.close()

    thread = threading.Thread(target=drop, daemon=True)
    thread.start()
    return thread


def test_a_session_that_is_being_killed_has_ended(temp: Path) -> None:
    folder = temp / "home" / "shell"

    def at_once(*words: str) -> subprocess.CompletedProcess[str]:
        thread = dying(folder)
        done = ran(*words, env=environment(temp / "home"))
        thread.join(5)
        return done

    assert at_once("sessions").stdout == "default: ended unexpectedly; `tabwire close -s default` forgets it\n"
    assert at_once("close").returncode == 0 and list(folder.glob("*.sock")) == []
    healed = at_once("click").stderr
    ran("close", "--all", env=environment(temp / "home"))
    assert healed == f"tabwire: session default had ended unexpectedly; a new one is started\n{REFUSED}"


def test_a_session_that_nobody_uses_ends(run: Run) -> None:
    run("click", TABWIRE_SHELL_IDLE="1")
    (process,) = processes(run).values()
    until(lambda: not is_alive(process))
    assert run("sessions").stdout == ""


def test_without_a_browser_the_exit_code_is_3(run: Run) -> None:
    done = run("--launch", "title", TABWIRE_CHROMIUM="/bin/false")
    assert done.returncode == 3 and re.match(r"(session_not_created|not_connected): ", done.stderr), done.stderr


def test_the_doctor_names_sessions_and_uninstall_ends_them(tmp_path: Path) -> None:
    user = User(tmp_path)
    assert user.run("click").err == REFUSED
    (process,) = map(int, re.findall(r"process (\d+)", user.ok("sessions")))
    assert f"shell session default (process {process}) answers" in user.run("doctor").out
    assert "Would end the shell session default." in user.ok("uninstall", "--print") and is_alive(process)
    assert "Ended the shell session default." in user.ok("uninstall", "--all-data")
    until(lambda: not is_alive(process))
    assert not (user.home / ".tabwire").exists()


def test_wrong_settings_are_said_and_no_session_is_left(run: Run) -> None:
    done = run("title", TABWIRE_PORT="nothing")
    assert done.returncode == 1 and "configuration: port" in done.stderr
    assert run("sessions").stdout == ""


def test_a_broken_session_file_is_no_session(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "shell"
    folder.mkdir(parents=True, mode=0o755)
    (folder / "default.sock").write_text("")
    assert run("click").stderr.endswith(REFUSED)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_home_with_a_long_path_has_sessions_too(tmp_path: Path) -> None:
    """The address of a local socket has room for some 100 bytes."""
    env = environment(tmp_path / ("long" * 30) / "home")
    assert ran("click", env=env).stderr == REFUSED
    assert ran("close", env=env).returncode == 0
