"""A capture as HAR 1.2, which browsers' developer tools and other programs open."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tabwire.commands.traffic import CaptureResult, RecordedRequest

SUFFIXES = (".har",)
UNKNOWN = -1
_VERSIONS = {"h2": "HTTP/2", "h3": "HTTP/3", "http/1.1": "HTTP/1.1", "http/1.0": "HTTP/1.0"}


def to_har(capture: CaptureResult, version: str) -> dict[str, Any]:
    """The whole file as a value.

    Args:
        capture: what `network.capture` gave at its stop.
        version: of this program.
    """
    page = {
        "startedDateTime": _moment(capture["since"]),
        "id": "page_1",
        "title": capture.get("url", ""),
        "pageTimings": {"onContentLoad": UNKNOWN, "onLoad": UNKNOWN},
    }
    entries = sorted(capture["requests"], key=lambda entry: entry["started"])
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "Tabwire", "version": version},
            "pages": [page],
            "entries": [{"pageref": "page_1", **_entry(entry)} for entry in entries],
        }
    }


def _moment(milliseconds: float) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _entry(entry: RecordedRequest) -> dict[str, Any]:
    timings = _timings(entry)
    server = entry.get("server", "").rsplit(":", 1)[0]
    extras = {
        "_resourceType": entry["type"],
        "_initiator": entry.get("initiator"),
        "_error": entry.get("error"),
        "_fromCache": entry.get("cache"),
        "_webSocketMessages": entry.get("messages"),
    }
    return {
        "startedDateTime": _moment(entry["started"]),
        "time": sum(spent for name, spent in timings.items() if spent > 0 and name != "ssl"),
        "request": _request(entry),
        "response": _response(entry),
        "cache": {},
        "timings": timings,
        **({"serverIPAddress": server.strip("[]")} if server else {}),
        **{name: value for name, value in extras.items() if value is not None},
    }


def _request(entry: RecordedRequest) -> dict[str, Any]:
    headers = entry.get("request_headers", {})
    post = entry.get("post_data")
    mime_type = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    return {
        "method": entry["method"],
        "url": entry["url"],
        "httpVersion": _version(entry),
        "cookies": _cookies(headers, "cookie"),
        "headers": _pairs(headers),
        "queryString": [
            {"name": name, "value": value} for name, value in parse_qsl(urlsplit(entry["url"]).query, keep_blank_values=True)
        ],
        **({} if post is None else {"postData": {"mimeType": mime_type, "params": [], "text": post}}),
        "headersSize": UNKNOWN,
        "bodySize": 0 if post is None else len(post.encode()),
    }


def _response(entry: RecordedRequest) -> dict[str, Any]:
    headers = entry.get("response_headers", {})
    content: dict[str, Any] = {"size": entry.get("size", 0), "mimeType": entry.get("mime_type") or "x-unknown"}
    if "body" in entry:
        content["text"] = entry["body"]
    if entry.get("base64"):
        content["encoding"] = "base64"
    if "body_note" in entry:
        content["comment"] = entry["body_note"]
    transferred, head = entry.get("transferred"), entry.get("headers_size")
    return {
        "status": entry.get("status", 0),
        "statusText": entry.get("status_text", ""),
        "httpVersion": _version(entry),
        "cookies": _cookies(headers, "set-cookie"),
        "headers": _pairs(headers),
        "content": content,
        "redirectURL": entry.get("redirect_to", ""),
        "headersSize": UNKNOWN if head is None else int(head),
        "bodySize": UNKNOWN if transferred is None else max(0, int(transferred) - int(head or 0)),
    }


def _version(entry: RecordedRequest) -> str:
    protocol = entry.get("protocol") or ""
    return _VERSIONS.get(protocol, protocol or "unknown")


def _pairs(headers: Mapping[str, str]) -> list[dict[str, str]]:
    """Chrome joins headers of one name by line breaks."""
    return [{"name": name, "value": one} for name, value in headers.items() for one in value.split("\n")]


def _cookies(headers: Mapping[str, str], header: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for name, value in headers.items():
        if name.lower() != header:
            continue
        for line in value.split("\n"):
            with suppress(CookieError):
                found += [{"name": cookie.key, "value": cookie.value} for cookie in SimpleCookie(line).values()]
    return found


def _timings(entry: RecordedRequest) -> dict[str, float]:
    """Milliseconds; -1 for what did not take place."""
    total = float(entry.get("duration_ms", 0))
    timing = entry.get("timing")
    if not timing:
        return {"blocked": UNKNOWN, "dns": UNKNOWN, "connect": UNKNOWN, "ssl": UNKNOWN, "send": 0, "wait": total, "receive": 0}
    queued = max(0.0, float(entry.get("queued_ms", 0)))
    begun = next((timing[name] for name in ("dnsStart", "connectStart", "sendStart") if timing.get(name, -1) >= 0), 0)
    return {
        "blocked": queued + begun,
        "dns": _span(timing, "dns"),
        "connect": _span(timing, "connect"),
        "ssl": _span(timing, "ssl"),
        "send": max(0, _span(timing, "send")),
        "wait": max(0, timing["receiveHeadersEnd"] - timing["sendEnd"]),
        "receive": max(0, total - queued - timing["receiveHeadersEnd"]),
    }


def _span(timing: Mapping[str, float], name: str) -> float:
    start, end = timing.get(f"{name}Start", -1), timing.get(f"{name}End", -1)
    return end - start if start >= 0 and end >= 0 else UNKNOWN


def summary(requests: Sequence[RecordedRequest]) -> dict[str, Any]:
    """A capture in numbers."""
    statuses: dict[str, int] = {}
    types: dict[str, int] = {}
    for entry in requests:
        status = "failed" if entry.get("error") else f"{entry['status'] // 100}xx" if entry.get("status") else "pending"
        statuses[status] = statuses.get(status, 0) + 1
        types[entry["type"]] = types.get(entry["type"], 0) + 1
    return {"statuses": statuses, "types": types, "transferred": int(sum(entry.get("transferred", 0) for entry in requests))}


_ROW = {
    "n": "n", "method": "method", "status": "status", "type": "type", "url": "url", "duration_ms": "ms", "transferred": "bytes",
    "error": "error", "redirect_to": "redirect_to", "cache": "cache", "pending": "pending",
}  # fmt: skip
_LEFT_OUT = {"timing", "queued_ms", "frame", "headers_size"}
MAX_URL = 300
MAX_BODY = 2_000


def row(entry: RecordedRequest) -> dict[str, object]:
    """A request as one short line."""
    short = {key: value for name, key in _ROW.items() if (value := entry.get(name)) is not None}
    return {**short, "url": _cut(entry["url"], MAX_URL)}


def details(entry: RecordedRequest) -> dict[str, object]:
    """A request with its headers and the beginning of its body."""
    shown = {name: value for name, value in entry.items() if name not in _LEFT_OUT}
    if "body" in entry:
        shown["body"] = _cut(entry["body"], MAX_BODY)
    started = time.strftime("%H:%M:%S", time.gmtime(entry["started"] / 1000))
    return {**shown, "started": f"{started}.{int(entry['started']) % 1000:03}Z"}


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}…"
