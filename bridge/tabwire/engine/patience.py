"""The time that a call waits for its browser."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a call waits for a browser that is not there."""

    first: float = 1.5
    """No browser has ever connected to this process."""
    again: float = 7.0
    """A browser was there and may be coming back: the extension's alarm starts a stopped worker every 6 s."""
    launch: float = 20.0
    """A browser is being started by us."""
