"""Sets the scene, lets the clients work while things break, and compares what was said with what happened."""

import argparse
import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "bridge"))

import report
from chromium import Chromium
from desk import Registry
from faults import FAULTS, Recoveries, World, inject
from host import Host
from lane import Lane, Shared
from ledger import Claim, Ledger
from memory import Memory
from trail import Trail

from e2e.cdp import Page
from polling import until
from tabwire.config import Config
from tabwire.wire import PORT_WINDOW

ROOT = Path(__file__).resolve().parents[4]
WARM_UP_CALLS = 3000
"""Calls until a process has filled what it keeps on purpose (last acts, last snapshots of each tab) and Chrome has compiled."""
JOIN_LIMIT_S = 30.0
QUIET_S = 7.0
"""Longer than any act may still take that was answered with a timeout."""
QUIET_LIMIT_S = 70.0


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/lab/bench/soak/run", description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=3)
    parser.add_argument("--browsers", type=int, default=2)
    parser.add_argument("--tabs", type=int, default=6)
    parser.add_argument("--faults", default="0.05", metavar="RATE|none", help="faults per call")
    parser.add_argument(
        "--only",
        action="append",
        choices=FAULTS,
        metavar="KIND",
        help=f"this kind of fault alone (repeatable): {', '.join(FAULTS)}",
    )
    parser.add_argument(
        "--calm",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="of the calls, the last ones, without faults: only what lives long can grow",
    )
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--quick", action="store_true", help="300 calls")
    chosen = parser.parse_args(arguments)
    if chosen.quick:
        chosen.calls = min(chosen.calls, 300)
    chosen.rate = 0.0 if chosen.faults == "none" else float(chosen.faults)
    if chosen.tabs < chosen.clients:
        parser.error("every client needs a tab")
    return chosen


class Soak:
    """A run of the soak."""

    def __init__(self, chosen: argparse.Namespace, work: Path) -> None:
        self.chosen = chosen
        self.trail = Trail(work / "trail.jsonl")
        self.ledger = Ledger()
        self.registry = Registry(self.ledger, self._row_ids)
        self.memory = Memory()
        self.recoveries = Recoveries()
        self.browsers: list[Chromium] = []
        self.hosts: list[Host] = []
        self.lanes: list[Lane] = []
        self._done = 0
        self._samples_due = 0
        self._samples = 0
        self._progress = threading.Condition()
        self._work = work

    def _row_ids(self, key: str) -> list[str]:
        lane = next((lane for lane in self.lanes if lane.name == key.split(".")[0]), None)
        return lane.row_ids() if lane else []

    # Setting the scene.

    def start(self) -> None:
        blank = self.registry.url("/blank.html")
        names_browser = "browser" in Config.model_fields
        homes = [self._work / f"home{0 if names_browser else n}" for n in range(self.chosen.browsers)]
        for n, home in enumerate(homes):
            home.mkdir(exist_ok=True)
            self.browsers.append(Chromium(f"B{n}", self._work / f"browser{n}", blank, home))
        for n in range(self.chosen.clients):
            args = [] if names_browser else ["--port", str(PORT_WINDOW[n])]
            self.hosts.append(Host(f"C{n}", self._work / f"client{n}", homes[n % len(homes)], args, self.trail))
        self.shared = Shared(self.ledger, self.registry, self.trail, self.chosen.seed, names_browser, counted=self._count)
        for number in range(self.chosen.tabs):
            host = self.hosts[number % len(self.hosts)]
            turn = number // len(self.hosts) if names_browser else number % len(self.hosts)
            browser = self.browsers[turn % len(self.browsers)]
            self.lanes.append(Lane(number, host, browser, self.shared))
        for lane in self.lanes:
            lane.others = [other for other in self.lanes if other is not lane]
        self._join()

    def _join(self) -> None:
        end = time.monotonic() + JOIN_LIMIT_S
        for browser in self.browsers:
            browser.learn_id()
        for lane in self.lanes:
            until(lane.is_connected, within=end - time.monotonic(), says=lane.host.bridge.log_tail)
            lane.open_desk()
        pairs = ((lane, other) for lane in self.lanes for other in lane.others)
        strangers = next(((a, b) for a, b in pairs if a.browser is b.browser and a.host is not b.host), None)
        self.shared.has_leases = bool(strangers) and strangers[0].is_kept_out(strangers[1])
        print(f"leases: {'yes' if self.shared.has_leases else 'no'}", flush=True)

    def _count(self) -> None:
        with self._progress:
            self._done += 1
            self._progress.notify_all()

    # The run.

    def run(self) -> None:
        share, extra = divmod(self.chosen.calls, len(self.lanes))
        shares = [share + (number < extra) for number in range(len(self.lanes))]
        threads = [threading.Thread(target=lane.run, args=(calls,)) for lane, calls in zip(self.lanes, shares, strict=True)]
        for thread in threads:
            thread.start()
        self._disturb(threads)
        for thread in threads:
            thread.join()
        if not self.ledger.wait_until_quiet(QUIET_S, QUIET_LIMIT_S):
            self.shared.problems.append(f"acts still happened {QUIET_LIMIT_S:.0f} s after the last call")
        self._see_what_closed()

    def _disturb(self, threads: list[threading.Thread]) -> None:
        """Faults and samples, each when its number of calls has been made."""
        chosen = self.chosen
        chance = random.Random(f"{chosen.seed}:faults")
        world = World(self.hosts, self.browsers, self.lanes, self.trail, chance, PORT_WINDOW, chosen.only or list(FAULTS))
        calm_from = chosen.calls * (1 - chosen.calm)
        sample_every = max(10, chosen.calls // 100)
        next_sample, next_fault = 0, int(chance.expovariate(chosen.rate)) if chosen.rate else chosen.calls
        while any(thread.is_alive() for thread in threads):
            self._await(min(next_sample, next_fault), threads)
            if self._done >= next_fault and next_fault < calm_from:
                inject(world, self.recoveries)
            if self._done >= next_fault:
                next_fault = self._done + 1 + int(chance.expovariate(chosen.rate or 1))
                if next_fault >= calm_from:
                    next_fault = chosen.calls + 1
            if self._done >= next_sample:
                next_sample = self._done + sample_every
                self._sample()

    def _await(self, calls: int, threads: list[threading.Thread]) -> None:
        with self._progress:
            while self._done < calls and any(thread.is_alive() for thread in threads):
                self._progress.wait(0.5)

    def _sample(self) -> None:
        self._samples_due += 1
        try:
            self.trail.note("memory", mb=self.memory.sample(self._done, self.hosts, self.browsers))
            self._samples += 1
        except Exception as error:
            # A fault's aftermath; the next sample comes soon. Too few of them are a failure of the run.
            self.trail.note("no sample", error=repr(error))
        self._sweep()
        faults = sum(map(len, self.recoveries.seconds.values()))
        print(f"{time.strftime('%H:%M:%S')} {self._done:6} calls, {faults} faults, {len(self.ledger.acts)} acts", flush=True)

    def _sweep(self) -> None:
        """Closes desks that their lanes have given up, as a tidy user would."""
        keys = {lane.key for lane in self.lanes}
        for browser in self.browsers:
            with browser.devtools() as devtools:
                for target in devtools.targets("page"):
                    folder, _, key = target["url"].partition("?")[0].rpartition("/")
                    if folder.endswith("/desk") and key not in keys:
                        Page(devtools, target["targetId"]).close()

    def _see_what_closed(self) -> None:
        """Closing a tab leaves no page to tell of it: the browser says which tabs are left."""
        left: dict[str, set[str]] = {}
        for browser in self.browsers:
            with browser.devtools() as devtools:
                left[browser.name] = {target["url"].rpartition("act=")[2] for target in devtools.targets("page")}
        for closing in self.shared.closings:
            act = self.ledger.acts[closing.id]
            if closing.opened in left[closing.browser.name]:
                continue
            if act.claim is Claim.NOT_DONE and closing.generation != closing.browser.generation:
                # It went with its browser.
                continue
            self.ledger.happened(act.id, act.key)

    def close(self) -> None:
        for host in self.hosts:
            host.close()
        for browser in self.browsers:
            browser.close()
        self.registry.close()

    # The outcome.

    def outcome(self) -> int:
        warm_up = min(WARM_UP_CALLS, self.chosen.calls * 3 // 10)
        judged = [(act, self.ledger.verdict(act), self.ledger.times(act.id)) for act in self.ledger.acts.values()]
        counts = Counter(verdict for _, verdict, _ in judged)
        foreign = Counter(act.code or "done" for act, _, _ in judged if act.is_foreign)
        for part in (
            report.tools(self.shared),
            report.recoveries(self.recoveries),
            report.verdicts(counts, foreign),
            report.memory_table(self.memory, warm_up),
        ):
            print("\n".join(["", *part]))
        failures = [
            *report.failed_acts(judged),
            *(f"{name} happened and nobody asked for it" for name in self.ledger.strangers()),
            *(f"hanging call: {call.tool}" for call in self.shared.calls if call.code == "hanging"),
            *(f"{host.name}: its bridge ended by itself {host.deaths} times" for host in self.hosts if host.deaths),
            *self.recoveries.failures,
            *self.shared.problems,
            *report.grown(self.memory, warm_up),
            *report.unseen(self._samples, self._samples_due),
        ]
        print("", *(failures or ["nothing was lost, doubled, told falsely or left hanging, and nothing grew"]), sep="\n")
        print(f"seed {self.chosen.seed}; what happened when: {self.trail.file}")
        return 1 if failures else 0


def main(arguments: list[str]) -> int:
    chosen = options(arguments)
    work = ROOT / "build/soak" / time.strftime("%Y%m%d-%H%M%S")
    work.mkdir(parents=True)
    print(f"seed {chosen.seed}, {work.relative_to(ROOT)}", flush=True)
    soak = Soak(chosen, work)
    started = time.monotonic()
    try:
        soak.start()
        soak.run()
        print(f"{chosen.calls} calls in {time.monotonic() - started:.0f} s")
        return soak.outcome()
    finally:
        soak.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
