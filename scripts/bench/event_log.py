"""What the event log costs a call: redaction, hash and write, against the millisecond it may take."""

import statistics
import tempfile
import time
from pathlib import Path

from row import Row

from tabwire.eventlog.redaction import kept_arguments
from tabwire.eventlog.writer import EventLog

CALLS = 2000
LIMIT_MS = 1.0
ARGUMENTS = {"selector": "@e12", "value": "rubber duck", "clear": True, "timeout": 5000}
TARGET = {"tag": "input", "role": "textbox", "name": "Name", "css": ["body > form > input"], "secret": False, "frameId": 0}


def measure() -> list[Row]:
    """The median of many calls, as they are without waiting for the disk."""
    with tempfile.TemporaryDirectory() as folder:
        log = EventLog(Path(folder), {})
        times = [_one(log) for _ in range(CALLS)]
        log.close()
    return [Row("event log, a fill (p50)", statistics.median(times), LIMIT_MS, "ms", 1.0)]


def _one(log: EventLog) -> float:
    started = time.perf_counter()
    kept = kept_arguments("fill", "act", ARGUMENTS, is_plain=True)
    act = {"method": "forms.fill", "params": kept, "tab": 7, "target": TARGET, "observed": {"events": 2}}
    log.append(
        {"event": "call", "client": "bench", "tool": "fill", "arguments": kept, "acts": [act], "outcome": "done", "ms": 3.2}
    )
    return (time.perf_counter() - started) * 1000
