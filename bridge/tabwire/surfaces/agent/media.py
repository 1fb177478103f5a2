"""Pictures, documents and recordings as tools give them: returned, or saved to a file that was checked before the browser is
bothered."""

import base64
import re
from collections.abc import Sequence
from functools import partial

import anyio.to_thread

from tabwire.commands.media import PICTURE_SUFFIXES, Discard, Frames, Pdf, Record, RecordingResult, Screenshot
from tabwire.errors import InvalidArgument, PermissionDenied, UnsupportedOperation
from tabwire.surfaces.agent.recording import Frame, durations, encode
from tabwire.surfaces.context import Context
from tabwire.surfaces.shared.files import Destination
from tabwire.surfaces.tool import Answer, Runs, ToolCall, kept

PDF_PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")
KEPT_RECORDING = "The recording has stopped and is kept: call stop again with another save_path."


async def run_screenshot(call: ToolCall) -> Answer:
    """The picture goes to a file where `save_path` asks for it."""
    command: Screenshot = call.parameters
    if command.save_path is None:
        return await call.context.send(command)
    suffixes = dict.fromkeys((f".{command.format}", *(each for each, kind in PICTURE_SUFFIXES.items() if kind == command.format)))
    destination = await _destination(call.context, command.save_path, [*suffixes], command.overwrite)
    result = await call.context.send(command)
    facts = {name: value for name, value in result.items() if name != "data"}
    return {**facts, **await _written(call.context, destination, base64.b64decode(result["data"]))}


async def run_pdf(call: ToolCall) -> Answer:
    """The document goes to a file."""
    command: Pdf = call.parameters
    destination = await _destination(call.context, command.save_path, [".pdf"], command.overwrite)
    data = base64.b64decode((await call.context.send(command))["data"])
    return {**await _written(call.context, destination, data), "pages": len(PDF_PAGE.findall(data))}


async def run_record(call: ToolCall) -> Answer:
    """Run a recording command. A stop fetches the frames and makes the file; the browser does the rest."""
    command: Record = call.parameters
    if command.save_path is not None:
        await _destination(call.context, command.save_path, [f".{command.format}"], command.overwrite)
    if command.action != "stop":
        return await call.context.send(command)
    stopped = await call.context.send(command)
    try:
        return await _saved(call.context, command, stopped)
    except (InvalidArgument, PermissionDenied, UnsupportedOperation) as error:
        raise type(error)(error.message, error.data, next_step=KEPT_RECORDING) from None


async def _saved(context: Context, command: Record, stopped: RecordingResult) -> Answer:
    kind = command.format if {"format", "save_path"} & command.model_fields_set else stopped["format"]
    named = command.save_path or stopped.get("save_path")
    destination = None if named is None else await _destination(context, named, [f".{kind}"], command.overwrite)
    recording = str(stopped["recording"])
    frames = await _frames(context, recording, stopped["frames"])
    lengths = durations([frame.at for frame in frames], stopped["mode"], stopped["fps"], stopped["elapsed_ms"])
    content = await anyio.to_thread.run_sync(partial(encode, kind, frames, lengths))
    if destination is None:
        path = await anyio.to_thread.run_sync(context.files.write_new, "recording", f".{kind}", content)
        written = {"path": str(path), "bytes": len(content)}
    else:
        written = await _written(context, destination, content)
    await context.send(Discard(recording=recording))
    facts = {**written, "frames": len(frames), "duration_ms": sum(lengths), "format": kind}
    return {**facts, **kept(stopped, "width", "height", "ended", "note")}


async def _frames(context: Context, recording: str, count: int) -> list[Frame]:
    frames: list[Frame] = []
    while len(frames) < count:
        batch = (await context.send(Frames(recording=recording, start=len(frames))))["frames"]
        frames += [Frame(base64.b64decode(frame["data"]), frame["at"]) for frame in batch]
    return frames


async def _destination(context: Context, name: str, suffixes: Sequence[str], overwrites: bool) -> Destination:
    return await anyio.to_thread.run_sync(partial(context.files.destination, name, suffixes, overwrites=overwrites))


async def _written(context: Context, destination: Destination, data: bytes) -> dict[str, object]:
    size = await anyio.to_thread.run_sync(context.files.write, destination, data)
    return {"path": str(destination.path), "bytes": size}


RUNS: Runs = {Screenshot: run_screenshot, Pdf: run_pdf, Record: run_record}
