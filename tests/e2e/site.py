"""A web site for tests: static pages, inline pages, and a record of everything a browser sent to it.

It listens twice, as ``http://127.0.0.1:A`` and ``http://localhost:B``. The two differ in origin *and* site, so a frame of the
second in a page of the first runs in a process of its own.
"""

import email.parser
import email.policy
import itertools
import json
import mimetypes
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

PAGES = Path(__file__).resolve().parents[1] / "pages"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Hit:
    """One request the site received."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]


@dataclass(frozen=True)
class Upload:
    """One file of a posted multipart form."""

    field: str
    filename: str
    content_type: str
    content: bytes


@dataclass(frozen=True)
class Post:
    """One posted body; ``fields`` holds its decoded form fields, ``uploads`` its files."""

    path: str
    content_type: str
    body: bytes
    fields: list[tuple[str, str]]
    uploads: list[Upload]

    @property
    def form(self) -> dict[str, str]:
        """The fields as a dictionary (the last value of a name wins)."""
        return dict(self.fields)


@dataclass(frozen=True)
class Answer:
    """What the site serves at one path."""

    body: bytes
    content_type: str = HTML
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_ms: int = 0


class Site:
    """See the module docstring. Everything a test adds or the site records is dropped by :meth:`reset`."""

    def __init__(self) -> None:
        self.hits: list[Hit] = []
        self.posts: list[Post] = []
        self.released = threading.Event()
        self._answers: dict[str, Answer] = {}
        self._gates: dict[str, threading.Event] = {}
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._servers = [_Server(("127.0.0.1", 0), self) for _ in range(2)]
        for server in self._servers:
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self.released.set()
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def reset(self) -> None:
        """Forgets served pages and records; lets go of requests that ``/hang`` holds."""
        self.released.set()
        self.released = threading.Event()
        with self._changed:
            self.hits.clear()
            self.posts.clear()
            self._answers.clear()
        for path in list(self._gates):
            self.let_go(path)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._servers[0].server_address[1]}"

    @property
    def cross_origin(self) -> str:
        return f"http://localhost:{self._servers[1].server_address[1]}"

    def url(self, path: str = "/blank.html") -> str:
        """The URL of a file in tests/pages, a served path or a dynamic path."""
        return self.origin + path

    def cross_url(self, path: str = "/blank.html") -> str:
        """The same path under another origin and site."""
        return self.cross_origin + path

    def serve(self, path: str, body: str | bytes, content_type: str = HTML, **more: Any) -> str:
        """Serves ``body`` at ``path`` until the test ends; ``more`` is status, headers, delay_ms. Returns the URL."""
        self._answers[path] = Answer(body.encode() if isinstance(body, str) else body, content_type, **more)
        return self.url(path)

    def page(self, html: str, title: str = "Test page", **more: Any) -> str:
        """Serves a document made of ``html`` at a path of its own and returns the URL."""
        path = f"/inline/{next(self._numbers)}.html"
        document = html if "<html" in html else f"<!doctype html><meta charset=utf-8><title>{title}</title>\n{html}"
        return self.serve(path, document, **more)

    def cross_page(self, html: str, title: str = "Cross page", **more: Any) -> str:
        """Like :meth:`page`, under the other origin."""
        return self.page(html, title, **more).replace(self.origin, self.cross_origin)

    @property
    def uploads(self) -> list[Upload]:
        return [upload for post in self.posts for upload in post.uploads]

    def hit_count(self, path: str) -> int:
        return sum(hit.path == path for hit in self.hits)

    def wait_for(self, condition: Callable[["Site"], Any], timeout: float = 5) -> Any:
        """Waits until ``condition(site)`` is true (checked at every request) and returns its value; fails after ``timeout``."""
        with self._changed:
            value = self._changed.wait_for(lambda: condition(self), timeout)
        assert value, f"not seen within {timeout} s; posts: {self.posts}, hits: {[h.path for h in self.hits]}"
        return value

    def wait_for_post(self, path: str, timeout: float = 5) -> Post:
        """The last post to ``path``, waited for."""
        post: Post = self.wait_for(lambda site: next((p for p in reversed(site.posts) if p.path == path), None), timeout)
        return post

    def hold(self, path: str) -> None:
        """Answers requests for a path below ``/gate`` no more until :meth:`let_go`; they are recorded all the same."""
        self._gates[path] = threading.Event()

    def let_go(self, path: str) -> None:
        """Answers what :meth:`hold` holds, and what comes after it."""
        if gate := self._gates.pop(path, None):
            gate.set()

    def wait_at_gate(self, path: str) -> None:
        """For the thread of a request: waits while its path is held."""
        if gate := self._gates.get(path):
            gate.wait(120)

    def record(self, hit: Hit, post: Post | None) -> None:
        with self._changed:
            self.hits.append(hit)
            if post:
                self.posts.append(post)
            self._changed.notify_all()

    def answer(self, hit: Hit) -> Answer:
        if hit.path in self._answers:
            return self._answers[hit.path]
        name = "/" + hit.path.split("/")[1]
        if name in DYNAMIC:
            return DYNAMIC[name](self, hit)
        file = (PAGES / hit.path.lstrip("/")).resolve()
        if file.is_file() and file.is_relative_to(PAGES):
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            return Answer(file.read_bytes(), f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        return Answer(b"<!doctype html><title>Not found</title><h1>Not found</h1>", status=404)


def _blank(site: Site, hit: Hit) -> Answer:
    return Answer(b"<!doctype html><meta charset=utf-8><title>Blank</title>")


def _echo(site: Site, hit: Hit) -> Answer:
    seen = {"method": hit.method, "path": hit.path, "query": hit.query, "headers": hit.headers}
    return Answer(json.dumps(seen).encode(), "application/json")


def _post(site: Site, hit: Hit) -> Answer:
    return Answer(b"<!doctype html><meta charset=utf-8><title>Received</title><h1>Received</h1>")


def _redirect(site: Site, hit: Hit) -> Answer:
    return Answer(b"", status=302, headers={"Location": hit.query.get("to", "/blank.html")})


def _slow(site: Site, hit: Hit) -> Answer:
    return Answer(b"<!doctype html><title>Slow</title><h1>Slow</h1>", delay_ms=int(hit.query.get("ms", "1000")))


def _status(site: Site, hit: Hit) -> Answer:
    code = int(hit.path.rsplit("/", 1)[1])
    return Answer(f"<!doctype html><title>Status {code}</title><h1>Status {code}</h1>".encode(), status=code)


def _hang(site: Site, hit: Hit) -> Answer:
    site.released.wait(60)
    return Answer(b"", status=204)


def _gate(site: Site, hit: Hit) -> Answer:
    site.wait_at_gate(hit.path)
    return Answer(b"<!doctype html><meta charset=utf-8><title>Through</title><h1>Through</h1>")


def _download(site: Site, hit: Hit) -> Answer:
    return Answer(b"downloaded\n", "text/plain", headers={"Content-Disposition": 'attachment; filename="download.txt"'})


def _no_content(site: Site, hit: Hit) -> Answer:
    return Answer(b"", status=204)


DYNAMIC: dict[str, Callable[[Site, Hit], Answer]] = {
    "/blank.html": _blank,
    "/download": _download,
    "/echo": _echo,
    "/favicon.ico": _no_content,
    "/gate": _gate,
    "/hang": _hang,
    "/post": _post,
    "/redirect": _redirect,
    "/slow": _slow,
    "/status": _status,
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], site: Site) -> None:
        super().__init__(address, _Handler)
        self.site = site

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser drops connections all the time; that is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._reply(None)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._reply(body)

    do_HEAD = do_OPTIONS = do_DELETE = do_GET
    do_PUT = do_PATCH = do_POST

    def _reply(self, body: bytes | None) -> None:
        parts = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        hit = Hit(self.command, parts.path, query, dict(self.headers.items()))
        self.server.site.record(hit, None if body is None else read_post(parts.path, self.headers.get("Content-Type", ""), body))
        answer = self.server.site.answer(hit)
        if answer.delay_ms:
            time.sleep(answer.delay_ms / 1000)
        self.send_response(answer.status)
        headers = {"Content-Type": answer.content_type, "Cache-Control": "no-store", **answer.headers}
        for name, value in {**headers, "Content-Length": str(len(answer.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)


def read_post(path: str, content_type: str, body: bytes) -> Post:
    """Decodes a posted body as a browser encodes it."""
    if content_type.startswith("multipart/form-data"):
        fields, uploads = _multipart(content_type, body)
        return Post(path, content_type, body, fields, uploads)
    fields = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True) if "urlencoded" in content_type else []
    return Post(path, content_type, body, fields, [])


def _multipart(content_type: str, body: bytes) -> tuple[list[tuple[str, str]], list[Upload]]:
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
    fields: list[tuple[str, str]] = []
    uploads: list[Upload] = []
    for part in message.iter_parts():
        name = str(part.get_param("name", "", header="Content-Disposition"))
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        filename = part.get_filename()
        if filename is None:
            fields.append((name, content.decode("utf-8", "replace")))
        else:
            uploads.append(Upload(name, filename, part.get_content_type(), content))
    return fields, uploads
