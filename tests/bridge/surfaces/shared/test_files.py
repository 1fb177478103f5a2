"""Files that tools may touch."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tabwire.commands.input import UploadFile
from tabwire.errors import InvalidArgument, PermissionDenied
from tabwire.surfaces.shared.files import Files


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "temp"))
    return Files(tmp_path / "artifacts", [tmp_path / "mine"])


def test_a_relative_path_lands_in_the_artifacts_folder(files: Files) -> None:
    path = files.writable("shots/a.png")
    assert files.write_base64(path, base64.b64encode(b"data").decode()) == 4
    assert (files.artifacts.folder / "shots" / "a.png").read_bytes() == b"data"


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/passwd", "~/x"])
def test_a_path_outside_is_refused_and_the_error_says_what_is_allowed(files: Files, name: str) -> None:
    with pytest.raises(PermissionDenied, match="--files"):
        files.writable(name)


def test_a_link_does_not_lead_outside(files: Files, tmp_path: Path) -> None:
    files.artifacts.folder.mkdir()
    (files.artifacts.folder / "link").symlink_to(tmp_path.parent)
    with pytest.raises(PermissionDenied):
        files.writable("link/x")


def test_named_folders_are_allowed(files: Files, tmp_path: Path) -> None:
    assert files.writable(str(tmp_path / "mine" / "a.png")) == tmp_path / "mine" / "a.png"


def test_uploads_carry_name_type_and_bytes(files: Files, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "é.txt").write_text("grüße")
    encoded = base64.b64encode("grüße".encode()).decode()
    given = [str(tmp_path / "mine" / "é.txt"), UploadFile(base64=encoded, name="x.bin", mime_type="a/b")]
    assert files.contents(given) == [
        {"name": "é.txt", "mime_type": "text/plain", "base64": encoded},
        {"name": "x.bin", "mime_type": "a/b", "base64": encoded},
    ]


@pytest.mark.parametrize("file", ["missing.txt", UploadFile(base64="not base64!")])
def test_an_unreadable_upload_is_named(files: Files, file: str | UploadFile) -> None:
    with pytest.raises(InvalidArgument):
        files.contents([file])
