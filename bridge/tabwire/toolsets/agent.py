"""Document 002: the commands, published one to one."""

from __future__ import annotations

from typing import Any

from tabwire.commands import COMMANDS
from tabwire.commands.input import Upload
from tabwire.commands.media import Screenshot
from tabwire.commands.snapshot import Snapshot
from tabwire.protocol.command import Act, Command
from tabwire.responses import agent
from tabwire.schema import input_schema
from tabwire.tool import Run, Tool, ToolCall, Toolset
from tabwire.toolsets.snapshots import run_act, run_snapshot

INSTRUCTIONS = (
    "Works in the user's own Chrome. Take a snapshot, then act on elements by their @eN reference; references stay valid while "
    "their element lives. Acts report what was observed. Tools without tabId use the current tab (tab_list shows it)."
)


async def run_command(call: ToolCall) -> dict[str, Any]:
    """Send the validated command as it is."""
    return await call.context.send(call.parameters)


async def run_screenshot(call: ToolCall) -> dict[str, Any]:
    """The picture goes to a file where `save_path` asks for it; the file is checked before the browser is bothered."""
    command: Screenshot = call.parameters
    path = None if command.save_path is None else call.context.files.writable(command.save_path)
    result = await run_command(call)
    if path is None:
        return result
    size = call.context.files.write_base64(path, result.pop("data"))
    return {**result, "path": str(path), "bytes": size}


async def run_upload(call: ToolCall) -> dict[str, Any]:
    """Files are read (or fetched) here: the extension only ever sees bytes."""
    command: Upload = call.parameters
    files = await call.context.files.contents(command.files)
    return await run_act(call, files=files)


_RUNS: dict[type[Command], Run] = {Snapshot: run_snapshot, Screenshot: run_screenshot, Upload: run_upload}


def _run_of(command: type[Command]) -> Run:
    return _RUNS.get(command) or (run_act if issubclass(command, Act) else run_command)


def tool(command: type[Command]) -> Tool:
    """A command as a tool."""
    return Tool(
        name=command.tool,
        title=str(command.model_config.get("title") or command.tool),
        description=command.description(),
        model=command,
        input_schema=input_schema(command),
        run=_run_of(command),
        effect=command.effect,
        idempotent=command.idempotent,
    )


TOOLSET = Toolset(
    name="agent",
    instructions=INSTRUCTIONS,
    tools=tuple(tool(command) for command in COMMANDS),
    respond=agent.respond,
    fail=agent.fail,
)
