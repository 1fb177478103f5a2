"""The clients of the older protocol, who are told of changes without asking."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

MAX_SESSIONS = 256

log = logging.getLogger(__name__)


class ClientSessions:
    """Sessions from the moment in which they are initialized."""

    def __init__(self) -> None:
        # Sessions do not say when they end; what is sent to one that has is dropped.
        self._sessions: deque[Any] = deque(maxlen=MAX_SESSIONS)

    async def note(self, ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        """Middleware: a client is told from now on."""
        if ctx.method == "notifications/initialized":
            self._sessions.append(ctx.session)
        return await call_next(ctx)

    async def tell(self, send: Callable[[Any], Awaitable[None]]) -> None:
        """Send something to each."""
        for session in tuple(self._sessions):
            try:
                await send(session)
            except Exception as error:  # the client is gone, in whatever way its transport says so
                log.debug("a client was not told of a change: %s", error)
                self._sessions.remove(session)
