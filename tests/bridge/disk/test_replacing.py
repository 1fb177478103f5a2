"""A file takes the place of another one, also where a program has that open for a moment."""

import sys
from pathlib import Path

import pytest

from tabwire.disk import replacing


class Busy:
    """`Path.replace` of a system that refuses it so many times."""

    def __init__(self, times: int) -> None:
        self.left = times
        self._replace = Path.replace

    def __call__(self, new: Path, old: Path) -> Path:
        self.left -= 1
        if self.left >= 0:
            raise PermissionError(13, "Access is denied")
        return self._replace(new, old)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    new, old = tmp_path / "new", tmp_path / "old"
    new.write_text("new", encoding="utf-8")
    old.write_text("old", encoding="utf-8")
    return new, old


def test_windows_is_asked_again_while_another_program_has_the_file_open(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    new, old = files
    monkeypatch.setattr(sys, "platform", "win32")
    busy = Busy(3)
    monkeypatch.setattr(Path, "replace", lambda *paths: busy(*paths))
    replacing.replace(new, old)
    assert (old.read_text(encoding="utf-8"), new.exists()) == ("new", False)


@pytest.mark.parametrize(("platform", "times"), [("linux", 1), ("win32", 10**9)])
def test_what_stays_refused_is_an_error_and_changes_nothing(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, platform: str, times: int
) -> None:
    new, old = files
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(replacing, "_PATIENCE_S", 0.05)
    busy = Busy(times)
    monkeypatch.setattr(Path, "replace", lambda *paths: busy(*paths))
    with pytest.raises(PermissionError):
        replacing.replace(new, old)
    assert (old.read_text(encoding="utf-8"), new.read_text(encoding="utf-8")) == ("old", "new")
