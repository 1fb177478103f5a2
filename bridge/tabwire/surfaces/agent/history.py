"""History as tools give it: times of people become times of the browser."""

from tabwire.commands.history import History, HistoryResult
from tabwire.surfaces.tool import Runs, ToolCall


async def run_history(call: ToolCall) -> HistoryResult:
    """Relative times count from the call."""
    command: History = call.parameters
    return await call.context.send(command, **command.period())


RUNS: Runs = {History: run_history}
