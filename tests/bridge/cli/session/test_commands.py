"""The command's side of a session, with a session that answers as each test says."""

import logging
import os
import pty
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.cli.session.fake_session import Answer, FakeSession, fake_session
from programs import command, environment, ran, ran_here
from tabwire.cli.grammar.help import ABOUT_SESSIONS
from tabwire.cli.program import parser
from tabwire.cli.session import frames
from tabwire.cli.session.options import COMMANDS, OWN, asked_in, is_for_session, spelled_out
from tabwire.cli.session.own_commands import _COMMANDS
from tabwire.wire import peer_user


def says(code: int = 0, text: str = "", error: str = "") -> Answer:
    def answer(session: FakeSession, parts: list[str]) -> None:
        if text:
            session.say(frames.OUT, text)
        if error:
            session.say(frames.ERR, error)
        session.say(frames.END, str(code))

    return answer


def test_the_words_of_a_call_arrive_as_they_were_typed(tmp_path: Path) -> None:
    heard: list[str] = []

    def answer(session: FakeSession, parts: list[str]) -> None:
        heard.extend(parts)
        session.say(frames.OUT, "Filled\nwith ÄÖ")
        session.say(frames.END, "0")

    with fake_session(tmp_path, answer, "work"):
        done = ran("-s", "work", "--headless", "fill", "@e1", " a 'b'\n", "ü", home=tmp_path, cwd=tmp_path)
    assert heard == [frames.VERSION, str(tmp_path), "--headless", "fill", "@e1", " a 'b'\n", "ü"]
    assert (done.returncode, done.stdout, done.stderr) == (0, "Filled\nwith ÄÖ\n", "")


@pytest.mark.parametrize("code", [1, 2, 3])
def test_the_exit_code_is_the_sessions_and_errors_go_to_stderr(tmp_path: Path, code: int) -> None:
    with fake_session(tmp_path, says(code, error="no_such_element: nothing matches")):
        done = ran("click", "@e1", home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "no_such_element: nothing matches\n")


def test_a_command_that_has_a_session_imports_next_to_nothing(tmp_path: Path) -> None:
    """Neither mcp nor pydantic, and of the standard library one module in C: each would cost every command."""
    script = (
        "import sys; before = set(sys.modules); sys.argv[1:] = ['title']; from tabwire.__main__ import main; code = main(); "
        "print(code, *sorted(set(sys.modules) - before))"
    )
    with fake_session(tmp_path, says(text="Shop")):
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment(tmp_path), capture_output=True, text=True, check=True
        )
    title, loaded = done.stdout.splitlines()
    code, *modules = loaded.split()
    assert (title, code) == ("Shop", "0")
    assert [name for name in modules if name.split(".")[0] not in ("tabwire", "_socket", "__future__")] == []
    own = [name for name in modules if name.startswith("tabwire.") and not name.startswith("tabwire.cli.session")]
    assert own == ["tabwire.__main__", "tabwire.cli"]


def test_ctrl_c_withdraws_the_call_and_tells_what_became_of_it(tmp_path: Path) -> None:
    def answer(session: FakeSession, parts: list[str]) -> None:
        session.say(frames.OUT, "under way")
        kind, _ = session.heard() or (b"", b"")
        session.say(frames.ERR, "cancelled" if kind == frames.CANCEL else f"{kind!r}")
        session.say(frames.END, "130")

    with fake_session(tmp_path, answer):
        process = subprocess.Popen(
            command("click", "@e1"), env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout and process.stdout.readline() == "under way\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, "cancelled\n")


def test_a_reader_that_has_gone_is_no_traceback(tmp_path: Path) -> None:
    with fake_session(tmp_path, says(text="x" * 300_000)):
        line = f"{' '.join(command('snapshot'))} | head -c 3"
        done = subprocess.run(
            ["bash", "-c", f"{line}; exit ${{PIPESTATUS[0]}}"],
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert (done.returncode, done.stdout, done.stderr) == (1, "xxx", "")


def test_a_page_gives_no_orders_to_a_terminal(tmp_path: Path) -> None:
    own, theirs = pty.openpty()
    with fake_session(tmp_path, says(text="Sh\x1b]0;x\x07\x9b\x7f\rö\tp\r\n", error="\x1b[2J")):
        done = subprocess.run(command("title"), env=environment(tmp_path), stdin=theirs, stdout=theirs, stderr=theirs, timeout=60)
        piped = ran("title", home=tmp_path)
    shown = os.read(own, 100)
    os.close(own)
    os.close(theirs)
    assert (done.returncode, shown.replace(b"\r\n", b"\n").expandtabs(1).decode()) == (0, "Sh?]0;x????ö p\r\n\n?[2J\n")
    assert piped.stdout == "Sh?]0;x????ö\tp\n\n"


def test_a_session_that_ends_in_the_middle_of_a_call_is_said(tmp_path: Path) -> None:
    with fake_session(tmp_path, lambda session, parts: None):
        done = ran("click", "@e1", home=tmp_path)
    assert done.returncode == 1 and "ended before it answered: the act may have happened" in done.stderr


def test_a_file_is_copied_to_where_the_command_was_typed(tmp_path: Path) -> None:
    (tmp_path / "saved.png").write_bytes(b"picture")

    def answer(session: FakeSession, parts: list[str]) -> None:
        session.say(frames.COPY, str(tmp_path / "saved.png"), parts[-1])
        session.say(frames.END, "0")

    work = tmp_path / "work"
    work.mkdir()
    with fake_session(tmp_path / "home", answer):
        done = ran("screenshot", "-o", "x.png", home=tmp_path / "home", cwd=work)
        wrong = ran("screenshot", "-o", "nowhere/x.png", home=tmp_path / "home", cwd=work)
    assert (done.returncode, (work / "x.png").read_bytes()) == (0, b"picture")
    assert wrong.returncode == 1 and f"the file is {tmp_path / 'saved.png'}" in wrong.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["clikc"], "Did you mean click"),
        (["fill", "@e1"], "fill needs value; usage: tabwire fill SELECTOR VALUE"),
        (["-s", "../x", "title"], "is no name of a session"),
        (["-s", "work"], "no command is given"),
        (["completion", "tcsh"], "bash, zsh, fish"),
        (["batch"], "batch needs a file"),
        (["close", "work"], "close does not take 'work'; to end one session, type: tabwire close -s NAME"),
        (["sessions", "work"], "sessions does not take 'work'"),
    ],
)
def test_a_line_that_is_wrong_starts_no_session(tmp_path: Path, words: list[str], told: str) -> None:
    done = ran_here(*words, env=environment(tmp_path), cwd=tmp_path)
    assert done.returncode == 2 and told in done.stderr
    assert not (tmp_path / "shell").exists()


def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = ran("title", home=tmp_path / "file" / "home")
    assert done.returncode == 1 and "sessions cannot be kept in" in done.stderr and "Traceback" not in done.stderr
    gone = tmp_path / "gone"
    line = f"mkdir {gone}; cd {gone}; rmdir {gone}; {' '.join(command('title'))}"
    done = subprocess.run(["bash", "-c", line], env=environment(tmp_path), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "tabwire: the current folder is gone; change to another one\n")


def test_the_commands_that_need_no_session_are_those_there_are() -> None:
    (actions,) = [action for action in parser()._actions if action.choices and action.dest == "command"]
    assert set(actions.choices or ()) == set(OWN)
    assert {*OWN, *_COMMANDS} == set(COMMANDS) and [*_COMMANDS] == [spelled.split()[0] for spelled, _ in ABOUT_SESSIONS]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", False), ("serve --launch", False), ("--launch --headless", False), ("--tools core", False), ("--version", False),
        ("--help", False), ("doctor", False), ("title", True), ("-s work title", True), ("--session=work title", True),
        ("--launch --headless open x", True), ("-s work", True), ("title -s work", True), ("clikc", True),
    ],
)  # fmt: skip
def test_options_alone_are_those_of_serve(line: str, expected: bool) -> None:
    assert is_for_session(line.split()) is expected


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("help", "--help"), ("-s work --help", "--help"), ("help -s work", "--help"), ("help click", "click --help"),
        ("help serve", "serve --help"), ("-s work --help click", "click --help"), ("-s work click --help", "-s work click --help"), ("--launch --help", "--launch --help"),
        ("find help", "find help"), ("", ""),
    ],
)  # fmt: skip
def test_help_is_said_however_it_is_asked_for(line: str, meant: str) -> None:
    assert " ".join(spelled_out(line.split())) == meant


def test_help_needs_no_session(tmp_path: Path) -> None:
    lines = ("help", "-s work --help", "help click", "close --help")
    told = [ran_here(*line.split(), env=environment(tmp_path), cwd=tmp_path).stdout for line in lines]
    assert told[0] == told[1] and "end a session" in told[0]
    assert told[2].startswith("Usage: tabwire click") and told[3].startswith(
        "Usage: tabwire close [-s NAME] [--all]\n\nEnd a session"
    )


def test_what_cannot_be_said_in_utf8_is_said_all_the_same() -> None:
    near, far = socket.socketpair()
    with near, far:
        near.sendall(frames.frame(frames.OUT, "caf\u00e9 \ud83d", "\udcff"))
        near.sendall(frames.frame(frames.CALL, "\udcff"))
        reader = frames.Reader(far)
        assert [frames.parts_of((reader.read() or (b"", b""))[1]) for _ in range(2)] == [["caf\u00e9 ?", "?"], ["\udcff"]]
        assert peer_user.is_own_socket(near) is (True if sys.platform == "linux" else None)


def test_words_behind_two_dashes_are_the_commands() -> None:
    asked = asked_in(["fill", "@e1", "-s", "work", "--", "-s", "--help"])
    assert (asked.session, asked.words, asked.wants_help) == ("work", ["fill", "@e1", "--", "-s", "--help"], False)


def test_a_command_run_by_the_tests_own_process_silences_no_logs_of_the_next_tests(tmp_path: Path) -> None:
    done = ran_here("doctor", "--home", str(tmp_path / "home"), env=environment(), cwd=tmp_path)
    assert done.returncode == 1 and "The first that fails: " in done.stdout
    assert logging.getLogger("tabwire").isEnabledFor(logging.CRITICAL)
