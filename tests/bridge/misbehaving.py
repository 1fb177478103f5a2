"""A web server on loopback that answers as it is told, well or badly."""

import contextlib
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Act = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Hit:
    """A request that came."""

    path: str
    headers: dict[str, str]


class Misbehaving:
    """See the module. ``hits`` are the requests in order; ``ended`` is set when the server closes."""

    def __init__(self) -> None:
        self.hits: list[Hit] = []
        self.ended = threading.Event()
        self._acts: dict[str, list[Act]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._server.handle_error = lambda request, client: None  # type: ignore[method-assign]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.port: int = self._server.server_address[1]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                pass

            def do_GET(self) -> None:
                site.hits.append(Hit(self.path, {name.lower(): value for name, value in self.headers.items()}))
                acts = site._acts.get(self.path.partition("?")[0])
                if not acts:
                    return answer(self, b"nothing here", status=404)
                # The last of several answers is given again and again.
                (acts.pop(0) if len(acts) > 1 else acts[0])(self)

        return Handler

    def secure(self, certificate: Path) -> None:
        """From now on over TLS, with the certificate and key of this file."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def serve(
        self,
        path: str,
        body: bytes | str = b"",
        kind: str | None = "text/html; charset=utf-8",
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> str:
        """Answer a path; once more for a further answer to the next request. Returns the address."""
        content = body.encode() if isinstance(body, str) else body
        return self.act(path, lambda handler: answer(handler, content, kind, status=status, headers=headers))

    def act(self, path: str, act: Act) -> str:
        """Have a function answer a path."""
        self._acts.setdefault(path, []).append(act)
        return self.url(path)

    def paths(self) -> list[str]:
        """Of the requests, in order."""
        return [hit.path for hit in self.hits]

    def close(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()


def answer(
    handler: BaseHTTPRequestHandler,
    body: bytes,
    kind: str | None = "text/plain",
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> None:
    """A whole answer."""
    handler.send_response(status)
    if kind is not None:
        handler.send_header("Content-Type", kind)
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    if status not in (204, 304):
        handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    with contextlib.suppress(OSError):
        if status not in (204, 304):
            handler.wfile.write(body)


def endless(handler: BaseHTTPRequestHandler, chunk: bytes, ended: threading.Event) -> None:
    """A body that goes on for as long as somebody reads it."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain")
    handler.send_header("Connection", "close")
    handler.end_headers()
    with contextlib.suppress(OSError):
        while not ended.is_set():
            handler.wfile.write(chunk)
    handler.close_connection = True
