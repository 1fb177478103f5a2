"""Which browser a call goes to, and what is said when it is not clear: the engine over a link without sockets."""

import time
from typing import Any

import anyio
import pytest

from bridge.fake_link import BOTH, BRIEF, HOME, LONG, WORK, FakeLink, begin, connected
from tabwire.engine import engine as engine_module
from tabwire.engine.engine import Engine, Patience
from tabwire.errors import InvalidArgument, NotConnected
from tabwire.wire.messages import Browser, Event, Success

pytestmark = pytest.mark.anyio

TWIN = Browser("b3", "Work", session="s3")


async def refusal(engine: Engine, wanted: str | None = None) -> InvalidArgument | NotConnected:
    with anyio.fail_after(5), pytest.raises((InvalidArgument, NotConnected)) as caught:
        await engine.find(wanted)
    error: InvalidArgument | NotConnected = caught.value
    return error


# ---- several ------------------------------------------------------------------------------------------------------------


async def test_a_browser_that_joins_makes_calls_that_name_none_refused_from_then_on() -> None:
    link, engine = connected()
    assert await engine.find() == WORK
    link.connect(HOME)
    error = await refusal(engine)
    assert str(error) == ("Several browsers are connected and none is named: Work, Home. Pass `browser` with one of these names.")


async def test_the_same_name_twice_is_told_with_ids_whoever_is_meant() -> None:
    link, engine = connected()
    link.connect(HOME)
    link.connect(TWIN)
    assert "Work (id b1), Home, Work (id b3)" in str(await refusal(engine))
    error = await refusal(engine, "work")
    assert str(error).startswith("Several browsers are named 'work': Work (id b1), Work (id b3). Pass `browser` with its id")
    assert error.data == {"browsers": [{"id": "b1", "name": "Work"}, {"id": "b3", "name": "Work"}]}
    assert await engine.find("b3") == TWIN
    assert (engine.label(TWIN), engine.label(HOME)) == ("Work (id b3)", "Home")


async def test_a_call_that_waits_is_refused_when_two_come_instead_of_one() -> None:
    link, engine = connected(LONG, [])
    link.connect(WORK)
    link.connect(HOME)
    link.lose(WORK)
    link.lose(HOME)
    assert isinstance(await refusal(engine), InvalidArgument)


async def test_a_name_that_was_never_there_is_waited_for_briefly_and_one_that_left_for_longer() -> None:
    link, engine = connected(Patience(first=0.01, again=0.4), BOTH)
    started = time.monotonic()
    assert "No browser named 'Play' is connected; connected: Work, Home." in str(await refusal(engine, "Play"))
    assert time.monotonic() - started < 0.3
    link.lose(HOME)
    started = time.monotonic()
    assert "'Home' was connected and is gone; connected: Work" in str(await refusal(engine, "b2"))
    assert time.monotonic() - started >= 0.39


async def test_a_named_browser_that_returns_takes_the_call() -> None:
    link, engine = connected(browsers=BOTH)
    link.lose(HOME)
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, browser="Home")
        await anyio.wait_all_tasks_blocked()
        assert link.is_quiet
        link.connect(HOME)
        assert await link.next_browser() == "b2"
        call.scope.cancel()


# ---- the one that was used ----------------------------------------------------------------------------------------------


async def test_another_browser_is_not_taken_in_place_of_the_one_that_was_used() -> None:
    link, engine = connected(BRIEF, BOTH)
    assert await engine.find("Work") == WORK
    link.lose(WORK)
    await anyio.sleep(BRIEF.again)
    for _ in range(2):
        assert "The browser 'Work' that this client used is gone; connected: Home." in str(await refusal(engine))
    assert await engine.find("Home") == HOME
    assert await engine.find() == HOME, "the client has chosen it"


async def test_a_browser_that_was_not_used_is_not_missed() -> None:
    link, engine = connected(BRIEF, BOTH)
    assert await engine.find("Work") == WORK
    link.lose(HOME)
    await anyio.sleep(BRIEF.again)
    assert await engine.find() == WORK


# ---- bound --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", ["Home", "home", "b2"])
async def test_a_bound_browser_is_waited_for_and_no_other_one_taken(bound: str) -> None:
    link, engine = connected(BRIEF)
    engine.default_browser = bound
    error = await refusal(engine)
    assert isinstance(error, NotConnected)
    for part in (repr(bound), "bound to by --browser, is not connected", "connected: Work", "popup"):
        assert part in str(error)
    assert error.data == {"browsers": [{"id": "b1", "name": "Work"}]}
    link.connect(HOME)
    assert await engine.find() == HOME
    assert await engine.find("Work") == WORK, "what a call names counts first"
    assert await engine.find() == HOME
    link.lose(HOME)
    assert "'Home', which this bridge is bound to" in str(await refusal(engine))


async def test_a_bound_browser_that_joins_while_a_call_waits_takes_it() -> None:
    link, engine = connected()
    engine.default_browser = "Home"
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine)
        await anyio.wait_all_tasks_blocked()
        assert link.is_quiet
        link.connect(HOME)
        assert await link.next_browser() == "b2"
        call.scope.cancel()


async def test_two_browsers_of_the_bound_name_are_refused_with_their_ids() -> None:
    link, engine = connected()
    link.connect(TWIN)
    engine.default_browser = "Work"
    assert "Several browsers are named 'Work' (set by --browser): Work (id b1), Work (id b3)." in str(await refusal(engine))


async def test_without_any_browser_the_bound_name_is_told_with_how_to_connect_one() -> None:
    engine = Engine(FakeLink(), patience=BRIEF)
    engine.default_browser = "Home"
    text = str(await refusal(engine))
    assert "bound to 'Home' by --browser" in text and "chrome://extensions" in text


# ---- names --------------------------------------------------------------------------------------------------------------


async def test_a_new_name_counts_at_once_and_a_call_that_waits_for_it_goes_on() -> None:
    link, engine = connected(browsers=BOTH)
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, browser="Garden")
        await anyio.wait_all_tasks_blocked()
        link.answer(Event("session.browser", {"name": " Gar\nden "}), HOME)
        link.answer(Event("session.browser", {"name": "Garden"}), HOME)
        assert await link.next_browser() == "b2"
        call.scope.cancel()
    assert [browser.name for browser in engine.browsers] == ["Work", "Garden"]
    assert engine.browsers[1].session == HOME.session, "nothing but the name has changed"


@pytest.mark.parametrize("params", [{}, {"name": ""}, {"name": 7}])
async def test_a_name_that_is_none_leaves_a_browser_that_can_be_named(params: dict[str, Any]) -> None:
    link, engine = connected()
    link.answer(Event("session.browser", params))
    assert await engine.find("b1") == engine.browsers[0]
    assert engine.browsers[0].name in ("Work", "b1")


# ---- whether there are several ------------------------------------------------------------------------------------------


async def test_a_browser_that_left_counts_for_some_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "REMEMBERED_S", 0.1)
    link, engine = connected(BRIEF)
    assert engine.has_several is False
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(engine.several_changed, False)
            await anyio.wait_all_tasks_blocked()
            link.connect(HOME)
        link.lose(HOME)
        assert engine.has_several is True
        started = time.monotonic()
        assert await engine.several_changed(True) is False
    assert 0.05 < time.monotonic() - started < 2


async def test_a_browser_that_was_used_counts_until_another_one_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "REMEMBERED_S", 0.0)
    link, engine = connected(BRIEF, BOTH)
    await engine.find("Work")
    link.lose(WORK)
    assert engine.has_several is True, "the next call has to name one"
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(engine.several_changed, True)
            await anyio.wait_all_tasks_blocked()
            await engine.find("Home")
    assert engine.has_several is False


async def test_a_call_goes_to_the_id_it_was_given_although_the_name_moved() -> None:
    """A call of several messages keeps its browser by id."""
    link, engine = connected(browsers=BOTH)
    target = await engine.find("Home")
    link.answer(Event("session.browser", {"name": "Home"}), WORK)
    link.answer(Event("session.browser", {"name": "Elsewhere"}), HOME)
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, browser=target.id)
        frame = await link.next_frame()
        link.answer(Success(frame["id"], {"from": "b2"}), HOME)
        assert await call.outcome() == {"from": "b2"}
