"""Browsers of our own that have ended: what becomes of their calls, and of those that name them later."""

import anyio
import pytest

from bridge.fake_link import BOTH, HOME, LONG, WORK, begin, connected
from tabwire.commands.declaration import Effect
from tabwire.errors import NotConnected, OutcomeUnknown, TabwireError
from tabwire.surfaces.agent import session
from tabwire.wire.messages import Success

pytestmark = pytest.mark.anyio

ENDED = "The launched browser has ended (exit code 1). Launch another one."


@pytest.mark.parametrize(("effect", "error"), [("read", NotConnected), ("act", OutcomeUnknown)])
async def test_a_browser_that_has_ended_fails_its_calls_at_once_and_those_that_name_it(
    effect: Effect, error: type[TabwireError]
) -> None:
    link, engine = connected(browsers=BOTH)
    async with anyio.create_task_group() as tasks:
        running, other = begin(tasks, engine, effect, browser="b1"), begin(tasks, engine, browser="b2")
        for _ in range(2):
            await link.next_frame()
        engine.browser_ended("b1", ENDED)
        outcome = await running.outcome()
        assert isinstance(outcome, error)
        assert ENDED in str(outcome)
        for named in ("b1", "Work", "work"):
            later = await begin(tasks, engine, effect, browser=named).outcome()
            assert type(later) is NotConnected and str(later) == ENDED
        link.answer(Success(2, {"went": "on"}), HOME)
        assert await other.outcome() == {"went": "on"}
    assert engine.browsers == (HOME,) and engine.departed == () and engine.present == (HOME,)


async def test_a_call_that_waits_for_a_browser_hears_that_it_has_ended() -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        running = begin(tasks, engine, "act")
        await link.next_frame()
        link.lose(WORK)
        waiting = begin(tasks, engine)
        await anyio.wait_all_tasks_blocked()
        engine.browser_ended("b1", ENDED)
        outcome = await running.outcome()
        assert isinstance(outcome, OutcomeUnknown) and ENDED in str(outcome)
        outcome = await waiting.outcome()
        assert isinstance(outcome, NotConnected) and ENDED in str(outcome)
    assert link.is_quiet


async def test_a_call_that_names_none_does_not_go_to_another_browser_after_the_used_one_has_ended() -> None:
    link, engine = connected(browsers=BOTH)
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, browser="b1")
        await link.next_frame()
        link.answer(Success(1, {}))
        assert await call.outcome() == {}
    engine.browser_ended("b1", ENDED)
    assert engine.has_several
    with pytest.raises(NotConnected, match="'Work' that this client used is gone; connected: Home"):
        await engine.send("a.b", {}, effect="act", timeout_ms=1000)
    link.lose(HOME)
    engine.browser_ended("b2", "And this one.")
    with pytest.raises(NotConnected, match="Launch another one"):
        await engine.send("a.b", {}, effect="act", timeout_ms=1000)


async def test_a_call_that_was_meant_for_a_browser_that_has_ended_fails_at_once_and_the_next_goes_to_its_successor() -> None:
    """It was chosen while it was there, and has ended before the call had its turn."""
    link, engine = connected()
    engine.expect_successor("b1")
    with anyio.fail_after(5):
        meant = await engine.find()
        link.lose(WORK)
        engine.browser_ended("b1", ENDED)
        with pytest.raises(NotConnected, match="exit code 1"):
            await engine.send("a.b", {}, effect="act", timeout_ms=1000, browser=meant.id)
        link.connect(HOME)
        assert await engine.find() == HOME
    assert link.is_quiet


async def test_a_browser_that_ended_before_it_joined_is_told_of_by_its_id() -> None:
    link, engine = connected()
    engine.browser_ended("b9", ENDED)
    with anyio.fail_after(5), pytest.raises(NotConnected, match="exit code 1"):
        await engine.send("a.b", {}, effect="act", timeout_ms=1000, browser="b9")
    with anyio.fail_after(5):
        assert await engine.find() == WORK


async def test_a_browser_that_joins_after_all_has_not_ended() -> None:
    link, engine = connected()
    engine.browser_ended("b1", ENDED)
    link.connect(WORK)
    with anyio.fail_after(5):
        assert await engine.find("b1") == WORK


async def test_the_status_tells_of_a_browser_that_has_ended() -> None:
    link, engine = connected()
    engine.browser_ended("b1", ENDED)
    hop = session._nobody(engine)
    assert hop.ok is False and ENDED in hop.detail and hop.fix
    with pytest.raises(NotConnected, match="exit code 1"):
        session._meant(engine, "Work")
    link.connect(HOME)
    with pytest.raises(NotConnected, match="exit code 1"):
        session._meant(engine, "b1")
    assert session._meant(engine, "Home") == [HOME]


async def test_the_status_waits_for_a_browser_that_is_being_started() -> None:
    link, engine = connected(LONG, [])
    engine.expect_browser()
    there = []

    async def ask() -> None:
        await session._joined(engine)
        there.append(engine.present)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        link.connect(WORK)
    assert there == [(WORK,)]
    engine.browser_ended("b1", ENDED)
    engine.expect_browser()
    with anyio.fail_after(5):
        await session._joined(engine)
