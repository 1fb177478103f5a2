"""Browsers come here, through `listeners`: each connection from its handshake (`session`) to its end.

Every byte of a peer that has not proved itself counts against tight limits of size, time and number.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import secrets
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import anyio

from tabwire import INSTALL_COMMAND
from tabwire.errors import EXTENSIONS_PAGE, INSTALL_STEP, RELOAD_STEP, capitalized
from tabwire.wire import listeners
from tabwire.wire import ports as port_window
from tabwire.wire.connection import Disconnected, Receiver, Reception, Refusal, Visit
from tabwire.wire.keys import JoinedKeys, Keys
from tabwire.wire.listeners import Listen, Listener, RemoteAddress
from tabwire.wire.messages import MAX_FRAME_BYTES, Browser, Event, Ping, Ready
from tabwire.wire.session import CLOSE_CODES, Refused, ServerSession, State

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

    from tabwire.wire.pairing_desk import PairingDesk

HANDSHAKE_S = 5.0
SILENCE_S = 25.0
"""A browser pings every 5 s. One that said nothing for so long is asked,"""
ANSWER_S = 5.0
"""and has so long to answer: after a sleep of the computer every deadline is over, and a deadline alone proves nothing."""
COPY_S = 1.0
"""Seconds that a browser has to prove that its connection is alive when another one comes with its identity."""
SHUTDOWN_S = 0.8
LATELY = timedelta(days=7)
"""A browser that was here within this time may be running, with a worker that Chrome has stopped."""
JOINING_S = 2.0
"""A worker that has just been started looks for bridges and shakes hands in this time, also on a busy computer."""
NEWS_PACE_S = 1.0
"""Seconds between two notices to browsers about other bridges. One search finds all that start together."""
MAX_UNAUTHENTICATED = 32
"""Connections that one listener keeps in their handshake at once. One more ends the oldest: silence keeps nobody out."""

_PAIR_AGAIN = f"{capitalized(INSTALL_STEP)}. Then {RELOAD_STEP}."
_REFUSALS: Mapping[str, Refusal] = {
    "unknown_key": Refusal(
        "its key is not one of this bridge's: it is set up for another user or home folder, or its key was taken back.",
        f"If it is another user's, that does no harm. If it is yours: {_PAIR_AGAIN}",
        is_foreign=True,
    ),
    "wrong_mac": Refusal("it does not hold the key it names.", _PAIR_AGAIN),
    "not_us": Refusal("it does not know this bridge's key.", _PAIR_AGAIN),
    "unsupported_version": Refusal(
        "it speaks another version of the protocol.",
        f"Run `{INSTALL_COMMAND}`, {RELOAD_STEP} and restart the MCP client.",
    ),
    "duplicate": Refusal(
        "a browser with the same identity is connected already.",
        "One of the two has probably a copied profile: give it a new identity in the extension's popup.",
    ),
    "wrong_browser": Refusal("it says it is another browser than its key was made for.", "Launch a new one."),
    "wrong_extension": Refusal(
        "it is another extension of that name.",
        f"Remove that one in {EXTENSIONS_PAGE}: a browser needs one Tabwire. {capitalized(INSTALL_STEP)}.",
    ),
}

logger = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Peer:
    """Open connection of a browser."""

    browser: Browser
    connection: ServerConnection
    key_id: str
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    end: str = "silent"
    """Reason why the connection is closed."""


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
        listen: Where to listen besides, for browsers elsewhere.
        desk: Where a browser without a key is answered; None for nowhere.
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
        listen: Listen | None = None,
        desk: PairingDesk | None = None,
    ) -> None:
        self.server_id = secrets.token_hex(8)
        self.port: int | None = None
        self.problem: str | None = None
        self.last_refusal: Refusal | None = None
        self._ports = tuple(ports)
        self._own_keys = self._keys = keys
        self._desk: PairingDesk | None = None
        if desk is not None:
            self.open_desk(desk)
        self._run_dir = run_dir
        self._extension_id = extension_id
        self._origin = f"chrome-extension://{extension_id}"
        self._listen = listen
        self._ready = Ready(client_name, client_version, server_version, input_mode, launched=False)
        self._started = datetime.now(UTC).isoformat(timespec="seconds")
        self._receiver: Receiver | None = None
        self._listeners: list[Listener] = []
        self._remote: Listener | None = None
        self._peers: dict[str, _Peer] = {}
        self._sessions: dict[str, str] = {}
        """Browser id → the `Browser.session` in which it was last asked for something."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._news_at = -math.inf
        self._has_news = False
        """Whether browsers are about to be told."""
        self._wakes_until = -math.inf
        """Time, as `time.monotonic` has it, by which each running browser that was here lately must have found this bridge."""

    # Life.

    async def __aenter__(self) -> Self:
        try:
            if self._listen is not None:
                self._remote = await listeners.on_network(self._listen, self._origin)
                await self._open(self._remote)
            await self._open_on_loopback()
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        visit = self.last_visit
        if visit is not None and datetime.now(UTC) - visit.at < LATELY:
            self._wakes_until = time.monotonic() + visit.wake_s + JOINING_S
        return self

    async def _open_on_loopback(self) -> None:
        try:
            listener = listeners.on_loopback(self._ports, self._origin, self._pairs)
        except port_window.PortsTaken:
            problem = self._ports_taken()
            logger.error("%s", problem)
            # Browsers that dial the other listener can connect all the same.
            self.problem = None if self._remote else problem
            return
        self.port = listener.port
        listener.on_news = self._pass_news
        self._note()
        await self._open(listener)
        if listener.port in self._ports:
            self._start(port_window.announce(self._run_dir, listener.port))

    def open_desk(self, desk: PairingDesk) -> None:
        """Answer browsers without a key from now on, in place of a desk that was there."""
        self._desk = desk
        self._keys = JoinedKeys(self._own_keys, desk.pending)

    def _pairs(self) -> bool:
        return self._desk is not None and self._desk.is_open()

    async def _open(self, listener: Listener) -> None:
        self._listeners.append(listener)
        await listener.open(self._serve)

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.port is not None:
            port_window.forget(self._run_dir, self.port)
        with anyio.move_on_after(SHUTDOWN_S, shield=True):
            for listener in self._listeners:
                listener.shut()
            for listener in self._listeners:
                await listener.emptied()
        # Peers that did not even finish their HTTP request are not waited for.
        for task in (*self._tasks, *(task for listener in self._listeners for task in listener.tasks)):
            task.cancel()

    def address_for_remote(self) -> RemoteAddress | None:
        """Address, token and certificate that a browser has to know to come in where `--listen` says; None without it."""
        return self._remote.remote_address if self._remote else None

    def _ports_taken(self) -> str:
        first, last = min(self._ports), max(self._ports)
        which = f"port {first} is" if first == last else f"all ports from {first} to {last} are"
        holders = [holder for holder in port_window.holders(self._run_dir) if holder.port in self._ports]
        held = "; ".join(f"{holder.port}: {holder.client or 'a bridge'} (process {holder.pid})" for holder in holders)
        who = f" Held by {held}." if held else " Held by programs other than tabwire."
        return f"No browser can connect to this bridge: {which} taken.{who} End one of them and start this bridge again."

    # link.Link

    @property
    def reception(self) -> Reception:
        """State of the link and the peers that were seen so far."""
        return Reception(
            self.port, self._ready.client_name, self.last_refusal, sum(listener.probes for listener in self._listeners)
        )

    @property
    def last_visit(self) -> Visit | None:
        """The last visit of a browser to any bridge of this user."""
        return self._keys.last_visit()

    @property
    def wake_left_s(self) -> float:
        """Time that a browser that was here lately may still take to join by itself."""
        return max(0.0, self._wakes_until - time.monotonic())

    def attach(self, receiver: Receiver) -> None:
        """Set the receiver of news about browsers and of messages."""
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
        self._sessions[browser_id] = peer.browser.session
        # Closed while writing: it may have been written. The loss is reported by the peer's own task.
        with suppress(ConnectionClosed):
            await peer.connection.send(text)

    def set_client(self, name: str, version: str) -> None:
        """Say who the MCP client is: to browsers that connect later, and by an event to those already here."""
        if (name, version) == (self._ready.client_name, self._ready.client_version):
            return
        self._ready = replace(self._ready, client_name=name, client_version=version)
        if self.port is not None:
            self._note()
        self._tell_all(Event("session.client", {"name": name, "version": version}))

    def _pass_news(self) -> None:
        """Another bridge has begun to listen. Any process of this computer may say so; browsers look once a second at most."""
        wait = self._news_at + NEWS_PACE_S - time.monotonic()
        if self._has_news:
            return
        self._has_news = True
        asyncio.get_running_loop().call_later(max(wait, 0), self._tell_news)

    def _tell_news(self) -> None:
        self._has_news = False
        self._news_at = time.monotonic()
        self._tell_all(Event("session.bridges", {}))

    def _tell_all(self, event: Event) -> None:
        for browser_id in self._peers:
            self._start(self._tell(browser_id, event.encode()))

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

    async def _serve(self, listener: Listener, connection: ServerConnection) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            if self._desk is not None and connection.request and connection.request.path == listeners.PAIR_PATH:
                await self._pair(self._desk, listener, connection)
            else:
                await self._converse(connection, await self._admit(listener, connection))
        except Refused as refused:
            logger.info("connection closed: %s", refused)
            await connection.close(refused.code, refused.reason)
        except ConnectionClosed as closed:
            logger.debug("connection ended: %s", closed)

    async def _pair(self, desk: PairingDesk, listener: Listener, connection: ServerConnection) -> None:
        """An exchange with a browser that has no key; it comes in by the handshake afterwards."""
        from tabwire.wire.pairing_session import PairingSession

        session = PairingSession(port=listener.port, server_id=self.server_id, extension_id=self._extension_id)
        await desk.converse(connection, session)

    async def _admit(self, listener: Listener, connection: ServerConnection) -> ServerSession:
        """The handshake, within its time."""
        from websockets.exceptions import ConnectionClosed

        session = ServerSession(
            port=listener.port,
            server_id=self.server_id,
            extension_id=self._extension_id,
            find_key=self._keys.find,
            ready=lambda: replace(self._ready, launched=self._keys.is_launched(session.key_id)),
        )
        try:
            with anyio.fail_after(HANDSHAKE_S) as time_left:
                _make_room(listener)
                listener.unauthenticated[session] = time_left
                while session.browser is None:
                    reply = session.advance(await connection.recv())
                    if session.browser is not None:
                        if not self._keys.fits(session.key_id, session.browser.id):
                            raise Refused("wrong_browser", session.browser.name)
                        await self._refuse_copy(session.browser)
                        connection.protocol.max_message_size = MAX_FRAME_BYTES
                        await self._let_in(connection, session, reply)
                    else:
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
        finally:
            listener.unauthenticated.pop(session, None)
        self.last_refusal = None
        assert session.browser is not None
        self._keys.note_use(session.key_id, session.browser.wake_s)
        self._wakes_until = -math.inf
        return session

    async def _let_in(self, connection: ServerConnection, session: ServerSession, reply: str) -> None:
        """The end of the handshake. A new key is kept first: a browser that keeps it must not find it unknown."""
        assert session.browser is not None
        is_new = self._desk is not None and self._desk.keep(session.key_id, session.browser)
        try:
            await connection.send(reply)
        except BaseException:
            if self._desk is not None and is_new:
                self._desk.forget(session.key_id)
            raise

    async def _refuse_copy(self, browser: Browser) -> None:
        """A copied profile brings the identity of its original. What is meant for one must not reach the other: the first stays.

        Raises:
            Refused: The other one is there. Without an answer to a protocol ping, which needs no script, it is not.
        """
        from websockets.exceptions import ConnectionClosed

        peer = self._peers.get(browser.id)
        if peer is None or peer.browser.session == browser.session:
            return
        with suppress(ConnectionClosed), anyio.move_on_after(COPY_S):
            await (await peer.connection.ping())
            raise Refused("duplicate", browser.name)

    def _note_refusal(self, reason: str) -> None:
        self.last_refusal = _REFUSALS.get(reason, self.last_refusal)
        if self._receiver is not None:
            self._receiver.browser_refused()

    async def _converse(self, connection: ServerConnection, session: ServerSession) -> None:
        """Handle the connection after the handshake, until one side ends it."""
        assert session.browser is not None
        peer = _Peer(session.browser, connection, session.key_id)
        await self._tell_session(peer)
        self._join(peer)
        try:
            with peer.scope:
                while (frame := await _next_frame(connection)) is not None:
                    await self._take(peer, session, frame)
        finally:
            self._leave(peer)
        # Only silence and a cancelled scope lead here.
        await connection.close(CLOSE_CODES[peer.end], peer.end)

    async def _tell_session(self, peer: _Peer) -> None:
        """Tell a restarted browser before its first call that this client had worked in the one before."""
        known = self._sessions.get(peer.browser.id)
        if known is not None and known != peer.browser.session:
            await peer.connection.send(Event("session.known", {"session": known}).encode())

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


def _make_room(listener: Listener) -> None:
    """End the time of the handshake that came least far: one that has said nothing before one that was challenged."""
    if len(listener.unauthenticated) >= MAX_UNAUTHENTICATED:
        oldest = min(listener.unauthenticated, key=lambda session: session.state is not State.HELLO)
        listener.unauthenticated.pop(oldest).deadline = -math.inf


async def _next_frame(connection: ServerConnection) -> str | bytes | None:
    """The peer's next frame; None when it has fallen silent and does not answer either."""
    with anyio.move_on_after(SILENCE_S):
        return await connection.recv()
    with anyio.move_on_after(ANSWER_S):
        await connection.send(Ping(0).encode())
        return await connection.recv()
    return None
