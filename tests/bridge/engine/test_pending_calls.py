"""The table of calls: what becomes of each on an answer, a loss and a return."""

import json

import pytest

from tabwire.commands.declaration import Effect
from tabwire.engine.pending_calls import MAX_DELIVERIES, Call, CallState, PendingCalls
from tabwire.errors import NotConnected, OutcomeUnknown, Timeout
from tabwire.wire.messages import Browser, Failure, Success

BROWSER = Browser("b1", "Work", session="s1")
RESTARTED = Browser("b1", "Work", session="s2")


def sent(calls: PendingCalls, effect: Effect = "read") -> Call:
    call = calls.open("input.click", {"selector": "x"}, effect, BROWSER.id)
    calls.deliver(call, BROWSER, 5000)
    return call


def test_a_call_is_delivered_with_its_id_and_time() -> None:
    calls = PendingCalls()
    call = calls.open("input.click", {"selector": "x"}, "act", "b1")
    frame = json.loads(calls.deliver(call, BROWSER, 5000))
    assert frame == {"id": call.id, "method": "input.click", "params": {"selector": "x"}, "timeout_ms": 5000}


def test_an_answer_settles_its_call_and_wakes_it() -> None:
    calls, woken = PendingCalls(), []
    call = sent(calls)
    call.wake = lambda: woken.append(call.id)
    assert calls.settle("b1", Success(call.id, {"ok": True}))
    assert (call.state, call.answer, woken) == (CallState.DONE, Success(call.id, {"ok": True}), [call.id])


def test_answers_nobody_waits_for_are_ignored() -> None:
    calls = PendingCalls()
    call, withdrawn, queued = sent(calls), sent(calls), calls.open("a.b", {}, "read", "b1")
    calls.close(withdrawn)
    assert not calls.settle("b1", Success(999, {}))
    assert not calls.settle("b1", Success(withdrawn.id, {}))
    assert not calls.settle("b1", Success(queued.id, {}))
    assert not calls.settle("another", Success(call.id, {}))
    assert calls.settle("b1", Success(call.id, {"first": 1}))
    assert not calls.settle("b1", Failure(call.id, "timeout", "second"))
    assert call.answer == Success(call.id, {"first": 1})


def test_a_loss_wakes_the_calls_sent_to_that_browser_in_order() -> None:
    calls, woken = PendingCalls(), []
    mine = [sent(calls), sent(calls)]
    other = calls.open("a.b", {}, "read", "b2")
    calls.deliver(other, Browser("b2", "Home"), 1)
    queued = calls.open("a.b", {}, "read", "b1")
    for call in calls:
        call.wake = lambda call=call: woken.append(call.id)  # type: ignore[misc]
    calls.lose("b1")
    assert woken == [call.id for call in mine]
    assert [call.state for call in mine] == [CallState.LOST, CallState.LOST]
    assert (other.state, queued.state) == (CallState.SENT, CallState.QUEUED)


@pytest.mark.parametrize(("effect", "browser"), [("read", BROWSER), ("read", RESTARTED), ("act", BROWSER)])
def test_a_lost_call_is_delivered_again_under_its_id(effect: Effect, browser: Browser) -> None:
    calls = PendingCalls()
    call = sent(calls, effect)
    calls.lose("b1")
    assert json.loads(calls.deliver(call, browser, 100))["id"] == call.id
    assert calls.settle("b1", Success(call.id, {}))


def test_an_act_is_not_delivered_again_to_an_extension_that_forgot_it() -> None:
    calls = PendingCalls()
    call = sent(calls, "act")
    calls.lose("b1")
    with pytest.raises(OutcomeUnknown):
        calls.deliver(call, RESTARTED, 100)


def test_an_act_that_never_left_may_go_to_a_restarted_browser() -> None:
    calls = PendingCalls()
    call = sent(calls, "act")
    calls.take_back(call)
    assert call.state is CallState.QUEUED
    assert json.loads(calls.deliver(call, RESTARTED, 100))["id"] == call.id


@pytest.mark.parametrize(("effect", "error"), [("read", NotConnected), ("act", OutcomeUnknown)])
def test_a_call_that_breaks_every_connection_is_given_up(effect: Effect, error: type[Exception]) -> None:
    calls = PendingCalls()
    call = sent(calls, effect)
    for _ in range(MAX_DELIVERIES - 1):
        calls.lose("b1")
        calls.deliver(call, BROWSER, 100)
    calls.lose("b1")
    with pytest.raises(error):
        calls.deliver(call, BROWSER, 100)


def test_what_is_said_of_a_call_without_answer_depends_on_what_may_have_happened() -> None:
    calls = PendingCalls()
    read, act, unsent = sent(calls), sent(calls, "act"), calls.open("input.click", {}, "act", "b1")
    assert isinstance(calls.overdue(read, 100), Timeout)
    assert "snapshot" not in str(calls.overdue(read, 100))
    assert isinstance(calls.overdue(act, 100), OutcomeUnknown)
    assert "snapshot" in str(calls.overdue(act, 100))
    calls.lose("b1")
    assert isinstance(calls.overdue(read, 100), NotConnected)
    assert isinstance(calls.overdue(act, 100), OutcomeUnknown)
    assert isinstance(calls.overdue(unsent, 100), NotConnected)


def test_ids_are_never_used_again() -> None:
    calls = PendingCalls()
    first = calls.open("a.b", {}, "read", "b1")
    calls.close(first)
    assert calls.open("a.b", {}, "read", "b1").id != first.id
    assert len(calls) == 1
