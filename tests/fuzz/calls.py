"""Many calls of one surface in one process, and what none of them may do."""

from __future__ import annotations

import json
import queue
import random
import time
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisDeprecationWarning

from e2e.site import Site
from e2e.wire.raw_lines import RawLines
from fuzz.arguments import Arguments
from fuzz.surfaces import LAUNCH, Surface, text_of
from tabwire.surfaces.tool import Tool, load_toolset

RENEWED_EVERY = 10
REFUSED = ("invalid_argument", "invalid_selector")
INVALID_PARAMS = -32602
KEPT_CHARS = 600
FORBIDDEN = (
    "unknown_error",
    "failed inside tabwire",
    "Traceback",
    "TypeError:",
    "is not a function",
    "Cannot read properties",
    "Internal",
)


@dataclass
class Report:
    """The figures of a run."""

    surface: str
    calls: int = 0
    valid: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    slowest: str = ""

    def __str__(self) -> str:
        share = 100 * self.valid / max(self.calls, 1)
        common = ", ".join(f"{code} {number}" for code, number in self.codes.most_common(8))
        return (
            f"{self.surface}: {self.calls} calls, {share:.0f} % passed validation, {len(self.problems)} problems, "
            f"slowest {self.slowest_s:.1f} s ({self.slowest}); {common}"
        )


class Fuzz:
    """A served surface under fuzz."""

    def __init__(self, surface: Surface, work: Path, site: Site) -> None:
        self.surface = surface
        self.report = Report(surface.name)
        self._site = site
        launch = LAUNCH if surface.launches else ()
        self._raw = RawLines(work, "2025-11-25", "--toolset", surface.name, *launch, *surface.arguments)
        tools = [tool for tool in load_toolset(surface.name).tools if tool.name not in surface.left_out]
        self._arguments = Arguments(tools, surface.wait)
        self._known: dict[str, list[Any]] = {}
        self._ids = 0

    def run(self, examples: int, number: int) -> Report:
        """So many calls; `number` is the seed."""

        @seed(number)
        @settings(
            max_examples=examples, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
        )
        @given(st.data())
        def call_once(data: Any) -> None:
            if self.report.calls >= examples:
                return
            if self.report.calls % RENEWED_EVERY == 0:
                self._known = self.surface.renew(self._ask, self._site)
            tool = data.draw(st.sampled_from(self._arguments.tools))
            self._check(tool, self._arguments.draw(data, tool, self._known))

        # Hypothesis takes what is at hand for a seed as well.
        random.seed(number)
        with warnings.catch_warnings():
            # It blames a strategy for the numbers that other threads draw: the server of a session's bridge names its pings by them.
            warnings.filterwarnings("ignore", "Do not use the `random` module inside", HypothesisDeprecationWarning)
            call_once()
        self._finish()
        return self.report

    def close(self) -> None:
        self._raw.__exit__()

    def _ask(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = self._sent(tool, arguments, 60).get("result", {})
        return result

    def _sent(self, tool: str, arguments: dict[str, Any], within: float) -> dict[str, Any]:
        self._ids += 1
        message = {"jsonrpc": "2.0", "id": self._ids, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        self._raw.send(json.dumps(message).replace("Infinity", "1e400"))
        end = time.monotonic() + within
        while True:
            answer: dict[str, Any] = self._raw.answer(max(0.01, end - time.monotonic()))
            if answer.get("id") == self._ids:
                return answer

    def _check(self, tool: Tool, arguments: dict[str, Any]) -> None:
        began = time.monotonic()
        what = f"{tool.name} {json.dumps(arguments)[:KEPT_CHARS]}"
        self.report.calls += 1
        limit = self.surface.allowance_s
        try:
            answer = self._sent(tool.name, arguments, limit)
        except queue.Empty:
            self.report.problems.append(f"no answer in {limit} s: {what}")
            return
        elapsed = time.monotonic() - began
        if elapsed > self.report.slowest_s:
            self.report.slowest_s, self.report.slowest = elapsed, what[:80]
        self._judge(what, answer)

    def _judge(self, what: str, answer: dict[str, Any]) -> None:
        error, result = answer.get("error"), answer.get("result", {})
        text = error["message"] if error else text_of(result)
        is_error = bool(error) or result.get("isError", False)
        if text.startswith('{"error":'):
            text, is_error = f"{json.loads(text)['error']}: {text}", True
        code = str(error["code"]) if error else text.removeprefix("error: ").split(":", 1)[0] if is_error else "ok"
        self.report.codes[code[:40]] += 1
        is_refused = code in REFUSED or bool(error and error["code"] == INVALID_PARAMS)
        self.report.valid += not is_refused
        if is_error and any(word in text for word in FORBIDDEN):
            self.report.problems.append(f"{what} → {text[:KEPT_CHARS]}")

    def _finish(self) -> None:
        """The surface still works, and its log has no traceback."""
        try:
            self.surface.renew(self._ask, self._site)
        except (queue.Empty, KeyError, AssertionError) as error:
            self.report.problems.append(f"it does not work any more: {error!r}")
        log = self._raw.log.read_text(errors="replace")
        for part in log.split("Traceback")[1:]:
            self.report.problems.append(f"traceback in the log: {part.strip()[-KEPT_CHARS:]}")
