"""The messages of protocol version 1: one class per `type`, and how each is read and written.

A peer is never trusted to send the right shape: reading ends in one of these classes or in `Malformed`.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, NoReturn, TypeAlias

PROTOCOL_VERSION = 1
HANDSHAKE_LIMIT = 16 * 1024
"""Longest frame in bytes before the peer has proved itself."""
MAX_FRAME_BYTES = 64 * 1024 * 1024
"""Longest frame of a browser afterwards. A longer one ends the connection: the extension cuts a result to fit."""
BROWSER_EVENT = "session.browser"
"""Browser → bridge: its owner has given it another `name`."""

USUAL_WAKE_S = 6
"""Seconds between two alarms of an extension that was loaded unpacked. Chrome makes one of its store wait longer."""
MAX_WAKE_S = 120

_MAX_ID = 2**53 - 1
_NAME_LENGTH = 200
_KEY_ID = re.compile(r"[0-9a-f]{16}")
_EXTENSION_ID = re.compile(r"[a-p]{32}")
_BYTES_32 = re.compile(r"[A-Za-z0-9_-]{43}")
_POINT = re.compile(r"[A-Za-z0-9_-]{87}")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


class Malformed(ValueError):
    """A frame is not a message of this protocol."""


@dataclass(frozen=True, slots=True)
class Hello:
    """Browser → bridge, first: which key it holds and which extension it is."""

    version: int
    key_id: str
    extension_id: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """Bridge → browser, second: proof that the bridge holds the key."""

    server_id: str
    nonce: str
    mac: str

    def encode(self) -> str:
        return _encode({"type": "challenge", "server_id": self.server_id, "nonce": self.nonce, "mac": self.mac})


@dataclass(frozen=True, slots=True)
class Browser:
    """A Chrome profile that proved itself."""

    id: str
    """Stable per Chrome profile."""
    name: str
    """Name that its owner gives it."""
    user_agent: str = ""
    session: str = ""
    """Changes when the extension forgets which acts it has run (browser restart, extension reload); "" when not told."""
    extension_version: str = ""
    capabilities: tuple[str, ...] = ()
    wake_s: int = USUAL_WAKE_S
    """Longest time in seconds until an alarm starts a worker that Chrome has stopped."""


@dataclass(frozen=True, slots=True)
class Auth:
    """Browser → bridge, third: proof that the browser holds the key, and who it is."""

    mac: str
    protocol: int
    browser: Browser


@dataclass(frozen=True, slots=True)
class Ready:
    """Bridge → browser, last: who is asking and how this bridge wants input done."""

    client_name: str
    client_version: str
    server_version: str
    input_mode: str
    launched: bool

    def encode(self) -> str:
        return _encode(
            {
                "type": "ready",
                "client": {"name": self.client_name, "version": self.client_version},
                "server_version": self.server_version,
                "protocol": PROTOCOL_VERSION,
                "input": self.input_mode,
                "launched": self.launched,
            }
        )


@dataclass(frozen=True, slots=True)
class PairingOffer:
    """Bridge → a browser without a key, first: what it binds itself to."""

    server_id: str
    commitment: str

    def encode(self) -> str:
        fields = {"version": PROTOCOL_VERSION, "server_id": self.server_id, "commitment": self.commitment}
        return _encode({"type": "pairing_offer", **fields})


@dataclass(frozen=True, slots=True)
class PairingRequest:
    """Browser → bridge, second: its half of the agreement."""

    version: int
    extension_id: str
    public_key: str
    nonce: str


@dataclass(frozen=True, slots=True)
class PairingReveal:
    """Bridge → browser, third: what it had bound itself to."""

    public_key: str
    nonce: str

    def encode(self) -> str:
        return _encode({"type": "pairing_reveal", "public_key": self.public_key, "nonce": self.nonce})


@dataclass(frozen=True, slots=True)
class PairingAnswer:
    """Browser → bridge, fourth: the person's answer."""

    is_allowed: bool
    mac: str = ""


@dataclass(frozen=True, slots=True)
class PairingDone:
    """Bridge → browser, last: it takes the new key from now on."""

    mac: str

    def encode(self) -> str:
        return _encode({"type": "pairing_done", "mac": self.mac})


@dataclass(frozen=True, slots=True)
class Beside:
    """The fields of a request beside its parameters; an unset field does not travel."""

    only_origins: Sequence[str] | None = None
    """Origins where it may act; None: everywhere."""
    reason: str | None = None
    """The client's reason, for the person in the browser."""
    described: str | None = None
    """The element of an act in the client's words."""
    secrets: Literal["shown", "named"] | None = None
    """shown: the result comes as it is, with its secrets. named: the client has asked for one value by name, which comes as it is
    but for the values of password fields."""
    asking_ms: int | None = None
    """Time for which it waits for the person's answers, where some are needed."""

    def fields(self) -> dict[str, Any]:
        """Fields as they travel."""
        return {name: value for name, value in asdict(self).items() if value is not None}


NOTHING_BESIDE = Beside()


@dataclass(frozen=True, slots=True)
class Request:
    """Bridge → browser: run one command."""

    id: int
    method: str
    params: Mapping[str, Any]
    timeout_ms: int
    beside: Beside = NOTHING_BESIDE

    def encode(self) -> str:
        fields = {"id": self.id, "method": self.method, "params": self.params, "timeout_ms": self.timeout_ms}
        return _encode({**fields, **self.beside.fields()})


@dataclass(frozen=True, slots=True)
class Success:
    """Browser → bridge: the command is done."""

    id: int
    result: dict[str, Any]
    about: dict[str, Any] = field(default_factory=dict)
    """Subject of the call for the log: `tabId`, `url`, and the `target` of an act."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Browser → bridge: the command failed."""

    id: int
    error: str
    message: str
    data: dict[str, Any] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    """See `Success`."""


@dataclass(frozen=True, slots=True)
class Event:
    """Either way: something happened."""

    method: str
    params: dict[str, Any] = field(default_factory=dict)

    def encode(self) -> str:
        return _encode({"type": "event", "method": self.method, "params": self.params})


@dataclass(frozen=True, slots=True)
class Ping:
    """Browser → bridge every few seconds, which keeps its service worker alive; bridge → browser when it has fallen silent."""

    n: int

    def encode(self) -> str:
        return _encode({"type": "ping", "n": self.n})

    def encode_pong(self) -> str:
        return _encode({"type": "pong", "n": self.n})


Message: TypeAlias = Success | Failure | Event | Ping


def renamed(browser: Browser, params: Mapping[str, Any]) -> Browser:
    """The browser as a `BROWSER_EVENT` describes it.

    Raises:
        Malformed: the name is not a string.
    """
    return replace(browser, name=_label(params, "name") or browser.id)


def encode_cancel(call_id: int) -> str:
    """Bridge → browser: nobody waits for this call any more."""
    return _encode({"id": call_id, "cancel": True})


def parse_hello(frame: str | bytes) -> Hello:
    """Read the first frame of a handshake."""
    fields = _handshake_fields(frame, "hello")
    return Hello(
        version=_integer(fields, "version"),
        key_id=_matching(fields, "key_id", _KEY_ID),
        extension_id=_matching(fields, "extension_id", _EXTENSION_ID),
        nonce=_matching(fields, "nonce", _BYTES_32),
    )


def parse_auth(frame: str | bytes) -> Auth:
    """Read the third frame of a handshake."""
    fields = _handshake_fields(frame, "auth")
    browser = fields.get("browser")
    if not isinstance(browser, dict):
        raise Malformed("browser is missing")
    identity = _label(browser, "id")
    if not identity:
        raise Malformed("browser.id is missing")
    capabilities = fields.get("capabilities", [])
    if not isinstance(capabilities, list) or not all(isinstance(item, str) for item in capabilities):
        raise Malformed("capabilities is not a list of strings")
    return Auth(
        mac=_matching(fields, "mac", _BYTES_32),
        protocol=_integer(fields, "protocol"),
        browser=Browser(
            id=identity,
            name=_label(browser, "name") or identity,
            user_agent=_label(browser, "user_agent"),
            session=_label(browser, "session"),
            extension_version=_label(fields, "extension_version"),
            capabilities=tuple(capabilities),
            wake_s=min(max(_integer(fields, "wake_s"), 1), MAX_WAKE_S) if "wake_s" in fields else USUAL_WAKE_S,
        ),
    )


def parse_pairing_request(frame: str | bytes) -> PairingRequest:
    """Read the second frame of a pairing."""
    fields = _handshake_fields(frame, "pairing_request")
    return PairingRequest(
        version=_integer(fields, "version"),
        extension_id=_matching(fields, "extension_id", _EXTENSION_ID),
        public_key=_matching(fields, "public_key", _POINT),
        nonce=_matching(fields, "nonce", _BYTES_32),
    )


def parse_pairing_answer(frame: str | bytes) -> PairingAnswer | None:
    """Read the fourth frame of a pairing; None for one that only says that the person has not answered yet."""
    fields = _handshake_fields(frame, "pairing_answer", "ping")
    if fields["type"] == "ping":
        return None
    is_allowed = fields.get("allowed")
    if not isinstance(is_allowed, bool):
        raise Malformed("allowed is missing")
    return PairingAnswer(is_allowed, _matching(fields, "mac", _BYTES_32) if is_allowed else "")


def parse_message(frame: str | bytes) -> Message | None:
    """Read a frame of a browser that proved itself; None for a type a later version may have added.

    An answer with a usable id and a broken body becomes a `Failure` of that call, so that its caller hears at once.
    """
    fields = _fields(frame)
    kind = fields.get("type")
    if not isinstance(kind, str):
        raise Malformed("type is missing")
    read = _READERS.get(kind)
    return None if read is None else read(fields)


def _read_success(fields: dict[str, Any]) -> Message:
    call_id = _integer(fields, "id")
    result = fields.get("result", {})
    if isinstance(result, dict):
        return Success(call_id, result, _about(fields))
    return Failure(call_id, "unknown_error", "The extension answered with a result that is not an object.")


def _read_failure(fields: dict[str, Any]) -> Message:
    call_id = _integer(fields, "id")
    error, message, data = fields.get("error"), fields.get("message"), fields.get("data")
    return Failure(
        call_id,
        error if isinstance(error, str) and error else "unknown_error",
        message if isinstance(message, str) and message else "The extension gave no reason.",
        data if isinstance(data, dict) else {},
        _about(fields),
    )


def _about(fields: dict[str, Any]) -> dict[str, Any]:
    about = fields.get("about")
    return about if isinstance(about, dict) else {}


def _read_event(fields: dict[str, Any]) -> Message:
    method, params = fields.get("method"), fields.get("params", {})
    if not isinstance(method, str) or not isinstance(params, dict):
        raise Malformed("an event needs a method and an object of params")
    return Event(method, params)


def _read_ping(fields: dict[str, Any]) -> Message:
    return Ping(_integer(fields, "n"))


_READERS: dict[str, Callable[[dict[str, Any]], Message]] = {
    "success": _read_success,
    "error": _read_failure,
    "event": _read_event,
    "ping": _read_ping,
}


def _encode(fields: Mapping[str, Any]) -> str:
    # ASCII on the wire: a client may send half a surrogate pair, which UTF-8 cannot carry.
    return json.dumps(fields, separators=(",", ":"), allow_nan=False)


def _handshake_fields(frame: str | bytes, *kinds: str) -> dict[str, Any]:
    if len(frame) > HANDSHAKE_LIMIT:
        raise Malformed(f"longer than {HANDSHAKE_LIMIT} bytes")
    fields = _fields(frame)
    if fields.get("type") not in kinds:
        raise Malformed(f"expected {' or '.join(kinds)}")
    return fields


def _fields(frame: str | bytes) -> dict[str, Any]:
    if not isinstance(frame, str):
        raise Malformed("binary frame")
    try:
        fields = json.loads(frame, parse_constant=refuse_constant)
        if _SURROGATE.search(frame):
            fields = _whole_characters(fields)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise Malformed("not an object")
    return fields


def refuse_constant(name: str) -> NoReturn:
    """Refuse a constant that Python reads in JSON, such as NaN."""
    raise ValueError(f"{name} is not JSON")


def _whole_characters(value: Any) -> Any:
    """The value with half surrogate pairs replaced: a page may hold them, no MCP client could be sent them."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole_characters(item) for item in value]
    if isinstance(value, dict):
        return {_whole_characters(key): _whole_characters(item) for key, item in value.items()}
    return value


def _integer(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name)
    # bool is an int in Python, not in JSON.
    if type(value) is not int or not 0 <= value <= _MAX_ID:
        raise Malformed(f"{name} is not a whole number")
    return value


def _matching(fields: Mapping[str, Any], name: str, pattern: re.Pattern[str]) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Malformed(f"{name} has the wrong form")
    return value


def _label(fields: Mapping[str, Any], name: str) -> str:
    """A short text that may be shown: one line, bounded; "" when absent."""
    value = fields.get(name, "")
    if not isinstance(value, str):
        raise Malformed(f"{name} is not a string")
    return _CONTROL.sub(" ", value)[:_NAME_LENGTH].strip()
