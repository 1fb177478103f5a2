"""The time that a call waits for its browser, and for the person in front of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a call waits."""

    first: float = 1.5
    """No browser has ever connected to this process."""
    again: float = 7.0
    """A browser was there and may be coming back: the extension's alarm starts a stopped worker every 6 s."""
    launch: float = 20.0
    """A browser is being started by us."""
    answer: float = 45.0
    """The person is asked whether they allow it. Some clients give up on a call after 60 s, whatever it reports meanwhile."""
