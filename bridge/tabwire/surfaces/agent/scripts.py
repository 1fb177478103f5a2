"""Scripts of the caller: a value is cut in the browser to what a reply has room for."""

from tabwire.commands.declaration import MAX_VALUE_BYTES
from tabwire.commands.script import Evaluate
from tabwire.surfaces.tool import Answer, Runs, ToolCall


async def run_evaluate(call: ToolCall) -> Answer:
    """Run it. A larger value than any reply holds would be lost here, after the script has acted."""
    command: Evaluate = call.parameters
    return dict(await call.context.send(command, max_output_size=min(command.max_output_size, MAX_VALUE_BYTES)))


RUNS: Runs = {Evaluate: run_evaluate}
