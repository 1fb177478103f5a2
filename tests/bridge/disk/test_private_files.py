"""Files and folders that only their owner may read, and files that are no plain ones."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from tabwire.disk import plain_files, private_files
from tabwire.errors import UnsupportedOperation

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no such bits")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def open_to_all() -> object:
    before = os.umask(0)
    yield
    os.umask(before)


def test_every_folder_above_a_new_file_is_made_for_its_owner_only_and_those_that_are_there_stay(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    private_files.write(tmp_path / "a" / "b" / "c.txt", "text")
    assert [mode(tmp_path / name) for name in ("", "a", "a/b", "a/b/c.txt")] == [0o755, 0o700, 0o700, 0o600]


def test_a_folder_of_ours_that_others_may_enter_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(0o755)
    private_files.make_own_folder(tmp_path / "home" / "run")
    assert mode(tmp_path / "home") == 0o755
    private_files.make_own_folder(tmp_path / "home")
    assert (mode(tmp_path / "home"), mode(tmp_path / "home" / "run")) == (0o700, 0o700)


def test_a_file_in_the_place_of_a_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    for folder in (tmp_path / "taken", tmp_path / "taken" / "below"):
        with pytest.raises(OSError):
            private_files.make_folder(folder)


def test_a_file_that_others_could_read_is_private_after_it_was_written_anew_and_none_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"old")
    path.chmod(0o644)
    private_files.write(path, b"new")
    assert (path.read_bytes(), mode(path), list(tmp_path.iterdir())) == (b"new", 0o600, [path])


def test_a_new_file_never_goes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        private_files.create(tmp_path / "link")
    assert not (tmp_path / "elsewhere").exists()


def test_a_secret_that_others_may_read_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "token"
    private_files.write(path, "secret\n")
    assert private_files.read(path) == "secret\n"
    path.chmod(0o640)
    with pytest.raises(UnsupportedOperation, match="chmod 600"):
        private_files.read(path)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.anyio
@pytest.mark.parametrize("make", [pipe, device, folder])
@pytest.mark.parametrize("read", [plain_files.read, plain_files.read_text, plain_files.opened, private_files.read])
async def test_what_is_no_plain_file_is_refused_and_not_waited_for(
    make: Callable[[Path], None], read: Callable[[Path], object], tmp_path: Path
) -> None:
    make(tmp_path / "config")
    with anyio.fail_after(5), pytest.raises(OSError, match="plain file|folder"):
        await anyio.to_thread.run_sync(read, tmp_path / "config", abandon_on_cancel=True)


def test_a_file_that_is_too_large_is_not_read_whole(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"12345")
    assert plain_files.read(tmp_path / "large", 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        plain_files.read(tmp_path / "large", 4)
