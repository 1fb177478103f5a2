"""The clipboard and the page of extensions: what is there is used, and nothing is claimed that did not happen."""

import sys
from pathlib import Path

import pytest

from tabwire.install.desktop import Desktop

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs on PATH are shell scripts")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    return tmp_path


def program(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_the_first_clipboard_that_takes_it_has_it(programs: Path) -> None:
    program(programs, "wl-copy", "exit 1")
    program(programs, "xclip", f"echo $* > {programs}/words; cat > {programs}/text")
    program(programs, "xsel", f"touch {programs}/not-asked")
    assert Desktop("linux", {"DISPLAY": ":0"}).copy("/home/ädå")
    assert (programs / "text").read_text() == "/home/ädå"
    assert (programs / "words").read_text() == "-selection clipboard\n"
    assert not (programs / "not-asked").exists()


def test_where_there_is_no_screen_or_none_takes_it_nothing_is_claimed(programs: Path) -> None:
    for name in ("wl-copy", "xclip", "xsel"):
        program(programs, name, "exit 1")
    assert not Desktop("linux", {"WAYLAND_DISPLAY": "wayland-0"}).copy("x")
    program(programs, "xclip", f"touch {programs}/asked")
    assert not Desktop("linux", {}).copy("x")
    assert not (programs / "asked").exists()


def test_the_page_of_extensions_is_opened_where_a_browser_takes_its_address(programs: Path) -> None:
    program(programs, "open", f'echo "$*" >> {programs}/opened')
    (programs / "Applications/Chromium.app").mkdir(parents=True)
    assert Desktop("darwin", {}, programs / "Applications").open_extensions_page()
    assert (programs / "opened").read_text() == "-a Chromium chrome://extensions\n"
    assert not Desktop("darwin", {}, programs / "nothing").open_extensions_page()
    assert not Desktop("linux", {"DISPLAY": ":0"}).open_extensions_page()
