"""Pictures and documents as tools give them: returned, or saved to a file that was checked before the browser is bothered."""

from __future__ import annotations

from typing import Any

from tabwire.commands.media import Screenshot
from tabwire.protocol.command import Command
from tabwire.tool import Run, ToolCall


async def run_screenshot(call: ToolCall) -> dict[str, Any]:
    """The picture goes to a file where `save_path` asks for it."""
    command: Screenshot = call.parameters
    path = None if command.save_path is None else call.context.files.writable(command.save_path)
    result = await call.context.send(command)
    if path is None:
        return result
    size = call.context.files.write_base64(path, result.pop("data"))
    return {**result, "path": str(path), "bytes": size}


RUNS: dict[type[Command], Run] = {Screenshot: run_screenshot}
