"""The command line as people meet it: a bare `tabwire`, and the help of each command."""

import json
import os
import pty
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.command import User
from programs import command
from tabwire.cli.program import parser

COMMANDS = [
    *(
        ("install",),
        ("uninstall",),
        ("doctor",),
        ("serve",),
        ("pair",),
        ("log",),
        ("log", "show"),
        ("log", "export"),
        ("log", "verify"),
    ),
    *(("extension",), ("extension", "path"), ("extension", "install"), ("extension", "pack")),
]


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path)


def test_at_a_terminal_a_bare_tabwire_says_what_to_do_and_ends(user: User) -> None:
    own, theirs = pty.openpty()
    try:
        done = subprocess.run(command(), stdin=theirs, env=user.environment(), capture_output=True, text=True, timeout=60)
    finally:
        os.close(own)
        os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert "tabwire install" in done.stdout and "tabwire doctor" in done.stdout
    assert user.files() == {}


def test_with_a_pipe_it_serves(user: User) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}) + "\n"
    done = subprocess.run(command(), input=request, env=user.environment(), capture_output=True, text=True, timeout=60)
    assert '"serverInfo"' in done.stdout, done.stderr


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_help_of_each_command_has_an_example_that_is_understood(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args([*words, "--help"])
    example = re.search(r"Example: tabwire (.+?)(?: > \S+)?$", capsys.readouterr().out.replace("\n", " ").strip())
    assert example and example[1].startswith(" ".join(words))
    given = re.findall(r"'[^']*'|\S+", example[1])
    assert parser().parse_args([word.strip("'") for word in given]).command == words[0]


def test_the_help_of_serve_has_what_experts_need_last(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["serve", "--help"])
    headings = re.findall(r"^(\S.*):$", capsys.readouterr().out, re.MULTILINE)
    assert headings[0] == "options" and headings[1] == "what is served" and headings[-1] == "for experts"


def in_the_way(home: Path) -> None:
    """A file where the folder belongs."""
    home.write_text("in the way", encoding="utf-8")


def unlockable(home: Path) -> None:
    """Folders where the files belong that are made before others are changed."""
    for name in ("keys.json.lock", "extension.lock", "events.count"):
        (home / name).mkdir(parents=True)


@pytest.mark.parametrize(
    ("words", "spoil"),
    [
        *((words, in_the_way) for words in (("install",), ("pair",), ("log", "verify"), ("doctor",))),
        *((words, unlockable) for words in (("install",), ("pair",), ("log", "verify"))),
    ],
)
def test_a_home_that_cannot_be_used_is_named_in_a_sentence(
    words: tuple[str, ...], spoil: Callable[[Path], None], user: User
) -> None:
    home = user.home / "own"
    spoil(home)
    done = user.run(*words, TABWIRE_HOME=str(home))
    assert done.code != 0 and str(home) in done.out + done.err
