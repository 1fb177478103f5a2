"""Spare browsers, started ahead, so that a launch need not wait for a start."""

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.abc

from tabwire.browsers.first_outcome import first_outcome
from tabwire.browsers.instance import Instance
from tabwire.browsers.running import LaunchOptions
from tabwire.errors import TabwireError

IDLE_SECONDS = 300.0

log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Spare:
    """A browser started ahead that is starting or waiting."""

    instance: Instance | None = None
    failure: Exception | None = None
    settled: anyio.Event = field(default_factory=anyio.Event)
    """Set when it has started, or has failed to."""
    taken: anyio.Event = field(default_factory=anyio.Event)


@dataclass(eq=False)
class WarmPool:
    """Spares by what they were started with: one is given for equal options only."""

    tasks: anyio.abc.TaskGroup
    """Group in which they are started and watched."""
    begin: Callable[[LaunchOptions], Awaitable[Instance]]
    """Start of a browser."""
    end: Callable[[Instance], Coroutine[Any, Any, None]]
    """End of a browser."""
    answers: Callable[[Instance], Awaitable[bool]]
    """Whether a spare that is about to be given answers."""
    size: int
    """Number of spares for each kind that was asked for; 0 for none."""
    idle_seconds: float = IDLE_SECONDS
    """Seconds that a spare waits before it is ended."""
    _spares: defaultdict[LaunchOptions, list[_Spare]] = field(default_factory=lambda: defaultdict(list), init=False)

    @staticmethod
    def fits(options: LaunchOptions) -> bool:
        """Whether such a browser can be a spare: a kept profile is for one browser, and the places of a Grid are others', too."""
        return options.use_pool and options.profile is None and options.grid is None

    async def take(self, options: LaunchOptions) -> Instance | None:
        """A spare that answers, or one that is just starting; None when there is none. Another one is not started for it yet."""
        spares = self._spares[options]
        while spares:
            spare = spares.pop(0)
            if not spare.settled.is_set():
                try:
                    await spare.settled.wait()
                except BaseException:
                    spares.insert(0, spare)
                    raise
            spare.taken.set()
            if spare.instance is not None and await self._is_good(spare.instance):
                return spare.instance
        return None

    async def _is_good(self, instance: Instance) -> bool:
        """Whether it answers; else, and when nobody waits for that any more, it is ended."""
        answers = False
        try:
            answers = await self.answers(instance)
        finally:
            if not answers:
                self.tasks.start_soon(self.end, instance)
        return answers

    def stock(self, options: LaunchOptions) -> None:
        """Start the missing spares in the background."""
        spares = self._spares[options]
        while len(spares) < self.size:
            spare = _Spare()
            spares.append(spare)
            self.tasks.start_soon(self._keep, options, spare)

    async def ready(self, options: LaunchOptions) -> int:
        """Wait until the spares that are being started have started; how many there are.

        Raises:
            TabwireError: one could not be started, with the reason.
        """
        for spare in tuple(self._spares[options]):
            await spare.settled.wait()
            if spare.failure is not None:
                raise spare.failure
        return len(self._spares[options])

    async def _keep(self, options: LaunchOptions, spare: _Spare) -> None:
        """A spare, from its start until it is given, has ended, or has waited too long."""
        try:
            spare.instance = await self.begin(options)
        except Exception as error:
            log.warning("a browser could not be started ahead: %s", error, exc_info=not isinstance(error, TabwireError))
            spare.failure = error
            self._drop(options, spare)
            return
        finally:
            spare.settled.set()
        with anyio.move_on_after(self.idle_seconds):
            await first_outcome(spare.taken.wait, spare.instance.running.ended)
        if not spare.taken.is_set():
            self._drop(options, spare)
            await self.end(spare.instance)

    def _drop(self, options: LaunchOptions, spare: _Spare) -> None:
        if spare in self._spares[options]:
            self._spares[options].remove(spare)
