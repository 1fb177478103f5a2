"""Uploads as tools take them."""

from tabwire.commands.input import Upload
from tabwire.surfaces.agent.snapshots import run_act
from tabwire.surfaces.tool import Answer, Runs, ToolCall


async def run_upload(call: ToolCall) -> Answer:
    """Files of this computer are read here: the extension only ever sees bytes."""
    command: Upload = call.parameters
    files = call.context.files.contents(command.files)
    return await run_act(call, files=files)


RUNS: Runs = {Upload: run_upload}
