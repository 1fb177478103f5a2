"""Whatever breaks between a client and a page, no act is lost or done twice, and both sides find each other again soon.

Each fault hits an idle connection, then calls of every kind in flight. The site's own record says how often an act happened.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from threading import Event
from typing import TypeAlias

import pytest

from e2e.site import Site
from e2e.wire import faults
from e2e.wire.faults import GONE, OK, PAGE, RECOVERED, Flight, Rig, Tabs, post, start_act, start_read, start_script
from polling import until

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Fault:
    """A fault, how soon calls succeed again (s; a busy machine may take SLOW of it once), and what calls in flight may answer."""

    inject: Callable[[Rig, Tabs], float]
    limit: float
    read: frozenset[str] = frozenset({OK})
    click: frozenset[str] = frozenset({OK})
    script: frozenset[str] = frozenset({OK})
    keeps_tab: bool = True
    keeps_page: bool = True
    """Whether the page can be used on."""
    keeps_record: bool = True
    """Whether the extension that comes back knows which acts had begun, and so can look at what became of them."""
    then: Callable[[Rig, Tabs], None] = lambda rig, tabs: None
    """Looks at what else is to be seen after it."""

    @property
    def name(self) -> str:
        return self.inject.__name__


def answers(*codes: str) -> frozenset[str]:
    return frozenset(codes)


SLOW = 3
"""Still less than any alarm or deadline: whatever it was, it did not wait for one."""
UNKNOWN = answers("outcome_unknown")


def told_of_the_restart(rig: Rig, tabs: Tabs) -> None:
    """A client hears once that its tab went with the browser."""
    # A busy machine may take longer to start a browser than a call waits for one.
    lost = until(lambda: rig.bridge.call("title"), lambda reply: reply.code != "not_connected")
    assert lost.code == "no_such_tab"
    assert "restarted" in lost.text
    assert "tab_list" in lost.text
    rig.bridge.ok("title")


def named_and_loaded_again(rig: Rig, tabs: Tabs) -> None:
    """A crashed page is named at once whatever is called, and can be loaded again."""
    page, other = tabs
    calls = (("snapshot", page, {}), ("evaluate", page, {"expression": "1"}), ("click", other, {"selector": "text:Send"}))
    replies = [rig.bridge.start(tool, tabId=tab, **more) for tool, tab, more in calls]
    for (tool, *_), answer in zip(calls, replies, strict=True):
        reply = answer.result(20)
        assert reply.code == "page_crashed", (tool, reply.text)
        assert "reload" in reply.text, tool
        assert reply.elapsed_ms < 2000, tool
    rig.bridge.ok("reload", tabId=other)
    rig.bridge.ok("click", selector="text:Send", tabId=other)


FAULTS = (
    Fault(faults.worker_stopped, 1, click=UNKNOWN, script=UNKNOWN),
    Fault(faults.extension_process_killed, 1, click=UNKNOWN, script=UNKNOWN),
    Fault(faults.bridge_killed, 1, answers(GONE), answers(GONE), answers(GONE)),
    Fault(faults.bridge_stopped_for_a_moment, 1),
    Fault(faults.bridge_stopped_and_killed, 1, answers(GONE), answers(GONE), answers(GONE)),
    Fault(
        faults.browser_restarted, 10, answers("no_such_tab", "not_connected"), UNKNOWN, UNKNOWN,
        keeps_tab=False, keeps_page=False, then=told_of_the_restart,
    ),
    Fault(faults.extension_reloaded, 5, click=UNKNOWN, script=UNKNOWN, keeps_record=False),
    Fault(faults.extension_updated, 5, click=UNKNOWN, script=UNKNOWN, keeps_record=False),
    Fault(faults.tab_discarded, 3, script=UNKNOWN, keeps_page=False),
    Fault(faults.renderer_crashed, 1, answers("page_crashed"), script=UNKNOWN, keeps_page=False, then=named_and_loaded_again),
    Fault(faults.connection_cut, 1),
)  # fmt: skip

LONG_FAULTS = (
    Fault(faults.bridge_stopped_until_noticed, 1),
    Fault(faults.laptop_slept, 1),
    Fault(faults.connection_went_dead, 11),
)

Told: TypeAlias = Callable[[str, object], None]
"""Takes a property of a test and its value."""

times: dict[tuple[str, str], float] = {}

QUIET_ACT = 0.4
"""Seconds of `act_once_more` on a quiet machine: what it takes here is the pace of this one."""
paces: list[float] = []


@contextmanager
def rigged(folder: Path, site: Site, *, has_neighbour: bool = False) -> Iterator[Rig]:
    """A rig until the end of the block, whose acts have not happened twice by then."""
    rig = Rig(folder, site, has_neighbour=has_neighbour)
    try:
        yield rig
    finally:
        rig.close()
    # Nothing came later, either.
    assert {act: rig.count(act) for act in rig.acts if rig.count(act) > 1} == {}


def recover(rig: Rig, fault: Fault, tabs: Tabs, since: float, moment: str, told: Told) -> None:
    """Waits for the first call that succeeds in each tab."""
    seconds = max(rig.recovered(since, tab) for tab in tabs) if fault.keeps_tab else rig.recovered(since)
    times[fault.name, moment] = seconds
    told(RECOVERED, f"{fault.name:30} {moment:6} {seconds * 1000:6.0f} ms")
    assert seconds < fault.limit * SLOW, moment


def act_once_more(rig: Rig) -> None:
    """An act that nothing disturbs happens exactly once."""
    began = time.monotonic()
    tab = rig.open(PAGE)
    flight = start_act(rig, tab)
    flight.land()
    assert flight.wait() == OK, flight.text
    assert rig.count(flight.act) == 1
    rig.leave(tab)
    paces.append(time.monotonic() - began)


def start_all(rig: Rig, tabs: Tabs) -> dict[str, Flight]:
    """Calls of every kind, by kind. The click has a tab of its own, whose page it replaces."""
    page, other = tabs
    return {"read": start_read(rig, page), "script": start_script(rig, page), "click": start_act(rig, other)}


def outcomes(rig: Rig, fault: Fault, flights: dict[str, Flight]) -> None:
    """What calls in flight were answered is what the fault allows, and every act happened once."""
    allowed = {"read": fault.read, "script": fault.script, "click": fault.click}
    said = {kind: flight.wait() for kind, flight in flights.items()}
    assert {kind: answer for kind, answer in said.items() if answer not in allowed[kind]} == {}, flights
    assert {kind: rig.count(flight.act) for kind, flight in flights.items() if flight.act} == {"script": 1, "click": 1}
    for kind, flight in flights.items():
        if flight.answer == "outcome_unknown" and fault.keeps_tab and fault.keeps_record:
            assert flight.data["now"]["url"].startswith(rig.site.origin), (kind, flight.text)


@dataclass
class Run:
    """A fault that takes long, in a browser of its own. ``told`` are the properties of its test."""

    fault: Fault
    told: list[tuple[str, object]] = field(default_factory=list)
    has_begun: Event = field(default_factory=Event)
    end: "Future[None]" = field(init=False)

    def outlast(self, folder: Path, site: Site) -> None:
        """Calls of every kind are in flight at the fault; two more are made after it, perhaps on a connection that is dead."""
        fault = self.fault
        with rigged(folder, site, has_neighbour=fault.inject is faults.bridge_stopped_until_noticed) as rig:
            tabs = rig.open(PAGE), rig.open(PAGE)
            flights = start_all(rig, tabs)
            tab, act = rig.open(PAGE), rig.new_act()
            self.has_begun.set()
            since = fault.inject(rig, [tab])
            title, script = rig.bridge.start("title", tabId=tab), post(rig, tab, act)
            for flight in flights.values():
                flight.land()
            recover(rig, fault, [tab], since, "flight", lambda *told: self.told.append(told))
            outcomes(rig, fault, flights)
            for call in (title, script, *rig.waiting):
                assert not call.result(20).is_error, call.result()
            assert {call.result().data for call in (script, *rig.waiting[1:])} == {200}
            assert [rig.count(act) for act in rig.acts] == [1] * len(rig.acts)
            act_once_more(rig)


@pytest.fixture(scope="module", autouse=True)
def runs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, running_site: Site
) -> Iterator[dict[Fault, Run]]:
    """The faults that take long and are to be tested: they begin with the first test of this file, and mostly wait."""
    chosen = {item.name for item in request.session.items}
    runs = {fault: Run(fault) for fault in LONG_FAULTS if f"{LONG_TEST}[{fault.name}]" in chosen}
    with ThreadPoolExecutor(len(LONG_FAULTS)) as pool:
        for run in runs.values():
            run.end = pool.submit(run.outlast, tmp_path_factory.mktemp("fault"), running_site)
            run.end.add_done_callback(lambda _, run=run: run.has_begun.set())
        yield runs
    running_site.reset()


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory, running_site: Site, runs: dict[Fault, Run]) -> Iterator[Rig]:
    with rigged(tmp_path_factory.mktemp("faults"), running_site) as rig:
        # Whoever starts beside three browsers that start as well is slow.
        for run in runs.values():
            run.has_begun.wait(30)
        yield rig


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_neither_an_idle_connection_nor_calls_in_flight_are_lost(rig: Rig, fault: Fault, record_property: Told) -> None:
    tabs = rig.open(PAGE), rig.open(PAGE)
    since = fault.inject(rig, tabs)
    recover(rig, fault, tabs, since, "idle", record_property)
    fault.then(rig, tabs)
    if fault.keeps_page:
        for tab in tabs:
            rig.use(tab)
    else:
        rig.leave(*tabs)
        tabs = rig.open(PAGE), rig.open(PAGE)
    flights = start_all(rig, tabs)
    since = fault.inject(rig, tabs)
    for flight in flights.values():
        flight.land()
    recover(rig, fault, tabs, since, "flight", record_property)
    outcomes(rig, fault, flights)
    rig.leave(*tabs)
    act_once_more(rig)


def test_an_act_that_waits_for_its_turn_runs_once_although_the_worker_dies(rig: Rig) -> None:
    tab, act = rig.open(PAGE), rig.new_act()
    first = start_script(rig, tab)
    behind = post(rig, tab, act)
    # Reads do not wait: once this one is answered, the act before it has arrived.
    rig.bridge.ok("title", tabId=tab)
    assert rig.count(act) == 0
    faults.worker_stopped(rig, [tab])
    assert behind.result(20).data == 200
    first.land()
    assert first.wait() == "outcome_unknown"
    assert (rig.count(first.act), rig.count(act)) == (1, 1)


@pytest.mark.parametrize("fault", LONG_FAULTS, ids=lambda fault: fault.name)
def test_calls_of_every_kind_outlast_what_takes_long(fault: Fault, runs: dict[Fault, Run], record_property: Told) -> None:
    try:
        runs[fault].end.result()
    finally:
        for told in runs[fault].told:
            record_property(*told)


LONG_TEST = test_calls_of_every_kind_outlast_what_takes_long.__name__


def test_calls_succeed_again_in_time() -> None:
    """The better of a fault's moments: the other may have met a busy machine."""
    limits = {fault.name: fault.limit for fault in (*FAULTS, *LONG_FAULTS)}
    best = {name: min(seconds for (fault, _), seconds in times.items() if fault == name) for name, _ in times}
    slowness = max(1, median(paces or [0]) / QUIET_ACT)
    assert {name: seconds for name, seconds in best.items() if seconds >= limits[name] * slowness} == {}, (slowness, best)
    # What is slow at one of the moments is so for most faults.
    for moment in ("idle", "flight"):
        shares = [seconds / limits[name] for (name, its), seconds in times.items() if its == moment]
        assert median(shares or [0]) < slowness, (moment, slowness, times)
