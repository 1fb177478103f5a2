"""Common parts of the ways to start a browser: what each is given and what it returns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tabwire.rules.grants import Grants

if TYPE_CHECKING:
    from tabwire.browsers.guard import Guard


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """Description of the browser that is wanted."""

    headless: bool = True
    """Whether the browser has no window."""
    profile: str | Path | None = None
    """A plain name for a kept profile of that name, a path for one in that folder; None for a fresh one, deleted at the end."""
    anti_detect: bool = False
    """An ordinary start: no switch that an ordinary user's browser would not have."""
    use_pool: bool = True
    """Whether a browser that was started ahead may be given."""
    driver: bool = False
    """Whether to start it through Selenium, so that there is a WebDriver session beside the extension."""
    grid: str | None = None
    """URL of a Selenium Grid to start it on; None for this computer."""
    chromium: Path | None = None
    """The executable; None for the usual names."""
    arguments: tuple[str, ...] = ()
    """Further command-line arguments of the browser."""
    downloads: Path | None = None
    """Folder where a new profile saves what pages offer; None for the browser's own choice."""
    permissions: Grants = field(default_factory=Grants, compare=False)
    """Permissions that the owner gives ahead, beside those of every browser launched here. The same for all of a process."""


@dataclass(frozen=True, slots=True)
class Start:
    """All that a way of starting needs to know of one browser."""

    options: LaunchOptions
    extension: Path
    """A copy of the extension for this browser alone, paired."""
    profile: Path
    """Profile folder of the browser, prepared. Means nothing on a Grid."""
    guard: Guard = field(repr=False)
    """Is told what must not outlive us, before there is more of it."""
    spki: str | None = None
    """Fingerprint of our listener's certificate, for `--ignore-certificate-errors-spki-list`; None without TLS."""


class Running(Protocol):
    """A browser that was started."""

    driver: Any
    """The `selenium` WebDriver; None without one."""
    where: str
    """Description for people: "process 4711", "http://10.0.0.7:5555, session 3f…"."""

    async def ended(self) -> str:
        """Wait until it is gone; a sentence that says how."""

    async def is_alive(self) -> str | None:
        """Look now, for a browser whose connection was lost: None while it runs, else a sentence that says what became of it."""

    async def close(self) -> None:
        """Close what is open on our side, once the guard has ended the browser. Bounded in time, never raises."""


Starter = Callable[[Start], Awaitable[Running]]
"""Raises UnsupportedOperation or SessionNotCreated with what to do about it. What it began is the guard's."""
