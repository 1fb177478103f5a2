"""A browser that this bridge launched, from its start to its end."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio

from tabwire.browsers.guard import Guard
from tabwire.browsers.profiles import Claim
from tabwire.browsers.running import LaunchOptions, Running

LAUNCH_ANOTHER = "Launch another one."


@dataclass(eq=False, slots=True)
class Instance:
    """A launched browser."""

    id: str
    """Id of the browser, for the engine, too."""
    name: str
    """Name of the browser for the engine, unless its owner gives it another one."""
    options: LaunchOptions
    started: datetime
    profile: Path
    """Profile folder of the browser. Means nothing on a Grid."""
    running: Running = field(repr=False)
    guard: Guard = field(repr=False)
    key_id: str = field(repr=False)
    claim: Claim | None = field(repr=False)
    """Claim on a kept profile; None with a fresh one."""
    next_step: str = LAUNCH_ANOTHER
    """Advice to calls when it has ended."""
    ended: str | None = None
    """None while it runs, else a sentence that says how it ended."""
    gone: anyio.Event = field(default_factory=anyio.Event, repr=False)
    """Set when it has ended and its files are deleted."""

    @property
    def where(self) -> str:
        """Description for people: "process 4711"."""
        return self.running.where

    @property
    def driver(self) -> Any:
        """The `selenium` WebDriver; None without one."""
        return self.running.driver

    async def wait_ended(self) -> str:
        """Wait until it is gone; a sentence that says how it ended."""
        await self.gone.wait()
        assert self.ended is not None
        return self.ended
