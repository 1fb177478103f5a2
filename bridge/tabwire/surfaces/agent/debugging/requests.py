"""Requests of a tab in words: a line for each, and one with its headers and the phases of its time."""

from __future__ import annotations

from collections.abc import Mapping

from tabwire.commands import network
from tabwire.commands.traffic import NetworkRequestsResult, RequestDetailsResult, RequestFacts
from tabwire.surfaces.agent.debugging.phrases import count_of, cut, foot_of, page_text, size_of, tells
from tabwire.surfaces.tool import Runs
from tabwire.text.provenance import PageText, Words, joined

MAX_ADDRESS = 160
"""Characters of an address on a line of the list."""
PHASES = ("redirect", "queued", "dns", "connect", "tls", "wait", "download")
"""Phases in the order in which they come."""


def _list_text(command: network.Requests, result: NetworkRequestsResult) -> Words:
    requests, failed = result["requests"], result["failed"]
    since = "since the navigation" if command.after is None else f"ended after {command.after}; next: after: {result.get('last')}"
    told = f"{count_of(result['total'], 'request')} {since}" + (f", {failed} failed" if failed else "")
    head = told if len(requests) == result["total"] else f"{told}; {len(requests)} of them:"
    began = min((request["started"] for request in requests), default=0)
    lines = [listed_request(request, began) for request in requests]
    more = [f"{result['more']} more: offset: {command.offset + len(requests)}"] if "more" in result else []
    return joined("\n", [head, *page_text(lines), *more, *foot_of(result)])


def listed_request(request: RequestFacts, began: int) -> str:
    """A request on its line; `began` is the moment that times are counted from."""
    url = cut(request["url"], MAX_ADDRESS)
    redirected = " after " + count_of(request["redirects"], "redirection") if "redirects" in request else ""
    facts = [_outcome(request), *_measured(request), f"+{request['started'] - began} ms"]
    return f"#{request['id']} {request['method']} {url} {request['type']} — {', '.join(facts)}{redirected}"


def _outcome(request: RequestFacts) -> str:
    if "error" in request:
        return request["error"]
    if request.get("pending") and "status" not in request:
        return "pending"
    return str(request["status"]) + (", pending" if request.get("pending") else "") if "status" in request else "no status known"


def _measured(request: RequestFacts) -> list[str]:
    cached = ["from cache"] if request.get("cached") else []
    size = [size_of(request["size"])] if "size" in request else []
    return [*cached, *size, *([f"{request['duration_ms']:g} ms"] if "duration_ms" in request else [])]


def _request_text(command: network.RequestDetails, result: RequestDetailsResult) -> Words:
    note = [f"Body: {result['body_note']}"] if "body_note" in result else []
    return joined("\n", [f"#{result['id']}", PageText("\n".join(request_lines(result))), *note, *foot_of(result)])


def request_lines(result: RequestDetailsResult) -> list[str]:
    """A request in detail."""
    return [
        f"{result['method']} {result['url']}",
        *(f"  redirected from {step['url']} ({step['status']})" for step in result.get("steps", ())),
        ", ".join([_outcome(result), result["type"], *_facts(result), *_measured(result)]),
        *_phases(result.get("phases", {})),
        *_named("Request headers", result.get("request_headers", {})),
        *([f"Sent: {result['post_data']}"] if "post_data" in result else []),
        *_named("Response headers", result.get("response_headers", {})),
        *([f"Body{' (base64)' if result.get('base64') else ''}:\n{result['body']}"] if "body" in result else []),
    ]


def _facts(result: RequestDetailsResult) -> list[str]:
    named = {"mime_type": "", "protocol": "", "asked_by": "asked for by ", "initiator": "initiator "}
    told = [f"{words}{text}" for name, words in named.items() if (text := result.get(name))]
    sizes = [f"{size_of(size)} {name}" for name in ("encoded", "decoded") if isinstance(size := result.get(name), int | float)]
    return [*told, *sizes]


def _phases(phases: Mapping[str, float]) -> list[str]:
    told = ", ".join(f"{name} {phases[name]:g}" for name in PHASES if name in phases)
    return [f"Phases, ms: {told}"] if told else []


def _named(title: str, values: Mapping[str, str]) -> list[str]:
    return [f"{title}:", *(f"  {name}: {value}" for name, value in values.items())] if values else []


RUNS: Runs = {network.Requests: tells(_list_text), network.RequestDetails: tells(_request_text)}
