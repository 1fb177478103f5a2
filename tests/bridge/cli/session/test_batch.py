"""Batches: files of commands, with a session that answers as each test says."""

import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

from bridge.cli.session.fake_session import FakeSession, fake_session
from programs import command, environment, ran_here
from tabwire.cli.session import calls, client, frames, own_commands


def batch(home: Path, lines: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command("batch", "-"), env=environment(home), input=lines, capture_output=True, timeout=60)


def test_a_batch_stops_at_the_first_line_that_fails(tmp_path: Path) -> None:
    heard: list[list[str]] = []

    def answer(session: FakeSession, parts: list[str]) -> None:
        heard.append(parts[3:])
        session.say(frames.OUT, parts[3])
        session.say(frames.END, "1" if parts[3] == "click" else "0")

    # U+2028 ends a line for str.splitlines only; a `#` within a line is part of an address or a selector.
    lines = (
        "\ufeff# a shop\r\nopen 'http://shop/a b'\r\n\n  # to buy\n"
        "open https://shop/#/cart\nfill label:Name 'a\u2028b'\nclick a#buy\ntitle\nurl\n"
    )
    with fake_session(tmp_path, answer):
        done = batch(tmp_path, lines.encode())
    assert heard == [
        ["open", "http://shop/a b"],
        ["open", "https://shop/#/cart"],
        ["fill", "label:Name", "a\u2028b"],
        ["click", "a#buy"],
    ]
    assert (done.returncode, done.stdout) == (1, b"open\nopen\nfill\nclick\n")
    assert b"line 7 failed: click 'a#buy'. Not run: 2 more" in done.stderr


def test_a_word_may_stand_for_a_variable_of_the_environment(tmp_path: Path) -> None:
    heard: list[list[str]] = []

    def answer(session: FakeSession, parts: list[str]) -> None:
        heard.append(parts[3:])
        session.say(frames.END, "1")

    lines = b"fill #a ${TABWIRE_RECORDED_PIN} --timeout=5\nfill #a x${TABWIRE_RECORDED_PIN}\n"
    with fake_session(tmp_path, answer):
        done = subprocess.run(
            command("batch", "-"),
            env=environment(tmp_path, TABWIRE_RECORDED_PIN="4 711"),
            input=lines,
            capture_output=True,
            timeout=60,
        )
    assert heard == [["fill", "#a", "4 711", "--timeout=5"]]
    # What it stands for is not printed.
    assert b"4 711" not in done.stderr and b"${TABWIRE_RECORDED_PIN}" in done.stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("close", "close is no command for a browser"),
        ("close --all", "close is no command for a browser"),
        ("click @e1 -s other", "-s, --launch and --headless are options of batch and shell themselves"),
        ("--launch close", "-s, --launch and --headless are options of batch and shell themselves"),
        ("click -s", "-s needs the name of a session"),
        ("click --help", "a batch runs commands"),
        ("''", "the name of the command is empty"),
        ("fill @e1 a\0b", "a NUL character cannot be part of a command"),
        ("fill @e1 'open", "No closing quotation"),
        ("clik @e1", "there is no command 'clik'"),
        ("fill @e1", "fill needs value"),
        ("fill @e1 '${TABWIRE_RECORDED_NOBODY}'", "the environment has no TABWIRE_RECORDED_NOBODY"),
        (
            "fill @e1 '${TABWIRE_HTTP_TOKEN}'",
            "variables of a batch begin with TABWIRE_RECORDED_: write ${TABWIRE_RECORDED_HTTP_TOKEN}",
        ),
    ],
)
def test_a_line_that_is_wrong_is_named_before_anything_is_run(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "lines").write_text(f"title\n{line}\n")
    heard: list[list[str]] = []
    with fake_session(tmp_path / "home", lambda _, parts: heard.append(parts)):
        done = batch_of(tmp_path)
    assert (done.returncode, heard) == (2, []) and f"line 2: {told}" in done.stderr, done


def batch_of(folder: Path) -> subprocess.CompletedProcess[str]:
    return ran_here("batch", "lines", env=environment(folder / "home"), cwd=folder)


@pytest.mark.parametrize("words", [["batch", "-"], ["close"], ["sessions"], ["title"]])
def test_ctrl_c_is_an_exit_code_for_every_command(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(calls, "run", interrupted)
    monkeypatch.setattr(own_commands, "run", interrupted)
    assert client.main(words) == frames.INTERRUPTED
