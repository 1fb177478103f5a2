"""Uploads as tools take them."""

from __future__ import annotations

from typing import Any

from tabwire.commands.input import Upload
from tabwire.protocol.command import Command
from tabwire.tool import Run, ToolCall
from tabwire.toolsets.snapshots import run_act


async def run_upload(call: ToolCall) -> dict[str, Any]:
    """Files are read (or fetched) here: the extension only ever sees bytes."""
    command: Upload = call.parameters
    files = await call.context.files.contents(command.files)
    return await run_act(call, files=files)


RUNS: dict[type[Command], Run] = {Upload: run_upload}
