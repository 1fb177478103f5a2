"""Profile folders of launched browsers."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import anyio
import pytest

from tabwire.browsers import profiles
from tabwire.errors import InvalidArgument, SessionNotCreated

pytestmark = pytest.mark.anyio
posix = pytest.mark.skipif(sys.platform == "win32", reason="Chromium has another sign there")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "PATIENCE_SECONDS", 0.1)


@pytest.mark.parametrize("name", ["work", "Work 2", "a_b-c.d", "Büro", "7", "x" * 64])
async def test_a_plain_name_is_a_folder_below_home(name: str) -> None:
    assert profiles.folder_of(name, Path("/home/x/.tabwire")) == Path("/home/x/.tabwire/profiles") / name
    assert profiles.name_of(name) == name


async def test_a_path_is_that_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = Path("/home/x/.tabwire")
    assert profiles.folder_of(str(tmp_path / "p"), home) == tmp_path / "p"
    assert profiles.folder_of(f".{os.sep}p", home) == tmp_path / "p"
    assert profiles.folder_of(Path("p"), home) == tmp_path / "p"
    assert profiles.folder_of("~/p", home) == Path.home() / "p"
    assert profiles.name_of("~/some/p") == "p"


@pytest.mark.parametrize("name", ["", " ", ".", "..", "-x", ".hidden", "a:b", "a\0b", "a\nb", "a.", "a ", "x" * 65])
async def test_what_is_neither_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgument, match="no name for a profile"):
        profiles.folder_of(name, Path("/home/x"))


async def test_a_new_profile_is_in_developer_mode_and_a_used_one_is_left_alone(tmp_path: Path) -> None:
    profile = tmp_path / "p"
    assert profiles.prepare(profile, tmp_path / "downloads") == profile
    preferences = profile / "Default/Preferences"
    written = json.loads(preferences.read_text())
    assert written["extensions"]["ui"]["developer_mode"] is True
    assert written["download"]["default_directory"] == str(tmp_path / "downloads")
    assert profile.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in preferences.parent.iterdir()] == ["Preferences"]
    preferences.write_text("its own")
    profiles.prepare(profile, None)
    assert preferences.read_text() == "its own"


async def test_without_a_folder_for_downloads_the_browser_chooses(tmp_path: Path) -> None:
    profiles.prepare(tmp_path, None)
    assert "download" not in json.loads((tmp_path / "Default/Preferences").read_text())


@posix
async def test_a_profile_is_for_one_browser_until_it_is_let_go(tmp_path: Path, impatient: None) -> None:
    first = await profiles.claim(tmp_path / "p")
    with pytest.raises(SessionNotCreated, match="in use by a browser that another Tabwire has launched") as refused:
        await profiles.claim(tmp_path / "p")
    assert str(tmp_path / "p") in str(refused.value)
    assert "another profile" in str(refused.value)
    first.close()
    (await profiles.claim(tmp_path / "p")).close()


@posix
async def test_a_browser_that_is_just_ending_is_waited_for(tmp_path: Path) -> None:
    first = await profiles.claim(tmp_path)
    async with anyio.create_task_group() as tasks:
        claims: list[profiles.Claim] = []

        async def claim() -> None:
            claims.append(await profiles.claim(tmp_path))

        tasks.start_soon(claim)
        await anyio.sleep(0.1)
        assert claims == []
        first.close()
    claims[0].close()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Path]:
    """A profile as a Chromium leaves it while it runs."""
    with tempfile.TemporaryDirectory(prefix="tw") as short, socket.socket(socket.AF_UNIX) as door:
        door.bind(f"{short}/SingletonSocket")
        door.listen(2)
        (tmp_path / "SingletonSocket").symlink_to(f"{short}/SingletonSocket")
        (tmp_path / "SingletonLock").symlink_to("some-host-4711")
        yield tmp_path


@posix
async def test_a_profile_that_a_browser_of_the_users_has_open_is_not_taken(running: Path, impatient: None) -> None:
    with pytest.raises(SessionNotCreated, match=r"in use by process 4711\. End that browser"):
        await profiles.claim(running)


@posix
async def test_a_browser_that_is_too_busy_to_answer_has_its_profile_all_the_same(running: Path, impatient: None) -> None:
    with ExitStack() as waiting:
        with suppress(BlockingIOError):
            while True:
                one = waiting.enter_context(socket.socket(socket.AF_UNIX))
                one.setblocking(False)
                one.connect(os.readlink(running / "SingletonSocket"))
        with pytest.raises(SessionNotCreated, match="in use by process 4711"):
            await profiles.claim(running)


@posix
async def test_what_a_browser_left_that_was_killed_keeps_nobody_out(tmp_path: Path) -> None:
    (tmp_path / "SingletonSocket").symlink_to(tmp_path / "gone")
    (tmp_path / "SingletonLock").symlink_to(f"some-host-{os.getpid()}")
    (await profiles.claim(tmp_path)).close()


async def test_a_folder_that_cannot_be_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        await profiles.claim(tmp_path / "file" / "p")
