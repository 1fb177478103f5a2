"""The Chromium to start, its arguments, and what is said when it does not start."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tabwire.browsers import chromium
from tabwire.browsers.process import last_words
from tabwire.browsers.running import LaunchOptions
from tabwire.errors import UnsupportedOperation

HERE = Path(sys.executable)


def switches(**options: object) -> list[str]:
    chosen = LaunchOptions(chromium=HERE, **options)  # type: ignore[arg-type]
    command = chromium.command(chosen, profile=Path("/p"), extension=Path("/e"), spki="c3BraQ==")
    assert command[0] == str(HERE)
    assert command[-1] == "about:blank"
    return command[1:-1]


@pytest.fixture
def as_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)


def test_nothing_sets_an_ordinary_browser_apart(as_user: None) -> None:
    trust = "--ignore-certificate-errors-spki-list=c3BraQ=="
    ordinary = ["--user-data-dir=/p", "--load-extension=/e", "--no-first-run"]
    assert switches(anti_detect=True, headless=False) == [*ordinary, trust]
    assert switches(anti_detect=True, headless=False, arguments=("--lang=de",)) == [*ordinary, trust, "--lang=de"]
    assert switches(anti_detect=True) == [*ordinary, "--headless=new", trust]


def test_others_are_started_for_automation(as_user: None) -> None:
    given = switches(arguments=("--lang=de",))
    assert {"--headless=new", "--silent-debugger-extension-api", "--lang=de"} < set(given)
    assert "--no-sandbox" not in given
    assert "--headless=new" not in switches(headless=False)


def test_root_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "--no-sandbox" in switches()
    assert "--no-sandbox" in switches(anti_detect=True)


def test_a_chromium_that_is_not_there_is_named() -> None:
    with pytest.raises(UnsupportedOperation, match="/nowhere/chrome"):
        chromium.command(LaunchOptions(chromium=Path("/nowhere/chrome")), profile=Path("/p"), extension=Path("/e"))


@pytest.mark.parametrize(
    ("words", "step"),
    [
        ("[1:1:ERROR:ozone_platform_x11.cc(250)] Missing X server or $DISPLAY", "headless"),
        ("Opening in existing browser session.", "another profile"),
        ("chromium: error while loading shared libraries: libnss3.so", "libraries"),
        ("Running as root without --no-sandbox is not supported.", "--no-sandbox"),
        ("The browser ended with exit code 1.", "by hand"),
    ],
)
def test_a_start_that_failed_says_what_to_do(words: str, step: str) -> None:
    assert step in chromium.advice(words)


def test_the_last_words_are_whole_lines_without_the_noise(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert last_words(log) == ""
    log.write_bytes(b"first\nFailed to connect to the bus: dbus\nboom \xff\n")
    assert last_words(log) == "first\nboom \ufffd"
    log.write_text("".join(f"line {n}\n" for n in range(1000)))
    words = last_words(log)
    assert len(words) < 2100
    assert words.splitlines()[0].startswith("line ")
    assert words.splitlines()[-1] == "line 999"
