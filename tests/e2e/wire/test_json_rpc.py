"""Lines that no MCP client should send, and arguments that no tool can use: each is answered at once and harms nothing."""

import json
import queue
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.wire.raw_lines import RawLines
from tabwire.server.stdin import MAX_LINE_BYTES


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawLines]:
    with RawLines(tmp_path_factory.mktemp("raw")) as raw:
        yield raw
        assert "Traceback" not in raw.log.read_text()


def called(tool: str, arguments: str, request_id: int = 1) -> str:
    return f'{{"jsonrpc":"2.0","id":{request_id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}'


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        ("not JSON", -32700, None),
        ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
        ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
        (called("fill", r'{"selector":"#a","value":"\ud83d"}'), -32602, 1),
        (called("fill", '{"a":' * 5000 + "1" + "}" * 5000), -32600, None),
        ('{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"' + "x" * MAX_LINE_BYTES + '"}}', -32600, 7),
    ],
)
def test_a_line_that_is_no_message_gets_its_error_and_the_next_one_its_answer(
    raw: RawLines, line: str, code: int, request_id: int | None
) -> None:
    raw.send(line)
    answer = raw.answer()
    assert (answer["error"]["code"], answer["id"]) == (code, request_id)
    assert raw.ask("ping", {})["result"] == {}
    assert f"({code})" in raw.log.read_text()


BAD_ARGUMENTS = {
    "a number without end": ("tab_close", '{"tabId": 1e400}'),
    "a number of 33 bits": ("tab_close", '{"tabId": 4294967296}'),
    "a negative id": ("tab_switch", '{"tabId": -2}'),
    "a NUL in a path": ("upload", '{"selector":"#a","files":["a\\u0000b"]}'),
    "a name of 300 characters": ("upload", f'{{"selector":"#a","files":["/tmp/{"x" * 300}"]}}'),
    "the home of nobody": ("upload", '{"selector":"#a","files":["~nobody-at-all/x"]}'),
    "a time before all times": ("history", '{"query":"a","start_time":"0001-01-01"}'),
}


@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_an_argument_that_cannot_be_used_is_invalid(raw: RawLines, case: str) -> None:
    raw.send(called(*BAD_ARGUMENTS[case]))
    text = raw.answer()["result"]["content"][0]["text"]
    assert text.startswith("invalid_argument: "), text
    assert "Traceback" not in raw.log.read_text()


def test_a_long_argument_holds_up_no_other_call(raw: RawLines) -> None:
    began = time.monotonic()
    raw.send(called("navigate", json.dumps({"url": "http://a/" + "x" * (MAX_LINE_BYTES - 1000)})))
    raw.send('{"jsonrpc":"2.0","id":2,"method":"ping"}')
    answers: list[Any] = [raw.answer(), raw.answer()]
    assert {answer["id"] for answer in answers} == {1, 2}
    assert time.monotonic() - began < 8


def test_a_batch_is_answered_where_its_version_was_agreed_to(tmp_path: Path) -> None:
    with RawLines(tmp_path, "2025-03-26") as raw:
        assert raw.version == "2025-03-26"
        raw.send('[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"tools/list"},3]')
        batch = raw.answer()
        assert {answer["id"]: "error" in answer for answer in batch} == {1: False, "b": False, None: True}
        raw.send('[{"jsonrpc":"2.0","method":"notifications/x"}]')
        assert raw.ask("ping", {})["id"] == "raw"
        with pytest.raises(queue.Empty):
            raw.answer(within=0.1)
