"""Limit of a server's requests to the network. Waiting is the client's business: a call over the limit says how long."""

import math
import time
from collections import deque
from collections.abc import Callable

from tabwire.surfaces.reader.errors import RateLimited

WINDOW_S = 60.0


class RateLimit:
    """A limit per minute, over any minute.

    Args:
        what: What is counted, in the plural.
        per_minute: How many of it.
        clock: Seconds that only grow.
    """

    def __init__(self, what: str, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._per_minute = per_minute
        self._clock = clock
        self._taken: deque[float] = deque()

    def take(self) -> None:
        """Count one.

        Raises:
            RateLimited: it would be one too many; it is not counted.
        """
        now = self._clock()
        while self._taken and now - self._taken[0] >= WINDOW_S:
            self._taken.popleft()
        if len(self._taken) >= self._per_minute:
            wait = max(1, math.ceil(self._taken[0] + WINDOW_S - now))
            raise RateLimited(
                f"{self._per_minute} {self._what} in a minute is the limit of this server",
                {"retry_after_s": wait},
                next_step=f"Wait {wait} s, or read on in what is open: scroll and find are not limited.",
            )
        self._taken.append(now)
