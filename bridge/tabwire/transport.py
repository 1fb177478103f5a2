"""Browsers come here: a WebSocket server on this computer's loopback. The only importer of `websockets`.

    GET /probe   204 and nothing else: a bridge is here
    /            WebSocket, for our extension only: exact Host, exact Origin, then the handshake of `protocol.session`

Every byte of a peer that has not proved itself counts against tight limits of size, time and number.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import anyio

from tabwire import ports as port_window
from tabwire.keys import Keys
from tabwire.link import Disconnected, Receiver
from tabwire.protocol.message import HANDSHAKE_LIMIT, Browser, Event, Ping, Ready
from tabwire.protocol.session import CLOSE_CODES, Refused, ServerSession

if TYPE_CHECKING:
    import socket

    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

__all__ = ["Transport"]

MAX_FRAME_BYTES = 64 * 1024 * 1024
HANDSHAKE_S = 5.0
SILENCE_S = 45.0
CLOSE_S = 0.5
SHUTDOWN_S = 0.8
MAX_STRANGERS = 32
"""Connections that may be in their handshake at once."""

_PAIR_AGAIN = (
    "Run `tabwire pair` for the folder Chrome loads the extension from, then reload the extension in chrome://extensions."
)
_REFUSALS: Mapping[str, str] = {
    "unknown_key": f"its key is not one of this bridge's. {_PAIR_AGAIN}",
    "wrong_mac": f"it does not hold the key it names. {_PAIR_AGAIN}",
    "not_us": f"it does not know this bridge's key. {_PAIR_AGAIN}",
    "unsupported_version": "it speaks another version of the protocol. Update both, and reload the extension in chrome://extensions.",
    "wrong_extension": "it is another extension. Load the one of this bridge's version.",
}

logger = logging.getLogger(__name__)
# Every port scanner would otherwise leave a traceback in the client's log.
_quiet_logger = logging.getLogger(f"{__name__}.websockets")
_quiet_logger.setLevel(logging.CRITICAL)


@dataclass(eq=False, slots=True)
class _Peer:
    """One browser's open connection."""

    browser: Browser
    connection: ServerConnection
    key_id: str
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    end: str = "silent"
    """Why the connection is closed, if `scope` is cancelled."""


class Transport:
    """Listens while it is entered. A window without a free port is a `problem`, not an exception: MCP is served all the same.

    Args:
        ports: Ports to try, in order.
        keys: Where handshakes look up keys.
        run_dir: Folder of the notes on who holds which port.
        extension_id: The only extension that may connect.
        server_version: Told to browsers, and noted.
        client_name: The MCP client, until `set_client` knows better.
        client_version: Its version.
        input_mode: "auto", "dom" or "trusted", told to browsers.
        launched: Whether the browser is one that this process starts.
    """

    def __init__(
        self,
        *,
        ports: Sequence[int],
        keys: Keys,
        run_dir: Path,
        extension_id: str,
        server_version: str,
        client_name: str = "",
        client_version: str = "",
        input_mode: str = "auto",
        launched: bool = False,
    ) -> None:
        self.server_id = secrets.token_hex(8)
        self.port: int | None = None
        self.problem: str | None = None
        self.last_refusal: str | None = None
        self._ports = tuple(ports)
        self._keys = keys
        self._run_dir = run_dir
        self._extension_id = extension_id
        self._origin = f"chrome-extension://{extension_id}"
        self._ready = Ready(client_name, client_version, server_version, input_mode, launched)
        self._started = datetime.now(UTC).isoformat(timespec="seconds")
        self._receiver: Receiver | None = None
        self._server: Server | None = None
        self._peers: dict[str, _Peer] = {}
        self._strangers = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # Life.

    async def __aenter__(self) -> Self:
        try:
            listener = port_window.claim(self._ports)
        except port_window.PortsTaken:
            self.problem = self._ports_taken()
            logger.error("%s", self.problem)
            return self
        self.port = listener.getsockname()[1]
        self._note()
        try:
            self._server = await self._listen(listener)
        except BaseException:
            listener.close()
            port_window.forget(self._run_dir, self.port)
            raise
        logger.info("listening on %s:%d", port_window.HOST, self.port)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._server is None or self.port is None:
            return
        port_window.forget(self._run_dir, self.port)
        with anyio.move_on_after(SHUTDOWN_S, shield=True):
            self._server.close()
            await self._server.wait_closed()
        # Peers that did not even finish their HTTP request are not waited for.
        for task in (*self._tasks, *self._server.handler_tasks):
            task.cancel()

    async def _listen(self, listener: socket.socket) -> Server:
        from websockets.asyncio.server import serve

        return await serve(
            self._serve,
            sock=listener,
            process_request=self._gate,
            compression=None,
            max_size=HANDSHAKE_LIMIT,
            open_timeout=HANDSHAKE_S,
            close_timeout=CLOSE_S,
            # The extension's own pings keep its worker alive; protocol pings would not.
            ping_interval=None,
            server_header=None,
            logger=_quiet_logger,
        )

    def _ports_taken(self) -> str:
        first, last = min(self._ports), max(self._ports)
        which = f"port {first} is" if first == last else f"all ports from {first} to {last} are"
        holders = [holder for holder in port_window.holders(self._run_dir) if holder.port in self._ports]
        held = "; ".join(f"{holder.port}: {holder.client or 'a bridge'} (process {holder.pid})" for holder in holders)
        who = f" Held by {held}." if held else " Held by programs other than tabwire."
        return f"No browser can connect to this bridge: {which} taken.{who} End one of them and start this bridge again."

    # link.Link

    def attach(self, receiver: Receiver) -> None:
        """Name who is told of browsers and messages."""
        self._receiver = receiver

    async def send(self, browser_id: str, text: str) -> None:
        """Write one frame to a browser.

        Raises:
            Disconnected: Nothing was written.
        """
        from websockets.exceptions import ConnectionClosed
        from websockets.protocol import OPEN

        peer = self._peers.get(browser_id)
        if peer is None or peer.connection.state is not OPEN:
            raise Disconnected(browser_id)
        try:
            self._check_key(peer)
        except Refused as refused:
            self._start(peer.connection.close(refused.code, refused.reason))
            raise Disconnected(browser_id) from None
        # Closed while writing: it may have been written. The loss is reported by the peer's own task.
        with suppress(ConnectionClosed):
            await peer.connection.send(text)

    def set_client(self, name: str, version: str) -> None:
        """Say who the MCP client is: to browsers that connect later, and by an event to those already here."""
        if (name, version) == (self._ready.client_name, self._ready.client_version):
            return
        ready = self._ready
        self._ready = Ready(name, version, ready.server_version, ready.input_mode, ready.launched)
        if self.port is not None:
            self._note()
        text = Event("session.client", {"name": name, "version": version}).encode()
        for browser_id in self._peers:
            self._start(self._tell(browser_id, text))

    async def _tell(self, browser_id: str, text: str) -> None:
        with suppress(Disconnected):
            await self.send(browser_id, text)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _note(self) -> None:
        assert self.port is not None
        port_window.note(
            self._run_dir,
            port_window.Holder(self.port, os.getpid(), self._ready.client_name, self._started, self._ready.server_version),
        )

    # One connection.

    def _gate(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer or refuse a request before it becomes a WebSocket."""
        hosts = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        host = request.headers.get_all("Host")
        if len(host) != 1 or host[0] not in hosts:
            return _response(403, "Forbidden")
        if request.path == "/probe":
            return _response(204, "No Content")
        if request.path != "/":
            return _response(404, "Not Found")
        if request.headers.get_all("Origin") != [self._origin]:
            return _response(403, "Forbidden")
        if self._strangers >= MAX_STRANGERS:
            return _response(503, "Service Unavailable")
        return None

    async def _serve(self, connection: ServerConnection) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            self._strangers += 1
            try:
                session = await self._admit(connection)
            finally:
                self._strangers -= 1
            await self._converse(connection, session)
        except Refused as refused:
            logger.info("connection closed: %s", refused)
            await connection.close(refused.code, refused.reason)
        except ConnectionClosed as closed:
            logger.debug("connection ended: %s", closed)

    async def _admit(self, connection: ServerConnection) -> ServerSession:
        """The handshake, within its time."""
        from websockets.exceptions import ConnectionClosed

        assert self.port is not None
        session = ServerSession(
            port=self.port,
            server_id=self.server_id,
            extension_id=self._extension_id,
            find_key=self._keys.find,
            ready=lambda: self._ready,
        )
        try:
            with anyio.fail_after(HANDSHAKE_S):
                while session.browser is None:
                    reply = session.advance(await connection.recv())
                    if session.browser is not None:
                        connection.protocol.max_message_size = MAX_FRAME_BYTES
                    await connection.send(reply)
        except TimeoutError:
            raise Refused("handshake_timeout") from None
        except Refused as refused:
            self._note_refusal(refused.reason)
            raise
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code == CLOSE_CODES["wrong_mac"]:
                self._note_refusal("not_us")
            raise
        self.last_refusal = None
        self._keys.note_use(session.key_id)
        return session

    def _note_refusal(self, reason: str) -> None:
        self.last_refusal = _REFUSALS.get(reason, self.last_refusal)

    async def _converse(self, connection: ServerConnection, session: ServerSession) -> None:
        """Everything after the handshake, until one side ends it."""
        assert session.browser is not None
        peer = _Peer(session.browser, connection, session.key_id)
        self._join(peer)
        try:
            with peer.scope:
                while True:
                    peer.scope.deadline = anyio.current_time() + SILENCE_S
                    await self._take(peer, session, await connection.recv())
        finally:
            self._leave(peer)
        # Only a cancelled scope leads here: the peer was silent, or replaced.
        await connection.close(CLOSE_CODES[peer.end], peer.end)

    async def _take(self, peer: _Peer, session: ServerSession, frame: str | bytes) -> None:
        self._check_key(peer)
        message = session.receive(frame)
        if isinstance(message, Ping):
            await peer.connection.send(message.encode_pong())
        elif message is not None and self._receiver is not None and self._peers.get(peer.browser.id) is peer:
            self._receiver.message_received(peer.browser.id, message)

    def _check_key(self, peer: _Peer) -> None:
        """Raises: Refused: The peer's key was taken back meanwhile."""
        if not self._keys.holds(peer.key_id):
            self._note_refusal("unknown_key")
            raise Refused("unknown_key", "it was taken back")

    def _join(self, peer: _Peer) -> None:
        """Add a browser. The same one again has noticed the end of its old connection before we did."""
        old = self._peers.get(peer.browser.id)
        if old is not None:
            self._leave(old)
            old.end = "replaced"
            old.scope.cancel()
        self._peers[peer.browser.id] = peer
        logger.info("browser %r connected", peer.browser.name)
        if self._receiver is not None:
            self._receiver.browser_connected(peer.browser)

    def _leave(self, peer: _Peer) -> None:
        if self._peers.get(peer.browser.id) is not peer:
            return
        del self._peers[peer.browser.id]
        logger.info("browser %r disconnected", peer.browser.name)
        if self._receiver is not None:
            self._receiver.browser_lost(peer.browser.id)


def _response(status: int, phrase: str) -> Response:
    """A bare answer: no body, no header that would let a page read it."""
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    headers = Headers([("Connection", "close")] if status == 204 else [("Connection", "close"), ("Content-Length", "0")])
    return Response(status, phrase, headers)
