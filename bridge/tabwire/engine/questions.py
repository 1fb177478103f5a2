"""Questions that the extension asks the owner of its browser while a call waits: who else hears of them, and may answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal

Answer = Literal["once", "later"]

ASKED_EVENT = "permission.asked"
ANSWERED_EVENT = "permission.answered"
SETTLED_EVENT = "permission.settled"
MAX_WAIT_S = 3600.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question that is open in a browser."""

    id: str
    browser_id: str
    what: str
    """Subject of the question, in words."""
    where: str
    from_client: bool
    """Whether the owner of the browser lets the client's user say yes. Anybody may say no."""
    wait_s: float = 0.0
    """Time for which the extension waits for the answer."""
    words: str = ""
    """The whole question; "" where it is made of what and where."""
    answered: Callable[[Answer], Awaitable[None]] | None = None
    """Hears the answer; None: the extension does."""

    @classmethod
    def read(cls, browser_id: str, params: Mapping[str, Any]) -> Question | None:
        """A question as the extension tells it; None where it makes no sense."""
        identity, what, where = (params.get(name) for name in ("question", "what", "where"))
        if not (isinstance(identity, str) and isinstance(what, str) and isinstance(where, str)):
            return None
        wait_ms = params.get("wait_ms")
        wait_s = min(max(wait_ms / 1000, 0.0), MAX_WAIT_S) if isinstance(wait_ms, int | float) else 0.0
        return cls(identity, browser_id, what, where, params.get("from_client") is True, wait_s)


Asked = Callable[[Question], None]

_asked: ContextVar[Asked | None] = ContextVar("tabwire_asked", default=None)


@contextmanager
def told_to(asked: Asked) -> Iterator[None]:
    """Tell `asked` of the questions that come up during calls made in here."""
    token = _asked.set(asked)
    try:
        yield
    finally:
        _asked.reset(token)


def asker() -> Asked | None:
    """Listener to questions about a call that is made now; None if there is none."""
    return _asked.get()
