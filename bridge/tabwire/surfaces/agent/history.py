"""Search as tools give it: times of people become times of the browser."""

from tabwire.commands.history import HistoryResult, Search
from tabwire.surfaces.tool import Runs, ToolCall


async def run_history(call: ToolCall) -> HistoryResult:
    """Relative times count from the call."""
    command: Search = call.parameters
    return await call.context.send(command, **command.period())


RUNS: Runs = {Search: run_history}
