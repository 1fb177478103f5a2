"""Frames in, messages out: whatever a peer sends ends in a message or in `Malformed`."""

import json
from typing import Any

import pytest

from tabwire.wire import messages
from tabwire.wire.messages import (
    Auth,
    Beside,
    Browser,
    Challenge,
    Event,
    Failure,
    Hello,
    Malformed,
    Ping,
    Ready,
    Request,
    Success,
    encode_cancel,
    parse_auth,
    parse_hello,
    parse_message,
)

NONCE = "A" * 43
HELLO: dict[str, Any] = {"type": "hello", "version": 1, "key_id": "0123456789abcdef", "extension_id": "a" * 32, "nonce": NONCE}
AUTH: dict[str, Any] = {
    "type": "auth",
    "mac": NONCE,
    "protocol": 1,
    "browser": {"id": "b1", "name": "Work", "user_agent": "UA", "session": "s1"},
    "extension_version": "0.1.0",
    "capabilities": ["input"],
}


def test_a_hello_is_read() -> None:
    assert parse_hello(json.dumps(HELLO)) == Hello(1, "0123456789abcdef", "a" * 32, NONCE)


def test_an_auth_is_read() -> None:
    browser = Browser("b1", "Work", "UA", "s1", "0.1.0", ("input",))
    assert parse_auth(json.dumps(AUTH)) == Auth(NONCE, 1, browser)


def test_an_auth_needs_little_more_than_a_proof_and_an_id() -> None:
    frame = {"type": "auth", "mac": NONCE, "protocol": 1, "browser": {"id": "b1"}}
    assert parse_auth(json.dumps(frame)) == Auth(NONCE, 1, Browser("b1", "b1"))


def test_what_a_browser_calls_itself_becomes_one_short_line() -> None:
    frame = {**AUTH, "browser": {"id": "b1", "name": " Work\n\x1b[31m\u2028 " + "x" * 1000}}
    name = parse_auth(json.dumps(frame)).browser.name
    assert name.startswith("Work") and len(name) <= 200 and name.isprintable()


@pytest.mark.parametrize(
    "change",
    [
        {"type": "auth"},
        {"type": None},
        {"version": "1"},
        {"version": True},
        {"version": -1},
        {"version": 1.0},
        {"version": 2**53},
        {"key_id": "0123456789ABCDEF"},
        {"key_id": "0123456789abcdef\n"},
        {"key_id": None},
        {"extension_id": "a" * 31},
        {"extension_id": "q" * 32},
        {"nonce": "A" * 42},
        {"nonce": "A" * 42 + "="},
        {"nonce": "A" * 21 + "\n" + "A" * 21},
        {"nonce": ["A"]},
    ],
)
def test_a_hello_of_the_wrong_form_is_malformed(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        parse_hello(json.dumps({**HELLO, **change}))


@pytest.mark.parametrize(
    "change",
    [
        {"type": "hello"},
        {"mac": ""},
        {"mac": 7},
        {"protocol": None},
        {"browser": None},
        {"browser": []},
        {"browser": {}},
        {"browser": {"id": ""}},
        {"browser": {"id": "\n"}},
        {"browser": {"id": "b", "name": 7}},
        {"capabilities": "input"},
        {"capabilities": [1]},
        {"extension_version": []},
    ],
)
def test_an_auth_of_the_wrong_form_is_malformed(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        parse_auth(json.dumps({**AUTH, **change}))


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "hello",
        "[]",
        "null",
        '"hello"',
        b"{}",
        "{" * 10_000,
        '{"type":"hello","version":NaN}',
        '{"type":"hello","version":' + "9" * 10_000 + "}",
        json.dumps({**HELLO, "padding": "x" * messages.HANDSHAKE_LIMIT}),
    ],
)
def test_what_is_no_object_of_bounded_size_is_malformed(frame: str | bytes) -> None:
    with pytest.raises(Malformed):
        parse_hello(frame)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"type": "success", "id": 3, "result": {"a": [1]}}, Success(3, {"a": [1]})),
        ({"type": "success", "id": 3}, Success(3, {})),
        (
            {"type": "error", "id": 3, "error": "no_such_tab", "message": "gone", "data": {"tabId": 1}},
            Failure(3, "no_such_tab", "gone", {"tabId": 1}),
        ),
        ({"type": "error", "id": 3, "error": "timeout", "message": "late"}, Failure(3, "timeout", "late")),
        ({"type": "event", "method": "tabs.created", "params": {"tabId": 1}}, Event("tabs.created", {"tabId": 1})),
        ({"type": "event", "method": "idle"}, Event("idle", {})),
        ({"type": "ping", "n": 0}, Ping(0)),
        ({"type": "added_in_version_2", "id": 3}, None),
    ],
)
def test_messages_are_read(fields: dict[str, Any], expected: object) -> None:
    assert parse_message(json.dumps(fields)) == expected


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"type": 1},
        {"type": "success"},
        {"type": "success", "id": "3"},
        {"type": "success", "id": True},
        {"type": "error", "id": None},
        {"type": "event"},
        {"type": "event", "method": "m", "params": []},
        {"type": "ping"},
    ],
)
def test_messages_of_the_wrong_form_are_malformed(fields: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        parse_message(json.dumps(fields))


@pytest.mark.parametrize(
    "fields",
    [{"type": "success", "id": 3, "result": 7}, {"type": "error", "id": 3}, {"type": "error", "id": 3, "error": 7, "data": 7}],
)
def test_an_answer_with_a_broken_body_fails_its_call(fields: dict[str, Any]) -> None:
    answer = parse_message(json.dumps(fields))
    assert isinstance(answer, Failure)
    assert (answer.id, answer.error) == (3, "unknown_error")


def test_half_a_surrogate_pair_from_a_page_is_replaced_and_whole_ones_are_kept() -> None:
    frame = '{"type":"success","id":1,"result":{"\\ud800":["a\\udc00","\\ud83d\\ude00"]}}'
    answer = parse_message(frame)
    assert isinstance(answer, Success)
    assert answer.result == {"\ufffd": ["a\ufffd", "\U0001f600"]}


def test_what_a_request_says_besides_its_parameters_stands_beside_them() -> None:
    beside = Beside(only_origins=(), reason="to compare", described="Save", secrets="shown")
    assert json.loads(Request(7, "input.click", {"selector": "a"}, 5000, beside).encode()) == {
        "id": 7,
        "method": "input.click",
        "params": {"selector": "a"},
        "timeout_ms": 5000,
        "only_origins": [],
        "reason": "to compare",
        "described": "Save",
        "secrets": "shown",
    }


def test_frames_of_the_bridge_have_the_fields_of_the_protocol() -> None:
    frames = [
        Challenge("s", NONCE, NONCE).encode(),
        Ready("Claude", "1.0", "0.1.0", "auto", False).encode(),
        Request(7, "input.click", {"selector": "\ud800"}, 5000).encode(),
        encode_cancel(7),
        Event("session.client", {"name": "n"}).encode(),
        Ping(4).encode_pong(),
    ]
    assert [json.loads(frame) for frame in frames] == [
        {"type": "challenge", "server_id": "s", "nonce": NONCE, "mac": NONCE},
        {
            "type": "ready",
            "client": {"name": "Claude", "version": "1.0"},
            "server_version": "0.1.0",
            "protocol": 1,
            "input": "auto",
            "launched": False,
        },
        {"id": 7, "method": "input.click", "params": {"selector": "\ud800"}, "timeout_ms": 5000},
        {"id": 7, "cancel": True},
        {"type": "event", "method": "session.client", "params": {"name": "n"}},
        {"type": "pong", "n": 4},
    ]
    assert all(frame.isascii() for frame in frames)
