"""Snapshots of a nearly idle JupyterLab with a notebook, which has 14,000 listeners: the 90th percentile beside the median."""

import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from applications.jupyterlab import JupyterLab, opens
from modes import OURS, LaunchedMode, OwnMode
from row import Row

SNAPSHOTS = 40
PAUSE_S = 0.25
CLICKS = 5
LIMIT_S = 40


def measure() -> list[Row]:
    """Rows of a launched browser and of one of the user's own: snapshots, and the click after them beside further ones."""
    JupyterLab.fetch()
    return [row for name, start in OURS.items() for row in _rows(name, start)]


def _rows(name: str, start: type[LaunchedMode] | type[OwnMode]) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        work = Path(folder)
        (work / "program").mkdir()
        program, mode = JupyterLab(work / "program"), start(work / "browser")
        try:
            program.reset()
            mode.tabwire.open(program.url)
            model = mode.model(work / "transcript.txt")
            opens(model, "sums.ipynb")
            model.wait("Idle", LIMIT_S)
            times = []
            for _ in range(SNAPSHOTS):
                times.append(mode.tabwire.ok("snapshot", max_chars=450_000).elapsed_ms)
                # A model reads it meanwhile: snapshots without a pause would measure how they wait for each other.
                time.sleep(PAUSE_S)
            [insert, *_] = [line.ref for line in mode.tabwire.lines() if re.match("Insert a cell below", line.name)]
            first, *further = [mode.tabwire.ok("click", selector=insert).elapsed_ms for _ in range(CLICKS)]
        finally:
            mode.close()
            program.close()
    yield Row(f"JupyterLab, {name}: snapshot, p90 / p50", statistics.quantiles(times, n=10)[-1], statistics.median(times), "ms")
    yield Row(f"JupyterLab, {name}: click, first / further", first, statistics.median(further), "ms")
