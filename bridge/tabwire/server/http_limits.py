"""Bounds of `serve --http`: what is idle makes room for what is new, so that nobody who has the token is kept out.

connections   those that have not shown the token are few and short-lived; they never take the place of the others
sessions      the one that has been idle for longest ends when another client opens one more than there may be
"""

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

MAX_UNPROVEN = 64
"""Connections that have not shown the token. One more costs the oldest of them its place."""
SESSION_HEADER = b"mcp-session-id"
VERSION_HEADER = b"mcp-protocol-version"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]
Peer = tuple[str, int]


class Connection(Protocol):
    """The transport of a connection."""

    def close(self) -> None:
        """End it."""


class Unproven:
    """The connections that have not shown the token, oldest first."""

    def __init__(self) -> None:
        self._known: dict[Peer, Connection] = {}

    def add(self, peer: Peer, connection: Connection) -> None:
        """A new connection; the oldest one ends when there are too many."""
        self._known[peer] = connection
        if len(self._known) > MAX_UNPROVEN:
            self.end(next(iter(self._known)))

    def remove(self, peer: Peer | None) -> None:
        """Forget a connection that has shown the token, or is gone."""
        if peer is not None:
            self._known.pop(tuple(peer), None)  # type: ignore[arg-type]  # an ASGI server may give a list

    def end(self, peer: Peer) -> None:
        """Close a connection whose time is over, unless it has shown the token."""
        if (connection := self._known.pop(peer, None)) is not None:
            connection.close()


class Sessions:
    """An ASGI application in front of the SDK's, which refuses a client when too many sessions are open.

    Args:
        app: the SDK's application.
        most: how many sessions it keeps.
        modern: versions of MCP that have no sessions.
    """

    def __init__(self, app: App, most: int, modern: tuple[str, ...]) -> None:
        self._app = app
        self._most = most
        self._modern = {version.encode() for version in modern}
        self._requests: dict[bytes, int] = {}
        """Session → requests under way, the longest unused first."""

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers = dict(scope["headers"])
        session = headers.get(SESSION_HEADER)
        if session is None:
            if scope["method"] == "POST" and headers.get(VERSION_HEADER) not in self._modern:
                await self._make_room(scope)
            return await self._app(scope, receive, partial(self._note, send))
        self._begin(session)
        try:
            await self._app(scope, receive, send)
        finally:
            self._end(session, is_over=scope["method"] == "DELETE")

    async def _note(self, send: Send, message: Message) -> None:
        """Send a part of an answer, and note the session that it opens."""
        if message["type"] == "http.response.start" and message["status"] < 400:
            opened = [value for name, value in message["headers"] if name.lower() == SESSION_HEADER]
            self._requests.update(dict.fromkeys(opened, 0))
        await send(message)

    def _begin(self, session: bytes) -> None:
        if session in self._requests:
            self._requests[session] = self._requests.pop(session) + 1

    def _end(self, session: bytes, *, is_over: bool) -> None:
        if session not in self._requests:
            return
        under_way = self._requests.pop(session) - 1
        if not is_over:
            self._requests[session] = under_way

    async def _make_room(self, scope: Any) -> None:
        """End the session that has been idle for longest, as its client would, when there is no room for another one."""
        idle = next((session for session, under_way in self._requests.items() if not under_way), None)
        if len(self._requests) < self._most or idle is None:
            return
        del self._requests[idle]
        kept = [(name, value) for name, value in scope["headers"] if name in (b"host", b"authorization")]
        asked = {**scope, "method": "DELETE", "headers": [*kept, (SESSION_HEADER, idle), (b"content-length", b"0")]}
        with suppress(OSError):
            await self._app(asked, _no_body, _unheard)


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(message: Message) -> None:
    """Drop the answer: nobody waits for it."""
