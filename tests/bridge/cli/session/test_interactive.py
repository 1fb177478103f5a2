"""`tabwire shell` at a terminal, with a session that answers as each test says."""

import os
import pty
import stat
import subprocess
from pathlib import Path

import pytest

from bridge.cli.session.fake_session import FakeSession, fake_session
from polling import until
from programs import command, environment, ran_here
from tabwire.cli.grammar.suggestions import Elements
from tabwire.cli.session import frames, interactive, own_commands
from tabwire.cli.session.options import asked_in

REPLY = '- button "Save" [ref=@e7]'


class Terminal:
    """A person's terminal in which the shell runs."""

    def __init__(self, home: Path) -> None:
        self._own, theirs = pty.openpty()
        # A terminal that does not say where its cursor is would be asked for it.
        env = environment(home, TERM="xterm", PROMPT_TOOLKIT_NO_CPR="1")
        self.program = subprocess.Popen(command("shell"), env=env, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        self._seen = b""

    def type(self, text: str) -> None:
        os.write(self._own, text.encode())

    def until(self, text: str) -> None:
        """Read on until the terminal shows the text."""
        while text.encode() not in self._seen:
            self._seen += os.read(self._own, 4096)
        self._seen = self._seen.partition(text.encode())[2]

    def close(self) -> int:
        code = self.program.wait(60)
        os.close(self._own)
        return code


@pytest.mark.timeout(60)
def test_lines_are_completed_run_and_remembered_but_for_what_may_be_secret(tmp_path: Path) -> None:
    heard: list[list[str]] = []

    def answer(session: FakeSession, parts: list[str]) -> None:
        heard.append(parts[3:])
        session.say(frames.OUT, REPLY)
        session.say(frames.END, "0")

    with fake_session(tmp_path, answer):
        terminal = Terminal(tmp_path)
        terminal.until("tabwire>")
        terminal.type("snapshot\n")
        terminal.until(REPLY)
        terminal.until("tabwire>")
        terminal.type("click sav\t")
        terminal.until("'button")
        terminal.type("\n")
        until(lambda: len(heard), equals=2)
        terminal.type("fill @e7 hunter2\n")
        until(lambda: len(heard), equals=3)
        terminal.type("exit\n")
        assert terminal.close() == 0
    assert heard == [["snapshot"], ["click", 'button "Save"'], ["fill", "@e7", "hunter2"]]
    history = tmp_path / "shell/history"
    kept = history.read_text()
    assert "click 'button" in kept and "hunter2" not in kept
    assert stat.S_IMODE(history.stat().st_mode) == 0o600


def test_a_shell_needs_a_terminal(tmp_path: Path) -> None:
    done = ran_here("shell", env=environment(tmp_path), cwd=tmp_path)
    assert done.returncode == 2 and "tabwire batch -" in done.stderr


def test_a_line_that_is_wrong_runs_nothing_and_the_next_one_runs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = iter(["clik @e1", "fill 'open", "-s other title", "help click", "help", "# no command", "click @e1"])
    heard: list[list[str]] = []

    def answer(session: FakeSession, parts: list[str]) -> None:
        heard.append(parts[3:])
        session.say(frames.END, "1")

    def ask() -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    with pytest.MonkeyPatch.context() as patch, fake_session(tmp_path, answer):
        patch.setenv("TABWIRE_HOME", str(tmp_path))
        assert interactive.follow(ask, asked_in(["shell"]), "/", Elements(), own_commands.run) == 1
    told = capfd.readouterr()
    assert heard == [["click", "@e1"]]
    assert "Did you mean click" in told.err and "No closing quotation" in told.err and "options of batch and shell" in told.err
    assert "Usage: tabwire click" in told.out and "in the browser, through a session" in told.out
