"""The web app of the demo: a few pages on two loopback origins and one state, readable as JSON at ``/state``."""

import json
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

PAGES = files("tabwire.demo") / "pages"
SECURITY = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


@dataclass
class State:
    """State of the app; only requests from its pages change it."""

    orders: list[dict[str, str]] = field(default_factory=list)
    promo: str = ""
    rating: int = 0
    newsletter: str = ""
    rows: list[str] = field(default_factory=lambda: ["Apples", "Pears", "Plums"])
    redirects: int = 0


@dataclass(frozen=True)
class Answer:
    """Answer to one HTTP request."""

    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""


class DemoApp:
    """Serves the app until closed; ``url`` is its home page, ``frame_origin`` the origin of the embedded page."""

    def __init__(self) -> None:
        self.state = State()
        self.lock = threading.Lock()
        self._servers = [_Server(("127.0.0.1", 0), self) for _ in range(2)]

    def __enter__(self) -> Self:
        for server in self._servers:
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._servers[0].server_address[1]}"

    @property
    def frame_origin(self) -> str:
        # Another host name and port: another origin and another site, so Chrome gives the frame a process of its own.
        return f"http://localhost:{self._servers[1].server_address[1]}"

    def get(self, path: str) -> Answer:
        """Answers a page, the state, or the redirect."""
        if path == "/state":
            return _json(asdict(self.state))
        if path == "/away":
            self.state.redirects += 1
            return Answer(status=302, location="/arrived")
        number = path.removeprefix("/orders/")
        if number.isdigit() and 0 < int(number) <= len(self.state.orders):
            return self._page("order-done.html", ORDER=number, NAME=_escaped(self.state.orders[int(number) - 1].get("name", "")))
        return self._page("home.html" if path == "/" else f"{path.strip('/')}.html")

    def post(self, path: str, body: bytes) -> Answer:
        """Applies one change to the state."""
        change = CHANGES.get(path)
        if not change:
            return Answer(b"Not found", status=404)
        fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
        return change(self.state, fields)

    def _page(self, name: str, **values: str) -> Answer:
        file = PAGES / name
        if "/" in name or not file.is_file():
            return Answer(b"<!doctype html><title>Not found</title><h1>Not found</h1>", status=404)
        text = file.read_text("utf-8")
        for key, value in {"FRAME_ORIGIN": self.frame_origin, **values}.items():
            text = text.replace("{{" + key + "}}", value)
        return Answer(text.encode())


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _json(value: object) -> Answer:
    return Answer(json.dumps(value).encode(), "application/json")


def _order(state: State, fields: dict[str, str]) -> Answer:
    state.orders.append(fields)
    return Answer(status=303, location=f"/orders/{len(state.orders)}")


def _promo(state: State, fields: dict[str, str]) -> Answer:
    state.promo = fields.get("code", "")
    return _json({"promo": state.promo})


def _rating(state: State, fields: dict[str, str]) -> Answer:
    state.rating = int(fields.get("stars", "0"))
    return _json({"rating": state.rating})


def _newsletter(state: State, fields: dict[str, str]) -> Answer:
    state.newsletter = fields.get("email", "")
    return _json({"newsletter": state.newsletter})


def _add_row(state: State, fields: dict[str, str]) -> Answer:
    state.rows.append(fields.get("row", ""))
    return _json(state.rows)


def _remove_row(state: State, fields: dict[str, str]) -> Answer:
    state.rows = [row for row in state.rows if row != fields.get("row")]
    return _json(state.rows)


CHANGES: dict[str, Callable[[State, dict[str, str]], Answer]] = {
    "/order": _order,
    "/promo": _promo,
    "/rating": _rating,
    "/newsletter": _newsletter,
    "/rows/add": _add_row,
    "/rows/remove": _remove_row,
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], app: DemoApp) -> None:
        super().__init__(address, _Handler)
        self.app = app

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser drops connections all the time; that is no news."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """The transcript is the only output."""

    def do_GET(self) -> None:
        with self.server.app.lock:
            answer = self.server.app.get(urlsplit(self.path).path)
        self._send(answer)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.server.app.lock:
            answer = self.server.app.post(urlsplit(self.path).path, body)
        self._send(answer)

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        headers = {"Content-Type": answer.content_type, "Content-Length": str(len(answer.body)), **SECURITY}
        if answer.location:
            headers["Location"] = answer.location
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)
