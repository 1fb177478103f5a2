"""Requests and captures as tools give them: what is too large for a reply is saved to a file."""

import base64
import json
import mimetypes
from functools import partial
from typing import Any, cast

import anyio.to_thread
from pydantic import ValidationError

from tabwire.commands.input import UploadFile
from tabwire.commands.network import Capture, Request, RequestResult, Route
from tabwire.commands.secret_shapes import mask_value
from tabwire.commands.traffic import CaptureResult, PerformanceTrace, RecordedRequest
from tabwire.errors import InvalidArgument, TabwireError
from tabwire.install import extension_files
from tabwire.surfaces.agent import har
from tabwire.surfaces.shared.files import Destination, Files
from tabwire.surfaces.tool import Answer, Runs, ToolCall

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
    shown: Answer = result if is_short else {**result, **await anyio.to_thread.run_sync(_saved, files, result, body)}
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
    data = base64.b64decode(body) if is_binary else body.encode(errors="replace")
    saved, where = _new_file(files, "response", _suffix(result["headers"].get("content-type", "")), data)
    told = f"the whole body {where}" if is_binary else f"the whole body {where}; its first {SHOWN_CHARS:,} characters are shown"
    note = "; ".join(filter(None, (result.get("note"), told)))
    return {"body": "" if is_binary else body[:SHOWN_CHARS], **saved, "note": note}


def _suffix(content_type: str) -> str:
    return mimetypes.guess_extension(content_type.split(";")[0].strip()) or ".bin"


def _new_file(files: Files, stem: str, suffix: str, data: bytes) -> tuple[Answer, str]:
    """Save what the browser has handed over, which cannot be asked for again: a file that cannot be written is no failure.

    Returns:
        `path` and `bytes`, where it is saved; and what to say of it.
    """
    try:
        path = files.write_new(stem, suffix, data)
    except TabwireError as error:
        return {}, f"({len(data):,} bytes) could not be saved: {error}"
    return {"path": str(path), "bytes": len(data)}, "is in path"


async def run_route(call: ToolCall) -> Answer:
    """A route changes nothing yet: there are no effects to tell."""
    command: Route = call.parameters
    result = await call.context.send(command)
    return {name: value for name, value in result.items() if name != "effects"}


async def run_capture(call: ToolCall) -> Answer:
    """Run a capture command. A stop writes the recorded requests to a file unless all of them fit into the reply."""
    command: Capture = call.parameters
    files = call.context.files
    destination = None
    if command.har_path is not None:
        wanted = partial(files.destination, command.har_path, har.SUFFIXES, overwrites=command.overwrite)
        destination = await anyio.to_thread.run_sync(wanted)
    ours = {"sanitize": command.sanitize, "trace": command.trace} if command.action == "start" else {}
    result = await call.context.send(command, **ours)
    if command.action != "stop":
        return result
    return await anyio.to_thread.run_sync(_stopped, files, destination, result)


def _stopped(files: Files, destination: Destination | None, result: CaptureResult) -> Answer:
    """A capture that has stopped: its requests, as far as they fit, and the files."""
    requests = result["requests"]
    shown, is_all = _shown(requests)
    saved, notes = _save_har(files, destination, result) if destination is not None or not is_all else ({}, [])
    if len(shown) < len(requests):
        listed = f"the first {len(shown)} of {len(requests)} are listed"
        notes.append(f"{listed}; all are in path" if saved else listed)
    trace = result.get("trace")
    traced = {} if trace is None else {"trace": _trace(files, trace)}
    note = {"note": "; ".join(notes)} if notes else {}
    rest = {name: value for name, value in result.items() if name not in ("requests", "trace")}
    return {**rest, **har.summary(requests), **saved, **traced, **note, "requests": shown}


def _save_har(files: Files, destination: Destination | None, result: CaptureResult) -> tuple[Answer, list[str]]:
    """The capture as a file: the wanted one, or one of the artifacts if that cannot be written any more.

    Returns:
        `path` and `bytes`, where it is saved; and what to say of it.
    """
    data = json.dumps(har.to_har(result, extension_files.version()), ensure_ascii=False).encode(errors="replace")
    problems: list[str] = []
    if destination is not None:
        try:
            return {"path": str(destination.path), "bytes": files.write(destination, data)}, []
        except TabwireError as error:
            problems.append(str(error))
    saved, where = _new_file(files, "capture", har.SUFFIXES[0], data)
    return saved, [*problems, f"the capture {where}"] if problems or not saved else []


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
    data = b"".join(base64.b64decode(chunk) for chunk in chunks)
    saved, where = _new_file(files, "trace", ".json.gz", data)
    rest = {name: value for name, value in trace.items() if name != "chunks"}
    note = {} if saved else {"note": "; ".join(filter(None, (trace.get("note"), f"the trace {where}")))}
    return {**rest, **saved, **note}


RUNS: Runs = {Request: run_request, Capture: run_capture, Route: run_route}
