"""Pages that other people made, served from this machine: Debian's documentation packages and npm packages with HTML.

The packages are fetched once, by apt and npm, into ``build/bench``; nothing of them is kept in the repository.
"""

import json
import mimetypes
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

FOLDER = Path(__file__).resolve().parents[4] / "build" / "bench"
DEBIAN = ("python3.11-doc", "git-doc", "bash-doc", "debian-handbook", "postgresql-doc-15", "apache2-doc", "sqlite3-doc")
NPM = {
    "playwright-core": "1.65.1",
    "@playwright/mcp": "0.0.83",
    "startbootstrap-sb-admin-2": "4.1.4",
    "@tabler/preview": "1.2.0",
    "govuk-frontend": "6.6.0",
}
MOUNTS = {
    "doc": FOLDER / "debian/usr/share/doc",
    "sb": FOLDER / "node_modules/startbootstrap-sb-admin-2",
    "tabler": FOLDER / "node_modules/@tabler/preview/dist",
    "govuk": FOLDER / "node_modules/govuk-frontend/dist",
}
FETCH_TIMEOUT = 600

DOCUMENTS = (
    "doc/python3.11/html/library/functions.html",
    "doc/python3.11/html/library/json.html",
    "doc/python3.11/html/tutorial/index.html",
    "doc/python3.11/html/search.html",
    "doc/git-doc/git-merge.html",
    "doc/git-doc/gitglossary.html",
    "doc/postgresql-doc-15/html/sql-select.html",
    "doc/postgresql-doc-15/html/datatype-numeric.html",
    "doc/debian-handbook/html/en-US/sect.network-config.html",
    "doc/debian-handbook/html/en-US/index.html",
    "doc/apache2-doc/manual/en/mod/core.html.en",
    "doc/sqlite3/lang_select.html",
    "doc/sqlite3/datatype3.html",
)
APPLICATIONS = tuple(
    f"tabler/{name}.html"
    for name in (
        "index datatables form-elements form-layout tables settings tabs accordion modals dropdowns navigation "
        "chat invoice wizard pricing pagination uptime tasks users sign-in card-actions alerts buttons"
    ).split()
) + tuple(f"sb/{name}.html" for name in "index login register tables buttons cards charts 404 utilities-color".split())


def fetched() -> None:
    """Fetches what is missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    missing = [name for name in DEBIAN if not (FOLDER / "debian" / f".{name}").exists()]
    for name in missing:
        _fetch_debian(name)
    if any(not (FOLDER / "node_modules" / name).exists() for name in NPM):
        _fetch_npm()


def _fetch_debian(name: str) -> None:
    archives = FOLDER / "archives"
    archives.mkdir(exist_ok=True)
    _run(["apt-get", "download", name], archives)
    for archive in archives.glob(f"{name}_*.deb"):
        _run(["dpkg", "-x", str(archive), str(FOLDER / "debian")], archives)
    (FOLDER / "debian" / f".{name}").touch()


def _fetch_npm() -> None:
    (FOLDER / "package.json").write_text(json.dumps({"private": True, "dependencies": NPM}))
    _run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"], FOLDER)


def _run(command: list[str], folder: Path) -> None:
    environment = {**os.environ, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"}
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=FETCH_TIMEOUT, stdout=subprocess.DEVNULL)


class RealPages:
    """A server of the fetched pages on a free port."""

    def __init__(self) -> None:
        fetched()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def url(self, path: str) -> str:
        return f"{self.origin}/{path}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @staticmethod
    def existing(paths: tuple[str, ...]) -> list[str]:
        """Return those of the paths that the fetched versions have."""
        return [path for path in paths if _file(path) is not None]


def _file(path: str) -> Path | None:
    mount, _, rest = path.partition("/")
    root = MOUNTS.get(mount)
    file = (root / rest).resolve() if root else None
    return file if root and file and file.is_file() and file.is_relative_to(root.resolve()) else None


def _kind(file: Path) -> str:
    # apache2-doc names its pages by language: core.html.en
    name = file.name if not file.suffixes[:-1] == [".html"] else file.stem
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        file = _file(unquote(urlsplit(self.path).path).lstrip("/"))
        body = file.read_bytes() if file else b""
        self.send_response(200 if file else 404)
        if file:
            kind = _kind(file)
            self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
