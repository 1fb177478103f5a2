"""Starts browsers of our own, knows what became of them, and ends them all when it ends.

    async with Launcher(engine, transport, keys, home) as launcher:
        instance = await launcher.launch(LaunchOptions(headless=True))
        await engine.send("navigation.title", {}, effect="read", timeout_ms=5000, browser=instance.id)
        await launcher.terminate(instance.id)

Each browser has a pairing key of its own, and is known to the engine by an id that was given before its start.
"""

from __future__ import annotations

import logging
import secrets
import tempfile
import uuid
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
import anyio.abc

from tabwire import extension
from tabwire.browsers import profiles
from tabwire.browsers.arrivals import Arrivals
from tabwire.browsers.guard import Guard
from tabwire.browsers.instance import Instance
from tabwire.browsers.running import LaunchOptions, Start, Starter
from tabwire.engine import Engine
from tabwire.errors import InvalidArgument, SessionNotCreated
from tabwire.keys import MemoryKeys, new_key, write_pairing
from tabwire.transport import Transport

__all__ = ["Launcher"]

JOIN_SECONDS = 45.0
LOOK_SECONDS = 1.0
END_SECONDS = 1.5
"""A client kills a server that takes long to end, and the guards go on without us."""

log = logging.getLogger(__name__)


def _starter(options: LaunchOptions) -> Starter:
    """The way to start what is wanted. Imported late: most bridges launch nothing, and none needs all of them."""
    if options.grid is not None:
        from tabwire.browsers import grid  # type: ignore[attr-defined]

        return grid.start  # type: ignore[no-any-return]
    if options.driver:
        from tabwire.browsers import local_driver  # type: ignore[attr-defined]

        return local_driver.start  # type: ignore[no-any-return]
    from tabwire.browsers import process

    return process.start


class Launcher:
    """Launched browsers live while it is entered.

    Args:
        engine: what they shall join.
        transport: where it listens.
        keys: of these the transport must know; each browser gets one.
        home: kept profiles of a plain name are below it.
        next_step: what calls to a browser that has ended are told to do.
        end_seconds: how long leaving waits for them to be gone; what is left then ends all the same.
    """

    def __init__(
        self,
        engine: Engine,
        transport: Transport,
        keys: MemoryKeys,
        home: Path,
        *,
        next_step: str = "Launch another one.",
        end_seconds: float = END_SECONDS,
    ) -> None:
        self._engine = engine
        self._transport = transport
        self._keys = keys
        self._home = home
        self._next_step = next_step
        self._end_seconds = end_seconds
        self._arrivals = Arrivals(engine)
        self._instances: dict[str, Instance] = {}
        self._tasks = anyio.create_task_group()

    @property
    def instances(self) -> Sequence[Instance]:
        """Those that run, longest first."""
        return tuple(self._instances.values())

    async def __aenter__(self) -> Self:
        self._transport.attach(self._arrivals)
        await self._tasks.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        try:
            with anyio.move_on_after(self._end_seconds, shield=True):
                async with anyio.create_task_group() as ends:
                    for instance in self.instances:
                        ends.start_soon(self._finish, instance, "The browser was ended with its launcher.")
        finally:
            self._tasks.cancel_scope.cancel()
        return await self._tasks.__aexit__(kind, error, trace)

    async def launch(self, options: LaunchOptions) -> Instance:
        """Start a browser; it has joined the engine when this returns.

        Raises:
            InvalidArgument: the options cannot be.
            UnsupportedOperation: something needed is not installed.
            SessionNotCreated: it did not start, or did not join in time.
        """
        instance = await self._begin(options)
        self._instances[instance.id] = instance
        self._arrivals.admit(instance.id)
        self._tasks.start_soon(self._watch, instance)
        return instance

    async def terminate(self, browser_id: str) -> None:
        """End a browser; its processes and files are gone when this returns.

        Raises:
            InvalidArgument: no browser of ours that runs has this id.
        """
        instance = self._instances.get(browser_id)
        if instance is None:
            ours = ", ".join(f"{other.name} (id {other.id})" for other in self.instances) or "none"
            raise InvalidArgument(f"No browser that was launched here and runs has the id {browser_id!r}. There are: {ours}.")
        await self._finish(instance, "The browser was terminated on request.")

    async def _begin(self, options: LaunchOptions) -> Instance:
        """Start a browser and wait until it has joined; the engine does not know of it yet."""
        if self._transport.port is None:
            raise SessionNotCreated(self._transport.problem or "This bridge does not listen, so no browser can join it.")
        guard = Guard()
        browser_id, key = str(uuid.uuid4()), new_key("launched")
        name = profiles.name_of(options.profile) if options.profile else f"Chromium {browser_id[:4]}"
        self._arrivals.keep_back(browser_id)
        self._keys.add(key)
        try:
            scratch = Path(tempfile.gettempdir()) / f"tabwire-{secrets.token_hex(6)}"
            guard.folder(scratch)
            scratch.mkdir(mode=0o700)
            staged = await anyio.to_thread.run_sync(extension.copy_to, scratch / "extension")
            write_pairing(staged, key, ports=(self._transport.port,), browser={"id": browser_id, "name": name})
            kept = profiles.folder_of(options.profile, self._home) if options.profile else scratch / "profile"
            running = await _starter(options)(Start(options, staged, profiles.prepare(kept, options.downloads), guard))
            instance = Instance(browser_id, name, options, datetime.now(UTC), running, guard, key.id)
            await self._joined(instance)
        except BaseException:
            self._arrivals.forget(browser_id)
            self._keys.remove(key.id)
            guard.release()
            raise
        return instance

    async def _joined(self, instance: Instance) -> None:
        """Raises: SessionNotCreated: it ended, or did not join in time."""
        with anyio.move_on_after(JOIN_SECONDS):
            problem = await _first(lambda: self._arrivals.joined(instance.id), instance.running.ended)
            if problem is None:
                return
            raise SessionNotCreated(problem)
        raise SessionNotCreated(f"The browser ({instance.where}) did not join this bridge within {JOIN_SECONDS:g} s.")

    async def _watch(self, instance: Instance) -> None:
        how = await _first(instance.running.ended, lambda: self._seen_dead(instance))
        await self._finish(instance, how or "The browser has ended.")

    async def _seen_dead(self, instance: Instance) -> str:
        """A browser whose connection is lost is looked at until it is back, or is found to be gone."""
        while True:
            await self._arrivals.left(instance.id)
            if problem := await instance.running.is_alive():
                return problem
            with anyio.move_on_after(LOOK_SECONDS):
                await self._arrivals.joined(instance.id)

    async def _finish(self, instance: Instance, how: str) -> None:
        """End what is left of it. Whoever comes second waits for the first."""
        if instance.ended is not None:
            await instance.gone.wait()
            return
        instance.ended = how
        self._instances.pop(instance.id, None)
        self._keys.remove(instance.key_id)
        self._engine.browser_ended(instance.id, f"{how} {self._next_step}")
        self._arrivals.forget(instance.id)
        try:
            await instance.running.close()
        finally:
            instance.guard.release()
        await instance.guard.finished()
        instance.gone.set()


async def _first(*waits: Callable[[], Awaitable[str | None]]) -> str | None:
    """The result of what is over first."""
    results: list[str | None] = []

    async def run(wait: Callable[[], Awaitable[str | None]]) -> None:
        results.append(await wait())
        tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        for wait in waits:
            tasks.start_soon(run, wait)
    return results[0]
