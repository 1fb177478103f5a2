"""`tabwire codegen` with a session that says which steps there are."""

import io
import json
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from bridge.cli.session.fake_session import FakeSession, fake_session
from programs import command, environment, ran_here
from tabwire.cli.session import frames
from tabwire.cli.session.codegen import _Recording
from tabwire.cli.session.options import Asked

STEPS = [
    {"number": 1, "method": "navigation.navigate", "params": {"url": "https://a.example/"}, "tab": 1},
    {"number": 2, "method": "input.press", "params": {"key": "Enter"}, "tab": 1},
]
LINES = ['tabwire.navigate("https://a.example/")', 'tabwire.press("Enter")']


class Recorder:
    """A session with two steps, and then the end of the recording, unless `waits`. Its tab is in front if `is_shown`."""

    def __init__(self, *, waits: bool = False, is_shown: bool = True) -> None:
        self.waits = waits
        self.is_shown = is_shown
        self.heard: list[list[str]] = []

    def answer(self, session: FakeSession, parts: list[str]) -> None:
        words = parts[3:]
        self.heard.append(words)
        ends = {} if self.waits else {"ended": "its tab was closed"}
        data: dict[str, Any] = {"tabId": 1, "recording": self.waits, "steps": [], "lines": [], **ends}
        if words[:2] == ["record-steps", "start"]:
            data = {**data, "recording": True}
        elif words[0] == "tab-list":
            data = {
                "tabs": [{"tabId": 9, "current": False, "active": True}, {"tabId": 1, "current": True, "active": self.is_shown}]
            }
        elif words[0] == "record-steps":
            data = {**data, "steps": STEPS, "lines": LINES}
        session.say(frames.OUT, json.dumps({"success": True, "data": data}))
        session.say(frames.END, "0")


def codegen(home: Path, *words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command("codegen", *words),
        env=environment(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_ends_with_its_tab_and_writes_the_test(tmp_path: Path) -> None:
    recorder = Recorder()
    with fake_session(tmp_path, recorder.answer):
        said, problems = codegen(tmp_path, "https://a.example/", "-o", "test_order.py").communicate(timeout=30)
    assert problems == ""
    assert [words[:2] for words in recorder.heard] == [
        ["navigate", "https://a.example/"],
        ["tab-list", "--json"],
        ["record-steps", "start"],
        ["record-steps", "read"],
        ["record-steps", "stop"],
    ]
    assert said.splitlines()[1:] == [
        *(f"  {line}" for line in LINES),
        "The recording has ended: its tab was closed",
        "Written to test_order.py",
    ]
    text = (tmp_path / "test_order.py").read_text()
    assert "def test_order(tabwire):\n    " + "\n    ".join(LINES) in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shell", "test_order.py"]


def test_without_a_file_the_test_alone_is_printed(tmp_path: Path) -> None:
    with fake_session(tmp_path, Recorder().answer):
        said, problems = codegen(tmp_path, "--language", "batch").communicate(timeout=30)
    assert said.splitlines()[1:] == ["open https://a.example/", "press Enter"]
    assert f"  {LINES[1]}\n" in problems


def test_the_tab_of_the_session_is_shown_before_the_recording_begins(tmp_path: Path) -> None:
    recorder = Recorder(is_shown=False)
    with fake_session(tmp_path, recorder.answer):
        codegen(tmp_path, "https://a.example/").communicate(timeout=30)
    assert [words[:2] for words in recorder.heard[:4]] == [
        ["navigate", "https://a.example/"],
        ["tab-list", "--json"],
        ["tab-switch", "1"],
        ["record-steps", "start"],
    ]


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    recorder = Recorder(waits=True)
    with fake_session(tmp_path, recorder.answer):
        process = codegen(tmp_path, "-o", "test_order.py")
        assert process.stdout
        said = ""
        while LINES[1] not in said:
            said += process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 0
    assert LINES[1] in (tmp_path / "test_order.py").read_text()


def test_ctrl_c_before_the_wait_ends_it_as_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(threading.Thread, "start", lambda _: signal.raise_signal(signal.SIGINT))
    _Recording(Asked(), str(tmp_path), io.StringIO()).follow()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "kept.py"], "kept.py exists; name another file, or add --overwrite"),
        (["--language", "cobol"], "knows no language 'cobol'"),
        (["-o"], "needs a value for -o"),
        (["https://a.example/", "https://b.example/"], "does not take 'https://b.example/'"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_recorded(tmp_path: Path, words: list[str], told: str) -> None:
    (tmp_path / "kept.py").write_text("kept")
    recorder = Recorder()
    with fake_session(tmp_path, recorder.answer):
        done = ran_here("codegen", *words, env=environment(tmp_path), cwd=tmp_path)
    assert done.returncode == 2 and told in done.stderr
    assert recorder.heard == [] and (tmp_path / "kept.py").read_text() == "kept"


def test_an_existing_file_is_replaced_when_asked(tmp_path: Path) -> None:
    (tmp_path / "kept.py").write_text("kept")
    with fake_session(tmp_path, Recorder().answer):
        codegen(tmp_path, "-o", "kept.py", "--overwrite").communicate(timeout=30)
    assert "def test_kept(tabwire):" in (tmp_path / "kept.py").read_text()
