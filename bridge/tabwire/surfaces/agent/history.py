"""History as tools give it: times of people become times of the browser."""

from tabwire.commands.history import History, HistoryResult
from tabwire.surfaces.tool import Runs, ToolCall


async def run_history(call: ToolCall) -> HistoryResult:
    """Relative times count from the call."""
    command: History = call.parameters
    start, end = command.period()
    period = {"start_time": start, "end_time": end}
    return await call.context.send(command, **{name: value for name, value in period.items() if value is not None})


RUNS: Runs = {History: run_history}
