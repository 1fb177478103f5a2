"""Repetition of a request: when an address is asked again, and after how long."""

import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.exchange import Answer, Broken
from tabwire.surfaces.reader.loading.policy import Policy
from tabwire.surfaces.reader.loading.time_limit import TimeLimit

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses that may be another one a moment later."""
_LEAST_TIME_S = 0.05
"""Seconds that an attempt needs at least."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """Asks until there is an answer that will not change by asking again."""

    policy: Policy
    """The number of attempts, and the first pause."""
    limit: TimeLimit
    """No attempt begins after it."""
    sleep: Callable[[float], Awaitable[None]]
    """Waits for seconds."""
    next_steps: Mapping[int, str] | None = None
    """The next step for a status, where this loader knows a better one than the others."""

    async def settle(self, url: str, once: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer, whatever its status.

        Raises:
            FetchFailed: there is none, or only one that may pass and has not.
        """
        attempt = 1
        while True:
            asked_s, failure = None, None
            try:
                answer = await once()
            except Broken as error:
                failure = FetchFailed(f"{error}.", {"url": url}, next_step="Check the address and the network.")
                if error.is_final:
                    raise failure from None
            else:
                if answer.status not in PASSING:
                    return answer
                asked_s = retry_after_s(answer.headers.get("retry-after"))
                failure = refused(url, answer, self.next_steps)
            pause = pause_s(attempt, self.policy.back_off_s, asked_s)
            if attempt >= self.policy.attempts or pause + _LEAST_TIME_S > self.limit.remaining_s():
                raise failure
            await self.sleep(pause)
            attempt += 1


def retry_after_s(header: str | None, now: float | None = None) -> float | None:
    """Seconds that a Retry-After header asks for; None when it says nothing."""
    if header is None:
        return None
    header = header.strip()
    if header.isdecimal():
        return float(header[:9])
    try:
        moment = parsedate_to_datetime(header).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))


def pause_s(attempt: int, first_s: float, asked_s: float | None, chance: Callable[[], float] = random.random) -> float:
    """Pause before the next attempt, in seconds.

    Args:
        attempt: How many there were.
        first_s: The pause after the first one.
        asked_s: What the server asked for.
        chance: 0 to 1, so that not all readers come back at once.
    """
    if asked_s is not None:
        return asked_s
    longest: float = first_s * 2 ** (attempt - 1)
    return longest * (0.5 + chance() / 2)


def refused(url: str, answer: Answer, next_steps: Mapping[int, str] | None = None) -> FetchFailed:
    """The error for an answer that is no page; `next_steps` by status come before the usual ones."""
    status, wait_s = answer.status, retry_after_s(answer.headers.get("retry-after"))
    data: dict[str, object] = {"status": status, "url": url}
    if wait_s is not None:
        data["retry_after_s"] = round(wait_s, 1)
    next_step = (next_steps or {}).get(status) or _next_step(status, wait_s)
    return FetchFailed(f"{url} answered {status} {answer.reason}".rstrip() + ".", data, next_step=next_step)


def _next_step(status: int, wait_s: float | None) -> str:
    if wait_s is not None:
        return f"It asks to be left alone for {wait_s:.0f} s; try again then."
    return _NEXT_STEPS.get(status, "Try again later." if status >= 500 else "Check the address, or open another page.")


_NEXT_STEPS = {
    401: "The page needs a login: read it through the user's browser.",
    403: "The server refuses this reader: read the page through the user's browser, or open another one.",
    404: "Check the address, or search for the page.",
    410: "The page is gone; search for another one.",
    429: "Too many requests; wait a while before the next one.",
}
