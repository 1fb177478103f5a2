"""A debugging session as a folder for a bug report: a page for people, and the console and the requests for programs."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

import anyio
import anyio.to_thread

from tabwire.commands import network
from tabwire.commands.console import Message, Messages
from tabwire.commands.debug import Report
from tabwire.commands.media import Screenshot
from tabwire.commands.navigation import Title, Url
from tabwire.commands.performance import Insights
from tabwire.commands.secret_shapes import mask_value
from tabwire.commands.traffic import CaptureResult, RecordedRequest, RequestDetailsResult, RequestFacts
from tabwire.errors import TabwireError
from tabwire.install import extension_files
from tabwire.surfaces.agent import har
from tabwire.surfaces.agent.debugging.phrases import count_of, page_text
from tabwire.surfaces.agent.debugging.report_page import Seen, page_of
from tabwire.surfaces.context import Context
from tabwire.surfaces.shared.files import Files
from tabwire.surfaces.tool import Answer, Runs, ToolCall
from tabwire.text.provenance import Words, joined

MAX_MESSAGES = 200
MAX_REQUESTS = 1_000
MAX_DETAILS = 10
"""Errors, and failed requests, that are told in detail."""
PARTS = 8
"""Parts of the time of a call; none of what is read may take more than one."""
UNKNOWN_TEXTS = {"body", "base64", "body_note", "post_data"}
"""Parts of requests that are left out: nobody has looked whether they hold secrets."""


async def run_report(call: ToolCall) -> Answer:
    """Read what there is, and save it."""
    command: Report = call.parameters
    seen = await _seen(call.context, command)
    paths = await anyio.to_thread.run_sync(_saved, call.context.files, seen)
    return {"tabId": seen.requests["tabId"], **paths, **_counts(seen), "snapshot": _told(seen, paths)}


async def _seen(context: Context, command: Report) -> Seen:
    """The parts in a row. That of the requests must be there: it fails where there is no page that may be read."""
    tab, limit_s = command.tabId, command.timeout / 1000 / PARTS
    seen = Seen(await context.send(network.Requests(max_requests=MAX_REQUESTS, tabId=tab)), command.note or "")

    async def address() -> None:
        seen.url = (await context.send(Url(tabId=tab)))["url"]
        seen.title = (await context.send(Title(tabId=tab)))["title"]

    async def picture() -> None:
        seen.picture = await context.send(Screenshot(tabId=tab))

    async def console() -> None:
        seen.console = await context.send(Messages(max_messages=MAX_MESSAGES, tabId=tab))

    async def errors() -> None:
        said = seen.console["messages"] if seen.console else []
        for one in [message for message in said if message["level"] == "error"][-MAX_DETAILS:]:
            seen.errors.append(await context.send(Message(id=one["id"], tabId=tab)))

    async def failed() -> None:
        for one in [request for request in seen.requests["requests"] if is_failed(request)][:MAX_DETAILS]:
            details = await context.send(network.RequestDetails(id=one["id"], tabId=tab))
            seen.failed.append(
                cast(RequestDetailsResult, {name: value for name, value in details.items() if name not in UNKNOWN_TEXTS})
            )

    async def performance() -> None:
        seen.insights = await context.send(Insights(tabId=tab))

    parts: dict[str, Callable[[], Awaitable[None]]] = {
        "address and title": address, "console": console, "errors in detail": errors, "failed requests in detail": failed,
        "performance": performance, **({"picture": picture} if command.picture else {}),
    }  # fmt: skip
    for name, part in parts.items():
        try:
            with anyio.fail_after(limit_s):
                await part()
        except TimeoutError:
            seen.missing.append(f"{name}: not read within {limit_s:.1f} s")
        except TabwireError as error:
            seen.missing.append(f"{name}: {error.message}")
    return seen


def is_failed(request: RequestFacts) -> bool:
    """Whether a request got no answer, or one that says so."""
    return "error" in request or request.get("status", 0) >= 400


def _saved(files: Files, seen: Seen) -> dict[str, Any]:
    """The files in a folder of their own among the artifacts."""
    folder = f"report-{time.strftime('%Y%m%d-%H%M%S', time.localtime(seen.at))}-{secrets.token_hex(2)}"
    contents = {
        "report.html": page_of(seen),
        "requests.har": json.dumps(_har(seen), ensure_ascii=False, indent=1),
        "console.json": json.dumps(mask_value(_console(seen)), ensure_ascii=False, indent=1),
    }
    paths = {}
    for name, text in contents.items():
        destination = files.destination(f"{folder}/{name}", [name[name.index(".") :]])
        files.write(destination, text.encode(errors="replace"))
        paths[name] = str(destination.path)
    return {"path": paths.pop("report.html"), "files": [*paths.values()]}


def _console(seen: Seen) -> dict[str, Any]:
    """The messages, those in detail with their values and stacks."""
    detailed = {one["id"]: one for one in seen.errors}
    listed = seen.console["messages"] if seen.console else []
    return {"url": seen.url, "messages": [{**one, **detailed.get(one["id"], {})} for one in listed], "missing": seen.missing}


def _har(seen: Seen) -> dict[str, Any]:
    details = {one["id"]: one for one in seen.failed}
    requests = [_recorded(details.get(one["id"], one), number) for number, one in enumerate(seen.requests["requests"], 1)]
    since = min((one["started"] for one in requests), default=int(seen.at * 1000))
    capture = cast(CaptureResult, {"since": since, "url": seen.url, "requests": requests})
    return cast(dict[str, Any], mask_value(har.to_har(capture, extension_files.version())))


def _recorded(request: RequestFacts, number: int) -> RecordedRequest:
    """The facts of a request that a capture has too."""
    facts = {name: value for name, value in request.items() if name in RecordedRequest.__annotations__}
    return cast(RecordedRequest, {"n": number, **facts, **({"cache": "yes"} if request.get("cached") else {})})


def _counts(seen: Seen) -> dict[str, object]:
    return {
        "messages": len(seen.console["messages"]) if seen.console else 0,
        "errors": seen.console["errors"] if seen.console else 0,
        "requests": seen.requests["total"],
        "failed": seen.requests["failed"],
        **({"missing": seen.missing} if seen.missing else {}),
    }


def _told(seen: Seen, paths: dict[str, Any]) -> Words:
    console = seen.console
    said = f"{count_of(console['total'], 'message')}, {count_of(console['errors'], 'error')}; " if console else ""
    asked = f"{count_of(seen.requests['total'], 'request')}, {seen.requests['failed']} failed"
    pictured = ["The picture shows what the page shows; look at it before you pass it on"] if seen.picture else []
    absent = page_text([f"Could not be read: {one}" for one in seen.missing])
    beside = f"Beside it: {', '.join(paths['files'])}"
    return joined("\n", [f"Report: {paths['path']}", beside, f"{said}{asked}", *pictured, *absent])


RUNS: Runs = {Report: run_report}
