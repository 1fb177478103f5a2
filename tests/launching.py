"""A launcher of browsers with what it needs, put together as the bridge does it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabwire.browsers.instance import Instance
from tabwire.browsers.launcher import Launcher
from tabwire.engine.engine import Engine, Patience
from tabwire.install import extension_files
from tabwire.wire.keys import MemoryKeys
from tabwire.wire.listeners import Listen
from tabwire.wire.transport import Transport

PATIENCE = Patience(again=90)
"""Nothing with launched browsers may take so long as to wait for one that could come back."""


@dataclass
class Stage:
    """A launcher and the engine its browsers join."""

    launcher: Launcher
    engine: Engine
    keys: MemoryKeys

    async def send(self, instance: Instance, method: str, effect: Any = "act", **params: Any) -> dict[str, Any]:
        return await self.engine.send(method, params, effect=effect, timeout_ms=60_000, browser=instance.id)

    async def evaluate(self, instance: Instance, expression: str) -> Any:
        return (await self.send(instance, "script.evaluate", expression=expression))["value"]

    async def open(self, instance: Instance, url: str) -> None:
        await self.send(instance, "navigation.navigate", url=url, action="goto")


@asynccontextmanager
async def stage_of(
    home: Path,
    listen: Listen | None = None,
    *,
    extension_id: str | None = None,
    patience: Patience = PATIENCE,
    **options: Any,
) -> AsyncIterator[Stage]:
    """A stage until the end of the block.

    Args:
        extension_id: Default: that of this checkout.
        options: Of `Launcher`.
    """
    keys = MemoryKeys()
    transport = Transport(
        ports=[0],
        keys=keys,
        run_dir=home / "run",
        extension_id=extension_id or extension_files.identity(),
        server_version=extension_files.version(),
        listen=listen,
    )
    async with transport:
        engine = Engine(transport, patience=patience)
        async with Launcher(engine, transport, keys, home, **{"end_seconds": 15, **options}) as launcher:
            yield Stage(launcher, engine, keys)
