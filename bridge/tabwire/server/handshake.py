"""The answer to `initialize` before the SDK is there: to import that takes longer than clients like to wait.

A thread reads the first line of the client. A plain `initialize` is answered from `handshake.json`, which
`scripts/generate_protocol.py` writes from the declarations of the surfaces. The SDK gets the line all the same, so that it knows
the client as ever; only its answer is withheld (`json_rpc.LineProtocol`). Any other line is the SDK's to answer.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tabwire
from tabwire.wire.messages import refuse_constant

if TYPE_CHECKING:
    from tabwire.config import Config

ANSWERS = "handshake.json"
MAX_PLAIN_BYTES = 16 * 1024
MAX_PLAIN_BRACKETS = 50
"""Lines with more may be nested deeper than is read."""
_CHUNK_BYTES = 64 * 1024
_STDOUT = 1

_AT_DEFAULT = ("facade", "http", "listen", "observe_only", "reader", "tls_cert", "tls_key")
"""Settings with which a server says something else of itself, or may find when it starts that it cannot serve."""
_KNOWN_GROUPS = (["all"], ["core"])

logger = logging.getLogger(__name__)


class Handshake:
    """The first line of standard input, and the answer to it if it is a plain `initialize`.

    The descriptor is moved away: neither we nor a child process reads the pipe by accident.

    Args:
        config: the settings.
        descriptor: standard input.
        output: standard output.
    """

    def __init__(self, config: Config, descriptor: int = 0, output: int = _STDOUT) -> None:
        self.descriptor = _moved_away(descriptor)
        self.is_answered = False
        """Whether the first line has been answered; known when `received` returns."""
        self._output = output
        self._told = _told(config)
        self._received = b""
        self._thread = threading.Thread(target=self._run, name="handshake", daemon=True)
        self._thread.start()

    def received(self) -> bytes:
        """Wait for the first line; all that has come in by then. Nothing at the end of the input."""
        self._thread.join()
        return self._received

    def _run(self) -> None:
        while b"\n" not in self._received and len(self._received) < MAX_PLAIN_BYTES:
            try:
                data = os.read(self.descriptor, _CHUNK_BYTES)
            except OSError as error:
                logger.debug("the first line cannot be read: %s", error)
                return
            if not data:
                return
            self._received += data
        line, _, _ = self._received.partition(b"\n")
        answer = None if self._told is None else answer_to(line, self._told)
        if answer is not None:
            self._write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def _write(self, answer: bytes) -> None:
        self.is_answered = True
        try:
            while answer:
                answer = answer[os.write(self._output, answer) :]
        except OSError as error:
            logger.debug("the client does not read: %s", error)


def _told(config: Config) -> Mapping[str, Any] | None:
    """Self-description of a server with these settings; None where that is not known before it is there."""
    changed = [name for name in _AT_DEFAULT if getattr(config, name) != type(config).model_fields[name].default]
    if changed or config.tools not in _KNOWN_GROUPS:
        return None
    stored = json.loads(Path(__file__).with_name(ANSWERS).read_text(encoding="utf-8"))
    told: dict[str, Any] = stored["surfaces"][config.toolset]
    about = told["serverInfo"]
    about["version"] = about["version"] or tabwire.__version__
    told["protocolVersion"] = told["protocolVersion"] or stored["versions"]
    return told


# ---- the request ----------------------------------------------------------------------------------------------------------

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
_PLAIN = _holding(
    {
        "jsonrpc": lambda value: value == "2.0",
        "id": _is_id,
        "method": lambda value: value == "initialize",
        "params": _PARAMETERS,
    }
)
"""Requests of which nothing is refused. Others may be all right; whoever reads the rest of the connection decides about them."""


def answer_to(line: bytes, told: Mapping[str, Any]) -> dict[str, Any] | None:
    """The answer to a plain `initialize`; None for any other line.

    Args:
        line: without its end.
        told: what the server says of itself; `protocolVersion` is its only version, or all that it knows.
    """
    # Halves of surrogate pairs are refused.
    if len(line) > MAX_PLAIN_BYTES or b"\\u" in line or line.count(b"{") + line.count(b"[") > MAX_PLAIN_BRACKETS:
        return None
    try:
        # As a text: of bytes it would take other encodings, and a byte order mark, which whoever reads the rest refuses.
        request = json.loads(line.decode(), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        return None
    if not _PLAIN(request):
        return None
    asked, spoken = request["params"]["protocolVersion"], told["protocolVersion"]
    if isinstance(spoken, str):
        asked = spoken
    elif asked not in spoken:
        return None
    return {"jsonrpc": "2.0", "id": request["id"], "result": {**told, "protocolVersion": asked}}


def _moved_away(descriptor: int) -> int:
    moved = os.dup(descriptor)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, descriptor)
    os.close(null)
    return moved
