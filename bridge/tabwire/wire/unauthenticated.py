"""Connections at a listener on the network before they have shown the token: few at once, and not for long.

On loopback only programs of this computer can crowd a listener. Here anybody can, and each costs a file and a TLS handshake.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections import Counter
from functools import partial
from typing import Any

from websockets.asyncio.server import ServerConnection

logger = logging.getLogger(__name__)

MAX_UNAUTHENTICATED = 64
"""Limit of connections. One more closes the oldest from the address that has most of them: a crowd keeps only itself out."""


class Unauthenticated:
    """The unauthenticated connections of a listener.

    Args:
        context: Their TLS.
        open_s: How long its handshake may take.
        close_s: How long its end may take.
    """

    def __init__(self, context: ssl.SSLContext, open_s: float, close_s: float) -> None:
        self._context = context
        self._open_s = open_s
        self._close_s = close_s
        self._known: dict[Newcomer, str] = {}
        """Each with where it comes from, oldest first."""

    @property
    def connection(self) -> Any:
        """Maker of connections, which replaces websockets' own class."""
        return partial(Newcomer, self)

    def add(self, newcomer: Newcomer, address: str) -> None:
        """Add a connection."""
        self._known[newcomer] = address
        if len(self._known) > MAX_UNAUTHENTICATED:
            crowd = Counter(self._known.values()).most_common(1)[0][0]
            oldest = next(other for other, source in self._known.items() if source == crowd)
            self.remove(oldest)
            oldest.abort()

    def remove(self, newcomer: Any) -> None:
        """Remove a connection that has shown the token, or is gone."""
        self._known.pop(newcomer, None)

    def end(self) -> None:
        """The listener is shut."""
        for newcomer in tuple(self._known):
            newcomer.abort()

    async def secure(self, newcomer: Newcomer, transport: asyncio.Transport) -> asyncio.Transport | None:
        """Put the transport of a connection inside TLS; None when it did not get that far."""
        if transport.is_closing():
            return None
        try:
            return await asyncio.get_running_loop().start_tls(
                transport,
                newcomer,
                self._context,
                server_side=True,
                ssl_handshake_timeout=self._open_s,
                ssl_shutdown_timeout=self._close_s,
            )
        # Not only OSError: a transport that is aborted in the middle of it loses its parts.
        except Exception as error:
            # A browser that does not trust the certificate ends here, and so does every port scanner: told on request only.
            logger.info(
                "no TLS with %s: %s", self._known.get(newcomer, "one that was shut out"), str(error) or type(error).__name__
            )
            transport.abort()
            return None


class Newcomer(ServerConnection):
    """A connection that begins with TLS. What comes before websockets knows of its transport waits."""

    def __init__(self, unauthenticated: Unauthenticated, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._unauthenticated = unauthenticated
        self._raw: asyncio.Transport | None = None
        self._securing: asyncio.Task[None] | None = None
        self._early: list[bytes] = []
        self._is_secure = False
        self._is_lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._raw = transport
        # Nothing of it is for websockets.
        transport.pause_reading()
        address = transport.get_extra_info("peername") or ("",)
        self._unauthenticated.add(self, str(address[0]))
        self._securing = self.loop.create_task(self._secure(transport))

    async def _secure(self, transport: asyncio.Transport) -> None:
        secured = await self._unauthenticated.secure(self, transport)
        if secured is None or self._is_lost:
            self._unauthenticated.remove(self)
            return
        self._is_secure = True
        super().connection_made(secured)
        for data in self._early:
            super().data_received(data)

    def abort(self) -> None:
        """End it at once."""
        if self._raw is not None:
            self._raw.abort()

    def data_received(self, data: bytes) -> None:
        if self._is_secure:
            super().data_received(data)
        else:
            self._early.append(data)

    def eof_received(self) -> None:
        if self._is_secure:
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unauthenticated.remove(self)
        self._is_lost = True
        if self._is_secure:
            super().connection_lost(exc)
