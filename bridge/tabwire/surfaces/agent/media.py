"""Pictures, documents and recordings as tools give them: returned, or saved to a file that was checked before the browser is
bothered."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

import anyio.to_thread

from tabwire.commands.declaration import Command
from tabwire.commands.media import PICTURE_SUFFIXES, DiscardRecording, Pdf, Record, RecordedFrames, Screenshot
from tabwire.surfaces.agent.recording import Frame, durations, encode
from tabwire.surfaces.context import Context
from tabwire.surfaces.tool import Answer, Run, ToolCall, kept

PDF_PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


async def run_screenshot(call: ToolCall) -> Answer:
    """The picture goes to a file where `save_path` asks for it."""
    command: Screenshot = call.parameters
    path = None if command.save_path is None else _writable(call.context, command.save_path, command.format, PICTURE_SUFFIXES)
    result = await call.context.send(command)
    if path is None:
        return result
    size = call.context.files.write_base64(path, result["data"])
    facts = {name: value for name, value in result.items() if name != "data"}
    return {**facts, "path": str(path), "bytes": size}


async def run_pdf(call: ToolCall) -> Answer:
    """The document goes to a file."""
    command: Pdf = call.parameters
    path = _writable(call.context, command.save_path, "pdf", {".pdf": "pdf"})
    data = (await call.context.send(command))["data"]
    size = call.context.files.write_base64(path, data)
    return {"path": str(path), "bytes": size, "pages": len(PDF_PAGE.findall(base64.b64decode(data)))}


async def run_record(call: ToolCall) -> Answer:
    """What stops a recording fetches its frames and makes the file; the rest is the browser's."""
    command: Record = call.parameters
    if command.save_path is not None:
        _writable(call.context, command.save_path, command.format, {})
    if command.action != "stop":
        return await call.context.send(command)
    stopped = await call.context.send(command)
    named = command.save_path or stopped.pop("save_path", None)
    kind = command.format if {"format", "save_path"} & command.model_fields_set else stopped["format"]
    path = _writable(call.context, named or _new_name(call.context, kind), kind, {})
    recording = str(stopped["recording"])
    frames = await _frames(call.context, recording, stopped["frames"])
    lengths = durations([frame.at for frame in frames], stopped["mode"], stopped["fps"], stopped["elapsed_ms"])
    content = await anyio.to_thread.run_sync(partial(encode, kind, frames, lengths))
    size = call.context.files.write_base64(path, base64.b64encode(content).decode())
    await call.context.send(DiscardRecording(recording=recording))
    facts = {"path": str(path), "bytes": size, "frames": len(frames), "duration_ms": sum(lengths), "format": kind}
    return {**facts, **kept(stopped, "width", "height", "ended", "note")}


async def _frames(context: Context, recording: str, count: int) -> list[Frame]:
    frames: list[Frame] = []
    while len(frames) < count:
        batch = (await context.send(RecordedFrames(recording=recording, start=len(frames))))["frames"]
        frames += [Frame(base64.b64decode(frame["data"]), frame["at"]) for frame in batch]
    return frames


def _writable(context: Context, name: str, kind: str, suffixes: Mapping[str, str]) -> Path:
    """The checked path, with the suffix of its kind where the name has none."""
    path = context.files.writable(name)
    return path if path.suffix.lower() in (suffixes or {f".{kind}": kind}) else context.files.writable(f"{path}.{kind}")


def _new_name(context: Context, kind: str) -> str:
    """A name of the artifacts folder that no recording has."""
    stem = f"recording-{datetime.now():%Y%m%d-%H%M%S}"
    names = (f"{stem}{'' if n == 1 else f'-{n}'}.{kind}" for n in range(1, 1000))
    return next(name for name in names if not context.files.writable(name).exists())


RUNS: dict[type[Command], Run] = {Screenshot: run_screenshot, Pdf: run_pdf, Record: run_record}
