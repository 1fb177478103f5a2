"""Whatever breaks between a client and a page, no act is lost or done twice, and both sides find each other again soon.

Each fault hits an idle connection, a read in flight and an act in flight. The site's own record says how often an act happened.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeAlias

import pytest

from e2e.site import Site
from e2e.wire import faults
from e2e.wire.faults import GONE, OK, PAGE, RECOVERED, Flight, Rig, post, start_act, start_read, start_script
from polling import side_by_side, until

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Fault:
    """A fault, how soon calls succeed again (s; a busy machine may take SLOW of it once), and what calls in flight may answer."""

    inject: Callable[[Rig, int], float]
    limit: float
    read: frozenset[str] = frozenset({OK})
    click: frozenset[str] = frozenset({OK})
    script: frozenset[str] = frozenset({OK})
    keeps_tab: bool = True
    keeps_record: bool = True
    """Whether the extension that comes back knows which acts had begun, and so can look at what became of them."""


def answers(*codes: str) -> frozenset[str]:
    return frozenset(codes)


SLOW = 3
"""Still less than any alarm or deadline: whatever it was, it did not wait for one."""
UNKNOWN = answers("outcome_unknown")

FAULTS = (
    Fault(faults.worker_stopped, 1, click=UNKNOWN, script=UNKNOWN),
    Fault(faults.extension_process_killed, 1, click=UNKNOWN, script=UNKNOWN),
    Fault(faults.bridge_killed, 1, answers(GONE), answers(GONE), answers(GONE)),
    Fault(faults.bridge_stopped_for_a_moment, 1),
    Fault(faults.bridge_stopped_and_killed, 1, answers(GONE), answers(GONE), answers(GONE)),
    Fault(faults.browser_restarted, 10, answers("no_such_tab", "not_connected"), UNKNOWN, UNKNOWN, keeps_tab=False),
    Fault(faults.extension_reloaded, 5, click=UNKNOWN, script=UNKNOWN, keeps_record=False),
    Fault(faults.extension_updated, 5, click=UNKNOWN, script=UNKNOWN, keeps_record=False),
    Fault(faults.tab_discarded, 3, script=UNKNOWN),
    Fault(faults.renderer_crashed, 1, answers("page_crashed"), script=UNKNOWN),
    Fault(faults.connection_cut, 1),
)

LONG_FAULTS = (
    Fault(faults.bridge_stopped_until_noticed, 1),
    Fault(faults.laptop_slept, 1),
    Fault(faults.connection_went_dead, 11),
)

Recovery: TypeAlias = Callable[[Rig, Fault, int, float, str], None]
"""Takes what was hit, the fault, the tab, when it began and what it hit; waits for the first call that succeeds."""

times: dict[tuple[str, str], float] = {}

QUIET_ACT = 0.4
"""Seconds of `act_once_more` on a quiet machine: what it takes here is the pace of this one."""
paces: list[float] = []


@contextmanager
def rigged(folder: Path, site: Site) -> Iterator[Rig]:
    """A rig until the end of the block, whose acts have not happened twice by then."""
    rig = Rig(folder, site)
    try:
        yield rig
    finally:
        rig.close()
    # Nothing came later, either.
    assert {act: rig.count(act) for act in rig.acts if rig.count(act) > 1} == {}


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Rig]:
    with rigged(tmp_path_factory.mktemp("faults"), running_site) as rig:
        yield rig
    running_site.reset()


@pytest.fixture
def recovery(record_property: Callable[[str, object], None]) -> Recovery:
    def recover(rig: Rig, fault: Fault, tab: int, since: float, moment: str) -> None:
        seconds = rig.recovered(since, tab if fault.keeps_tab else None)
        times[fault.inject.__name__, moment] = seconds
        record_property(RECOVERED, f"{fault.inject.__name__:30} {moment:6} {seconds * 1000:6.0f} ms")
        assert seconds < fault.limit * SLOW

    return recover


@pytest.fixture(params=FAULTS, ids=lambda fault: fault.inject.__name__)
def fault(request: pytest.FixtureRequest) -> Fault:
    chosen: Fault = request.param
    return chosen


def act_once_more(rig: Rig) -> None:
    """An act that nothing disturbs happens exactly once."""
    began = time.monotonic()
    tab = rig.open(PAGE)
    flight = start_act(rig, tab)
    flight.land()
    assert flight.wait() == OK, flight.text
    assert rig.count(flight.act) == 1
    rig.page.close()
    paces.append(time.monotonic() - began)


def test_an_idle_connection_comes_back(rig: Rig, fault: Fault, recovery: Recovery) -> None:
    tab = rig.open(PAGE)
    since = fault.inject(rig, tab)
    recovery(rig, fault, tab, since, "idle")
    act_once_more(rig)


def test_a_read_in_flight_is_answered(rig: Rig, fault: Fault, recovery: Recovery) -> None:
    tab = rig.open(PAGE)
    read = start_read(rig, tab)
    since = fault.inject(rig, tab)
    read.land()
    recovery(rig, fault, tab, since, "read")
    assert read.wait() in fault.read, read.text
    act_once_more(rig)


@pytest.mark.parametrize("start", [start_act, start_script], ids=["click", "script"])
def test_an_act_in_flight_is_neither_lost_nor_done_twice(
    rig: Rig, fault: Fault, start: Callable[[Rig, int], Flight], recovery: Recovery
) -> None:
    expected, moment = (fault.click, "click") if start is start_act else (fault.script, "script")
    tab = rig.open(PAGE)
    act = start(rig, tab)
    since = fault.inject(rig, tab)
    act.land()
    recovery(rig, fault, tab, since, moment)
    assert act.wait() in expected, act.text
    assert rig.count(act.act) == 1
    if act.answer == "outcome_unknown" and fault.keeps_tab and fault.keeps_record:
        assert act.data["now"]["url"].startswith(rig.site.origin), act.text
    act_once_more(rig)


def outlast(rig: Rig, fault: Fault, recovery: Recovery) -> None:
    """Calls of every kind are in flight at the fault; two more are made after it, perhaps on a connection that is dead."""
    flights = [start(rig, rig.open(PAGE)) for start in (start_read, start_act, start_script)]
    tab, act = rig.open(PAGE), rig.new_id()
    since = fault.inject(rig, tab)
    title, script = rig.bridge.start("title", tabId=tab), post(rig, tab, act)
    for flight in flights:
        flight.land()
    recovery(rig, fault, tab, since, "all")
    expected = (fault.read, fault.click, fault.script)
    for flight, allowed in zip(flights, expected, strict=True):
        assert flight.wait() in allowed, flight.text
        assert not flight.act or rig.count(flight.act) == 1
    assert not title.result(15).is_error
    assert script.result(15).data == 200
    assert rig.count(act) == 1
    act_once_more(rig)


def test_calls_of_every_kind_outlast_what_takes_long(
    rig: Rig, tmp_path_factory: pytest.TempPathFactory, running_site: Site, recovery: Recovery
) -> None:
    """Each fault in a browser of its own: they wait beside each other."""
    with ExitStack() as stack:
        others = [stack.enter_context(rigged(tmp_path_factory.mktemp("fault"), running_site)) for _ in LONG_FAULTS[1:]]
        pairs = zip((rig, *others), LONG_FAULTS, strict=True)
        side_by_side({fault.inject.__name__: partial(outlast, one, fault, recovery) for one, fault in pairs})


def test_an_act_that_waits_for_its_turn_runs_once_although_the_worker_dies(rig: Rig) -> None:
    tab, act = rig.open(PAGE), rig.new_id()
    first = start_script(rig, tab)
    behind = post(rig, tab, act)
    # Reads do not wait: once this one is answered, the act before it has arrived.
    rig.bridge.ok("title", tabId=tab)
    assert rig.count(act) == 0
    faults.worker_stopped(rig, tab)
    assert behind.result(20).data == 200
    first.land()
    assert first.wait() == "outcome_unknown"
    assert (rig.count(first.act), rig.count(act)) == (1, 1)


def test_a_client_is_told_that_its_tab_went_with_the_browser(rig: Rig) -> None:
    rig.bridge.ok("tab_new", url=rig.site.page(PAGE))
    rig.chromium.restart()
    # A busy machine may take longer to start a browser than a call waits for one.
    lost = until(lambda: rig.bridge.call("title"), lambda reply: reply.code != "not_connected")
    assert lost.code == "no_such_tab"
    assert "restarted" in lost.text
    assert "tab_list" in lost.text
    rig.bridge.ok("title")


def test_a_crashed_page_is_named_and_can_be_loaded_again(rig: Rig) -> None:
    tab = rig.open(PAGE)
    faults.renderer_crashed(rig, tab)
    for tool, more in (("snapshot", {}), ("click", {"selector": "text:Send"}), ("evaluate", {"expression": "1"})):
        reply = rig.bridge.fails(tool, tabId=tab, **more)
        assert reply.code == "page_crashed", reply.text
        assert "reload" in reply.text
        assert reply.elapsed_ms < 2000
    rig.bridge.ok("reload", tabId=tab)
    rig.bridge.ok("click", selector="text:Send", tabId=tab)


def test_calls_succeed_again_in_time() -> None:
    """The median of a fault's moments: one of them may have met a busy machine."""
    limits = {fault.inject.__name__: fault.limit for fault in (*FAULTS, *LONG_FAULTS)}
    typical = {name: median(seconds for (fault, _), seconds in times.items() if fault == name) for name, _ in times}
    slowness = max(1, median(paces or [0]) / QUIET_ACT)
    assert {name: seconds for name, seconds in typical.items() if seconds >= limits[name] * slowness} == {}, (slowness, typical)
