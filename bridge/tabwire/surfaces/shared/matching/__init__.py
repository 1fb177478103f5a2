"""Regular expressions of a client, applied to lines in a process of its own.

Python's engine can neither be interrupted nor told how long it may take, and a pattern like `(a+)+$` takes forever. A process can
be ended whatever it does, also while it compiles the pattern or eats memory.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from tabwire.errors import InvalidArgument, Timeout

WORKER = Path(__file__).with_name("program.py")
GRACE_S = 3.0
"""The process ends by itself in time; this much later it is ended, start and hand-over included."""


@dataclass(frozen=True, slots=True)
class LineMatches:
    """The first matches, as line, start and end; and how many lines match in all."""

    listed: tuple[tuple[int, int, int], ...]
    count: int


async def match_lines(lines: Sequence[str], pattern: str, *, most: int, seconds: float, instead: str) -> LineMatches:
    """The lines that a regular expression matches.

    Args:
        most: How many matches are listed.
        seconds: How long it may take.
        instead: What else the client can do, for the errors.

    Raises:
        InvalidArgument: it is no regular expression.
        Timeout: it took longer than it may.
    """
    answer = await _ask({"pattern": pattern, "lines": lines, "most": most, "seconds": seconds}, seconds)
    if answer is None:
        raise Timeout(
            f"the pattern took more than {seconds:g} s, or more memory than it may, on this page",
            next_step=f"Simplify it (a repeat within a repeat, as in (a+)+, may take forever), or {instead}.",
        )
    if "error" in answer:
        raise InvalidArgument(
            f"pattern is not a valid regular expression: {answer['error']}",
            next_step=f"Correct it (Python syntax), or {instead}.",
        )
    return LineMatches(tuple((line, start, end) for line, start, end in answer["matches"]), answer["count"])


async def _ask(task: dict[str, object], seconds: float) -> dict[str, Any] | None:
    """Answer of the process; None when it ended without a word, by its own watch or by ours."""
    with anyio.move_on_after(seconds + GRACE_S):
        # Isolated: nothing of the user's Python settings or packages is run.
        done = await anyio.run_process([sys.executable, "-I", "-S", str(WORKER)], input=json.dumps(task).encode(), check=False)
        answer: dict[str, Any] | None = json.loads(done.stdout) if done.returncode == 0 else None
        return answer
    return None
