"""The bridge's side of one connection. No I/O, no clock.

A `ServerSession` takes frames and returns what to send, or raises `Refused`. Until the browser has proved itself nothing but the
two frames of the handshake is read.

    HELLO ──hello/challenge──► AUTH ──auth/ready──► READY          any refusal ──► CLOSED
"""

import enum
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tabwire.wire import pairing
from tabwire.wire.messages import (
    PROTOCOL_VERSION,
    Browser,
    Challenge,
    Malformed,
    Message,
    Ready,
    parse_auth,
    parse_hello,
    parse_message,
)

CLOSE_CODES: Mapping[str, int] = {
    "malformed": 4000,
    "handshake_timeout": 4001,
    "unknown_key": 4002,
    "wrong_mac": 4003,
    "unsupported_version": 4004,
    "wrong_extension": 4005,
    "replaced": 4006,
    "silent": 4007,
    "duplicate": 4008,
    "wrong_browser": 4009,
    "not_allowed": 4010,
    "several": 4011,
    "other_user": 4012,
    "pairing_over": 4013,
}
"""Codes with which this side closes a connection: reason → WebSocket close code."""


class Refused(Exception):
    """The peer broke the protocol or did not prove itself; the connection must be closed with `code` and `reason`."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail
        self.code = CLOSE_CODES[reason]


class State(enum.Enum):
    """Progress of a handshake."""

    HELLO = "hello"
    AUTH = "auth"
    READY = "ready"
    CLOSED = "closed"


@dataclass(eq=False, kw_only=True)
class ServerSession:
    """A connection, from its first frame."""

    port: int
    """The port this bridge listens on."""
    server_id: str
    """Id of this bridge process."""
    extension_id: str
    """The only extension that may connect."""
    find_key: Callable[[str], bytes | None]
    """Key id → key, None when unknown or revoked. Asked at each handshake."""
    ready: Callable[[], Ready]
    """Makes the last frame of the handshake."""

    def __post_init__(self) -> None:
        self.state = State.HELLO
        self.browser: Browser | None = None
        self.key_id = ""
        self._key = b""
        self._transcript: pairing.Transcript | None = None

    def advance(self, frame: str | bytes) -> str:
        """Take a frame of the handshake and return the answer; afterwards `state` says whether the browser is in.

        Raises:
            Refused: The connection must be closed.
        """
        steps = {State.HELLO: self._challenge, State.AUTH: self._admit}
        step = steps.get(self.state)
        state, self.state = self.state, State.CLOSED
        if step is None:
            raise Refused("malformed", f"no handshake is under way ({state.value})")
        try:
            return step(frame)
        except Malformed as error:
            raise Refused("malformed", str(error)) from None

    def receive(self, frame: str | bytes) -> Message | None:
        """Read a frame after the handshake; None for one to ignore.

        Raises:
            Refused: The connection must be closed.
        """
        if self.state is not State.READY:
            raise Refused("malformed", "not authenticated")
        try:
            return parse_message(frame)
        except Malformed as error:
            self.state = State.CLOSED
            raise Refused("malformed", str(error)) from None

    def _challenge(self, frame: str | bytes) -> str:
        hello = parse_hello(frame)
        check_peer(hello.version, hello.extension_id, self.extension_id)
        key = self.find_key(hello.key_id)
        if key is None:
            raise Refused("unknown_key", hello.key_id)
        self._key = key
        self._transcript = pairing.Transcript(
            key_id=hello.key_id,
            extension_id=hello.extension_id,
            port=self.port,
            server_id=self.server_id,
            extension_nonce=hello.nonce,
            server_nonce=pairing.encode(secrets.token_bytes(pairing.KEY_BYTES)),
        )
        self.state = State.AUTH
        proof = pairing.mac(key, "server", self._transcript)
        return Challenge(self.server_id, self._transcript.server_nonce, proof).encode()

    def _admit(self, frame: str | bytes) -> str:
        auth = parse_auth(frame)
        assert self._transcript is not None
        if not pairing.verify(self._key, "extension", self._transcript, auth.mac):
            raise Refused("wrong_mac")
        _check_version(auth.protocol)
        self._key = b""
        self.key_id = self._transcript.key_id
        self.browser = auth.browser
        self.state = State.READY
        return self.ready().encode()


def check_peer(version: int, extension_id: str, own_extension_id: str) -> None:
    """Raises: Refused: The peer speaks another version of the protocol, or is another extension."""
    _check_version(version)
    if extension_id != own_extension_id:
        raise Refused("wrong_extension", extension_id)


def _check_version(version: int) -> None:
    """Raises: Refused: The peer speaks another version of the protocol."""
    if version != PROTOCOL_VERSION:
        raise Refused("unsupported_version", f"this bridge speaks {PROTOCOL_VERSION}, not {version}")
