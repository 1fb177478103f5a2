"""Warnings of this process as log messages to clients of the older protocol; the newer one deprecates them.

They go to stderr too, which some clients show nobody.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, cast

import anyio
import mcp_types as types

from tabwire.server.client_sessions import ClientSessions

MAX_WAITING = 100
_OF_ANSWERS = "tabwire.server."
"""Loggers of the modules that answer the client."""
_LEVELS: dict[str, int] = {
    "debug": logging.DEBUG, "info": logging.INFO, "notice": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR,
    "critical": logging.CRITICAL, "alert": logging.CRITICAL, "emergency": logging.CRITICAL,
}  # fmt: skip


class ClientLog(logging.Handler):
    """A handler that sends what is logged to all clients, from the level that the last one has asked for.

    What a client's own messages did to the server is left out: it has the answers.

    Args:
        sessions: the clients.
    """

    def __init__(self, sessions: ClientSessions) -> None:
        super().__init__(logging.WARNING)
        self._sessions = sessions
        self._waiting: deque[logging.LogRecord] = deque(maxlen=MAX_WAITING)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._more = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record until it is sent. Any thread may log."""
        if record.name.startswith(_OF_ANSWERS):
            return
        self._waiting.append(record)
        if (loop := self._loop) is not None:
            # It may have ended meanwhile.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._more.set)

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Clients are told what is logged while this is entered."""
        self._loop = asyncio.get_running_loop()
        logger = logging.getLogger("tabwire")
        logger.addHandler(self)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._send_all)
                yield
                tasks.cancel_scope.cancel()
        finally:
            logger.removeHandler(self)
            self._loop = None

    async def _send_all(self) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            while self._waiting:
                await self._sessions.tell(partial(_send, self._waiting.popleft()))

    async def set_level(self, ctx: Any, params: types.SetLevelRequestParams) -> types.EmptyResult:
        """`logging/setLevel`."""
        self.setLevel(_LEVELS[params.level])
        return types.EmptyResult()


async def _send(record: logging.LogRecord, session: Any) -> None:
    level = cast(types.LoggingLevel, record.levelname.lower())
    message = types.LoggingMessageNotificationParams(level=level, data=record.getMessage(), logger=record.name)
    await session.send_notification(types.LoggingMessageNotification(params=message))
