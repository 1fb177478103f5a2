"""Browsers of a launcher that are none: they join, end and are lost when a test says so."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest

import launching
from bridge.peer import EXTENSION, ORIGIN, Extension
from launching import Stage
from tabwire.browsers import launcher as launcher_module
from tabwire.browsers.instance import Instance
from tabwire.browsers.running import LaunchOptions, Start
from tabwire.engine.engine import Patience
from tabwire.wire import pairing
from tabwire.wire.keys import Key

ALONE = LaunchOptions(use_pool=False)


@dataclass(eq=False)
class FakeBrowser:
    """A `running.Running` that joins as an extension does, with what its folder says."""

    start: Start
    joins: bool = True
    how: str = ""
    """Words about its end."""
    found_dead: str | None = None
    """Answer of a look at it."""
    driver: Any = None
    where: str = "a fake"
    is_over: asyncio.Event = field(default_factory=asyncio.Event)
    is_closed: bool = False
    connection: asyncio.Task[None] | None = None
    is_silent: bool = False
    """Silence: calls are taken and not answered."""
    was_asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Set with a call that it does not answer."""

    def connect(self) -> None:
        self.connection = asyncio.create_task(self._speak())

    async def _speak(self) -> None:
        from websockets.asyncio.client import connect

        told = json.loads((self.start.extension / "pairing.json").read_text())
        port = told["ports"][0]
        async with connect(f"ws://127.0.0.1:{port}/", origin=ORIGIN, compression=None, proxy=None, close_timeout=1) as socket:
            extension = Extension(socket, Key(told["key_id"], pairing.decode(told["key"])), port)
            await extension.join(browser={**told["browser"], "user_agent": "UA"})
            async for frame in socket:
                call = json.loads(frame)
                if self.is_silent:
                    self.was_asked.set()
                elif "method" in call:
                    await socket.send(json.dumps({"type": "success", "id": call["id"], "result": {"by": told["browser"]["id"]}}))

    def drop(self) -> None:
        """End of its connection."""
        assert self.connection is not None
        self.connection.cancel()

    def end(self, how: str) -> None:
        self.how = how
        self.is_over.set()

    async def ended(self) -> str:
        await self.is_over.wait()
        return self.how

    async def is_alive(self) -> str | None:
        return self.found_dead

    async def close(self) -> None:
        self.is_closed = True
        if self.connection is not None:
            self.connection.cancel()
        self.end("It was closed.")


class Works:
    """Starts fakes, or fails to."""

    def __init__(self) -> None:
        self.started: list[FakeBrowser] = []
        self.next: Callable[[FakeBrowser], None] = FakeBrowser.connect
        """Behaviour of the next ones when they start."""
        self.failure: Exception | None = None

    async def start(self, start: Start) -> FakeBrowser:
        if self.failure is not None:
            raise self.failure
        browser = FakeBrowser(start)
        self.started.append(browser)
        self.next(browser)
        return browser

    def folders(self) -> list[Path]:
        """Folder that they have of the disk."""
        return sorted(Path(tempfile.gettempdir()).iterdir())


def works_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Works:
    """Has every launcher of a test start fakes."""
    works = Works()
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    monkeypatch.setattr(launcher_module, "_starter", lambda options: works.start)
    return works


async def ask(stage: Stage, instance: Instance) -> Any:
    with anyio.fail_after(35):
        return (await stage.send(instance, "a.b", "read"))["by"]


@asynccontextmanager
async def stage_of(home: Path, **options: Any) -> AsyncIterator[Stage]:
    with anyio.fail_after(90):
        async with launching.stage_of(
            home, extension_id=EXTENSION, patience=Patience(), **{"end_seconds": 30, **options}
        ) as stage:
            yield stage
