"""A page round trip (`title`) against the bare echo of the socket, both through the engine, in turns."""

import statistics
import tempfile
import time
from pathlib import Path

import anyio
from row import Row

from e2e.site import Site
from tabwire.browsers.launcher import Launcher
from tabwire.browsers.running import LaunchOptions
from tabwire.engine.engine import Engine
from tabwire.install import extension_files
from tabwire.wire.keys import MemoryKeys
from tabwire.wire.transport import Transport

CALLS = 400
GOAL = 3.0


def measure() -> list[Row]:
    return anyio.run(_measure)


async def _measure() -> list[Row]:
    site = Site()
    keys = MemoryKeys()
    with tempfile.TemporaryDirectory() as folder:
        transport = Transport(
            ports=(0,),
            keys=keys,
            run_dir=Path(folder) / "run",
            extension_id=extension_files.identity(),
            server_version=extension_files.version(),
            input_mode="auto",
        )
        async with transport:
            engine = Engine(transport, extension_dir=extension_files.source())
            async with Launcher(engine, transport, keys, Path(folder)) as launcher:
                await launcher.launch(LaunchOptions(use_pool=False))
                await _send(engine, "tabs.create", {"url": site.page("<h1>Round trip</h1>"), "active": True})
                times = await _turns(engine)
    site.close()
    title, url, echo = (statistics.median(times[method]) for method in ("navigation.title", "navigation.url", "session.echo"))
    return [
        Row("title / echo, p50", title, echo, "ms", GOAL),
        Row("url / echo, p50", url, echo, "ms"),
    ]


async def _turns(engine: Engine) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {"navigation.title": [], "session.echo": [], "navigation.url": []}
    for method in times:
        for _ in range(20):
            await _send(engine, method, {})
    for _ in range(CALLS):
        for method, samples in times.items():
            started = time.perf_counter()
            await _send(engine, method, {})
            samples.append((time.perf_counter() - started) * 1000)
    return times


async def _send(engine: Engine, method: str, params: dict[str, object]) -> None:
    effect = "act" if method.startswith("tabs.") else "read"
    await engine.send(method, params, effect=effect, timeout_ms=30_000)
