"""Listeners for browsers: one on this computer's loopback, and with `--listen HOST:PORT` one more for browsers elsewhere.

    GET /probe   204 and nothing else: a bridge is here
    GET /news    204 for other bridges: one has begun to listen, for which the browsers that are here look
    /pair        while a person waits for a browser that has no key: 204, and a WebSocket for the exchange
    /            WebSocket, for our extension only: exact Host, exact Origin, off loopback a token, then the transport's handshake

Off loopback everything is inside TLS, and who comes without the token hears a bare 403, whatever is asked of the upgrade.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
import re
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.errors import InvalidArgument
from tabwire.wire import pairing, tls
from tabwire.wire import ports as port_window
from tabwire.wire.messages import HANDSHAKE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import anyio
    from websockets.asyncio.server import Server, ServerConnection
    from websockets.datastructures import Headers
    from websockets.http11 import Request, Response
    from websockets.typing import Subprotocol

    from tabwire.wire.session import ServerSession
    from tabwire.wire.unauthenticated import Unauthenticated

    Converse = Callable[["Listener", ServerConnection], Awaitable[None]]

OPEN_S = 5.0
"""Seconds that a connection may take for TLS, and again as long for its HTTP request."""
CLOSE_S = 0.5
PAIR_PATH = "/pair"
SUBPROTOCOL = "tabwire1"
TOKEN_PREFIX = "tabwire.token."
"""A browser cannot give a WebSocket a header of its own: the token comes as the name of one more subprotocol."""

_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?")
_DEFAULT_PORTS = {"ws": 80, "wss": 443}

logger = logging.getLogger(__name__)
# Every port scanner would otherwise leave a traceback in the client's log.
_quiet_logger = logging.getLogger(f"{__name__}.websockets")
_quiet_logger.setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Listen:
    """Address to listen on besides the loopback window, and its certificate."""

    host: str
    """Name or address that browsers dial and that is bound, as they write it but without brackets."""
    port: int
    """0 for any free one."""
    home: Path
    """Below it a certificate of our own is kept."""
    certificate: Path | None = None
    """PEM file; None for one of our own where TLS is needed."""
    private_key: Path | None = None
    """PEM file of the certificate's key; None when the other file holds both."""


@dataclass(frozen=True, slots=True)
class RemoteAddress:
    """Address, token and certificate that a browser elsewhere has to know to come in."""

    address: str
    """`wss://HOST:PORT`; `ws://` on loopback without a certificate."""
    token: str | None = field(repr=False)
    """None on loopback."""
    spki: str | None
    """Fingerprint of the certificate's public key; None without TLS."""


def address_of(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`, the host as browsers write it: in lower case, an IPv6 address without its brackets.

    Raises:
        ValueError: It is none, or names no single place that could be dialled.
    """
    host, colon, number = text.strip().rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,5}", number) or int(number) > 65535:
        raise ValueError(
            f"{text!r} is no HOST:PORT; give one such as 192.0.2.7:8443, [2001:db8::7]:8443, or port 0 for any free one"
        )
    return _dialled(host), int(number)


def _dialled(host: str) -> str:
    bare = host.removeprefix("[").removesuffix("]")
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        name = host.lower().removesuffix(".")
        # What ends in a number is an address to a browser, or an error.
        if not _HOST_NAME.fullmatch(name) or name.rpartition(".")[2].isdigit():
            raise ValueError(f"{host!r} is neither a host name nor an address") from None
        return name
    if address.is_unspecified or address.is_multicast:
        raise ValueError(f"{host!r} is no address that a browser can dial; name the one of this computer that it shall use")
    if isinstance(address, ipaddress.IPv6Address) and (address.scope_id or host == bare):
        raise ValueError(f"write an IPv6 address in brackets and without a zone, not {host!r}")
    return str(address)


class Listener:
    """A port where browsers connect.

    Args:
        listener: A bound socket that listens.
        names: Hosts under which it may be asked.
        origin: The only one that may come in.
        pairs: Whether a browser without a key is answered now.
        token: What has to be shown before the upgrade; None for nothing.
        credentials: For TLS; None without it.
    """

    def __init__(
        self,
        listener: socket.socket,
        names: Iterable[str],
        origin: str,
        *,
        pairs: Callable[[], bool] = lambda: False,
        token: str | None = None,
        credentials: tls.Credentials | None = None,
    ) -> None:
        self.address: str = listener.getsockname()[0]
        self.port: int = listener.getsockname()[1]
        self.scheme = "wss" if credentials else "ws"
        self.probes = 0
        """Number of times a browser looked whether a bridge is here."""
        self.unauthenticated: dict[ServerSession, anyio.CancelScope] = {}
        """Handshakes under way and their time, oldest first."""
        self._listener = listener
        self.on_news: Callable[[], None] | None = None
        """Called when another bridge of this computer says that it has begun to listen."""
        self._names = tuple(names)
        self._origin = origin
        self._pairs = pairs
        self._token = token
        self._credentials = credentials
        self._server: Server | None = None
        self._unauthenticated: Unauthenticated | None = None
        ports = [f":{self.port}", *([""] if self.port == _DEFAULT_PORTS[self.scheme] else [])]
        self._hosts = {f"{name}{port}" for name in self._names for port in ports}

    @property
    def remote_address(self) -> RemoteAddress:
        """Address, token and certificate that a browser has to know to come in here."""
        spki = self._credentials.spki if self._credentials else None
        return RemoteAddress(f"{self.scheme}://{self._names[0]}:{self.port}", self._token, spki)

    async def open(self, converse: Converse) -> None:
        """Take connections. Each one that passes is given to `converse`."""
        from websockets.asyncio.server import serve

        if self._credentials is not None:
            from tabwire.wire.unauthenticated import Unauthenticated

            self._unauthenticated = Unauthenticated(self._credentials.context, OPEN_S, CLOSE_S)
        self._server = await serve(
            partial(self._let_in, converse),
            sock=self._listener,
            process_request=self._gate,
            select_subprotocol=_subprotocol,
            compression=None,
            max_size=HANDSHAKE_LIMIT,
            open_timeout=OPEN_S,
            close_timeout=CLOSE_S,
            # The extension's own pings keep its worker alive; protocol pings would not.
            ping_interval=None,
            server_header=None,
            logger=_quiet_logger,
            create_connection=self._unauthenticated.connection if self._unauthenticated else None,
        )
        logger.info("listening on %s", self.remote_address.address)

    async def _let_in(self, converse: Converse, connection: ServerConnection) -> None:
        if self._unauthenticated is not None:
            self._unauthenticated.remove(connection)
        await converse(self, connection)

    def shut(self) -> None:
        """Take no more connections, and tell those there are."""
        if self._server is None:
            self._listener.close()
        else:
            self._server.close()
        if self._unauthenticated is not None:
            self._unauthenticated.end()

    async def emptied(self) -> None:
        """Wait, after `shut`, until all have left."""
        if self._server is not None:
            await self._server.wait_closed()

    @property
    def tasks(self) -> Iterable[asyncio.Task[None]]:
        """Tasks that handle the connections still open."""
        return tuple(self._server.handler_tasks) if self._server else ()

    def _gate(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer or refuse a request before it becomes a WebSocket."""
        host = request.headers.get_all("Host")
        if len(host) != 1 or host[0] not in self._hosts:
            return _response(403, "Forbidden")
        if request.path == "/probe":
            self.probes += _is_of_extension(request.headers)
            return _response(204, "No Content")
        if request.path == port_window.NEWS_PATH and self.on_news and not _is_of_browser(request.headers):
            self.on_news()
            return _response(204, "No Content")
        is_pairing = request.path == PAIR_PATH and self._pairs()
        if is_pairing and "Upgrade" not in request.headers:
            return _response(204, "No Content")
        if request.path != "/" and not is_pairing:
            return _response(404, "Not Found")
        if request.headers.get_all("Origin") != [self._origin] or not self._shows_token(request.headers):
            return _response(403, "Forbidden")
        return None

    def _shows_token(self, headers: Headers) -> bool:
        """Whether the token is there, found out in a time that says nothing of it."""
        if self._token is None:
            return True
        wanted = f"{TOKEN_PREFIX}{self._token}".encode()
        shown = [name.strip() for value in headers.get_all("Sec-WebSocket-Protocol") for name in value.split(",")]
        return any(hmac.compare_digest(name.encode("utf-8", "surrogateescape"), wanted) for name in shown)


def on_loopback(ports: Sequence[int], origin: str, pairs: Callable[[], bool]) -> Listener:
    """The listener on the first free port of a window.

    Args:
        ports: Of the window.
        origin: The only one that may come in.
        pairs: Whether a browser without a key is answered now.

    Raises:
        PortsTaken: There is none.
    """
    return Listener(port_window.claim(ports), _LOOPBACK_NAMES, origin, pairs=pairs)


_LOOPBACK_NAMES = (port_window.HOST, "localhost", "[::1]")


async def on_network(listen: Listen, origin: str) -> Listener:
    """The listener where `--listen` says. It is plain only where nobody but this computer can reach it.

    Raises:
        InvalidArgument: It cannot be bound, or a given certificate cannot be used.
        UnsupportedOperation: A certificate of our own cannot be kept.
    """
    address = await _resolved(listen.host)
    place = ipaddress.ip_address(address)
    if place.is_unspecified:
        raise InvalidArgument(
            f"--listen: {listen.host!r} means every address.", next_step="Name the one that browsers shall dial."
        )
    is_loopback = place.is_loopback
    credentials = None
    if listen.certificate is not None:
        credentials = await asyncio.to_thread(tls.given, listen.certificate, listen.private_key)
    elif not is_loopback:
        credentials = await asyncio.to_thread(tls.own, listen.home, listen.host)
    name = f"[{listen.host}]" if ":" in listen.host else listen.host
    return Listener(
        _bound(listen, address),
        (name, *(_LOOPBACK_NAMES if is_loopback else ())),
        origin,
        token=None if is_loopback else pairing.encode(secrets.token_bytes(pairing.KEY_BYTES)),
        credentials=credentials,
    )


async def _resolved(host: str) -> str:
    """The address of a host: what is bound must be what was looked at."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise InvalidArgument(
            f"--listen: {host!r} is not known to this computer.", next_step="Give one of its addresses instead of a name."
        ) from None
    return str(found[0][4][0])


def _bound(listen: Listen, address: str) -> socket.socket:
    try:
        return port_window.listen_at(address, listen.port)
    except OSError as error:
        raise InvalidArgument(
            f"--listen: cannot listen on {address} port {listen.port} ({error.strerror}).",
            next_step="Give an address of this computer and a free port, or port 0 for any free one.",
        ) from None


def _subprotocol(connection: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    # Chrome gives up when it offers some and none is chosen.
    return next((name for name in offered if name == SUBPROTOCOL), None)


def _is_of_browser(headers: Headers) -> bool:
    """Whether a page or an extension asks: browsers say so with each request."""
    return "Origin" in headers or "Sec-Fetch-Site" in headers


def _is_of_extension(headers: Headers) -> bool:
    """Whether an extension's worker asks, by what Chrome alone writes: for a page it says cross-site, for the user navigate."""
    return (headers.get("Sec-Fetch-Site"), headers.get("Sec-Fetch-Mode")) == ("none", "no-cors")


def _response(status: int, phrase: str) -> Response:
    """A bare answer: no body, no header that would let a page read it."""
    from websockets.datastructures import Headers
    from websockets.http11 import Response

    headers = Headers([("Connection", "close")] if status == 204 else [("Connection", "close"), ("Content-Length", "0")])
    return Response(status, phrase, headers)
