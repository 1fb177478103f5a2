"""Calls of Chrome's that the extension's worker makes for one call of a client, and the time of each: the hop trace.

Works on any checkout: the server and extension of each run beside each other, a call of one after the same call of the other.
"""

import json
import statistics
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from row import Row

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.site import Site

ROOT = Path(__file__).resolve().parents[4]
STAMPS = Path(__file__).with_name("stamps.js").read_text()
TAKEN = """JSON.stringify({
  calls: tabwireHops.calls.splice(0), frames: tabwireHops.frames.splice(0),
})"""
WARM = 8
CALLS = 60
PAGE = """<h1>Hops</h1><button id=b onclick="p.textContent = `Pressed ${++count}`">Press</button>
<input id=f aria-label=Field><p id=p>Text</p><script>let count = 0</script>"""

Kinds = dict[str, tuple[str, dict[str, Any]]]
KINDS: Kinds = {
    "click": ("click", {"selector": "#b"}),
    "fill": ("fill", {"selector": "#f", "value": "given"}),
    "evaluate": ("evaluate", {"expression": "p.textContent"}),
    "screenshot": ("screenshot", {}),
}


@dataclass(frozen=True)
class Hop:
    """A call of the worker: its beginning and its time, ms; the beginning is that since the frame with the client's call."""

    name: str
    start: float
    took: float


@dataclass(frozen=True)
class Trial:
    """Times of a call at the client, and in the worker from frame to frame, ms; and the calls between these frames."""

    client: float
    worker: float
    hops: list[Hop]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(hop.name for hop in self.hops)

    @property
    def waits(self) -> int:
        """Number of times that the worker waits in a row: calls that overlap are one wait."""
        waits, until = 0, 0.0
        for hop in self.hops:
            waits += hop.start >= until
            until = max(until, hop.start + hop.took)
        return waits


class Traced:
    """The server of a checkout, and its browser with the extension of that checkout, whose worker stamps its calls."""

    def __init__(self, checkout: Path, work: Path, url: str) -> None:
        work.mkdir(parents=True)
        profile = work / "profile"
        args = ["--launch", "--headless", "--profile", str(profile), "--browser-arg=--remote-debugging-port=0"]
        env = {"TABWIRE_HOME": str(work / "home"), "PYTHONPATH": str(checkout / "bridge")}
        self._stack = ExitStack()
        self.tabwire = Tabwire(args, env, work, from_checkout=False)
        self._stack.callback(self.tabwire.close)
        self.tabwire.ok("tab_list")
        self._browser = Browser.of_profile(profile)
        self._stack.callback(self._browser.close)
        # Before the page comes, so that its Port is stamped as well.
        self._browser.in_worker(STAMPS)
        self.tabwire.ok("navigate", url=url)
        self.tabwire.ok("snapshot")

    def close(self) -> None:
        self._stack.close()

    def call(self, tool: str, arguments: dict[str, Any]) -> Trial:
        """Makes a call that must succeed, and reads the stamps."""
        self._browser.in_worker(TAKEN)
        started = time.perf_counter()
        self.tabwire.ok(tool, **arguments)
        client = (time.perf_counter() - started) * 1000
        found = json.loads(self._browser.in_worker(TAKEN))
        begun = next(frame["at"] for frame in found["frames"] if "method" in frame)
        ended = next(frame["at"] for frame in found["frames"] if "type" in frame)
        # Calls that nobody waits for go on behind the answer.
        during = [call for call in found["calls"] if begun <= call["start"] < ended]
        hops = [Hop(call["name"], call["start"] - begun, (call["end"] or ended) - call["start"]) for call in during]
        return Trial(client, ended - begun, hops)


def _kinds(server: Traced) -> Kinds:
    """The kinds of calls: an element by its selector has to be found first, one by its reference has not."""
    return {"click by reference": ("click", {"selector": server.tabwire.ref("button", "Press")})} | KINDS


def _traced(trials: list[Trial], title: str) -> None:
    """Prints the trace that most calls had, with the median of each time."""
    names, times = Counter(trial.names for trial in trials).most_common(1)[0]
    alike = [trial for trial in trials if trial.names == names]
    waits = statistics.median(trial.waits for trial in alike)
    print(f"\n{title}: {len(names)} calls, {waits:.0f} waits ({times} of {len(trials)} times this trace)")
    for name, values in (("worker", [trial.worker for trial in trials]), ("client", [trial.client for trial in trials])):
        print(f"  {name}: min {min(values):.1f} ms, p50 {statistics.median(values):.1f} ms")
    fastest = min(alike, key=lambda trial: trial.worker)
    print(f"  {'start':>7} {'took':>6}  {'fastest':>7} {'took':>6}  {fastest.worker:.1f} ms in all, the fastest with this trace")
    for at, name in enumerate(names):
        start, took = (statistics.median(getattr(trial.hops[at], part) for trial in alike) for part in ("start", "took"))
        print(f"  {start:7.1f} {took:6.1f}  {fastest.hops[at].start:7.1f} {fastest.hops[at].took:6.1f}  {name}")


def measure(before: Path | None) -> list[Row]:
    """The traces of now and of another checkout, and a row for each kind of call."""
    checkouts = {"now": ROOT} | ({"before": before.resolve()} if before else {})
    site = Site()
    rows = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, ExitStack() as stack:
        stack.callback(site.close)
        url = site.page(PAGE)
        traced = {name: Traced(checkout, Path(folder) / name, url) for name, checkout in checkouts.items()}
        for server in traced.values():
            stack.callback(server.close)
        kinds = {name: _kinds(server) for name, server in traced.items()}
        for kind in kinds["now"]:
            trials: dict[str, list[Trial]] = {name: [] for name in traced}
            for turn in range(WARM + CALLS):
                # Each is the first one every other time.
                for name, server in list(traced.items())[:: -1 if turn % 2 else 1]:
                    trials[name].append(server.call(*kinds[name][kind]))
            for name in traced:
                _traced(trials[name][WARM:], f"{kind}, {name}")
            now, *others = ([trial.worker for trial in trials[name][WARM:]] for name in traced)
            if not others:
                rows.append(Row(f"{kind} in the worker, p50 / min", statistics.median(now), min(now), "ms"))
            for other in others:
                rows.append(
                    Row(f"{kind} in the worker, p50, now / before", statistics.median(now), statistics.median(other), "ms")
                )
                rows.append(Row(f"{kind} in the worker, min, now / before", min(now), min(other), "ms"))
    return rows
