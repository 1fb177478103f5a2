"""Command lines of `--follow`, and the lines that are printed."""

import json
from typing import Any

import pytest

from tabwire.cli.grammar.followed import lines_for, news, polling
from tabwire.cli.grammar.parsing import UsageError

MESSAGE: dict[str, Any] = {
    "level": "error",
    "text": "a\nb",
    "source": "https://a.example/x.js:1:2",
    "time": "2026-11-24T10:20:30.405Z",
}
REQUEST: dict[str, Any] = {
    "id": 4, "method": "GET", "url": "https://a.example/x", "type": "fetch", "started": 1_700_000_000_123, "status": 200,
    "size": 1234.0, "duration_ms": 56.7,
}  # fmt: skip


def test_the_options_that_choose_go_with_each_call() -> None:
    tool, words, as_json = lines_for(["requests", "--follow", "--failed", "--json"], "--follow", "/")
    assert (tool, words, as_json) == ("network_requests", ["network-requests", "--failed"], True)
    assert polling(words, 7, 31) == [
        "network-requests", "--failed", "--tab-id=31", "--max-requests=500", "--after=7", "--timeout=20000", "--json",
    ]  # fmt: skip
    _, words, _ = lines_for(["console", "--tab-id=5", "--follow"], "--follow", "/")
    assert polling(words, 0, 31) == ["console", "--tab-id=5", "--max-messages=500", "--after=0", "--timeout=20000", "--json"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "snapshot --follow",
            "snapshot has no option --follow; these have it: console, console-messages, requests, network-requests",
        ),
        ("console clear --follow", "console --follow does not take action"),
        ("console --follow --loud", "console has no option --loud"),
    ],
)
def test_what_cannot_be_followed_is_said(line: str, says: str) -> None:
    with pytest.raises(UsageError) as error:
        lines_for(line.split(), "--follow", "/")
    assert says in str(error.value)


def test_each_is_one_line() -> None:
    assert news({"messages": [MESSAGE]}, as_json=False) == ["10:20:30.405 error a\\nb (https://a.example/x.js:1:2)"]
    assert news({"requests": [REQUEST, {**REQUEST, "error": "net::ERR_FAILED", "cached": True}]}, as_json=False) == [
        "22:13:20.123 200 GET https://a.example/x (fetch, 1.2 kB, 57 ms)",
        "22:13:20.123 net::ERR_FAILED GET https://a.example/x (fetch, 1.2 kB, 57 ms, from cache)",
    ]
    assert [json.loads(line) for line in news({"messages": [MESSAGE]}, as_json=True)] == [MESSAGE]
