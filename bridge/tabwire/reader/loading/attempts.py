"""When an address is asked again, and after how long."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime

from tabwire.reader.errors import FetchFailed

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses that may be another one a moment later."""


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
    """How long to wait before the next attempt.

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


def refused(url: str, status: int, reason: str, wait_s: float | None) -> FetchFailed:
    """The error for an answer that is none."""
    data: dict[str, object] = {"status": status, "url": url}
    if wait_s is not None:
        data["retry_after_s"] = round(wait_s, 1)
    return FetchFailed(f"{url} answered {status} {reason}".rstrip() + ".", data, next_step=_next_step(status, wait_s))


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
