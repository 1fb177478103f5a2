"""A browser that works with its bridge among programs that hold ports it looks at, each dishonest in a way of its own."""

import hashlib
import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from websockets.sync.server import ServerConnection

from e2e.plain import LOAD, PlainChromium
from e2e.ports import free_port
from e2e.site import Site
from e2e.ui.own_pages import EXTENSION
from e2e.wire.intruders import RogueBridge, dialled, write_rogue_extension
from tabwire.wire import pairing

JOIN_LIMIT_S = 15
TO_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")
OBEYED = "/obeyed-a-rogue"


class Siege:
    """A paired browser that works with its bridge, intruders around both. ``spare`` is a bridge the browser does not look for."""

    def __init__(self, work: Path, site: Site) -> None:
        self.site = site
        self.port, self.spare_port = free_port(), free_port()
        self.rogue_ports = {name: free_port() for name in ACTS}
        rogue = write_rogue_extension(work / "rogue")
        self.rogue_id = hashlib.sha256(str(rogue.resolve()).encode()).hexdigest()[:32].translate(TO_LETTERS)
        flags = [LOAD + str(rogue), "--host-resolver-rules=MAP rebind.test 127.0.0.1"]
        ports = [self.port, *self.rogue_ports.values()]
        self.chromium = PlainChromium(work, site.url(), flags=flags, pairing={"ports": ports})
        self.browser = self.chromium.browser
        self.key = pairing.decode(json.loads((self.chromium.extension / "pairing.json").read_text())["key"])
        self.id = EXTENSION
        self.rogues: dict[str, RogueBridge] = {}
        try:
            self._surround()
        except BaseException:
            self.close()
            raise

    def _surround(self) -> None:
        self.spare = self.chromium.serve("--port", str(self.spare_port))
        self.bridge = self.chromium.serve("--port", str(self.port))
        self.bridge.until_joined()
        self.genuine = self._record()
        for name, port in self.rogue_ports.items():
            self.rogues[name] = RogueBridge(port, *ACTS[name](self))

    def _record(self) -> dict[str, str]:
        """The frames of a genuine handshake with the spare bridge, by type."""
        with self.peer() as peer:
            hello = peer.hello()
            peer.say(hello)
            challenge = peer.hear()
            auth = peer.auth(challenge)
            peer.say(auth)
            ready = peer.hear()
            assert ready["type"] == "ready"
        return {"hello": hello, "challenge": json.dumps(challenge), "auth": auth, "ready": json.dumps(ready)}

    def peer(self, key: bytes | None = None) -> Any:
        """A program at the spare bridge."""
        return dialled(self.spare_port, key or self.key, self.id)

    def url(self, path: str, extension: str = "") -> str:
        return f"chrome-extension://{extension or self.id}/{path}"

    def close(self) -> None:
        for rogue in self.rogues.values():
            rogue.close()
        self.chromium.close()


# What a rogue does on its connection, and what it sends before the hello.
Act = Callable[[RogueBridge, ServerConnection, str], None]
CALL = {"id": 1, "method": "tabs.create", "params": {"url": ""}, "timeout_ms": 5000}


def _say(*frames: Any) -> Callable[[Siege], tuple[Act, list[str]]]:
    def act(rogue: RogueBridge, connection: ServerConnection, hello: str) -> None:
        for frame in frames:
            connection.send(frame if isinstance(frame, str | bytes) else json.dumps(frame))

    return lambda siege: (act, [])


def _call(siege: Siege) -> str:
    return json.dumps({**CALL, "params": {"url": siege.site.url(OBEYED)}})


def _call_after_hello(siege: Siege) -> tuple[Act, list[str]]:
    return _say(_call(siege))(siege)


def _call_before_hello(siege: Siege) -> tuple[Act, list[str]]:
    return lambda rogue, connection, hello: None, [_call(siege)]


def _challenge(make: Callable[[dict[str, Any], bytes, int], str]) -> Callable[[Siege], tuple[Act, list[str]]]:
    """A challenge with a proof of its own making, and at once all that would follow."""

    def begin(siege: Siege) -> tuple[Act, list[str]]:
        def act(rogue: RogueBridge, connection: ServerConnection, hello: str) -> None:
            said = json.loads(hello)
            challenge = {
                "type": "challenge",
                "server_id": "00ff",
                "nonce": said["nonce"],
                "mac": make(said, siege.key, rogue.port),
            }
            for frame in (json.dumps(challenge), siege.genuine["ready"], _call(siege)):
                connection.send(frame)

        return act, []

    return begin


def _our_proof(hello: dict[str, Any], key: bytes, port: int) -> str:
    spoken = hello["key_id"], hello["extension_id"], port, "00ff", hello["nonce"], hello["nonce"]
    return pairing.mac(key, "extension", pairing.Transcript(*spoken))


def _replay(siege: Siege) -> tuple[Act, list[str]]:
    return _say(siege.genuine["challenge"], siege.genuine["ready"], _call(siege))(siege)


def _reflect(siege: Siege) -> tuple[Act, list[str]]:
    return lambda rogue, connection, hello: connection.send(hello), []


def _relay(siege: Siege) -> tuple[Act, list[str]]:
    """In the middle: everything goes to the real bridge and back."""

    def act(rogue: RogueBridge, connection: ServerConnection, hello: str) -> None:
        with dialled(siege.port, b"", siege.id) as real:
            real.say(hello)
            challenge = real.hear()
            assert challenge["type"] == "challenge"
            connection.send(json.dumps(challenge))
            real.say(connection.recv(5))

    return act, []


ACTS: dict[str, Callable[[Siege], tuple[Act, list[str]]]] = {
    "its proof is made with another key": _challenge(lambda hello, key, port: pairing.encode(secrets.token_bytes(32))),
    "its proof is our nonce": _challenge(lambda hello, key, port: str(hello["nonce"])),
    "its proof is the one that we would give": _challenge(_our_proof),
    "its challenge and greeting are from an earlier session": _replay,
    "it passes everything to the real bridge and back": _relay,
    "it sends our hello back": _reflect,
    "it greets without a challenge": _say(
        {"type": "ready", "client": {"name": "x", "version": "1"}, "input": "auto", "launched": True}
    ),
    "it calls before the hello": _call_before_hello,
    "it calls instead of the challenge": _call_after_hello,
    "it says the worker's own word for an open connection": _say({"type": "open"}, {"type": "ended"}),
    "it sends a huge frame": _say("x" * 64 * 1024 * 1024),
    "it sends binary frames": _say(b"\x00" * 1000, b""),
    "it sends nothing that is a frame": _say("null"),
    "it never answers": _say(),
}
UNPROVED = [name for name in ACTS if "proof" in name or "session" in name or "passes" in name]
