"""Answers to `initialize` and the first `tools/list` before the SDK is there: importing it takes longer than clients wait.

A thread reads the first lines of the client. A plain `initialize` is answered from `handshake.json`, and a plain `tools/list`
after `notifications/initialized` from `tool_lists/`; `scripts/generate_protocol.py` writes both from the declarations of the
surfaces. The SDK also gets these lines, so that it knows the client; only its answers are withheld
(`json_rpc.LineProtocol`). From the first other line on, all are the SDK's to answer.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import tabwire
from tabwire.wire.messages import refuse_constant

if TYPE_CHECKING:
    from tabwire.config import Config

ANSWERS = "handshake.json"
TOOL_LISTS = "tool_lists"
"""Folder with a file for each surface and group of tools."""
MAX_PLAIN_BYTES = 16 * 1024
MAX_PLAIN_BRACKETS = 50
"""Lines with more may be nested deeper than is read."""
_CHUNK_BYTES = 64 * 1024
_STDOUT = 1

_AT_DEFAULT = ("facade", "http", "listen", "observe_only", "reader", "tls_cert", "tls_key")
"""Settings with which a server says something else of itself, or may find when it starts that it cannot serve."""
LISTED_GROUPS = ("all", "core", "everyday")
"""Groups of tools whose lists are stored."""

logger = logging.getLogger(__name__)


class Handshake:
    """The first lines of standard input, and the answers to them if they are plain.

    The descriptor is moved away: neither we nor a child process reads the pipe by accident.

    Args:
        config: the settings.
        descriptor: standard input.
        output: standard output.
    """

    def __init__(self, config: Config, descriptor: int = 0, output: int = _STDOUT) -> None:
        self.descriptor = _moved_away(descriptor)
        self.answers: dict[int, Mapping[str, Any]] = {}
        """Number of a line, from 0 → the result that it was answered with; complete when `received` returns."""
        self._config = config
        self._output = output
        self._described = _described(config)
        self._listed: Mapping[str, Any] | None = None
        self._received = b""
        self._next = 0
        """Number of the first line that has not been looked at."""
        self._is_late = False
        self._first_line = threading.Event()
        self._turn = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="handshake", daemon=True)
        self._thread.start()

    def received(self) -> bytes:
        """Wait for the first line, and answer none any more; all that has come in. Nothing at the end of the input."""
        self._first_line.wait()
        with self._turn:
            self._is_late = True
            received, self._received = self._received, b""
        return received

    def rest(self) -> bytes:
        """Wait until nothing but the caller reads the descriptor; what has come in since `received`."""
        self._thread.join()
        return self._received

    def _run(self) -> None:
        try:
            while data := os.read(self.descriptor, _CHUNK_BYTES):
                with self._turn:
                    self._received += data
                    if self._is_late or not self._goes_on():
                        return
        except OSError as error:
            logger.debug("the first lines cannot be read: %s", error)
        finally:
            self._first_line.set()

    def _goes_on(self) -> bool:
        """Answer what can be answered; whether lines that are still to come may be."""
        lines = self._received.split(b"\n")[:-1]
        while self._next < len(lines):
            number, self._next = self._next, self._next + 1
            if not (self._answered_first(lines[0]) if number == 0 else self._answered(number, lines[number])):
                return False
            self._first_line.set()
        return len(self._received) <= MAX_PLAIN_BYTES

    def _answered_first(self, line: bytes) -> bool:
        answer = None if self._described is None else answer_to(line, self._described)
        if answer is None:
            return False
        self._write(0, answer)
        self._listed = _listed(self._config)
        return self._listed is not None

    def _answered(self, number: int, line: bytes) -> bool:
        if number == 1:
            return _plain(line, _INITIALIZED) is not None
        if request := _plain(line, _LIST):
            self._write(number, {"jsonrpc": "2.0", "id": request["id"], "result": self._listed})
        return False

    def _write(self, number: int, answer: Mapping[str, Any]) -> None:
        self.answers[number] = answer["result"]
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            while text:
                text = text[os.write(self._output, text) :]
        except OSError as error:
            logger.debug("the client does not read: %s", error)


def _described(config: Config) -> Mapping[str, Any] | None:
    """Self-description of a server with these settings; None where that is not known before it is there."""
    changed = [name for name in _AT_DEFAULT if getattr(config, name) != type(config).model_fields[name].default]
    if changed or len(config.tools) != 1 or config.tools[0] not in LISTED_GROUPS:
        return None
    stored = json.loads(Path(__file__).with_name(ANSWERS).read_text(encoding="utf-8"))
    described: dict[str, Any] = stored["surfaces"][config.toolset]
    about = described["serverInfo"]
    about["version"] = about["version"] or tabwire.__version__
    described["protocolVersion"] = described["protocolVersion"] or stored["versions"]
    return described


def _listed(config: Config) -> Mapping[str, Any] | None:
    """The answer to `tools/list`, which is the same in all versions of MCP; None where it has yet to be made."""
    if config.aliases:
        return None
    file = list_file(config.toolset, config.tools[0])
    listed: Mapping[str, Any] = json.loads((file if file.exists() else list_file(config.toolset)).read_text(encoding="utf-8"))
    return listed


def list_file(surface: str, group: str = "all") -> Path:
    """The file with the tools of a surface as they are listed at first; a group that is all of them has none."""
    return Path(__file__).with_name(TOOL_LISTS) / f"{surface}-{group}.json"


Shape = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_id(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _holding(required: Mapping[str, Shape], /, **optional: Shape) -> Shape:
    """An object with these members and no others."""
    members = {**required, **optional}

    def fits(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and required.keys() <= value.keys() <= members.keys()
            and all(members[name](member) for name, member in value.items())
        )

    return fits


def _each(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(map(shape, value))


def _named(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(member, dict) for member in value.values())


_EMPTY = _holding({})
_TASK_REQUESTS = _holding({}, sampling=_holding({}, createMessage=_EMPTY), elicitation=_holding({}, create=_EMPTY))
_CAPABILITIES = _holding(
    {},
    roots=_holding({}, listChanged=_is_flag),
    sampling=_holding({}, context=_EMPTY, tools=_EMPTY),
    elicitation=_holding({}, form=_EMPTY, url=_EMPTY),
    tasks=_holding({}, list=_EMPTY, cancel=_EMPTY, requests=_TASK_REQUESTS),
    experimental=_named,
    extensions=_named,
)
_ICON = _holding({"src": _is_text}, mimeType=_is_text, sizes=_each(_is_text))
_CLIENT = _holding(
    {"name": _is_text, "version": _is_text}, title=_is_text, description=_is_text, websiteUrl=_is_text, icons=_each(_ICON)
)
_PARAMETERS = _holding({"protocolVersion": _is_text, "capabilities": _CAPABILITIES, "clientInfo": _CLIENT})


def _said(method: str, required: Mapping[str, Shape] = MappingProxyType({}), /, **optional: Shape) -> Shape:
    """Messages of a method of which nothing is refused. Others may be all right; whoever reads the rest decides about them."""
    return _holding({"jsonrpc": lambda value: value == "2.0", "method": lambda value: value == method, **required}, **optional)


_PLAIN = _said("initialize", {"id": _is_id, "params": _PARAMETERS})


_INITIALIZED = _said("notifications/initialized", params=_EMPTY)
_LIST = _said("tools/list", {"id": _is_id}, params=_EMPTY)


def _plain(line: bytes, shape: Shape) -> dict[str, Any] | None:
    """The message in a line, if it has this shape and nothing in it could be read in another way."""
    # Halves of surrogate pairs are refused.
    if len(line) > MAX_PLAIN_BYTES or b"\\u" in line or line.count(b"{") + line.count(b"[") > MAX_PLAIN_BRACKETS:
        return None
    try:
        # As a text: of bytes it would take other encodings, and a byte order mark, which whoever reads the rest refuses.
        message: dict[str, Any] = json.loads(line.decode(), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return None
    return message if shape(message) else None


def answer_to(line: bytes, described: Mapping[str, Any]) -> dict[str, Any] | None:
    """The answer to a plain `initialize`; None for any other line.

    Args:
        line: without its end.
        described: what the server says of itself; `protocolVersion` is its only version, or all that it knows.
    """
    request = _plain(line, _PLAIN)
    if request is None:
        return None
    asked, spoken = request["params"]["protocolVersion"], described["protocolVersion"]
    if isinstance(spoken, str):
        asked = spoken
    elif asked not in spoken:
        return None
    return {"jsonrpc": "2.0", "id": request["id"], "result": {**described, "protocolVersion": asked}}


def _moved_away(descriptor: int) -> int:
    moved = os.dup(descriptor)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, descriptor)
    os.close(null)
    return moved
