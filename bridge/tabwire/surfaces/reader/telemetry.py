"""Work of a server in numbers: calls, failures by code, times and sizes. Never what was asked or read."""

import json
import logging
import statistics
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from tabwire.errors import TabwireError, UnknownError
from tabwire.surfaces.tool import Next, ToolCall, ToolResult

SAMPLES = 500
"""Latencies kept per tool."""

log = logging.getLogger(__name__)


@dataclass
class _Numbers:
    calls: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    chars: int = 0
    ms: deque[float] = field(default_factory=lambda: deque(maxlen=SAMPLES))


class Telemetry:
    """Counts calls per tool."""

    def __init__(self) -> None:
        self._tools: dict[str, _Numbers] = {}

    def count(self, tool: str, ms: float, chars: int = 0, error: str | None = None) -> None:
        """Count one call.

        Args:
            tool: Its name.
            ms: How long it took.
            chars: How much text it gave.
            error: The code it failed with.
        """
        numbers = self._tools.setdefault(tool, _Numbers())
        numbers.calls += 1
        numbers.chars += chars
        numbers.ms.append(ms)
        if error is not None:
            numbers.errors[error] += 1
        told = {"tool": tool, "ms": round(ms, 1), **({"error": error} if error else {"chars": chars})}
        log.info("%s", json.dumps(told))

    def summary(self) -> dict[str, dict[str, Any]]:
        """Numbers of each tool: calls, errors by code, characters given, median and longest time of the latest calls in ms."""
        return {
            tool: {
                "calls": numbers.calls,
                "errors": dict(numbers.errors),
                "chars": numbers.chars,
                "median_ms": round(statistics.median(numbers.ms), 1),
                "max_ms": round(max(numbers.ms), 1),
            }
            for tool, numbers in self._tools.items()
        }


async def telemetry(call: ToolCall, call_next: Next) -> ToolResult:
    """Rule: every call is counted, refused ones too."""
    counted: Telemetry = call.context.surface.telemetry
    started = time.perf_counter()

    def ms() -> float:
        return (time.perf_counter() - started) * 1000

    try:
        result = await call_next()
    except Exception as error:
        counted.count(call.tool.name, ms(), error=error.code if isinstance(error, TabwireError) else UnknownError.code)
        raise
    counted.count(call.tool.name, ms(), len(result.text))
    return result
