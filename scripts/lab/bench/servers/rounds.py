"""Rounds of a run: all servers are started, do each piece of work in turn, idle side by side, and end."""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from e2e.ports import own_window
from servers.measured_pages import MeasuredPages
from servers.processes import cpu_ms, server_mb, used_ms
from servers.server import NotOffered, Server
from servers.starts import STARTS, Start
from servers.table import Cell, Goal, TableRow
from servers.work import WORK, Stage

STARTS_PER_ROUND = 3
SETTLED_S = 5.0
LEFT_S = 60.0
REACH = {
    "initialize": ("spawn → initialize", "ms", Goal(150, 150)),
    "listed": ("spawn → tools/list", "ms", Goal(300, 300)),
    "first_snapshot": ("spawn → first snapshot", "ms", Goal(1_000, 700)),
    "idle": ("idle, server and browser", "% of a core", Goal(0.4, 0.4)),
    "left": ("idle, a minute after the client has left", "% of a core", Goal(None, 0.4)),
    "memory": ("memory of the server after work", "MB", Goal(80, 80)),
}
"""Rows beside those of `WORK`, by key."""
KEYS = (*WORK, *REACH)


@dataclass
class Run:
    """A run of some rows in some servers.

    Attributes:
        idle_s: Length of the windows in which idle servers are observed.
    """

    keys: list[str]
    servers: list[str]
    rounds: int
    times: int
    idle_s: float
    rows: dict[str, TableRow] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        about = {key: (work.name, "ms", work.goal) for key, work in WORK.items()} | REACH
        for key in self.keys:
            self.rows[key] = TableRow(*about[key], {name: Cell() for name in self.servers})

    def measure(self) -> list[TableRow]:
        """Does all rounds and returns the rows."""
        # Bridges and browsers of other processes keep out; proxies must not come between the servers and loopback.
        os.environ["TABWIRE_FIRST_PORT"] = str(own_window())
        os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
        pages = MeasuredPages()
        try:
            for number in range(self.rounds):
                began = time.monotonic()
                with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                    _Round(self, Stage(pages, self.times), Path(folder), number).measure()
                self.seconds.append(time.monotonic() - began)
        finally:
            pages.close()
        return list(self.rows.values())


class _Round:
    """A round of the run. A server that fails in one row takes part in the next one."""

    def __init__(self, run: Run, stage: Stage, work: Path, number: int) -> None:
        self._run = run
        self._stage = stage
        self._work = work
        # Who begins is another one in each round: the machine's load may drift.
        turn = number % len(run.servers)
        self._names = run.servers[turn:] + run.servers[:turn]
        self._starts: dict[str, Start] = {}
        self._running: dict[str, Server] = {}

    def measure(self) -> None:
        try:
            for name in self._names:
                self._try(name, self._run.keys, partial(self._set_up, name))
            for key in (key for key in self._run.keys if key in WORK):
                print(f"{time.strftime('%H:%M:%S')} {key}", flush=True)
                for name in list(self._running):
                    self._try(name, [key], partial(self._work_done, key, name))
            self._observe()
        finally:
            for server in self._running.values():
                server.close()
            for start in self._starts.values():
                start.ended()

    def _try(self, name: str, keys: list[str], work: Callable[[], None]) -> None:
        """Does work; its failure is the error of the rows."""
        try:
            work()
        except NotOffered:
            pass
        # Whatever a server does wrong is its own: the others go on.
        except Exception as error:
            for key in keys:
                self._run.rows[key].cells[name].errors.append(f"{type(error).__name__}: {error}"[:400])
            print(f"  {name}: {error}", flush=True)

    def _add(self, key: str, name: str, samples: list[float]) -> None:
        if key in self._run.rows:
            self._run.rows[key].cells[name].samples += samples

    def _work_done(self, key: str, name: str) -> None:
        self._add(key, name, WORK[key].measure(self._running[name], self._stage))

    def _set_up(self, name: str) -> None:
        """Starts a server several times; the last one stays."""
        start = self._starts[name] = STARTS[name](self._work)
        start.ready()
        is_measured = not {"initialize", "listed", "first_snapshot"}.isdisjoint(self._run.keys)
        for left in reversed(range(STARTS_PER_ROUND if is_measured else 1)):
            started = start.start(self._stage.pages.small)
            self._add("initialize", name, [started.initialized_ms])
            self._add("listed", name, [started.listed_ms])
            self._add("first_snapshot", name, [started.snapshot_ms])
            if left:
                started.server.close()
        self._running[name] = started.server

    def _observe(self) -> None:
        """Memory, then all servers idle at the same time: CPU is counted for each process."""
        if "memory" in self._run.keys:
            for name, server in self._running.items():
                self._add("memory", name, [server_mb(server.processes())])
        if "idle" in self._run.keys:
            for name, server in self._running.items():
                self._try(name, ["idle"], partial(server.open, self._stage.pages.small))
            self._idle("idle", {name: server.processes for name, server in self._running.items()}, SETTLED_S)
        if "left" in self._run.keys and "own" in self._running:
            self._running.pop("own").close()
            self._idle("left", {"own": lambda: {*self._starts["own"].others()}}, LEFT_S)

    def _idle(self, key: str, observed: dict[str, Callable[[], set[int]]], after_s: float) -> None:
        print(f"{time.strftime('%H:%M:%S')} {key}", flush=True)
        time.sleep(after_s)
        before = {name: cpu_ms(processes()) for name, processes in observed.items()}
        began = time.monotonic()
        time.sleep(self._run.idle_s)
        for name, processes in observed.items():
            self._add(key, name, [used_ms(before[name], cpu_ms(processes())) / (time.monotonic() - began) / 10])
