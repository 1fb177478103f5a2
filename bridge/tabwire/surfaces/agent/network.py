"""Requests and captures as tools give them: what is too large for a reply is saved to a file."""

from __future__ import annotations

import base64
import json
import mimetypes
import time
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from tabwire.commands.declaration import Command
from tabwire.commands.input import UploadFile
from tabwire.commands.network import Capture, PerformanceTrace, RecordedRequest, Request, RequestResult, Route
from tabwire.commands.secret_shapes import mask_value
from tabwire.errors import InvalidArgument
from tabwire.install import extension_files
from tabwire.surfaces.agent import har
from tabwire.surfaces.shared.files import Files
from tabwire.surfaces.tool import Answer, Run, ToolCall

MAX_BODY_BYTES = 100_000
"""A longer body is saved; a model reads its beginning."""
SHOWN_CHARS = 4_000
MAX_LIST_CHARS = 30_000
"""Requests of a capture: with headers if all fit, else one line each as far as they fit."""


async def run_request(call: ToolCall) -> Answer:
    """Files of the form are read here; a long body goes to a file."""
    command: Request = call.parameters
    files = call.context.files
    form = None if command.form_data is None else {name: _part(files, name, one) for name, one in command.form_data.items()}
    result = await call.context.send(command, **({} if form is None else {"form_data": form}))
    body = result.get("body", "")
    is_short = len(json.dumps(body, ensure_ascii=False).encode()) <= MAX_BODY_BYTES
    shown: Answer = result if is_short else {**result, **_saved(files, result, body)}
    return shown if call.context.shows_secrets else cast(Answer, mask_value(shown))


def _part(files: Files, name: str, value: Any) -> Any:
    """A form value as the extension takes it: texts as they are, files as bytes."""
    if isinstance(value, list):
        return [_part(files, name, one) for one in value]
    if not isinstance(value, dict):
        return value
    try:
        file = UploadFile.model_validate(value)
    except ValidationError:
        raise InvalidArgument(
            f"form_data.{name}: an object stands for a file and needs path, url or base64 (and may have name, mime_type); "
            "give other values as text"
        ) from None
    (content,) = files.contents([file])
    return content


def _saved(files: Files, result: RequestResult, body: str) -> Answer:
    is_binary = result.get("base64", False)
    data = body if is_binary else base64.b64encode(body.encode()).decode()
    path = _new_file(files, "response", _suffix(result["headers"].get("content-type", "")))
    size = files.write_base64(path, data)
    shown = (
        "the whole body is in path" if is_binary else f"the whole body is in path; its first {SHOWN_CHARS:,} characters are shown"
    )
    note = "; ".join(filter(None, (result.get("note"), shown)))
    return {"body": "" if is_binary else body[:SHOWN_CHARS], "path": str(path), "bytes": size, "note": note}


def _suffix(content_type: str) -> str:
    return mimetypes.guess_extension(content_type.split(";")[0].strip()) or ".bin"


def _new_file(files: Files, stem: str, suffix: str) -> Path:
    """A name in the artifacts folder that is not taken."""
    name = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    number = 1
    while (path := files.writable(f"{name}{f'-{number}' if number > 1 else ''}{suffix}")).exists():
        number += 1
    return path


async def run_route(call: ToolCall) -> Answer:
    """A route changes nothing yet: there are no effects to tell."""
    command: Route = call.parameters
    result = await call.context.send(command)
    return {name: value for name, value in result.items() if name != "effects"}


async def run_capture(call: ToolCall) -> Answer:
    """What was recorded goes to a file unless all of it fits into the reply."""
    command: Capture = call.parameters
    files = call.context.files
    path = None if command.har_path is None else files.writable(command.har_path)
    ours = {"sanitize": command.sanitize, "trace": command.trace} if command.action == "start" else {}
    result = await call.context.send(command, **ours)
    if command.action != "stop":
        return result
    requests = result["requests"]
    trace = result.get("trace")
    shown, is_all = _shown(requests)
    if path is None and not is_all:
        path = _new_file(files, "capture", ".har")
    saved = {}
    if path is not None:
        text = json.dumps(har.to_har(result, extension_files.version()), ensure_ascii=False)
        saved = {"path": str(path), "bytes": files.write_base64(path, base64.b64encode(text.encode()).decode())}
    traced = {} if trace is None else {"trace": _trace(files, trace)}
    note = (
        {} if len(shown) == len(requests) else {"note": f"the first {len(shown)} of {len(requests)} are listed; all are in path"}
    )
    rest = {name: value for name, value in result.items() if name not in ("requests", "trace")}
    return {**rest, **har.summary(requests), **saved, **traced, **note, "requests": shown}


def _shown(requests: list[RecordedRequest]) -> tuple[list[dict[str, object]], bool]:
    """The requests as a model reads them, and whether that is all there is."""
    whole = [har.details(entry) for entry in requests]
    if len(json.dumps(whole)) <= MAX_LIST_CHARS:
        return whole, all(len(entry.get("body", "")) <= har.MAX_BODY for entry in requests)
    rows: list[dict[str, object]] = []
    room = MAX_LIST_CHARS
    for entry in requests:
        rows.append(har.row(entry))
        room -= len(json.dumps(rows[-1])) + 1
        if room < 0:
            return rows[:-1], False
    return rows, False


def _trace(files: Files, trace: PerformanceTrace) -> Answer:
    """The trace as a file for the browser's Performance panel; what the page measured as it is."""
    chunks = trace.get("chunks")
    if chunks is None:
        return trace
    path = _new_file(files, "trace", ".json.gz")
    data = b"".join(base64.b64decode(chunk) for chunk in chunks)
    rest = {name: value for name, value in trace.items() if name != "chunks"}
    return {**rest, "path": str(path), "bytes": files.write_base64(path, base64.b64encode(data).decode())}


RUNS: dict[type[Command], Run] = {Request: run_request, Capture: run_capture, Route: run_route}
