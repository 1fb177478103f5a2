"""Lines of JSON-RPC before they become messages of MCP: batches, and the errors that broken lines get. No I/O.

The SDK drops a line that it cannot read, and the client waits for ever. Here each such line is answered (JSON-RPC 2.0, section
5.1) and logged, without its content.
"""

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCResponse,
    RequestId,
)
from pydantic import RootModel

from tabwire.wire.messages import refuse_constant

BATCH_VERSION = "2025-03-26"
"""The one version of MCP that has batches."""
MAX_BATCH = 1000
MAX_DEPTH = 100
"""Levels of a message: what reads it further on stops at 200."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LONE = re.compile("[\ud800-\udfff]")
_TOP_ID = r"\"id\"\s*:\s*(-?\d{1,18}|\"[^\"\\]{0,200}\")"
_VERSION = r"\"jsonrpc\"\s*:\s*\"2\.0\""
_ID_AT_START = re.compile(
    rf"\s*{{\s*(?:{_VERSION}\s*,\s*)?(?:\"method\"\s*:\s*\"[^\"]*\"\s*,\s*)?(?:{_VERSION}\s*,\s*)?{_TOP_ID}"
)
_ID_AT_END = re.compile(rf"[,}}\]]\s*(?:{_VERSION}\s*,\s*)?{_TOP_ID}\s*(?:,\s*{_VERSION}\s*)?}}\s*\Z")
"""A line that is too long is not parsed. Clients write the id before or behind the parameters."""

log = logging.getLogger(__name__)


class Broken(Exception):
    """A line, or a member of a batch, that is no message of MCP."""

    def __init__(self, code: int, message: str, request_id: RequestId | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.request_id = request_id

    def answer(self) -> JSONRPCError:
        """The error for the client, which is logged as well."""
        log.warning("a message of the client was refused (%d): %s", self.code, self)
        return JSONRPCError(jsonrpc="2.0", id=self.request_id, error=ErrorData(code=self.code, message=str(self)))


class BatchAnswer(RootModel[list[JSONRPCResponse | JSONRPCError]]):
    """The answers to the members of one batch, on one line."""


@dataclass(eq=False)
class _Batch:
    """A batch whose members are not all answered."""

    expected: set[RequestId] = field(default_factory=set)
    answers: list[JSONRPCResponse | JSONRPCError] = field(default_factory=list)


@dataclass(frozen=True)
class Incoming:
    """The content of one line."""

    messages: tuple[str, ...] = ()
    """Messages for the server, each as JSON."""
    answers: tuple[JSONRPCError | BatchAnswer, ...] = ()
    """Answers that can be sent at once."""


NOTHING = Incoming()
Message: TypeAlias = Any
"""A message of the SDK's that goes to the client."""


class LineProtocol:
    """The messages of one connection: what is in a line of the client's, and what becomes of the server's answers."""

    def __init__(self) -> None:
        self.version: str | None = None
        """The version that the handshake ended in."""
        self._handshake: RequestId | None = None
        self._answered: list[tuple[RequestId, Mapping[str, Any]]] = []
        """Ids of requests to which the client has its answer already, with the result in it, oldest first."""
        self._batches: dict[RequestId, _Batch] = {}

    def read(self, line: str, *, result: Mapping[str, Any] | None = None) -> Incoming:
        """The messages of a line.

        Args:
            line: what came in.
            result: it is a request that was answered with this before the server was there: the server's own answer is left out.
        """
        if not line.strip():
            return NOTHING
        try:
            value = parsed(line)
            if isinstance(value, list):
                return self._batch(value)
            if _is_answer(value):
                return Incoming(messages=(line,)) if _is_expected(value) else NOTHING
            incoming = Incoming(messages=(line,), answers=tuple(self._noted(checked(value))))
            if result is not None:
                self._answered.append((value["id"], result))
            return incoming
        except Broken as broken:
            return Incoming(answers=(broken.answer(),))

    def too_long(self, start: bytes, end: bytes, limit: int) -> Incoming:
        """The answer to a line that was not kept.

        Args:
            start: its first bytes.
            end: its last bytes.
            limit: the longest line in bytes.
        """
        found = _ID_AT_START.match(start.decode("utf-8", "replace")) or _ID_AT_END.search(end.decode("utf-8", "replace"))
        message = f"A message may have {limit:,} bytes and this one has more; nothing was done. Name a file by its path instead."
        return Incoming(answers=(Broken(INVALID_REQUEST, message, json.loads(found[1]) if found else None).answer(),))

    def sent(self, message: Message) -> Iterator[Message]:
        """The messages to write now that the server sends this one."""
        if not isinstance(message, JSONRPCResponse | JSONRPCError) or message.id is None:
            yield message
            return
        if message.id == self._handshake:
            self._handshake = None
            self.version = message.result.get("protocolVersion") if isinstance(message, JSONRPCResponse) else None
        if (answered := next((each for each in self._answered if each[0] == message.id), None)) is not None:
            self._answered.remove(answered)
            yield from _corrections(answered[1], message)
            return
        batch = self._batches.pop(message.id, None)
        if batch is None:
            yield message
            return
        batch.answers.append(message)
        yield from _whole(batch, message.id)

    def _noted(self, message: Mapping[str, Any]) -> Iterator[BatchAnswer]:
        """Remember what the message changes here."""
        if message["method"] == "initialize":
            self._handshake = message.get("id")
        if message["method"] == "notifications/cancelled":
            # The server does not answer a request that was withdrawn.
            cancelled = (message.get("params") or {}).get("requestId")
            self._answered = [each for each in self._answered if each[0] != cancelled]
            if isinstance(cancelled, int | str) and (batch := self._batches.pop(cancelled, None)):
                yield from _whole(batch, cancelled)

    def _batch(self, members: list[Any]) -> Incoming:
        self._check_batch(members)
        batch = _Batch()
        messages = []
        answers: list[JSONRPCError | BatchAnswer] = []
        for member in members:
            try:
                if not _is_answer(member):
                    answers += self._noted(_member(member, batch))
                elif not _is_expected(member):
                    continue
                messages.append(json.dumps(member))
            except Broken as broken:
                batch.answers.append(broken.answer())
        self._batches.update(dict.fromkeys(batch.expected, batch))
        if batch.answers and not batch.expected:
            answers.append(BatchAnswer(batch.answers))
        return Incoming(tuple(messages), tuple(answers))

    def _check_batch(self, members: list[Any]) -> None:
        if self.version != BATCH_VERSION:
            agreed = f"this connection has agreed to {self.version}" if self.version else "this connection has agreed to none"
            raise Broken(INVALID_REQUEST, f"Only MCP {BATCH_VERSION} has batches, and {agreed}: send each message on its own.")
        if not members:
            raise Broken(INVALID_REQUEST, "The batch is empty.")
        if len(members) > MAX_BATCH:
            raise Broken(INVALID_REQUEST, f"A batch may have {MAX_BATCH:,} messages and this one has {len(members):,}.")


def _corrections(given: Mapping[str, Any], message: JSONRPCResponse | JSONRPCError) -> Iterator[Message]:
    """Messages for a client that has this result in place of the server's answer: tools may have changed since."""
    if "tools" in given and isinstance(message, JSONRPCResponse) and message.result != given:
        yield JSONRPCNotification(jsonrpc="2.0", method="notifications/tools/list_changed")


def _whole(batch: _Batch, settled: RequestId) -> Iterator[BatchAnswer]:
    batch.expected.discard(settled)
    if batch.answers and not batch.expected:
        yield BatchAnswer(batch.answers)


def _member(member: Any, batch: _Batch) -> Mapping[str, Any]:
    """A message that may be part of a batch."""
    message = checked(member)
    if message["method"] == "initialize":
        raise Broken(INVALID_REQUEST, "The handshake cannot be part of a batch.", message.get("id"))
    if "id" in message:
        if message["id"] in batch.expected:
            raise Broken(INVALID_REQUEST, "Two requests of the batch have the same id.", message["id"])
        batch.expected.add(message["id"])
    return message


def parsed(line: str) -> Any:
    """The JSON of a line.

    Raises:
        Broken: it is not JSON, or nested too deeply to be read on.
    """
    try:
        value = json.loads(line, parse_constant=refuse_constant)
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise Broken(PARSE_ERROR, f"The line is not JSON: {error}. Send one message of JSON-RPC on each line.") from None
    if line.count("[") + line.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise _too_deep(_id_of(value))
    if _SURROGATE.search(line) and _LONE.search(json.dumps(value, ensure_ascii=False)):
        _refuse_surrogates(value)
    return value


def _too_deep(request_id: RequestId | None = None) -> Broken:
    return Broken(INVALID_REQUEST, f"The message is nested over {MAX_DEPTH} levels deep.", request_id)


def _refuse_surrogates(value: Any) -> NoReturn:
    words = "A string of the message holds half of a surrogate pair (\\ud800 to \\udfff), which is no text. Nothing was done."
    request_id = _id_of(value)
    raise Broken(INVALID_REQUEST if request_id is None else INVALID_PARAMS, words, request_id)


def _id_of(value: Any) -> RequestId | None:
    request_id = value.get("id") if isinstance(value, dict) else None
    return request_id if _is_id(request_id) and not (isinstance(request_id, str) and _LONE.search(request_id)) else None


def _is_id(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _depth(value: Any) -> int:
    """Levels of containers, without recursion."""
    depth, level = 0, [value]
    while level := [member for item in level if isinstance(item, dict | list) for member in _members(item)]:
        depth += 1
    return depth


def _members(item: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return item.values() if isinstance(item, dict) else item


def _is_answer(value: Any) -> bool:
    """True for an answer to a request of the server's."""
    return isinstance(value, dict) and "method" not in value and ("result" in value or "error" in value)


def _is_expected(answer: Mapping[str, Any]) -> bool:
    """Whether the server may wait for this answer; another one is only logged, because answers are not answered."""
    if _is_id(answer.get("id")):
        return True
    log.warning("the client answered a request without an id, or reported an error: %.200s", answer.get("error"))
    return False


def checked(value: Any) -> Mapping[str, Any]:
    """A request or notification.

    Raises:
        Broken: it is none.
    """
    request_id = _id_of(value)
    if not isinstance(value, dict):
        raise Broken(INVALID_REQUEST, "A message of JSON-RPC is an object.")
    if value.get("jsonrpc") != "2.0":
        raise Broken(INVALID_REQUEST, 'The message has no "jsonrpc": "2.0".', request_id)
    if not isinstance(value.get("method"), str):
        raise Broken(INVALID_REQUEST, 'The message has no "method" that is a string.', request_id)
    if "id" in value and request_id is None:
        raise Broken(INVALID_REQUEST, 'The "id" of a request is a string or a whole number, not null.')
    if not isinstance(value.get("params", {}), dict | None):
        raise Broken(INVALID_PARAMS if "id" in value else INVALID_REQUEST, '"params" is an object.', request_id)
    return value
