"""One call to a browser, over a link without sockets."""

from datetime import UTC, datetime, timedelta
from typing import Any

import anyio
import pytest

from bridge.fake_link import BOTH, BRIEF, HOME, LONG, WORK, FakeLink, begin, connected
from tabwire.commands.declaration import Effect
from tabwire.engine.call_wait import WaitReason, told_in
from tabwire.engine.engine import MAX_CALLS, Engine, Patience
from tabwire.errors import InvalidArgument, NoSuchElement, NotConnected, OutcomeUnknown, TabwireError
from tabwire.wire.connection import Refusal, Visit
from tabwire.wire.messages import Browser, Event, Failure, Success

pytestmark = pytest.mark.anyio


async def test_a_call_returns_what_the_browser_answers() -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine)
        frame = await link.next_frame()
        # What is left of the time that the call was given.
        assert 0 < frame.pop("timeout_ms") <= 5000
        assert frame == {"id": frame["id"], "method": "input.click", "params": {"selector": "@e1"}, "asking_ms": 30_000}
        link.answer(Success(frame["id"], {"done": True}))
        assert await call.outcome() == {"done": True}


async def test_a_failure_in_the_browser_is_raised_as_its_class() -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine)
        frame = await link.next_frame()
        link.answer(Failure(frame["id"], "no_such_element", "Nothing matches.", {"selector": "@e1"}))
        error = await call.outcome()
    assert isinstance(error, NoSuchElement)
    assert (str(error), error.data) == ("Nothing matches.", {"selector": "@e1"})


async def test_answers_in_another_order_go_to_their_calls() -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        calls = {}
        for _ in range(3):
            call = begin(tasks, engine)
            calls[(await link.next_frame())["id"]] = call
        for call_id in reversed(calls):
            link.answer(Success(call_id, {"id": call_id}))
            link.answer(Success(call_id, {"id": "again"}))
        assert [await call.outcome() for call in calls.values()] == [{"id": call_id} for call_id in calls]


async def test_no_more_calls_run_at_once_than_there_are_slots() -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        calls = [begin(tasks, engine) for _ in range(MAX_CALLS + 1)]
        ids = [(await link.next_frame())["id"] for _ in range(MAX_CALLS)]
        await anyio.wait_all_tasks_blocked()
        assert link.is_quiet
        link.answer(Success(ids[0], {}))
        ids.append((await link.next_frame())["id"])
        for call_id in ids[1:]:
            link.answer(Success(call_id, {}))
        assert [await call.outcome() for call in calls] == [{}] * (MAX_CALLS + 1)


async def test_a_cancelled_call_is_withdrawn_from_the_browser() -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine)
        frame = await link.next_frame()
        call.scope.cancel()
        assert await link.next_frame() == {"id": frame["id"], "cancel": True}
        assert await call.outcome() is None
        link.answer(Success(frame["id"], {}))
    assert call.scope.cancelled_caught


async def test_a_call_the_browser_never_answers_ends_a_moment_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabwire.engine.call_wait.DEADLINE_GRACE_S", 0.01)
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, "act", timeout_ms=1)
        frame = await link.next_frame()
        error = await call.outcome()
        assert isinstance(error, OutcomeUnknown)
        assert "snapshot" in str(error)
        assert await link.next_frame() == {"id": frame["id"], "cancel": True}


async def test_the_time_of_a_call_stands_still_while_the_person_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabwire.engine.call_wait.DEADLINE_GRACE_S", 0.01)
    link, engine = connected()
    reason = WaitReason()
    async with anyio.create_task_group() as tasks:
        with told_in(reason):
            call = begin(tasks, engine, "act", timeout_ms=100)
            identity = (await link.next_frame())["id"]
        question = {"call": identity, "question": "q", "what": "fill in a password", "where": "a.example", "wait_ms": 30_000}
        link.answer(Event("permission.asked", question), HOME)
        assert reason.text == "", "another browser says nothing about it"
        link.answer(Event("permission.asked", question))
        assert "fill in a password, a.example" in reason.text
        with pytest.raises(TimeoutError), anyio.fail_after(0.3):
            await call.outcome()
        link.answer(Event("permission.settled", {"call": identity}))
        assert reason.text == ""
        # Its time begins anew, and ends.
        assert isinstance(await call.outcome(), OutcomeUnknown)


async def test_params_that_are_no_json_are_refused_unsent() -> None:
    link, engine = connected()
    for bad in (float("nan"), object(), {1, 2}):
        with pytest.raises(InvalidArgument, match="JSON"):
            await engine.send("a.b", {"x": bad}, effect="read", timeout_ms=1000)
    assert link.is_quiet


async def test_without_any_browser_the_error_says_how_to_connect_one() -> None:
    for folder, parts in (("/opt/extension", ("Developer mode", "choose /opt/extension")), (None, ("Run `tabwire install`",))):
        engine = Engine(FakeLink(), extension_dir=folder, patience=BRIEF)
        with pytest.raises(NotConnected) as caught:
            await engine.send("a.b", {}, effect="read", timeout_ms=1000)
        for part in (*parts, "chrome://extensions", "Load unpacked"):
            assert part in str(caught.value)


async def test_who_waits_for_news_hears_of_a_refused_browser() -> None:
    engine = Engine(FakeLink(), patience=BRIEF)
    async with anyio.create_task_group() as tasks:
        with anyio.fail_after(5):
            tasks.start_soon(engine.changed)
            await anyio.wait_all_tasks_blocked()
            engine.browser_refused()


async def test_a_refused_browser_is_the_better_explanation() -> None:
    link = FakeLink()
    link.last_refusal = Refusal("its key is not ours.", "Pair it again.")
    engine = Engine(link, patience=BRIEF)
    with pytest.raises(NotConnected, match=r"refused: its key is not ours\. Pair it again\."):
        await engine.send("a.b", {}, effect="read", timeout_ms=1000)
    # But that of another user explains nothing.
    link.last_refusal = Refusal("it is another user's.", "That does no harm.", is_foreign=True)
    link.last_visit = Visit(datetime.now(UTC), 6)
    with pytest.raises(NotConnected, match=r"Ask them to start it.*Another browser tried and was refused: it is another user's"):
        await engine.send("a.b", {}, effect="read", timeout_ms=1000)


async def test_a_call_waits_for_the_first_browser() -> None:
    link, engine = connected(LONG, [])
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine)
        await anyio.wait_all_tasks_blocked()
        link.connect(WORK)
        link.answer(Success((await link.next_frame())["id"], {}))
        assert await call.outcome() == {}


async def test_a_browser_being_launched_is_waited_for_longer() -> None:
    link, engine = connected(Patience(first=0, again=0, launch=30), [])
    engine.expect_browser()
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine)
        await anyio.wait_all_tasks_blocked()
        link.connect(WORK)
        link.answer(Success((await link.next_frame())["id"], {}))
        assert await call.outcome() == {}


async def test_a_browser_that_was_here_lately_is_waited_for_as_long_as_it_takes_to_wake() -> None:
    link, engine = connected(BRIEF, [])
    link.wake_left_s = 30
    reason = WaitReason()
    async with anyio.create_task_group() as tasks:
        with told_in(reason):
            call = begin(tasks, engine)
        with pytest.raises(TimeoutError), anyio.fail_after(0.3):
            await call.outcome()
        assert reason.text == "waiting for the browser to connect"
        link.connect(WORK)
        link.answer(Success((await link.next_frame())["id"], {}))
        assert await call.outcome() == {} and reason.text == ""


@pytest.mark.parametrize(("before", "when"), [({"hours": 3}, "3 hours ago"), ({"days": 2}, "2 days ago"), ({}, "a moment ago")])
async def test_a_browser_that_is_set_up_is_not_to_be_set_up_again(before: dict[str, int], when: str) -> None:
    link, engine = connected(BRIEF, [])
    link.last_visit = Visit(datetime.now(UTC) - timedelta(**before), 6)
    with pytest.raises(NotConnected) as caught:
        await engine.send("a.b", {}, effect="read", timeout_ms=1000)
    assert f"was connected {when}. Ask them to start it" in str(caught.value)
    assert "install" not in str(caught.value) and "pair" not in str(caught.value)


async def test_a_failed_launch_ends_the_waiting_with_its_reason() -> None:
    link, engine = connected(LONG, [])
    engine.expect_browser()
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine)
        await anyio.wait_all_tasks_blocked()
        engine.give_up("No Chromium was found. Install one.")
        error = await call.outcome()
    assert isinstance(error, NotConnected)
    assert str(error) == "No Chromium was found. Install one."


async def test_a_window_without_free_port_is_told_at_once() -> None:
    link = FakeLink()
    link.problem = "all ports are taken"
    engine = Engine(link, patience=LONG)
    with anyio.fail_after(5), pytest.raises(NotConnected, match="all ports are taken"):
        await engine.send("a.b", {}, effect="act", timeout_ms=1000)


async def test_a_browser_that_left_is_named() -> None:
    link, engine = connected(BRIEF)
    link.lose(WORK)
    with pytest.raises(NotConnected, match="'Work' was connected and is gone"):
        await engine.send("a.b", {}, effect="read", timeout_ms=1000)


async def test_with_several_browsers_a_call_must_name_one() -> None:
    link, engine = connected(browsers=BOTH)
    with pytest.raises(InvalidArgument, match="Work, Home") as caught:
        await engine.send("a.b", {}, effect="read", timeout_ms=1000)
    assert caught.value.data == {"browsers": [{"id": "b1", "name": "Work"}, {"id": "b2", "name": "Home"}]}


@pytest.mark.parametrize("named", ["b2", "Home", "home"])
async def test_a_browser_is_named_by_id_or_name(named: str) -> None:
    link, engine = connected(browsers=BOTH)
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, browser=named)
        assert await link.next_browser() == "b2"
        call.scope.cancel()


async def test_the_default_browser_takes_calls_that_name_none() -> None:
    link, engine = connected(browsers=BOTH)
    engine.default_browser = "Home"
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine)
        assert await link.next_browser() == "b2"
        call.scope.cancel()


async def test_a_name_two_browsers_share_is_refused_with_their_ids() -> None:
    link, engine = connected()
    link.connect(Browser("b3", "Work"))
    with pytest.raises(InvalidArgument, match=r"Work \(id b1\), Work \(id b3\)"):
        await engine.send("a.b", {}, effect="read", timeout_ms=1000, browser="Work")


async def test_a_name_nobody_has_is_refused_with_those_there_are() -> None:
    link, engine = connected(BRIEF, BOTH)
    with pytest.raises(NotConnected, match="Work, Home"):
        await engine.send("a.b", {}, effect="read", timeout_ms=1000, browser="Play")


async def test_a_browser_away_for_a_moment_does_not_leave_its_calls_to_another() -> None:
    link, engine = connected(browsers=BOTH)
    link.lose(WORK)
    with pytest.raises(InvalidArgument, match="Home, Work"):
        await engine.send("a.b", {}, effect="act", timeout_ms=1000)
    assert link.is_quiet


@pytest.mark.parametrize("effect", ["read", "act"])
async def test_a_lost_call_is_sent_again_under_its_id_when_the_browser_returns(effect: Effect) -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, effect)
        first = await link.next_frame()
        link.lose(WORK)
        await anyio.wait_all_tasks_blocked()
        assert link.is_quiet
        link.connect(WORK)
        second = await link.next_frame()
        assert (second["id"], second["method"], second["params"]) == (first["id"], first["method"], first["params"])
        assert second["timeout_ms"] <= first["timeout_ms"]
        link.answer(Success(second["id"], {}))
        assert await call.outcome() == {}


async def test_calls_lost_together_are_sent_again_in_their_order() -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        calls = [begin(tasks, engine, "act") for _ in range(5)]
        ids = [(await link.next_frame())["id"] for _ in calls]
        link.lose(WORK)
        link.connect(WORK)
        assert [(await link.next_frame())["id"] for _ in calls] == ids
        for call_id in ids:
            link.answer(Success(call_id, {}))


async def test_an_act_is_not_sent_again_to_an_extension_that_forgot_it() -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        act, read = begin(tasks, engine, "act"), begin(tasks, engine, "read")
        await link.next_frame()
        read_id = (await link.next_frame())["id"]
        link.lose(WORK)
        link.connect(Browser("b1", "Work", session="after a restart"))
        assert isinstance(await act.outcome(), OutcomeUnknown)
        assert (await link.next_frame())["id"] == read_id
        link.answer(Success(read_id, {}))
        assert await read.outcome() == {}
    assert link.is_quiet


@pytest.mark.parametrize(("effect", "error"), [("read", NotConnected), ("act", OutcomeUnknown)])
async def test_a_browser_that_does_not_return_fails_its_calls(effect: Effect, error: type[TabwireError]) -> None:
    link, engine = connected(BRIEF)
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, effect)
        await link.next_frame()
        link.lose(WORK)
        assert isinstance(await call.outcome(), error)


async def test_a_call_on_a_connection_just_closing_waits_for_the_next_one() -> None:
    link, engine = connected()
    link.open.clear()
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, "act")
        await anyio.wait_all_tasks_blocked()
        link.lose(WORK)
        link.connect(Browser("b1", "Work", session="after a restart"))
        link.answer(Success((await link.next_frame())["id"], {}))
        assert await call.outcome() == {}


async def test_a_call_cancelled_while_its_browser_is_away_just_ends() -> None:
    link, engine = connected()
    async with anyio.create_task_group() as tasks:
        call = begin(tasks, engine, "act")
        await link.next_frame()
        link.lose(WORK)
        await anyio.wait_all_tasks_blocked()
        call.scope.cancel()
        assert await call.outcome() is None
        link.connect(WORK)
        await anyio.wait_all_tasks_blocked()
    assert link.is_quiet


async def test_events_reach_those_who_asked_until_they_stop() -> None:
    link, engine = connected()
    seen: list[tuple[str, str, Any]] = []

    def broken(browser: Browser, method: str, params: object) -> None:
        raise RuntimeError("a broken callback")

    engine.on_event(broken)
    stop = engine.on_event(lambda browser, method, params: seen.append((browser.name, method, params)))
    link.answer(Event("tabs.created", {"tabId": 1}))
    stop()
    link.answer(Event("tabs.created", {"tabId": 2}))
    link.answer(Event("tabs.created", {"tabId": 3}), HOME)
    assert seen == [("Work", "tabs.created", {"tabId": 1})]


async def test_the_client_is_made_known_and_browsers_are_listed() -> None:
    link, engine = connected(browsers=BOTH)
    engine.set_client_info("Claude", "1.0")
    assert link.client == ("Claude", "1.0")
    assert list(engine.browsers) == [WORK, HOME]
    link.lose(WORK)
    assert list(engine.browsers) == [HOME]
