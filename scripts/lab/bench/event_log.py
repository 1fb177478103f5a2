"""Cost of the event log for a call: both lines of an act, with redaction and hashes, against the millisecond it may take."""

import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
from row import Row

from tabwire.commands.declaration import Command
from tabwire.commands.forms import Fill
from tabwire.commands.script import Evaluate
from tabwire.eventlog.writer import EventLog
from tabwire.middleware.audit import audit
from tabwire.surfaces.context import Context, Sent
from tabwire.surfaces.tool import ToolCall, ToolResult, load_toolset

CALLS = 2000
LIMIT_MS = 1.0
ABOUT = {
    "tabId": 7,
    "url": "https://shop.example/cart?step=2",
    "target": {"tag": "input", "role": "textbox", "name": "Name", "css": ["body > form > input"], "secret": False, "frameId": 0},
}
SCRIPT = "document.querySelectorAll('li').forEach((item) => item.append('seen')); " * 25
COMMANDS: tuple[tuple[str, Callable[[int], Command]], ...] = (
    ("a fill", lambda number: Fill(selector="@e12", value=f"{number} rubber ducks")),
    (f"a script of {len(SCRIPT):,} characters", lambda number: Evaluate(expression=f"{SCRIPT}{number}")),
)


def measure() -> list[Row]:
    """The medians of many calls, as they are without waiting for the disk."""
    return [Row(f"event log, {what} (p50)", anyio.run(_median, make), LIMIT_MS, "ms", 1.0) for what, make in COMMANDS]


async def _median(make: Callable[[int], Command]) -> float:
    engine: Any = SimpleNamespace(reception=SimpleNamespace(client="bench"))
    context = Context(engine, *([None] * 2))  # type: ignore[arg-type]  # neither files nor snapshots are asked for
    toolset = load_toolset("agent")
    with tempfile.TemporaryDirectory() as folder:
        log = EventLog(Path(folder), {})
        rule = audit(log)
        times = []
        for number in range(CALLS):
            command = make(number)
            call = ToolCall(toolset.by_name[command.tool], command.params(), toolset, context)
            began = time.perf_counter()
            await rule(call, partial(_done, call, command))
            times.append((time.perf_counter() - began) * 1000)
        log.close()
    return statistics.median(times)


async def _done(call: ToolCall, command: Command) -> ToolResult:
    """Do the work of a tool, without the browser."""
    call.context.sent.append(Sent(command, "Work", ABOUT, {"tabId": 7, "effects": {"mutations": 2, "events": 2}}))
    return ToolResult("done")
