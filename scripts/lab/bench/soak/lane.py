"""Lane: a client at work in one tab. It acts there, reads there and elsewhere, and tries a forbidden act now and then."""

import itertools
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chromium import Chromium
from desk import ROWS, Registry, kind_of
from host import Answer, Host
from ledger import Act, Claim, Ledger, claim_of
from trail import Trail

ACT_TIMEOUT_MS = 4000
PAGE_TIMEOUT_MS = 10_000
DEFAULT_DEADLINE_S = 30.0
"""Deadline of a tool without an argument `timeout`."""
RELOAD_AFTER = 2
REPLACE_AFTER = 4
"""Errors in a row after which a lane loads its desk anew, and takes another tab."""

READS: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("snapshot", {}, 12),
    ("title", {}, 8),
    ("url", {}, 6),
    ("query", {"by": "role", "value": "button", "return": "count"}, 5),
    ("tab_list", {}, 3),
    ("screenshot", {}, 1),
    ("wait", {"for": "text", "text": "Desk", "timeout": 3000}, 3),
    ("console", {}, 1),
)
"""Tool, arguments, weight."""


WEIGHTS = (("row", 36), ("evaluate", 5), ("navigate", 3), ("brief", 6), ("read", 40), ("read_other", 7), ("trespass", 3))
"""Next steps of a lane, and how often it takes each."""


@dataclass
class Call:
    """A finished call, for the report."""

    tool: str
    code: str
    seconds: float


@dataclass(frozen=True)
class Closing:
    """An act that closes the tab another act opened; the browser tells in the end whether it is gone."""

    id: str
    opened: str
    browser: Chromium
    generation: int


@dataclass
class Shared:
    """Objects that all lanes work with."""

    ledger: Ledger
    registry: Registry
    trail: Trail
    seed: int
    names_browser: bool
    """Whether tools take the argument `browser`."""
    has_leases: bool = False
    counted: Callable[[], None] = lambda: None
    calls: list[Call] = field(default_factory=list)
    closings: list[Closing] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class Lane:
    """See the module docstring."""

    def __init__(self, number: int, host: Host, browser: Chromium, shared: Shared) -> None:
        self.name = f"L{number}"
        self.host = host
        self.browser = browser
        self.shared = shared
        self.others: list[Lane] = []
        self.tab: int | None = None
        self.key = ""
        self.is_running = True
        self.last_success = 0.0
        """Time on the monotonic clock when the last successful call in its own tab began."""
        self._held: tuple[int | None, ...] = ()
        self._generation = -1
        self._random = random.Random(f"{shared.seed}:{self.name}")
        self._ids = itertools.count(1)
        self._keys = itertools.count(1)
        self._next_row = 1
        self._rows_until = 0
        self._errors = 0
        self._briefs: list[tuple[int, str]] = []

    def row_ids(self) -> list[str]:
        """Ids of the rows for a desk that is loaded now: the act under way, and those to come."""
        first = max(1, self._next_row - 1)
        self._rows_until = first + ROWS
        return [f"{self.name}-r{number}" for number in range(first, first + ROWS)]

    def is_connected(self) -> bool:
        """Whether its bridge has its browser."""
        return not self.host.call("tab_list", self._named(), DEFAULT_DEADLINE_S).is_error

    @property
    def held(self) -> tuple[int | None, ...]:
        """Bridge, browser and tab of the lease that is held for sure; empty when it cannot be said."""
        now = (self.host.life, self.browser.generation, self.tab)
        return now if None not in now and now == self._held else ()

    def is_kept_out(self, other: "Lane") -> bool:
        """Whether an act in another client's tab is refused because of whose it is: that is, whether there are leases."""
        arguments = {"expression": "1", "tabId": other.tab, **self._named()}
        return self.host.call("evaluate", arguments, DEFAULT_DEADLINE_S).code == "tab_leased"

    # The work.

    def run(self, calls: int) -> None:
        """Makes so many calls."""
        try:
            for _ in range(calls):
                self._step()
                self.shared.counted()
        except Exception as error:
            self.shared.problems.append(f"{self.name} stopped: {error!r}")
            self.shared.trail.note("stopped", lane=self.name, error=repr(error))
            raise
        finally:
            self.is_running = False

    def _step(self) -> None:
        if self._generation != self.browser.generation:
            self._generation, self.tab = self.browser.generation, None
            self._briefs.clear()
        if self.tab is None or self._errors >= REPLACE_AFTER:
            return self.open_desk()
        if self._errors >= RELOAD_AFTER or self._next_row >= self._rows_until:
            return self._navigate()
        names = [name for name, _ in WEIGHTS]
        name = self._random.choices(names, [weight for _, weight in WEIGHTS])[0]
        getattr(self, f"_{name}")()

    def open_desk(self) -> None:
        self._errors = 0
        self.key = f"{self.name}.{next(self._keys)}"
        self.tab = None
        reply = self._act("tab_new", {"url": self._url("desk", act := self._id()), "active": False}, act, PAGE_TIMEOUT_MS)
        if not reply.is_error:
            self.tab = reply.data["tabId"]
            self._hold()

    def _hold(self) -> None:
        self._held = (self.host.life, self.browser.generation, self.tab)

    def _navigate(self) -> None:
        arguments = {"url": self._url("desk", act := self._id()), "timeout": PAGE_TIMEOUT_MS, "tabId": self.tab}
        self._act("navigate", arguments, act, PAGE_TIMEOUT_MS)

    def _row(self) -> None:
        act = f"{self.name}-r{self._next_row}"
        self._next_row += 1
        kind = kind_of(act)
        arguments = {"selector": f"#{act}", "tabId": self.tab, **kind.arguments}
        if kind.takes_timeout:
            arguments["timeout"] = ACT_TIMEOUT_MS
        self._act(kind.tool, arguments, act, ACT_TIMEOUT_MS if kind.takes_timeout else None)

    def _evaluate(self) -> None:
        arguments = {"expression": f"post('{(act := self._id())}')", "timeout": ACT_TIMEOUT_MS, "tabId": self.tab}
        self._act("evaluate", arguments, act, ACT_TIMEOUT_MS)

    def _brief(self) -> None:
        """Opens a tab for a moment, or closes one."""
        if self._briefs:
            tab, opened = self._briefs.pop()
            closing = f"close-{opened}"
            self.shared.closings.append(Closing(closing, opened, self.browser, self._generation))
            self._act("tab_close", {"tabId": tab}, closing, None)
            return
        act = self._id()
        reply = self._act("tab_new", {"url": self._url("brief", act), "active": False}, act, None)
        if not reply.is_error:
            self._briefs.append((reply.data["tabId"], act))

    def _read(self) -> None:
        tool, arguments, _ = self._random.choices(READS, [weight for *_, weight in READS])[0]
        if tool == "tab_list":
            self._call(tool, arguments, is_own=False)
        else:
            self._call(tool, {**arguments, "tabId": self.tab})

    def _read_other(self) -> None:
        other = self._random.choice([self, *self._neighbours()])
        tool = self._random.choice(("snapshot", "title", "query"))
        arguments = next(found for name, found, _ in READS if name == tool)
        self._call(tool, {**arguments, "tabId": other.tab or self.tab}, is_own=False)

    def _trespass(self) -> None:
        """An act in a tab another client works in."""
        others = [lane for lane in self._neighbours() if lane.host is not self.host]
        if not others:
            return self._read()
        other = self._random.choice(others)
        tab, key, act = other.tab, other.key, self._id()
        if tab is None:
            return self._read()
        acts = {
            "fill": {"selector": "#guest", "value": act},
            "evaluate": {"expression": f"post('{act}')"},
        }
        tool = self._random.choice(sorted(acts))
        held = other.held
        reply = self._act(tool, {**acts[tool], "timeout": ACT_TIMEOUT_MS, "tabId": tab}, act, ACT_TIMEOUT_MS, key)
        if self.shared.has_leases and held and held == other.held and not reply.is_error:
            self.shared.problems.append(f"{self.name} acted ({act}) in tab {tab} that {other.name} held")

    def _neighbours(self) -> "list[Lane]":
        return [lane for lane in self.others if lane.browser is self.browser and lane.tab is not None]

    # Calls.

    def _named(self) -> dict[str, str]:
        return {"browser": self.browser.known_as} if self.shared.names_browser else {}

    def _id(self) -> str:
        return f"{self.name}-{next(self._ids)}"

    def _url(self, folder: str, act: str) -> str:
        return self.shared.registry.url(f"/{folder}/{self.key}?act={act}")

    def _act(self, tool: str, arguments: dict[str, Any], act_id: str, timeout_ms: int | None, foreign: str = "") -> Answer:
        act = self.shared.ledger.open(Act(act_id, tool, foreign or self.key, bool(foreign)))
        reply = self._call(tool, arguments, timeout_ms, act=act, is_own=not foreign)
        act.claim, act.code = claim_of(reply.is_error, reply.code, reply.text), reply.code
        if act.claim is Claim.DONE and not foreign:
            self._hold()
        if act.claim is Claim.UNKNOWN:
            self.shared.trail.note("unknown", act=act.id, times=self.shared.ledger.times(act.id))
        return reply

    def _call(
        self, tool: str, arguments: dict[str, Any], timeout_ms: int | None = None, act: Act | None = None, is_own: bool = True
    ) -> Answer:
        started = time.monotonic()
        deadline = DEFAULT_DEADLINE_S if timeout_ms is None else timeout_ms / 1000
        reply = self.host.call(tool, {**arguments, **self._named()}, deadline)
        self.shared.calls.append(Call(tool, reply.code, reply.seconds))
        target = {"act": act and act.id, "tab": arguments.get("tabId")}
        told = {"code": reply.code, "text": reply.text[:400]} if reply.is_error else {"text": reply.text[:200]} if act else {}
        self.shared.trail.note("call", lane=self.name, tool=tool, s=round(reply.seconds, 3), **target, **told)
        if is_own:
            self._learn(reply, started)
        return reply

    def _learn(self, reply: Answer, started: float) -> None:
        if not reply.is_error:
            self._errors, self.last_success = 0, started
            return
        self._errors += 1
        if reply.code in ("no_such_tab", "tab_leased"):
            self._errors = REPLACE_AFTER
