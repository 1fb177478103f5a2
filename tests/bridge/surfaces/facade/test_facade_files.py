"""The facade's files without a browser: pictures that cannot be saved, folders for downloads, profiles of launched browsers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bridge.fake_engine import FakeEngine, Surface
from tabwire.browsers.running import LaunchOptions
from tabwire.config import Config
from tabwire.errors import InvalidArgument, PermissionDenied
from tabwire.surfaces.facade import state
from tabwire.surfaces.shared.files import Files

pytestmark = pytest.mark.anyio


class Started(Exception):
    """A browser would have been launched."""


class NoLauncher:
    """Launches nothing."""

    async def launch(self, options: LaunchOptions) -> Any:
        raise Started(str(options.profile))


@asynccontextmanager
async def facade(tmp_path: Path, engine: FakeEngine | None = None, **settings: Any) -> AsyncIterator[Surface]:
    home = tmp_path / "home"
    (tmp_path / "mine").mkdir(exist_ok=True)
    files = Files(home / "artifacts", [tmp_path / "mine"], [home])
    surface = Surface("facade", engine or FakeEngine(), files=files, launcher=NoLauncher())
    config = Config(home=home, toolset="facade", **settings)
    async with state.opened(config, surface.context) as context:
        surface.context = context
        yield surface


@pytest.mark.parametrize(
    ("profile", "allowed"),
    [
        ("work", True),
        ("{mine}/kept", True),
        ("{mine}/launched", True),
        ("{mine}/chrome", False),
        ("{mine}/link", False),
        ("{home}/profiles/work", False),
        ("{home}", False),
        ("/etc/kept", False),
        ("~/.config/google-chrome", False),
    ],
)
async def test_a_tool_launches_with_profiles_of_ours_only(tmp_path: Path, profile: str, allowed: bool) -> None:
    mine, home = tmp_path / "mine", tmp_path / "home"
    for name in ("chrome/Local State", "launched/Local State", "launched/tabwire.lock"):
        (mine / name).parent.mkdir(parents=True, exist_ok=True)
        (mine / name).touch()
    (mine / "link").symlink_to(mine / "chrome")
    home.mkdir()
    async with facade(tmp_path) as surface:
        with pytest.raises(Started if allowed else PermissionDenied):
            await surface.run("browser_session", action="launch", profile=profile.format(mine=mine, home=home))


async def test_a_picture_that_could_not_be_saved_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    engine = FakeEngine()
    async with facade(tmp_path, engine, facade={"screenshots": str(tmp_path / "file" / "pictures")}) as surface:
        with pytest.raises(PermissionDenied, match=r"See screenshots in \[facade\] of config\.toml"):
            await surface.run("browser_capture", action="screenshot")
    assert engine.methods == []


@pytest.mark.parametrize(
    ("path", "error"),
    [("/etc", PermissionDenied), ("{home}/auth", PermissionDenied), ("{mine}/file", InvalidArgument), ("a\0b", InvalidArgument)],
)
async def test_downloads_are_put_into_folders_of_tools_only(tmp_path: Path, path: str, error: type[Exception]) -> None:
    async with facade(tmp_path) as surface:
        (tmp_path / "mine" / "file").touch()
        with pytest.raises(error):
            where = path.format(home=tmp_path / "home", mine=tmp_path / "mine")
            await surface.run("browser_storage", action="set_download_behavior", behavior="allow", download_path=where)
        assert surface.context.surface.move_downloads is None
