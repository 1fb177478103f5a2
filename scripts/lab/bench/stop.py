"""Delay between the person's stop and the end of a call: from the click until the client has its answer, against 200 ms."""

import statistics
import tempfile
from pathlib import Path

from row import Row

from e2e.rules.flights import FLIGHTS, Two, stopped
from e2e.site import Site

RUNS = 10
LIMIT_MS = 200.0


def measure() -> list[Row]:
    """The slowest of several stops of each kind of call, and the median of all."""
    with tempfile.TemporaryDirectory(prefix="tabwire-stop-") as work, Two.started(Path(work), "--input", "dom") as two:
        site = Site()
        try:
            return _rows(two, site)
        finally:
            site.close()


def _rows(two: Two, site: Site) -> list[Row]:
    rows: list[Row] = []
    all_ms: list[float] = []
    for name, flight in FLIGHTS.items():
        times = []
        for _ in range(RUNS):
            with two.for_a_test():
                _, reply, seconds = stopped(two, site, flight)
                two.person.ask("resume")
            if reply.code != "stopped_by_user":
                raise RuntimeError(f"{name}: not stopped: {reply}")
            times.append(seconds * 1000)
        all_ms += times
        rows.append(Row(f"stop, {name} (slowest of {RUNS})", max(times), LIMIT_MS, "ms", 1.0))
    return [*rows, Row("stop, median of all", statistics.median(all_ms), LIMIT_MS, "ms", 1.0)]
