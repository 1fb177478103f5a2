"""`initialize` and the first list of tools are answered before the SDK is there, in its words, once, and nothing else is."""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

import tabwire
from bridge.fake_engine import Surface
from programs import command, environment
from tabwire.app import toolset_for
from tabwire.config import Config
from tabwire.server.handshake import LISTED_GROUPS, Handshake
from tabwire.settings import TOOLSETS

ABLE = {
    "roots": {"listChanged": True},
    "sampling": {"context": {}, "tools": {}},
    "elicitation": {"form": {}, "url": {}},
    "tasks": {"list": {}, "cancel": {}, "requests": {"elicitation": {"create": {}}, "sampling": {"createMessage": {}}}},
    "experimental": {"x": {"y": [1]}},
    "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}},
}
WHO = {
    "name": "test", "version": "1", "title": "Té", "description": "d", "websiteUrl": "https://example.com/",
    "icons": [{"src": "data:,", "mimeType": "image/png", "sizes": ["48x48"]}],
}  # fmt: skip


def initialize(version: Any = "2025-06-18", request_id: Any = 1, **params: Any) -> dict[str, Any]:
    about = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}, **params}
    return {"jsonrpc": "2.0", "id": request_id, "method": "initialize", "params": about}


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LISTED = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def lines_of(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(message, ensure_ascii=False).encode() + b"\n" for message in messages)


def all_at_once(lines: bytes, **settings: Any) -> tuple[list[Any], bytes]:
    """The answers to the first lines that there are before the server is there; and what is handed on."""
    (reading, writing), (output, answering) = os.pipe(), os.pipe()
    # A pipe of Windows holds less than a list of tools.
    with os.fdopen(output, "rb") as answers_of, ThreadPoolExecutor() as reader:
        answered = reader.submit(answers_of.read)
        handshake = Handshake(Config(**settings), reading, answering)
        os.write(writing, lines)
        os.close(writing)
        # The end of the input, so that the reader has looked at all lines.
        handshake._thread.join(10)
        received = handshake.received() + handshake.rest()
        os.close(answering)
        answers = [json.loads(line) for line in answered.result().splitlines()]
    for descriptor in (reading, handshake.descriptor):
        os.close(descriptor)
    assert list(handshake.answers.values()) == [answer["result"] for answer in answers]
    return answers, received


def at_once(line: bytes, **settings: Any) -> tuple[Any, bytes]:
    """The answer to a first line, if there is one."""
    answers, received = all_at_once(line, **settings)
    assert len(answers) <= 1
    return (answers[0] if answers else None), received


async def of_the_sdk(surface: str, *requests: dict[str, Any]) -> Any:
    """The answer to the last of these."""
    server = Surface(toolset_for(Config(toolset=surface))).server(tabwire.__version__)
    with anyio.fail_after(20):
        async with (
            create_client_server_memory_streams() as ((read, write), (its_read, its_write)),
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(server.run, its_read, its_write, server.create_initialization_options())
            for request in requests:
                await write.send(SessionMessage(jsonrpc_message_adapter.validate_python(request, by_name=False)))
                if "id" in request:
                    answer = await read.receive()
            tasks.cancel_scope.cancel()
    assert isinstance(answer, SessionMessage)
    return answer.message.model_dump(by_alias=True, mode="json", exclude_unset=True)


@pytest.mark.anyio
@pytest.mark.parametrize("surface", TOOLSETS)
async def test_the_answer_is_the_one_of_the_sdk(surface: str) -> None:
    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        request = initialize(version, request_id="é", capabilities=ABLE, clientInfo=WHO)
        told, _ = at_once(json.dumps(request, ensure_ascii=False).encode() + b"\n", toolset=surface)
        assert told == await of_the_sdk(surface, request)


@pytest.mark.anyio
@pytest.mark.parametrize("surface", TOOLSETS)
async def test_the_first_list_of_tools_is_the_one_of_the_sdk(surface: str) -> None:
    for version in HANDSHAKE_PROTOCOL_VERSIONS:
        first = initialize(version)
        for listed in (LISTED, {**LISTED, "id": "é", "params": {}}):
            answers, received = all_at_once(lines := lines_of(first, READY, listed), toolset=surface)
            assert answers[1:] == [await of_the_sdk(surface, first, READY, listed)] and received == lines


def test_the_first_list_of_short_ones_is_shorter_and_that_of_former_names_is_left_to_the_server() -> None:
    lines = lines_of(initialize(), READY, LISTED)
    names = [[tool["name"] for tool in all_at_once(lines, tools=[group])[0][1]["result"]["tools"]] for group in LISTED_GROUPS]
    whole, core, everyday = names
    assert len(core) < len(everyday) < len(whole) and "snapshot" in core
    assert [("enable_tools" in listed) for listed in names] == [False, True, True]
    assert len(all_at_once(lines, aliases=True)[0]) == 1


@pytest.mark.parametrize(
    "between", [[], [READY, READY], [{"jsonrpc": "2.0", "id": 9, "method": "ping"}], [{**READY, "params": {"x": 1}}]]
)
def test_another_order_of_lines_is_left_to_the_server(between: list[dict[str, Any]]) -> None:
    answers, received = all_at_once(lines := lines_of(initialize(), *between, LISTED))
    assert [answer["id"] for answer in answers] == [1] and received == lines
    answers, _ = all_at_once(lines_of(initialize(), READY, {**LISTED, "params": {"cursor": "x"}}))
    assert [answer["id"] for answer in answers] == [1]


def test_what_comes_after_the_server_is_there_is_left_to_it() -> None:
    (reading, writing), (output, answering) = os.pipe(), os.pipe()
    handshake = Handshake(Config(), reading, answering)
    os.write(writing, first := lines_of(initialize(), READY))
    assert os.read(output, 65536).count(b"\n") == 1
    received = handshake.received()
    os.write(writing, last := lines_of(LISTED))
    assert received + handshake.rest() == first + last and list(handshake.answers) == [0]
    for descriptor in (reading, writing, output, answering, handshake.descriptor):
        os.close(descriptor)


def nested(levels: int) -> dict[str, Any]:
    return {"in": nested(levels - 1)} if levels else {}


ODD: dict[str, bytes] = {
    name: (line if isinstance(line, str) else json.dumps(line)).encode()
    for name, line in {
        "an unknown version": initialize("2031-01-01"),
        "the newer protocol": initialize("2026-07-28"),
        "a version that is no text": initialize(7),
        "no client": {**initialize(), "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
        "a client that says no version": initialize(clientInfo={"name": "x"}),
        "a capability that is none": initialize(capabilities={"roots": 5}),
        "a flag that is none": initialize(capabilities={"roots": {"listChanged": "yes"}}),
        "an unknown capability": initialize(capabilities={"telepathy": {}}),
        "something beside": initialize(_meta={"progressToken": 1}),
        "no id": {"jsonrpc": "2.0", "method": "initialize", "params": initialize()["params"]},
        "an id that is none": initialize(request_id=None),
        "an id that is true": initialize(request_id=True),
        "a number that is no JSON": json.dumps(initialize(capabilities={"experimental": {"x": {"y": float("nan")}}})),
        "half of a surrogate pair": json.dumps(initialize(clientInfo={"name": "\ud800", "version": "1"})),
        "another protocol": {**initialize(), "jsonrpc": "1.0"},
        "another request": {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        "no JSON": "{",
        "a batch": json.dumps([initialize()]),
        "a long line": initialize(clientInfo={"name": "x" * 20_000, "version": "1"}),
        "deep nesting": initialize(capabilities={"experimental": {"x": nested(60)}}),
        "nothing": "",
    }.items()
} | {
    "a byte order mark": b"\xef\xbb\xbf" + json.dumps(initialize()).encode(),
    "another encoding": json.dumps(initialize()).encode("utf-16-le"),
}


@pytest.mark.parametrize("case", ODD)
def test_what_is_no_plain_initialize_is_handed_on_unanswered(case: str) -> None:
    lines = ODD[case] + b"\nnext\n"
    assert at_once(lines) == (None, lines)


def test_settings_that_change_the_answer_or_may_yet_be_refused_leave_it_to_the_server() -> None:
    line = json.dumps(initialize()).encode() + b"\n"
    assert at_once(line, launch=True, headless=True, aliases=True, port=2048, tools=["core"])[0]
    for settings in ({"observe_only": "user"}, {"listen": "127.0.0.1:0"}, {"tools": ["media"]}, {"facade": {"limits": "x"}}):
        assert at_once(line, **settings) == (None, line)


class Serving:
    """A server on a pipe, sent all of its lines at once."""

    def __init__(self, home: Path, *lines: dict[str, Any] | str, closed: bool = False) -> None:
        self.log = home / "server.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command("serve"), env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        assert self.process.stdin and self.process.stdout
        sent = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        self.process.stdin.write(sent.encode())
        self.process.stdin.close() if closed else self.process.stdin.flush()
        self._output = self.process.stdout

    def answers(self, count: int) -> list[Any]:
        return [json.loads(self._output.readline()) for _ in range(count)]

    def end(self) -> tuple[int, bytes]:
        """Its exit code, and what it has said besides."""
        assert self.process.stdin
        self.process.stdin.close()
        with self._output:
            return self.process.wait(20), self._output.read()


def test_requests_right_behind_it_are_answered_once_and_in_its_session(tmp_path: Path) -> None:
    level = {"jsonrpc": "2.0", "id": 2, "method": "logging/setLevel", "params": {"level": "error"}}
    serving = Serving(tmp_path, initialize(capabilities=ABLE), READY, level, {**LISTED, "id": 1})
    answers = serving.answers(4)
    assert [True for answer in answers if answer.get("method") == "roots/list"], "it knows what the client is able to"
    first, *others = [answer for answer in answers if "result" in answer]
    assert first["id"] == 1 and first["result"]["protocolVersion"] == "2025-06-18"
    assert {answer["id"]: "tools" in answer["result"] for answer in others} == {1: True, 2: False}
    assert json.loads(next((tmp_path / "run").glob("*.json")).read_text())["client"] == "test"
    assert serving.end() == (0, b""), serving.log.read_text()


def test_a_list_right_behind_it_is_answered_once_and_what_follows_is_the_servers(tmp_path: Path) -> None:
    serving = Serving(
        tmp_path, initialize(request_id=2), READY, LISTED, {**LISTED, "id": 3}, {"jsonrpc": "2.0", "id": 4, "method": "ping"}
    )
    answers = serving.answers(4)
    assert [answer["id"] for answer in answers[:2]] == [2, 2] and {answer["id"] for answer in answers[2:]} == {3, 4}
    again = next(answer for answer in answers if answer["id"] == 3)
    assert answers[1]["result"] == again["result"]
    assert serving.end() == (0, b""), serving.log.read_text()


def test_what_comes_before_it_is_answered_first(tmp_path: Path) -> None:
    serving = Serving(tmp_path, "{", {"jsonrpc": "2.0", "id": 7, "method": "ping"}, initialize())
    assert [(answer.get("id"), "result" in answer) for answer in serving.answers(3)] == [(None, False), (7, True), (1, True)]
    assert serving.end() == (0, b""), serving.log.read_text()


def test_a_client_that_leaves_at_once_has_its_answer_and_no_other(tmp_path: Path) -> None:
    serving = Serving(tmp_path, initialize(), closed=True)
    assert [answer["id"] for answer in serving.answers(1)] == [1]
    assert serving.end() == (0, b""), serving.log.read_text()
