"""The folder a server was started in is one to work in, unless it is the system's, a program's, or holds a whole home."""

import sys
import tempfile
from pathlib import Path

import pytest

from tabwire.app import working_folders


def test_a_folder_of_work_may_be_read_and_written(tmp_path: Path) -> None:
    assert working_folders(tmp_path) == [tmp_path.resolve()]


@pytest.mark.parametrize("folder", [Path.home(), Path.home().parent, Path(tempfile.gettempdir())])
def test_a_whole_home_or_all_that_is_temporary_may_not(folder: Path) -> None:
    assert working_folders(folder) == []


@pytest.mark.parametrize("variable", ["SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "ProgramData"])
@pytest.mark.parametrize("below", ["", "System32", "Claude/app"])
def test_nor_may_what_belongs_to_windows(variable: str, below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv(variable, str(tmp_path))
    assert working_folders(tmp_path / below) == []
    assert working_folders(tmp_path.parent / "work") == [(tmp_path.parent / "work").resolve()]


def test_nor_may_the_folder_of_the_program_that_runs_such_as_a_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(tmp_path / "bundle/main.py"), raising=False)
    assert working_folders(tmp_path / "bundle") == []
    assert working_folders(tmp_path / "bundle/.venv") == []
    assert working_folders(tmp_path) == [tmp_path.resolve()]
