"""The clients of the older protocol, which get notices of changes without asking."""

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anyio

MAX_TOLD = 256
TELL_LIMIT_S = 5.0
"""Time for a client to take what it is told: others wait behind one that does not read."""

log = logging.getLogger(__name__)


class ClientSessions:
    """Sessions from the moment in which they are initialized."""

    def __init__(self) -> None:
        # Sessions do not say when they end; what is sent to one that has is dropped.
        self._sessions: deque[Any] = deque(maxlen=MAX_TOLD)

    async def note(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        """Middleware: a client is told from now on."""
        if ctx.method == "notifications/initialized":
            self._sessions.append(ctx.session)
        return await call_next(ctx)

    async def tell(self, send: Callable[[Any], Awaitable[None]]) -> None:
        """Send something to each."""
        for session in tuple(self._sessions):
            try:
                with anyio.fail_after(TELL_LIMIT_S):
                    await send(session)
            except Exception as error:  # the client is gone, in whatever way its transport says so
                log.debug("a client was not told of a change: %r", error)
                # Another change may have found the same.
                with suppress(ValueError):
                    self._sessions.remove(session)
