"""Processes of a server: those that it started, also where they have left their parent, and what they use."""

import contextlib
from pathlib import Path

from memory import resident_mb

MARK = "TABWIRE_BENCH_SERVER"
"""A variable of the environment by which processes are found that have left their parent."""


def processes(mark: str, roots: set[int]) -> set[int]:
    """The processes with a mark, the roots, and the descendants of both."""
    found = set(roots)
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                    found.add(int(entry.name))
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found & parents.keys()


def is_browser(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return "chrom" in (Path(f"/proc/{pid}/exe").resolve().name)
    return False


def cpu_ms(pids: set[int]) -> dict[str, float]:
    """Milliseconds that each living thread has been on a core, by process and thread."""
    times = {}
    for pid in pids:
        for file in Path(f"/proc/{pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                times[f"{pid}/{file.parent.name}"] = int(file.read_text().split()[0]) / 1e6
    return times


def used_ms(before: dict[str, float], after: dict[str, float]) -> float:
    """CPU between two looks; threads that ended between them count up to the first one alone."""
    return sum(time - before.get(thread, 0.0) for thread, time in after.items())


def server_mb(pids: set[int]) -> float:
    """Resident memory of all but the browser."""
    total = 0.0
    for pid in pids:
        if not is_browser(pid):
            with contextlib.suppress(OSError, StopIteration):
                total += resident_mb(pid)
    return total
