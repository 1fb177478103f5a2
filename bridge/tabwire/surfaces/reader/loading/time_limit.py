"""The time of one load, for work that cannot be cancelled from outside."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio

from tabwire.errors import Timeout


class TimeLimit:
    """Ends extraction that runs in a thread.

    Args:
        seconds: From now on.
        clock: Seconds, monotonic.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    def remaining_s(self) -> float:
        """Seconds left, at least 0."""
        return max(0.0, self._end - self._clock())

    def check(self) -> None:
        """Raises: Timeout when the time is over."""
        if self.remaining_s() <= 0:
            raise self.exceeded()

    def exceeded(self) -> Timeout:
        """The error for it."""
        return Timeout(
            f"The page was not loaded and read within {self._seconds:g} s.", next_step="Try again, or open a smaller page."
        )


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[TimeLimit]:
    """Cancel what takes longer. Raises: Timeout."""
    limit = TimeLimit(seconds)
    try:
        with anyio.fail_after(seconds):
            yield limit
    except TimeoutError:
        raise limit.exceeded() from None
