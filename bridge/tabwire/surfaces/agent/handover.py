"""Actions of the person in the tab during a handover, as the difference of two snapshots."""

from tabwire.commands.handover import Ask
from tabwire.surfaces.shared.snapshot_budget import MAX_DIFF_CHARS, fit
from tabwire.surfaces.shared.snapshot_changes import changes, worded
from tabwire.surfaces.shared.snapshots import Whole
from tabwire.surfaces.tool import Answer, Runs, ToolCall


async def run_ask_user(call: ToolCall) -> Answer:
    """The answer, and what changed. The browser gives both snapshots, without what the person has typed."""
    asked: Ask = call.parameters
    result = await call.context.send(asked)
    before, after = result.pop("before", None), result.pop("after", None)
    if after is None:
        return result
    call.context.snapshots.remember((await call.context.browser()).id, result["tabId"], Whole(after))
    return result if before is None else {**result, "diff": worded(fit(changes(before, after), MAX_DIFF_CHARS).text)}


RUNS: Runs = {Ask: run_ask_user}
