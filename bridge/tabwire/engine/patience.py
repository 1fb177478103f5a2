"""The time that a call waits for its browser."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call waits for a browser that is not there, in seconds."""

    first: float = 1.5
    """None has ever connected to this process."""
    again: float = 7.0
    """One was there and may be coming back: the extension's alarm starts a stopped worker every 6 s."""
    launch: float = 20.0
    """One is being started by us."""
