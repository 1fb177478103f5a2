"""A bridge made by hand: it has the key of a browser, and says to its extension whatever a test wants it to say."""

import contextlib
import http.client
import json
import secrets
import threading
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from e2e.plain import PlainChromium
from tabwire.wire import pairing, ports

JOIN_LIMIT_S = 20
ANSWER_LIMIT_S = 20
TIMEOUT_MS = 3000


class Wire:
    """Waits on a free port of the browser's window until the extension has joined it.

    Args:
        chromium: The browser; its bridges go on beside this one.
        name: What the client calls itself.
    """

    def __init__(self, chromium: PlainChromium, name: str = "Wire") -> None:
        told = json.loads((chromium.extension / "pairing.json").read_text())
        self._key = pairing.decode(told["key"])
        self._name = name
        self._id = secrets.token_hex(8)
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._news = threading.Condition()
        self._connection: ServerConnection | None = None
        self.events: list[dict[str, Any]] = []
        self._ports: list[int] = told["ports"]
        self._server, self.port = self._listen(self._ports)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def _listen(self, window: list[int]) -> tuple[Any, int]:
        for port in reversed(window):
            try:
                return serve(self._talk, "127.0.0.1", port, process_request=self._probe, compression=None, max_size=None), port
            except OSError:
                continue
        raise AssertionError("no port of the window is free")

    def _probe(self, connection: ServerConnection, request: Request) -> Response | None:
        return connection.respond(HTTPStatus.NO_CONTENT, "") if request.path == "/probe" else None

    def _talk(self, connection: ServerConnection) -> None:
        try:
            self._shake_hands(connection)
            while True:
                self._take(json.loads(connection.recv()), connection)
        except ConnectionClosed:
            pass

    def _shake_hands(self, connection: ServerConnection) -> None:
        hello = json.loads(connection.recv())
        nonce = pairing.encode(secrets.token_bytes(32))
        spoken = pairing.Transcript(hello["key_id"], hello["extension_id"], self.port, self._id, hello["nonce"], nonce)
        proof = pairing.mac(self._key, "server", spoken)
        connection.send(json.dumps({"type": "challenge", "server_id": self._id, "nonce": nonce, "mac": proof}))
        assert json.loads(connection.recv())["type"] == "auth"
        about = {
            "client": {"name": self._name, "version": "1"},
            "server_version": "0",
            "protocol": 1,
            "input": "auto",
            "launched": False,
        }
        connection.send(json.dumps({"type": "ready", **about}))
        with self._news:
            self._connection = connection
            self._news.notify_all()

    def _take(self, frame: dict[str, Any], connection: ServerConnection) -> None:
        if frame["type"] == "ping":
            connection.send(json.dumps({"type": "pong", "n": frame["n"]}))
        with self._news:
            if frame["type"] in ("success", "error"):
                self._answers[frame["id"]] = frame
            elif frame["type"] == "event":
                self.events.append(frame)
            self._news.notify_all()

    def say(self, frame: dict[str, Any]) -> None:
        """Sends a frame."""
        assert self._connection
        self._connection.send(json.dumps(frame))

    def ask(self, method: str, params: dict[str, Any], **more: Any) -> dict[str, Any]:
        """The reply to a request."""
        self._number += 1
        number = self._number
        self.say({"id": number, "method": method, "params": params, "timeout_ms": TIMEOUT_MS, **more})
        with self._news:
            assert self._news.wait_for(lambda: number in self._answers, ANSWER_LIMIT_S), f"{method} was not answered"
            return self._answers.pop(number)

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self._announce()
            with self._news:
                assert self._news.wait_for(lambda: self._connection is not None, JOIN_LIMIT_S), "the extension did not come"
        except BaseException:
            self._close()
            raise
        return self

    def _announce(self) -> None:
        """Says to the other bridges that this one is here, as every bridge does."""
        for port in self._ports:
            if port != self.port:
                with contextlib.suppress(OSError, http.client.HTTPException):
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
                    with contextlib.closing(connection):
                        connection.request("GET", ports.NEWS_PATH)
                        connection.getresponse()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._close()

    def _close(self) -> None:
        self._server.shutdown()
        self._thread.join(5)
