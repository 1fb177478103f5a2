"""A program: applies a regular expression to lines, in time or not at all. Imports nothing but the standard library.

In, as JSON: pattern, lines, most (how many matches to list), seconds. Out: matches as [line, start, end] and their count, or
error. No answer means that time or memory ran out.
"""

import contextlib
import faulthandler
import json
import os
import re
import sys
import warnings

MAX_MEMORY = 1 << 30
"""Bytes."""


def main() -> None:
    """See the module."""
    task = json.load(sys.stdin.buffer)
    _guard(task["seconds"])
    json.dump(_answer(task["pattern"], task["lines"], task["most"]), sys.stdout)


def _guard(seconds: float) -> None:
    # A C thread ends the process: it needs no interpreter lock, which matching holds. So nothing is left if we are forgotten.
    faulthandler.dump_traceback_later(seconds, exit=True, file=open(os.devnull, "w", encoding="utf-8"))
    try:
        import resource
    except ImportError:  # Windows
        return
    # A system that sets no such limit still keeps the time.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def _answer(pattern: str, lines: list[str], most: int) -> dict[str, object]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search = re.compile(pattern).search
    except (re.error, OverflowError, RecursionError) as error:
        return {"error": str(error)}
    found = [(number, *match.span()) for number, line in enumerate(lines) if (match := search(line))]
    return {"matches": found[:most], "count": len(found)}


if __name__ == "__main__":
    main()
