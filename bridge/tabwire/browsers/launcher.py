"""Starts browsers of our own, knows what became of them, and ends them all when it ends.

    async with Launcher(engine, transport, keys, home) as launcher:
        instance = await launcher.launch(LaunchOptions(headless=True))
        await engine.send("navigation.title", {}, effect="read", timeout_ms=5000, browser=instance.id)
        await launcher.terminate(instance.id)

Each browser has a pairing key of its own, and is known to the engine by an id that was given before its start.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio

from tabwire.browsers import chromium, profiles
from tabwire.browsers.arrivals import Arrivals
from tabwire.browsers.first_outcome import first_outcome
from tabwire.browsers.guard import Guard
from tabwire.browsers.instance import LAUNCH_ANOTHER, Instance
from tabwire.browsers.pool import WarmPool
from tabwire.browsers.running import LaunchOptions, Running, Starter
from tabwire.browsers.staging import Way, stage, wanted_browser, way_to
from tabwire.engine.engine import Engine
from tabwire.errors import InvalidArgument, SessionNotCreated, TabwireError
from tabwire.wire.keys import MemoryKeys, new_key
from tabwire.wire.transport import Transport

JOIN_SECONDS = 45.0
ANSWER_MS = 3000
LOOK_SECONDS = 1.0
END_SECONDS = 1.5
"""A client kills a server that takes long to end, and the guards go on without us."""

log = logging.getLogger(__name__)


def _starter(options: LaunchOptions) -> Starter:
    """The way to start what is wanted. Imported late: most bridges launch nothing, and none needs all of them."""
    if options.grid is not None:
        from tabwire.browsers import grid

        return grid.start
    if options.driver:
        from tabwire.browsers import local_driver

        return local_driver.start
    from tabwire.browsers import process

    return process.start


@dataclass(eq=False)
class Launcher:
    """Launched browsers live while it is entered."""

    engine: Engine
    """The engine that they join."""
    transport: Transport
    """The transport of that engine."""
    keys: MemoryKeys
    """Keys that the transport knows; each browser gets one."""
    home: Path
    """Kept profiles of a plain name are below it."""
    spares: int = 1
    """Number of browsers that are kept ready for each kind that was launched once."""
    join_seconds: float = JOIN_SECONDS
    """Seconds that a browser has to join, from the start of its program."""
    end_seconds: float = END_SECONDS
    """Seconds that leaving waits for all of them to be gone; what is left then ends all the same."""

    def __post_init__(self) -> None:
        self._arrivals = Arrivals(self.engine)
        self._instances: dict[str, Instance] = {}
        """Launched browsers by id, without the spares."""
        self._running: dict[str, Instance] = {}
        """Launched browsers by id, with the spares."""
        self._is_staged = anyio.Event()
        self._tasks = anyio.create_task_group()
        self._pool = WarmPool(self._tasks, self._begin, self._end_spare, self._answers, self.spares)

    @property
    def instances(self) -> Sequence[Instance]:
        """Launched browsers that run, longest first."""
        return tuple(self._instances.values())

    async def __aenter__(self) -> Self:
        self.transport.attach(self._arrivals)
        await self._tasks.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        # Those that are just starting.
        self._tasks.cancel_scope.cancel()
        with anyio.move_on_after(self.end_seconds, shield=True):
            async with anyio.create_task_group() as ends:
                for instance in tuple(self._running.values()):
                    ends.start_soon(self._finish, instance, "The browser was ended with its launcher.")
        # Without the error of the block: a group would wrap it.
        await self._tasks.__aexit__(None, None, None)

    async def launch(self, options: LaunchOptions, *, next_step: str = LAUNCH_ANOTHER) -> Instance:
        """Start a browser, or give one that was started ahead; it has joined the engine when this returns.

        Args:
            options: which one.
            next_step: what calls to it are told to do when it has ended.

        Raises:
            InvalidArgument: the options cannot be.
            UnsupportedOperation: something needed is not installed.
            SessionNotCreated: it did not start, or did not join in time; or its profile is in use.
        """
        poolable = self._pool.fits(options)
        instance = await self._pool.take(options) if poolable else None
        if instance is None:
            instance = await self._begin(options)
        instance.next_step = next_step
        self._instances[instance.id] = instance
        self._arrivals.admit(instance.id)
        self._tasks.start_soon(self._watch, instance)
        if poolable:
            self._pool.stock(options)
        return instance

    async def staged(self) -> None:
        """Wait until the files of a first browser are written and its program is being started, or no browser could be begun."""
        await self._is_staged.wait()

    async def warm(self, options: LaunchOptions) -> int:
        """Have the spares for these options ready before the first launch; how many there are.

        Raises:
            TabwireError: as `launch` does.
        """
        if not self._pool.fits(options):
            return 0
        self._pool.stock(options)
        return await self._pool.ready(options)

    async def terminate(self, browser_id: str) -> None:
        """End a browser; its processes and files are gone when this returns.

        Raises:
            InvalidArgument: no browser that was launched here and runs has this id.
        """
        instance = self._instances.get(browser_id)
        if instance is None:
            ours = ", ".join(f"{other.name} (id {other.id})" for other in self.instances) or "none"
            raise InvalidArgument(f"No browser that was launched here and runs has the id {browser_id!r}. There are: {ours}.")
        await self._finish(instance, "The browser was terminated on request.")

    async def _begin(self, options: LaunchOptions) -> Instance:
        """Start a browser and wait until it has joined; the engine does not know of it yet."""
        claim = guard = None
        try:
            way = way_to(self.transport, options)
            kept = profiles.folder_of(options.profile, self.home) if options.profile else None
            self._refuse_second(kept)
            claim = await profiles.claim(kept) if kept else None
            guard = Guard()
            return await self._start(options, way, guard, claim)
        except BaseException as error:
            self._is_staged.set()
            if claim is not None:
                claim.close()
            if isinstance(error, OSError):
                raise SessionNotCreated(
                    f"The browser could not be started: {error}.", next_step="Mend that, and try again."
                ) from error
            raise

    def _refuse_second(self, kept: Path | None) -> None:
        """Raises: SessionNotCreated: a browser of ours has the profile."""
        if holder := next((other for other in self._running.values() if kept and other.profile == kept), None):
            raise SessionNotCreated(
                f"The profile in {kept} is in use by the browser {holder.name!r} ({holder.where}), launched here.",
                next_step=f"Use that one (id {holder.id}), terminate it first, or launch with another profile.",
            )

    async def _start(self, options: LaunchOptions, way: Way, guard: Guard, claim: profiles.Claim | None) -> Instance:
        wanted, key = wanted_browser(options), new_key("launched")
        self._arrivals.keep_back(wanted.id)
        self.keys.add(key, wanted.id)
        running: Running | None = None
        try:
            start = await stage(options, wanted, key, way, guard, claim.profile if claim else None)
            self._is_staged.set()
            running = await _starter(options)(start)
            await self._joined(wanted.id, running)
        except BaseException:
            self._forget(wanted.id, key.id)
            with anyio.move_on_after(self.end_seconds, shield=True):
                await _close(running, guard)
            raise
        instance = Instance(wanted.id, wanted.name, options, datetime.now(UTC), start.profile, running, guard, key.id, claim)
        self._running[instance.id] = instance
        return instance

    async def _joined(self, browser_id: str, running: Running) -> None:
        """Raises: SessionNotCreated: it ended, or did not join in time."""
        with anyio.move_on_after(self.join_seconds):
            problem = await first_outcome(lambda: self._arrivals.joined(browser_id), running.ended)
            if problem is None:
                return
            raise SessionNotCreated(problem, next_step=chromium.advice(problem))
        refusal = self.transport.reception.refusal
        raise SessionNotCreated(
            f"The browser ({running.where}) runs, but its extension did not join this bridge within {self.join_seconds:g} s.",
            next_step=f"One tried and was refused: {refusal}" if refusal else chromium.NOT_JOINED,
        )

    async def _answers(self, spare: Instance) -> bool:
        """Whether a spare is all right: it may have been idle for minutes."""
        self._arrivals.admit(spare.id)

        async def echo() -> None:
            await self.engine.ask(spare.id, "session.echo", {}, timeout_ms=ANSWER_MS)

        try:
            # What answers is a child of the browser, and may be there a moment longer.
            problem = await first_outcome(echo, spare.running.ended) or await spare.running.is_alive()
        except TabwireError as error:
            problem = str(error)
        if problem is not None:
            log.warning("a browser that was started ahead (%s) is of no use: %s", spare.where, problem)
        return problem is None

    async def _end_spare(self, spare: Instance) -> None:
        await self._finish(spare, "The browser was not needed any more.")

    async def _watch(self, instance: Instance) -> None:
        try:
            how = await first_outcome(instance.running.ended, lambda: self._seen_dead(instance))
        except Exception:
            log.exception("the browser %s (%s) cannot be watched", instance.name, instance.where)
            how = None
        await self._finish(instance, how or "The browser was ended, because nothing could be learned of it any more.")

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
        if not self._arrivals.is_kept_back(instance.id):
            self.engine.browser_ended(instance.id, f"{how} {instance.next_step}")
        self._forget(instance.id, instance.key_id)
        try:
            await _close(instance.running, instance.guard)
        finally:
            self._running.pop(instance.id, None)
            if instance.claim is not None:
                instance.claim.close()
            instance.gone.set()

    def _forget(self, browser_id: str, key_id: str) -> None:
        self.keys.remove(key_id)
        self._arrivals.forget(browser_id)


async def _close(running: Running | None, guard: Guard) -> None:
    """End a browser and delete its files. Cut short, the guard goes on."""
    guard.release()
    await guard.finished()
    if running is not None:
        await running.close()
