"""Programs that are not what they claim to be: on a port where the extension looks for bridges, and at a bridge's port."""

import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.http11 import Request, Response
from websockets.sync.client import ClientConnection, connect
from websockets.sync.server import ServerConnection, serve

from tabwire.wire import pairing

HEARD_LIMIT_S = 8


class RogueBridge:
    """Listens where the extension looks for bridges, takes its hello and then does something else than prove itself.

    Args:
        port: Where.
        act: What it does on the connection, after the hello.
        greeting: Frames it sends before the hello.
    """

    def __init__(
        self, port: int, act: Callable[["RogueBridge", ServerConnection, str], None], greeting: Sequence[str] = ()
    ) -> None:
        self.port = port
        self.frames: list[dict[str, Any]] = []
        self.greeted_at: list[float] = []
        self.passed_at: list[float] = []
        """When a search has asked whether somebody is there."""
        self.close_codes: list[int | None] = []
        self.refused = threading.Event()
        self._act = act
        self._greeting = greeting
        self._server = serve(self._answer, "127.0.0.1", port, process_request=self._probe, compression=None, max_size=None)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def _probe(self, connection: ServerConnection, request: Request) -> Response | None:
        if request.path != "/probe":
            return None
        self.passed_at.append(time.monotonic())
        return connection.respond(HTTPStatus.NO_CONTENT, "")

    def _answer(self, connection: ServerConnection) -> None:
        try:
            for frame in self._greeting:
                connection.send(frame)
            try:
                hello = str(connection.recv(HEARD_LIMIT_S))
            except ConnectionClosed:
                return  # Given up before it could say anything, as on a busy computer; it tries again.
            self.greeted_at.append(time.monotonic())
            self.frames.append(json.loads(hello))
            self._act(self, connection, hello)
            while True:
                self.frames.append(json.loads(connection.recv(HEARD_LIMIT_S)))
        except ConnectionClosed as closed:
            self.close_codes.append(closed.rcvd.code if closed.rcvd else None)
            self.refused.set()
        except TimeoutError:
            pass  # Nobody closed it: `refused` stays unset.

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join(5)


class Peer:
    """A program that speaks the extension's part to a real bridge: with the right Origin, as every native program can."""

    def __init__(self, connection: ClientConnection, port: int, key: bytes, extension_id: str) -> None:
        self.connection = connection
        self.port = port
        self.key = key
        self.extension_id = extension_id
        self.nonce = pairing.encode(secrets.token_bytes(32))

    def hello(self) -> str:
        fields = {"version": 1, "key_id": pairing.key_id(self.key), "extension_id": self.extension_id, "nonce": self.nonce}
        return json.dumps({"type": "hello", **fields})

    def auth(self, challenge: dict[str, Any], mac: str = "") -> str:
        spoken = pairing.key_id(self.key), self.extension_id, self.port, challenge["server_id"], self.nonce, challenge["nonce"]
        proof = mac or pairing.mac(self.key, "extension", pairing.Transcript(*spoken))
        browser = {"id": "intruder", "name": "Intruder", "user_agent": "none", "session": "s"}
        fields = {"mac": proof, "browser": browser, "extension_version": "0", "protocol": 1, "capabilities": []}
        return json.dumps({"type": "auth", **fields})

    def say(self, frame: str | bytes) -> None:
        self.connection.send(frame)

    def hear(self) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(self.connection.recv(HEARD_LIMIT_S))
        return frame

    def end(self) -> int | None:
        """The code with which the bridge closes; whatever it says before that is a failure of the test."""
        try:
            said = self.connection.recv(HEARD_LIMIT_S)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None
        raise AssertionError(f"the bridge said {said!r}")


@contextmanager
def dialled(port: int, key: bytes, extension_id: str) -> Iterator[Peer]:
    """A connection to a real bridge, before its first frame."""
    origin = f"chrome-extension://{extension_id}"
    options: dict[str, Any] = {"compression": None, "proxy": None, "open_timeout": 5, "close_timeout": 1, "max_size": None}
    with connect(f"ws://127.0.0.1:{port}/", origin=origin, **options) as connection:  # type: ignore[arg-type]
        yield Peer(connection, port, key, extension_id)


class SilentCrowd:
    """Keeps as many silent connections at a bridge as it can, and replaces each that ends."""

    def __init__(self, port: int, extension_id: str, count: int) -> None:
        self._ending = threading.Event()
        self.full = threading.Barrier(count + 1)
        self._threads = [threading.Thread(target=self._stay, args=(port, extension_id)) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def _stay(self, port: int, extension_id: str) -> None:
        first = True
        while not self._ending.is_set():
            with suppress(OSError, WebSocketException, TimeoutError), dialled(port, b"", extension_id) as peer:
                if first:
                    first = False
                    self.full.wait(10)
                while not self._ending.is_set():
                    with suppress(TimeoutError):
                        peer.connection.recv(0.2)

    def close(self) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join(10)


def raw(port: int, head: str) -> str:
    """The whole answer to a hand-written request."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as stream:
        stream.sendall(head.encode())
        with suppress(TimeoutError):
            while data := stream.recv(65536):
                answer += data
    return answer.decode()


ROGUE_MANIFEST = {
    "manifest_version": 3,
    "name": "Rogue",
    "version": "1",
    "permissions": ["tabs", "scripting", "debugger", "cookies"],
    "host_permissions": ["<all_urls>"],
}


def write_rogue_extension(folder: Path) -> Path:
    """An extension of another author, with every permission that could be of use against ours."""
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps(ROGUE_MANIFEST))
    (folder / "page.html").write_text("<!doctype html><title>Rogue</title>")
    return folder
