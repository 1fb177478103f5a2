"""Notes of files that were written: a file is ours as long as it is as it was noted."""

from __future__ import annotations

import os
from pathlib import Path

from tabwire.surfaces.shared.written_files import WrittenFiles


def test_only_what_was_noted_and_is_unchanged_is_deleted(tmp_path: Path) -> None:
    files = WrittenFiles(tmp_path / "pictures", tmp_path / "notes")
    files.folder.mkdir()
    own, changed, foreign = (files.folder / name for name in ("own.png", "changed.png", "foreign.png"))
    for path in (own, changed, foreign):
        path.write_text("1")
    files.note(own)
    files.note(changed)
    changed.write_text("somebody's own work")
    assert {each["name"] for each in files.listed()} == {"own.png", "changed.png", "foreign.png"}
    assert WrittenFiles(files.folder, tmp_path / "notes").clear() == 1, "also after a restart"
    assert sorted(path.name for path in files.folder.iterdir()) == ["changed.png", "foreign.png"]
    assert files.clear() == 0


def test_a_link_put_in_place_of_a_file_is_not_followed(tmp_path: Path) -> None:
    files = WrittenFiles(tmp_path / "pictures", tmp_path / "notes")
    files.folder.mkdir()
    own, elsewhere = files.folder / "own.png", tmp_path / "elsewhere.png"
    own.write_text("1")
    files.note(own)
    own.rename(elsewhere)
    os.symlink(elsewhere, own)
    assert files.clear() == 0
    assert elsewhere.read_text() == "1"
    assert files.listed() == []


def test_a_folder_that_was_replaced_by_a_link_is_not_cleared(tmp_path: Path) -> None:
    files = WrittenFiles(tmp_path / "pictures", tmp_path / "notes")
    files.folder.mkdir()
    (files.folder / "own.png").write_text("1")
    files.note(files.folder / "own.png")
    files.folder.rename(tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", files.folder)
    assert WrittenFiles(files.folder, tmp_path / "notes").clear() == 0
    assert (tmp_path / "elsewhere" / "own.png").read_text() == "1"
