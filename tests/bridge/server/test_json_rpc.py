"""Lines of JSON-RPC: what is no message gets the error it deserves, and batches are answered as batches."""

import json
from typing import Any

import pytest
from mcp_types import JSONRPCResponse

from tabwire.server.json_rpc import BATCH_VERSION, MAX_DEPTH, Incoming, LineProtocol


def call(request_id: Any = 1, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": "ping", **more}


def answers(incoming: Incoming) -> list[Any]:
    return [json.loads(answer.model_dump_json(by_alias=True, exclude_unset=True)) for answer in incoming.answers]


def nested(depth: int) -> str:
    return json.dumps(call(5, params={"a": None})).replace("null", "[" * depth + "]" * depth)


BROKEN = {
    "no JSON": ("hello", -32700, None),
    "half a message": ('{"jsonrpc":"2.0","id":1', -32700, None),
    "a constant of JavaScript": ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', -32700, None),
    "a number of 5,000 digits": (f'{{"jsonrpc":"2.0","id":{"1" * 5000},"method":"ping"}}', -32700, None),
    "a number": ("7", -32600, None),
    "no version": ('{"id":3,"method":"ping"}', -32600, 3),
    "no method": ('{"jsonrpc":"2.0","id":"a"}', -32600, "a"),
    "a null id": (json.dumps(call(None)), -32600, None),
    "a fraction as id": (json.dumps(call(1.5)), -32600, None),
    "parameters by position": (json.dumps(call(4, params=[1])), -32602, 4),
    "half a surrogate pair": (json.dumps(call(4, params={"value": "a\ud83d"})), -32602, 4),
    "half a surrogate pair as a name": (json.dumps(call(4, params={"\udc00": 1})), -32602, 4),
    "half a surrogate pair as id": (json.dumps(call("\ud83d")), -32600, None),
    "deep nesting": (nested(MAX_DEPTH), -32600, 5),
    "nesting without end": (nested(200_000), -32600, None),
    "a batch before the handshake": (json.dumps([call()]), -32600, None),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_line_gets_the_error_it_deserves_and_a_line_in_the_log(case: str, caplog: pytest.LogCaptureFixture) -> None:
    line, code, request_id = BROKEN[case]
    incoming = LineProtocol().read(line)
    assert incoming.messages == ()
    (answer,) = answers(incoming)
    assert (answer["error"]["code"], answer["id"]) == (code, request_id)
    assert str(code) in caplog.text


@pytest.mark.parametrize("line", ["", "  \n", json.dumps(call()), json.dumps(call("a")), json.dumps(call(params={"a": "😀"}))])
def test_messages_and_empty_lines_pass(line: str) -> None:
    assert LineProtocol().read(line) == Incoming((line,) if line.strip() else ())
    assert LineProtocol().read(nested(MAX_DEPTH - 3)).answers == ()


def test_answers_of_the_client_are_not_answered(caplog: pytest.LogCaptureFixture) -> None:
    protocol = LineProtocol()
    known = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert protocol.read(known) == Incoming((known,))
    assert protocol.read('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"What?"}}') == Incoming()
    assert "What?" in caplog.text


@pytest.mark.parametrize(
    ("start", "end", "request_id"),
    [
        ('{"jsonrpc":"2.0","id":7,"method":"tools/call",', "…}", 7),
        ('{"method": "tools/call", "jsonrpc": "2.0", "id": "a", "params"', "…}", "a"),
        ('{"method":"tools/call","params":{"id":3', '"},"jsonrpc":"2.0","id":9}\n', 9),
        ('{"method":"tools/call","params":{"id":3', '","id":9}}', None),
    ],
)
def test_a_line_that_is_too_long_is_answered_under_its_id(start: str, end: str, request_id: int | str | None) -> None:
    (answer,) = answers(LineProtocol().too_long(start.encode(), end.encode(), 1000))
    assert (answer["error"]["code"], answer["id"]) == (-32600, request_id)
    assert "1,000 bytes" in answer["error"]["message"]


@pytest.fixture
def agreed() -> LineProtocol:
    protocol = LineProtocol()
    protocol.read(json.dumps(call(0, method="initialize", params={})))
    (sent,) = protocol.sent(JSONRPCResponse(jsonrpc="2.0", id=0, result={"protocolVersion": BATCH_VERSION}))
    assert sent.id == 0
    return protocol


def done(protocol: LineProtocol, request_id: int) -> list[Any]:
    sent = protocol.sent(JSONRPCResponse(jsonrpc="2.0", id=request_id, result={}))
    return [json.loads(message.model_dump_json(by_alias=True, exclude_unset=True)) for message in sent]


def test_a_batch_is_answered_as_one_with_its_broken_members(agreed: LineProtocol) -> None:
    incoming = agreed.read(json.dumps([call(1), {"jsonrpc": "2.0", "method": "notifications/x"}, 7, call(2), call(2)]))
    assert [json.loads(message).get("id") for message in incoming.messages] == [1, None, 2]
    assert incoming.answers == ()
    assert done(agreed, 2) == []
    (batch,) = done(agreed, 1)
    assert [(answer["id"], answer.get("error", {}).get("code")) for answer in batch] == [
        (None, -32600),
        (2, -32600),
        (2, None),
        (1, None),
    ]
    assert done(agreed, 3) == [{"jsonrpc": "2.0", "id": 3, "result": {}}]


def test_a_batch_without_requests_is_answered_only_for_what_is_broken(agreed: LineProtocol) -> None:
    assert agreed.read(json.dumps([{"jsonrpc": "2.0", "method": "notifications/x"}])).answers == ()
    (batch,) = answers(agreed.read("[1, 2]"))
    assert [answer["error"]["code"] for answer in batch] == [-32600, -32600]
    assert [answer["error"]["code"] for answer in answers(agreed.read("[]"))] == [-32600]


def test_a_batch_does_not_wait_for_a_request_that_was_withdrawn(agreed: LineProtocol) -> None:
    agreed.read(json.dumps([call(1), call(2)]))
    assert done(agreed, 1) == []
    withdrawn = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
    (batch,) = answers(agreed.read(json.dumps(withdrawn)))
    assert [answer["id"] for answer in batch] == [1]


def sent(protocol: LineProtocol, request_id: Any, result: dict[str, Any]) -> list[Any]:
    answer = JSONRPCResponse(jsonrpc="2.0", id=request_id, result=result)
    return [json.loads(message.model_dump_json(by_alias=True)) for message in protocol.sent(answer)]


def test_the_answer_to_a_request_that_was_answered_before_is_left_out_once() -> None:
    protocol, given = LineProtocol(), {"tools": [{"name": "a"}]}
    protocol.read(json.dumps(call(1)), result=given)
    assert sent(protocol, 1, {"tools": [{"name": "a"}]}) == []
    assert sent(protocol, 1, given) == [{"jsonrpc": "2.0", "id": 1, "result": given}]


def test_a_client_whose_list_is_out_of_date_already_is_notified() -> None:
    protocol = LineProtocol()
    protocol.read(json.dumps(call(1)), result={"tools": [{"name": "a"}]})
    (message,) = sent(protocol, 1, {"tools": [{"name": "a"}, {"name": "b"}]})
    assert message["method"] == "notifications/tools/list_changed" and "id" not in message


def test_a_request_that_was_answered_and_then_cancelled_leaves_its_id_to_others() -> None:
    protocol = LineProtocol()
    protocol.read(json.dumps(call(1)), result={"tools": []})
    protocol.read(json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
    assert len(sent(protocol, 1, {})) == 1
