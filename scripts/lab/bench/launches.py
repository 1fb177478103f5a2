"""A browser that was started ahead against a cold start, in turns: each until it has joined and answered."""

import statistics
import tempfile
import time
from pathlib import Path

import anyio
from row import Row

from tabwire.browsers.launcher import Launcher
from tabwire.browsers.running import LaunchOptions
from tabwire.engine.engine import Engine
from tabwire.install import extension_files
from tabwire.wire.keys import MemoryKeys
from tabwire.wire.transport import Transport

ROUNDS = 7
GOAL = 1 / 5
COLD = LaunchOptions(use_pool=False)
WARM = LaunchOptions()


def measure() -> list[Row]:
    return anyio.run(_measure)


async def _measure() -> list[Row]:
    keys = MemoryKeys()
    with tempfile.TemporaryDirectory() as folder:
        transport = Transport(
            ports=(0,),
            keys=keys,
            run_dir=Path(folder) / "run",
            extension_id=extension_files.identity(),
            server_version=extension_files.version(),
        )
        async with transport:
            engine = Engine(transport)
            async with Launcher(engine, transport, keys, Path(folder), end_seconds=15) as launcher:
                pairs = [(await _launch(launcher, engine, WARM), await _launch(launcher, engine, COLD)) for _ in range(ROUNDS)]
    warm, cold = (statistics.median(times) for times in zip(*pairs, strict=True))
    return [Row("launch: started ahead / cold", warm, cold, "ms", GOAL)]


async def _launch(launcher: Launcher, engine: Engine, options: LaunchOptions) -> float:
    # Also before a cold start, which would otherwise share the processor with that of the spare.
    await launcher.warm(WARM)
    started = time.perf_counter()
    instance = await launcher.launch(options)
    await engine.send("session.echo", {}, effect="read", timeout_ms=30_000, browser=instance.id)
    elapsed_ms = (time.perf_counter() - started) * 1000
    await launcher.terminate(instance.id)
    return elapsed_ms
