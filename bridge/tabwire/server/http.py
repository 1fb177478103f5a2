"""`serve --http`: the same server over streamable HTTP, for clients that share one bridge. The only importer of `uvicorn`.

    /mcp   on 127.0.0.1, for requests that carry the bearer token; what a page may have sent is refused before that is looked at

It takes the place of stdio: such a bridge runs as a service and ends on a signal, whatever becomes of its standard input.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import re
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from tabwire.disk import private_files
from tabwire.errors import InvalidArgument, TabwireError
from tabwire.server.http_limits import Unproven
from tabwire.wire import ports as port_window
from tabwire.wire.keys import write_private

if TYPE_CHECKING:
    import socket

    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

PATH = "/mcp"
TOKEN_FILE = "http-token"
TOKEN_VARIABLE = "TABWIRE_HTTP_TOKEN"
MAX_SESSIONS = 64
SESSION_IDLE_S = 30 * 60.0
MAX_CONNECTIONS = 256
FIRST_REQUEST_S = 5.0
"""Time that a connection may take to show the token."""
MAX_HEAD_BYTES = 64 * 1024
MAX_REFUSED_BYTES = 1024 * 1024
REFUSED_BODY_S = 1.0
"""Limits for a refused request's body: bytes that are taken in and thrown away, and seconds."""
_TOKEN_BYTES = 32
# RFC 6750, section 2.1; the length is ours.
_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/]{16,}=*")
_NAMED_CALLERS = 3
_KNOWN_CALLERS = 100

Headers = Sequence[tuple[bytes, bytes]]
"""Lower-case names and values, as ASGI has them."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GivenToken:
    """A token from the environment."""

    secret: str = field(repr=False)
    place: str = TOKEN_VARIABLE

    def __post_init__(self) -> None:
        _checked(self.secret, self.place)

    def current(self) -> str | None:
        """Token that a request has to carry now."""
        return self.secret


class FileToken:
    """A token in a private file, read at each request: another one put there counts at once, none lets nobody in.

    Args:
        path: The file.

    Raises:
        TabwireError: It cannot be used, or others may read it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.place = str(path)
        self._read()

    def current(self) -> str | None:
        """Token that a request has to carry now; None when the file cannot be used any more, which the log says."""
        try:
            return self._read()
        except TabwireError as error:
            logger.error("%s", error)
            return None

    def _read(self) -> str:
        try:
            text = private_files.read(self._path).strip()
        except OSError as error:
            raise InvalidArgument(
                f"The HTTP token cannot be read from {self._path}: {error.strerror}.",
                next_step="Make it a file that you may read, or delete it to have a new one made.",
            ) from None
        except UnicodeDecodeError:
            text = ""
        return _checked(text, self.place)


Token = GivenToken | FileToken


def token_of(home: Path, given: str | None, file: Path | None) -> Token:
    """The token that requests must carry: one that was given, else one that is made once and kept.

    Args:
        home: Where a token that nobody gave is kept.
        given: The token itself.
        file: A file that holds it; it wins.

    Raises:
        TabwireError: It is too short, or the file cannot be used.
    """
    if file is not None:
        return FileToken(file.expanduser().absolute())
    if given is not None:
        return GivenToken(given)
    path = home / TOKEN_FILE
    if not path.exists():
        write_private(path, secrets.token_urlsafe(_TOKEN_BYTES) + "\n")
    return FileToken(path)


def _checked(text: str, place: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise InvalidArgument(
            f"The HTTP token in {place} is no bearer token of at least 16 characters (letters, digits, -._~+/).",
            next_step="Make one with `openssl rand -hex 32`.",
        )
    return text


@dataclass(frozen=True, slots=True)
class Refusal:
    """Status and reason of a request that is turned away."""

    status: int
    reason: str


def refusal(headers: Headers, port: int, token: str | None) -> Refusal | None:
    """Look at a request's headers; None lets it pass.

    Host and Origin come first: a page that had its name point here learns nothing of the token.

    Args:
        headers: All of them.
        port: Where this server listens.
        token: What must be carried; None lets nobody pass.
    """
    names = [f"{name}:{port}" for name in (port_window.HOST, "localhost")]
    if _all(headers, b"host") not in [[name] for name in names]:
        return Refusal(421, f"ask {names[0]} under this name")
    if _all(headers, b"origin") not in [[], *([f"http://{name}"] for name in names)]:
        return Refusal(403, "pages of other origins are not served")
    carried = _all(headers, b"authorization")
    scheme, _, credentials = carried[0].partition(" ") if len(carried) == 1 else ("", "", "")
    known = scheme.lower() == "bearer" and token is not None and hmac.compare_digest(credentials.strip().encode(), token.encode())
    return (
        None if known else Refusal(401, "send the header `Authorization: Bearer TOKEN`; the server's start line says where it is")
    )


def _all(headers: Headers, wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in headers if name == wanted]


def _guarded(app: Any, port: int, token: Token, unproven: Unproven) -> Any:
    """The application behind the check of every request, which looks at nothing of its body."""

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            return await app(scope, receive, send)  # type: ignore[no-any-return]
        refused = refusal(scope["headers"], port, token.current())
        if refused is None:
            unproven.remove(scope.get("client"))
            return await app(scope, receive, send)  # type: ignore[no-any-return]
        if not _all(scope["headers"], b"expect"):
            await _throw_away(receive)
        text = refused.reason.encode() + b"\n"
        headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(text)), (b"connection", b"close")]
        if refused.status == 401:
            headers.append((b"www-authenticate", b'Bearer realm="tabwire"'))
        await send({"type": "http.response.start", "status": refused.status, "headers": headers})
        await send({"type": "http.response.body", "body": text})

    return guard


async def _throw_away(receive: Any) -> None:
    """Take in the body, within limits: a connection closed with bytes unread is reset, and the client may lose the answer."""
    taken = 0
    with anyio.move_on_after(REFUSED_BODY_S):
        while taken <= MAX_REFUSED_BYTES:
            message = await receive()
            if not message.get("more_body"):
                return
            taken += len(message["body"])


class Callers:
    """Names of the callers that the browser shows: it sees one bridge, whose callers share its tabs.

    A name counts for half an hour after its last call. Over HTTP nobody says goodbye, so only names are told, no number.

    Args:
        tell: Takes the name and version to show.
    """

    def __init__(self, tell: Callable[[str, str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._tell = tell
        self._clock = clock
        self._last: dict[tuple[str, str], float] = {}

    def seen(self, name: str, version: str) -> None:
        """A client of this name calls."""
        now = self._clock()
        self._last.pop((name, version), None)
        self._last[name, version] = now
        recent = [(caller, at) for caller, at in self._last.items() if at > now - SESSION_IDLE_S]
        self._last = dict(recent[-_KNOWN_CALLERS:])
        self._tell(*self._label())

    def _label(self) -> tuple[str, str]:
        names = sorted({name for name, _ in self._last})
        listed = ", ".join(names[:_NAMED_CALLERS])
        more = f" and {len(names) - _NAMED_CALLERS} more" if len(names) > _NAMED_CALLERS else ""
        versions = {version for _, version in self._last}
        return f"{listed}{more} over HTTP", versions.pop() if len(self._last) == 1 else ""


def claim(port: int) -> socket.socket:
    """A listening socket on this computer's loopback.

    Args:
        port: 0 for any free one.

    Raises:
        InvalidArgument: The port is taken.
    """
    try:
        return port_window.claim((port,))
    except port_window.PortsTaken:
        raise InvalidArgument(
            f"Port {port} of {port_window.HOST} is taken by another program.",
            next_step="Name another one with --http, or 0 for any free one; if it is an older tabwire, end that first.",
        ) from None


async def serve(app: Any, listener: socket.socket, token: Token) -> None:
    """Serve until cancelled, and then end within a second: answers under way are cut, as at the end of stdin.

    Args:
        app: The ASGI application that answers at `PATH`.
        listener: What `claim` returned; closed at the end.
        token: What requests must carry.
    """
    port = listener.getsockname()[1]
    unproven = Unproven()
    http = _http_server(_guarded(app, port, token, unproven), unproven)
    sys.stderr.write(f"tabwire: serving MCP at http://{port_window.HOST}:{port}{PATH}, bearer token in {token.place}\n")
    sys.stderr.flush()

    async def end_when_cancelled() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            # It would call it an error that open streams are cut.
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
            http.should_exit = True

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(end_when_cancelled)
        # Cancelled from outside it would leave sessions behind.
        with anyio.CancelScope(shield=True):
            await http.serve([listener])
        tasks.cancel_scope.cancel()


def _http_server(app: Any, unproven: Unproven) -> uvicorn.Server:
    import uvicorn

    # Every port scanner would otherwise leave a line in the log.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    http = uvicorn.Server(
        uvicorn.Config(
            app,
            http=_impatient(unproven),
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=MAX_CONNECTIONS,
            timeout_graceful_shutdown=0,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        )
    )
    # Signals are the composition root's.
    http.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
    return http


def _impatient(unproven: Unproven) -> type[H11Protocol]:
    """uvicorn's protocol, which alone would wait for a first request for ever, and let anybody take all its places."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Impatient(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if self.client is not None:
                unproven.add(self.client, transport)
                self.loop.call_later(FIRST_REQUEST_S, unproven.end, self.client)

        def connection_lost(self, exc: Exception | None) -> None:
            unproven.remove(self.client)
            super().connection_lost(exc)

    return Impatient
