"""A back end for programs that have none: it serves their page and package, and keeps the JSON that the page sends."""

import json
import mimetypes
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

PAGES = Path(__file__).with_name("pages")


class BackEnd:
    """Web server with a page at ``/``, packages below ``/npm/``, and the state at ``/state``: GET reads it, PUT replaces it."""

    def __init__(self, page: str, packages: Path) -> None:
        self.state: Any = None
        self.page = PAGES / page
        self.packages = packages.resolve()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(back_end: BackEnd) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path)
            if path == "/state":
                self._answer(json.dumps(back_end.state).encode(), "application/json")
                return
            file = back_end.page if path == "/" else (back_end.packages / path.removeprefix("/npm/")).resolve()
            if not file.is_file() or file != back_end.page and not file.is_relative_to(back_end.packages):
                self._answer(b"", "text/plain", 404)
                return
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            self._answer(file.read_bytes(), f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)

        def do_PUT(self) -> None:
            back_end.state = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._answer(b"", "text/plain")

        def _answer(self, body: bytes, kind: str, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler
