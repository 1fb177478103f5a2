"""A ``tabwire serve --http`` that the test starts itself, and MCP clients of it."""

import contextlib
import re
import signal
import subprocess
import time
from http.client import HTTPConnection
from pathlib import Path

import httpx2
from anyio.from_thread import start_blocking_portal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from e2e.client import Tabwire
from polling import until
from programs import command, environment
from serving import forked

START_LIMIT_S = 30
SERVING = re.compile(r"^tabwire: serving MCP at (http://127\.0\.0\.1:(\d+)/mcp), bearer token in (.+)$", re.MULTILINE)
INITIALIZE = (
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    '"clientInfo":{"name":"raw","version":"1"}}}'
)


class HttpClient(Tabwire):
    """An MCP client that speaks HTTP to a bridge that is already there."""

    def __init__(self, url: str, token: str, log: Path, *, name: str = "test", mode: str = "auto") -> None:
        self.log = log
        self._stack = contextlib.ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60, trust_env=False)
        self._stack.enter_context(self._portal.wrap_async_context_manager(http))
        transport = streamable_http_client(url, http_client=http)
        client = Client(transport, mode=mode, client_info=Implementation(name=name, version="1"))  # type: ignore[arg-type]
        try:
            self.client = self._stack.enter_context(self._portal.wrap_async_context_manager(client))
        except BaseException:
            self.close()
            raise


class HttpBridge:
    """The server process: ``port``, ``url``, ``token`` and what it wrote to stderr in ``log``.

    Args:
        is_forked: It may be a fork, whose Python does not end in all its ways.
    """

    def __init__(self, work: Path, *args: str, is_forked: bool = True, **env: str) -> None:
        work.mkdir(parents=True, exist_ok=True)
        self.log = work / "server.log"
        environ = environment(work / "home", **env)
        serve = forked.serve(environ, work / "server.pid") if is_forked else command("serve")
        with self.log.open("wb") as log:
            # A service has no standard input.
            self.process = subprocess.Popen(
                [*serve, "--http", "0", *args],
                env=environ,
                cwd=work,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        try:
            started = until(self._started, within=START_LIMIT_S, says=self.log.read_text)
        except AssertionError as error:
            self.process.kill()
            raise RuntimeError(f"tabwire serve --http did not start: {error}") from None
        self.url, self.port, self.place = started[1], int(started[2]), started[3]
        self.token = env.get("TABWIRE_HTTP_TOKEN") or Path(self.place).read_text(encoding="utf-8").strip()
        self._clients: list[HttpClient] = []

    def _started(self) -> re.Match[str] | None:
        """The line in which the server says where it is; an AssertionError when it has ended."""
        assert self.process.poll() is None, self.log.read_text()
        return SERVING.search(self.log.read_text())

    def client(self, **options: str) -> HttpClient:
        """One more client."""
        client = HttpClient(self.url, self.token, self.log, **options)  # type: ignore[arg-type]
        self._clients.append(client)
        return client

    def ask(self, method: str = "POST", path: str = "/mcp", body: str = INITIALIZE, **headers: str) -> tuple[int, str]:
        """Status and body of a hand-made request; a header given as "" is left out."""
        given = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {self.token}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, {name: value for name, value in given.items() if value})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def end(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Sends a signal; the exit code and the seconds until it came."""
        began = time.monotonic()
        self.process.send_signal(number)
        return self.process.wait(10), time.monotonic() - began

    def close(self) -> None:
        for client in self._clients:
            client.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()
