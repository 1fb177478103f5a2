"""Memory of bridges and of the extension's workers, and whether it grows."""

import statistics
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from chromium import Chromium
from host import Host

from e2e.cdp import Page

GROWTH_LIMIT = 0.10
LEAST_SAMPLES = 8
HELD_RANK = 90
"""Percentile of the samples of the warm-up that counts as held then: one outlier hides nothing."""


def status_mb(pid: int, name: str) -> float:
    """A line of /proc/PID/status in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith(f"{name}:")).split()[1]) / 1024


def trend(samples: list[tuple[float, float]], held_before: float = 0.0) -> float:
    """Growth from the first sample to the last, as a share of the first, along the median of all slopes between two samples.

    Theil and Sen's line: a few samples taken in a bad moment do not move it.

    Args:
        held_before: What was held already before the first sample; coming back to it is no growth.
    """
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(samples, 2) if b[0] > a[0]]
    if not slopes:
        return 0.0
    slope = statistics.median(slopes)
    base = statistics.median(value - slope * at for at, value in samples)
    start, end = (base + slope * at for at in (samples[0][0], samples[-1][0]))
    base = max(start, held_before)
    return (end - base) / base


@dataclass
class Series:
    """Samples of a quantity of one process over its life: (calls made by all clients, MB)."""

    name: str
    is_judged: bool
    samples: list[tuple[float, float]] = field(default_factory=list)
    peak: float = 0.0

    def settled(self, warm_up: int) -> list[tuple[float, float]]:
        """The samples after the process took part in so many calls."""
        return [sample for sample in self.samples if sample[0] >= self.samples[0][0] + warm_up]

    def growth(self, warm_up: int) -> float | None:
        """See :func:`trend`; None with too few samples to say."""
        settled = self.settled(warm_up)
        early = sorted(value for _, value in self.samples[: len(self.samples) - len(settled)])
        # Chrome throws code away that was not used for a while and compiles it again.
        held = early[len(early) * HELD_RANK // 100] if early else 0.0
        return trend(settled, held) if len(settled) >= LEAST_SAMPLES else None


class Memory:
    """Samples by process: one that is started again begins a life of its own."""

    def __init__(self) -> None:
        self.lives: dict[tuple[str, str], Series] = {}

    def sample(self, calls: int, hosts: list[Host], browsers: list[Chromium]) -> dict[str, float]:
        """Looks at everything now; MB by name."""
        for host in hosts:
            pid = host.pid
            series = self._add(f"bridge {host.name} RSS", str(pid), calls, status_mb(pid, "VmRSS"), True)
            series.peak = status_mb(pid, "VmHWM")
        for browser in browsers:
            self._sample_worker(calls, browser)
        return {series.name: round(series.samples[-1][1], 2) for series in self.lives.values() if series.samples[-1][0] == calls}

    def _sample_worker(self, calls: int, browser: Chromium) -> None:
        processes = browser.processes("--extension-process")
        with browser.devtools() as devtools:
            workers = [target for target in devtools.targets("service_worker") if target["url"].startswith("chrome-extension:")]
            for worker in workers:
                page = Page(devtools, worker["targetId"])
                page.call("HeapProfiler.collectGarbage")
                used = page.call("Runtime.getHeapUsage")["usedSize"] / 2**20
                self._add(f"worker {browser.name} heap", worker["targetId"], calls, used, True)
                stored = page.evaluate("chrome.storage.session.getBytesInUse()") / 2**20
                self._add(f"session storage {browser.name}", str(browser.generation), calls, stored, False)
        for pid in processes:
            self._add(f"extension process {browser.name} RSS", str(pid), calls, status_mb(pid, "VmRSS"), False)

    def _add(self, name: str, life: str, calls: int, value: float, is_judged: bool) -> Series:
        series = self.lives.setdefault((name, life), Series(name, is_judged))
        series.samples.append((calls, value))
        series.peak = max(series.peak, value)
        return series

    def longest(self) -> list[Series]:
        """Longest of the series of each quantity."""
        best: dict[str, Series] = {}
        for series in self.lives.values():
            if series.name not in best or len(series.samples) > len(best[series.name].samples):
                best[series.name] = series
        return [best[name] for name in sorted(best)]

    def young(self) -> list[Series]:
        """Each quantity at the beginning of every life: what outlives a process may grow, too."""
        starts: dict[str, Series] = {}
        for series in self.lives.values():
            joined = starts.setdefault(series.name, Series(series.name, False))
            joined.samples.append(series.samples[0])
            joined.peak = max(joined.peak, series.samples[0][1])
        for series in starts.values():
            series.samples.sort()
        return [starts[name] for name in sorted(starts) if len(starts[name].samples) > 1]
