"""A capture as a HAR file: what HAR 1.2 demands of its structure, and what the numbers mean."""

from datetime import datetime
from typing import Any

import pytest

from tabwire.surfaces.agent.har import details, row, summary, to_har

TIMING = {
    "requestTime": 10.0, "dnsStart": 1.0, "dnsEnd": 3.0, "connectStart": 3.0, "connectEnd": 9.0, "sslStart": 5.0, "sslEnd": 9.0,
    "sendStart": 9.5, "sendEnd": 10.0, "receiveHeadersEnd": 40.0,
}  # fmt: skip
PAGE = {
    "n": 1, "url": "https://example.org/a?x=1&y=&x=ß", "method": "POST", "type": "document", "started": 1_700_000_000_123,
    "request_headers": {"Content-Type": "text/plain", "Cookie": "a=1; b=2"}, "post_data": "ß", "status": 200, "status_text": "OK",
    "response_headers": {"content-type": "text/html", "set-cookie": "a=1; Path=/\nb=2; HttpOnly"}, "mime_type": "text/html",
    "protocol": "h2", "server": "[::1]:443", "timing": TIMING, "queued_ms": 5.0, "duration_ms": 55.0, "headers_size": 120,
    "transferred": 1120, "size": 4000, "body": "<p>ß", "initiator": "other",
}  # fmt: skip
REDIRECT = {
    **{name: PAGE[name] for name in ("method", "type", "request_headers")}, "n": 2, "url": "https://example.org/old", "status": 302,
    "started": 1_700_000_000_000, "redirect_to": "https://example.org/a", "duration_ms": 7.0,
}  # fmt: skip
FAILED = {
    "n": 3,
    "url": "http://nowhere.invalid/",
    "method": "GET",
    "type": "fetch",
    "started": 1_700_000_001_000,
    "error": "net::ERR_FAILED",
}
BINARY = {"n": 4, "url": "https://example.org/i", "method": "GET", "type": "image", "started": 1_700_000_001_000, "status": 200,
          "body": "iVBO", "base64": True, "server": "127.0.0.1:80"}  # fmt: skip
SOCKET = {"n": 5, "url": "wss://example.org/live", "method": "GET", "type": "websocket", "started": 1_700_000_001_000, "status": 101,
          "messages": [{"type": "send", "time": 1_700_000_001.5, "opcode": 1, "data": "hi"}]}  # fmt: skip
CAPTURE = {"since": 1_700_000_000_000, "url": "https://example.org/", "requests": [PAGE, REDIRECT, FAILED, BINARY, SOCKET]}

REQUIRED: dict[str, tuple[str, ...]] = {
    "log": ("version", "creator", "pages", "entries"),
    "page": ("startedDateTime", "id", "title", "pageTimings"),
    "entry": ("startedDateTime", "time", "request", "response", "cache", "timings"),
    "request": ("method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"),
    "response": (
        "status",
        "statusText",
        "httpVersion",
        "cookies",
        "headers",
        "content",
        "redirectURL",
        "headersSize",
        "bodySize",
    ),
    "timings": ("send", "wait", "receive"),
}


@pytest.fixture
def log() -> dict[str, Any]:
    written: dict[str, Any] = to_har(CAPTURE, "9.9")["log"]
    return written


def entry(log: dict[str, Any], url: str) -> dict[str, Any]:
    return next(one for one in log["entries"] if one["request"]["url"].startswith(url))


def test_every_part_has_what_the_format_demands(log: dict[str, Any]) -> None:
    assert set(REQUIRED["log"]) <= set(log)
    assert (log["version"], log["creator"]) == ("1.2", {"name": "Tabwire", "version": "9.9"})
    assert set(REQUIRED["page"]) <= set(log["pages"][0])
    for one in log["entries"]:
        assert set(REQUIRED["entry"]) <= set(one)
        for part in ("request", "response", "timings"):
            assert set(REQUIRED[part]) <= set(one[part])
        assert {"size", "mimeType"} <= set(one["response"]["content"])
        assert one["pageref"] == log["pages"][0]["id"]
        assert all(set(header) == {"name", "value"} for header in one["request"]["headers"] + one["response"]["headers"])
        datetime.fromisoformat(one["startedDateTime"])
        assert [name for name in one if name not in (*REQUIRED["entry"], "pageref", "serverIPAddress") and name[0] != "_"] == []


def test_entries_are_in_the_order_of_their_start(log: dict[str, Any]) -> None:
    assert [one["request"]["url"] for one in log["entries"]][:2] == [REDIRECT["url"], PAGE["url"]]


def test_the_time_is_the_sum_of_its_phases_as_they_were(log: dict[str, Any]) -> None:
    page = entry(log, "https://example.org/a")
    assert page["timings"] == {"blocked": 6, "dns": 2, "connect": 6, "ssl": 4, "send": 0.5, "wait": 30, "receive": 10}
    assert page["time"] == 54.5
    assert entry(log, "https://example.org/old")["time"] == 7
    assert entry(log, "http://nowhere")["time"] == 0


def test_request_and_response_are_told_in_full(log: dict[str, Any]) -> None:
    page = entry(log, "https://example.org/a")
    assert page["startedDateTime"] == "2023-11-14T22:13:20.123Z"
    assert page["request"]["queryString"] == [
        {"name": "x", "value": "1"},
        {"name": "y", "value": ""},
        {"name": "x", "value": "ß"},
    ]
    assert page["request"]["postData"] == {"mimeType": "text/plain", "params": [], "text": "ß"}
    assert page["request"]["bodySize"] == 2
    assert page["request"]["cookies"] == [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]
    assert [header["name"] for header in page["response"]["headers"]] == ["content-type", "set-cookie", "set-cookie"]
    assert [cookie["name"] for cookie in page["response"]["cookies"]] == ["a", "b"]
    assert page["response"]["content"] == {"size": 4000, "mimeType": "text/html", "text": "<p>ß"}
    assert (page["response"]["headersSize"], page["response"]["bodySize"]) == (120, 1000)
    assert (page["request"]["httpVersion"], page["serverIPAddress"]) == ("HTTP/2", "::1")


def test_other_kinds_say_what_they_are(log: dict[str, Any]) -> None:
    assert entry(log, "https://example.org/old")["response"]["redirectURL"] == "https://example.org/a"
    failed = entry(log, "http://nowhere")
    assert (failed["response"]["status"], failed["_error"]) == (0, "net::ERR_FAILED")
    binary = entry(log, "https://example.org/i")
    assert binary["response"]["content"]["encoding"] == "base64"
    assert binary["serverIPAddress"] == "127.0.0.1"
    assert entry(log, "wss:")["_webSocketMessages"] == SOCKET["messages"]


def test_a_cookie_that_cannot_be_read_does_not_matter() -> None:
    odd = {**PAGE, "request_headers": {"Cookie": "a b=[redacted]; ok=1"}}
    assert (
        to_har({**CAPTURE, "requests": [odd]}, "9")["log"]["entries"][0]["request"]["headers"][0]["value"]
        == "a b=[redacted]; ok=1"
    )


def test_the_summary_counts() -> None:
    assert summary(CAPTURE["requests"]) == {  # type: ignore[arg-type]
        "statuses": {"2xx": 2, "3xx": 1, "failed": 1, "1xx": 1},
        "types": {"document": 2, "fetch": 1, "image": 1, "websocket": 1},
        "transferred": 1120,
    }


def test_rows_are_short_and_details_leave_the_clockwork_out() -> None:
    assert row({**PAGE, "url": "https://example.org/" + "x" * 400})["url"].endswith("…")
    assert set(row(FAILED)) == {"n", "method", "type", "url", "error"}
    shown = details({**PAGE, "body": "x" * 3000})
    assert "timing" not in shown
    assert (len(shown["body"]), shown["started"]) == (2001, "22:13:20.123Z")
