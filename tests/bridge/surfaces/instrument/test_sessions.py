"""The instrument surface without a browser: the life of a session, the rule of confidence, the order of calls, its events."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, cast

import anyio
import pytest

from bridge.fake_engine import Surface
from tabwire.browsers.running import LaunchOptions
from tabwire.config import load
from tabwire.errors import InvalidArgument, NoSuchTab, NotConnected, PermissionDenied, SessionNotCreated, TabwireError
from tabwire.surfaces.context import Context
from tabwire.surfaces.instrument import places
from tabwire.surfaces.instrument.confidence import Seen, confidence_of
from tabwire.surfaces.instrument.errors import SessionClosed
from tabwire.surfaces.instrument.events import event_of
from tabwire.surfaces.instrument.lifecycle import TRANSITIONS, Refusal, Status, Step, after
from tabwire.surfaces.instrument.places import Place, Viewport
from tabwire.surfaces.instrument.session import Session, Sessions, Turns
from tabwire.wire.messages import Browser

ACTIVE, ESCALATED, CLOSED = Status
OBSERVE, ESCALATE, ACT, CLOSE = Step

# ---- the life of a session ----------------------------------------------------------------------------------------------

LIFE: dict[tuple[Status, Step], Status | type[TabwireError]] = {
    (ACTIVE, OBSERVE): ACTIVE,
    (ACTIVE, ESCALATE): ESCALATED,
    (ACTIVE, ACT): PermissionDenied,
    (ACTIVE, CLOSE): CLOSED,
    (ESCALATED, OBSERVE): ESCALATED,
    (ESCALATED, ESCALATE): InvalidArgument,
    (ESCALATED, ACT): ESCALATED,
    (ESCALATED, CLOSE): CLOSED,
    **{(CLOSED, step): SessionClosed for step in Step},
}


def session(status: Status = ACTIVE, **facts: Any) -> Session:
    return Session("demo", headless=True, viewport=Viewport(1280, 720), status=status, **facts)


def test_the_table_is_of_every_status_and_step() -> None:
    assert set(LIFE) == set(product(Status, Step))
    assert {key: value for key, value in LIFE.items() if isinstance(value, Status)} == TRANSITIONS


@pytest.mark.parametrize(("status", "step"), LIFE)
def test_a_step_leads_on_or_is_refused_and_changes_nothing(status: Status, step: Step) -> None:
    expected, one = LIFE[status, step], session(status)
    if isinstance(expected, Status):
        assert after(status, step) is expected
        one.take(step)
        assert one.status is expected
        return
    with pytest.raises(Refusal, match=f"{status} cannot {step}"):
        after(status, step)
    with pytest.raises(expected):
        one.take(step)
    assert one.status is status


def test_a_refusal_says_the_way_out() -> None:
    with pytest.raises(PermissionDenied, match="nothing was done") as refused:
        session(ACTIVE).take(ACT)
    assert 'browser_session_escalate {"name": "demo"' in str(refused.value) and refused.value.data["session"] == "demo"
    with pytest.raises(InvalidArgument, match="reason: to test") as again:
        session(ESCALATED, reason="to test").take(ESCALATE)
    assert "browser_act_*" in str(again.value)
    with pytest.raises(SessionClosed, match=r"Its tab was closed\. .*browser_session_create") as closed:
        session(CLOSED, cause="Its tab was closed.").take(OBSERVE)
    assert "browser_inspect_events" in str(closed.value)


@pytest.mark.parametrize(("status", "origins"), [(ACTIVE, ()), (ESCALATED, None), (CLOSED, ())])
def test_only_an_escalated_session_may_act(status: Status, origins: tuple[str, ...] | None) -> None:
    assert session(status).origins == origins


def test_live_sessions_have_names_of_their_own() -> None:
    sessions, first = Sessions(), session()
    sessions.reserve(first)
    with pytest.raises(InvalidArgument, match=r"'demo' is there already \(active\).*browser_session_destroy"):
        sessions.reserve(session())
    sessions.forget(session())
    assert sessions.find("demo") is first, "another one of that name is not forgotten"
    sessions.forget(first)
    sessions.reserve(session())
    assert len(sessions.live) == 1 and sessions.live[0] is not first


# ---- confidence ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "confidence"),
    [
        (Seen(), "low"),
        (Seen(was_meant=True), "high"),
        (Seen(was_meant=True, has_thrown=True), "low"),
        (Seen(was_meant=True, url_changed=True, network_requests=1), "high"),
        (Seen(url_changed=True, network_requests=3), "medium"),
        (Seen(url_changed=True), "medium"),
        (Seen(dom_mutations=1), "medium"),
        (Seen(network_requests=1), "medium"),
        (Seen(console_messages=1), "medium"),
        (Seen(console_messages=1, console_errors=1), "low"),
        (Seen(console_messages=2, console_errors=1), "medium"),
        (Seen(other=1), "medium"),
        (Seen(has_thrown=True), "low"),
        (Seen(has_thrown=True, dom_mutations=1), "medium"),
        (Seen(has_thrown=True, console_messages=1, console_errors=1), "low"),
    ],
)
def test_confidence_is_what_was_seen(seen: Seen, confidence: str) -> None:
    assert confidence_of(seen) == confidence


# ---- order --------------------------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_a_hundred_calls_at_once_keep_their_order_in_each_session() -> None:
    turns, done = Turns(), []

    async def call(name: str, number: int) -> None:
        async with turns.of(name):
            # Later ones would be faster.
            for _ in range((100 - number) % 7):
                await anyio.lowlevel.checkpoint()
            done.append((name, number))

    async with anyio.create_task_group() as tasks:
        for number in range(100):
            tasks.start_soon(call, f"s{number % 4}", number)
    for name in ("s0", "s1", "s2", "s3"):
        assert [number for of, number in done if of == name] == list(range(int(name[1]), 100, 4))
    assert [number for _, number in done] != list(range(100)), "sessions do not wait for each other"
    assert not turns._locks, "nothing is kept of names that nobody waits for"


@pytest.mark.anyio
async def test_a_call_that_is_withdrawn_gives_its_turn_on() -> None:
    turns, done = Turns(), []

    async def call(number: int) -> None:
        async with turns.of("demo"):
            done.append(number)

    async with anyio.create_task_group() as tasks, anyio.create_task_group() as withdrawn:
        async with turns.of("demo"):
            withdrawn.start_soon(call, 1)
            await anyio.wait_all_tasks_blocked()
            tasks.start_soon(call, 2)
            await anyio.wait_all_tasks_blocked()
            withdrawn.cancel_scope.cancel()
            await anyio.wait_all_tasks_blocked()
    assert done == [2]


# ---- events -------------------------------------------------------------------------------------------------------------


def entry(tool: str, **changed: Any) -> dict[str, Any]:
    call = {"event": "call", "time": "T", "tool": tool, "session_id": "1", "session": "demo", "arguments": {}}
    return {**call, "decision": "allowed", "outcome": "done", **changed}


def test_an_entry_of_the_log_becomes_the_documents_event() -> None:
    details = {"selector": "#a", "confidence": "medium"}
    event = event_of(entry("browser_act_click", reason="to see", details=details))
    assert event is not None
    assert event.shown() == {"timestamp": "T", "event_type": "click", "session": "demo", "details": details, "reason": "to see"}


def test_what_failed_or_was_refused_is_an_error_event() -> None:
    refused = event_of(
        entry("browser_act_type", outcome="permission_denied", decision="refused", arguments={"selector": "#p", "text": "x"})
    )
    assert refused is not None and refused.event_type == "error"
    told = {"tool": "browser_act_type", "selector": "#p", "error": "permission_denied", "decision": "refused"}
    assert refused.details == told, "and not what was to be typed"


def test_other_entries_are_no_events() -> None:
    assert event_of(entry("browser_session_list")) is None
    assert event_of(entry("browser_inspect_events")) is None
    assert event_of({"event": "log_opened", "time": "T"}) is None
    without = entry("browser_act_click")
    del without["session_id"]
    assert event_of(without) is None


def test_the_surface_needs_its_log() -> None:
    with pytest.raises(InvalidArgument, match="lives on its event log"):
        load({"toolset": "instrument", "event_log": False}, {})
    assert load({"toolset": "agent", "event_log": False}, {}).event_log is False


# ---- where a session observes -------------------------------------------------------------------------------------------

ANNA, BERT, OURS = (Browser(id, name) for id, name in (("a", "Anna"), ("b", "Bert"), ("o", "Ours")))
HEADED = LaunchOptions(headless=False)


class Present:
    """An engine with these browsers; the others are on their way and do not come."""

    is_expecting = False

    def __init__(self, *present: Browser, bound: str | None = None) -> None:
        self.present = present
        self.default_browser = bound

    async def find(self, wanted: str | None = None) -> Browser:
        raise NotConnected("nobody came")


async def place_with(engine: Present, monkeypatch: pytest.MonkeyPatch, *, ours: Sequence[Browser] = ()) -> str:
    """The browser in which a session that is not headless gets its window; "launched" when it is one of its own."""
    opened: list[str] = []

    async def window(context: Any, browser: Browser, viewport: Viewport) -> Place:
        opened.append(browser.name)
        return Place(browser, 1)

    async def launched(context: Any, options: LaunchOptions, ours: set[str]) -> Place:
        opened.append("launched")
        return Place(OURS, 1)

    async def prepared(*_: Any) -> None: ...

    for name, fake in (("_window", window), ("_launched", launched), ("_prepare", prepared)):
        monkeypatch.setattr(places, name, fake)
    context = Surface("instrument", engine).context
    await places.open_place(context, HEADED, Viewport(1280, 720), {browser.id for browser in ours})
    return opened[0]


@pytest.mark.anyio
async def test_a_window_is_opened_in_the_browser_that_is_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await place_with(Present(ANNA), monkeypatch) == "Anna"
    assert await place_with(Present(ANNA, OURS), monkeypatch, ours=[OURS]) == "Anna", "not in one that has a session of its own"
    assert await place_with(Present(ANNA, BERT, bound="bert"), monkeypatch) == "Bert"
    assert await place_with(Present(OURS), monkeypatch, ours=[OURS]) == "launched"
    assert await place_with(Present(), monkeypatch) == "launched"


@pytest.mark.anyio
async def test_where_it_is_not_clear_which_browser_none_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidArgument, match=r"Anna, Bert.*--browser.*headless: true"):
        await place_with(Present(ANNA, BERT), monkeypatch)
    with pytest.raises(NotConnected, match=r"'Cleo'.*not connected.*headless: true"):
        await place_with(Present(ANNA, bound="Cleo"), monkeypatch)


@pytest.mark.anyio
async def test_without_a_screen_the_way_out_is_headless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "_has_screen", lambda: False)
    context = Surface("instrument", Present(), launcher=object()).context
    with pytest.raises(SessionNotCreated, match="no screen here.*headless: true"):
        await places.open_place(context, HEADED, Viewport(1280, 720), set())


@pytest.mark.anyio
async def test_a_browser_that_was_restarted_has_lost_the_session() -> None:
    def context(*present: Browser) -> Context:
        return Surface("instrument", Present(*present)).context

    before, after_restart = Browser("a", "Anna", session="one"), Browser("a", "Anna", session="two")
    place, failed = Place(before, 7), NotConnected("away")
    assert await places.end_of(context(before), place, failed) is None, "it may come back"
    assert await places.end_of(context(), place, failed) is None
    assert await places.end_of(context(before), place, NoSuchTab("gone")) == "Its tab was closed in the browser."
    assert "restarted" in str(await places.end_of(context(after_restart), place, failed)), "its tab ids mean other tabs now"


# ---- words --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("nothing matches; take a snapshot to see", "nothing matches; read the page with browser_inspect_dom to see"),
        ("It is hidden. Take a new snapshot first", "It is hidden. Read the page with browser_inspect_dom first"),
        ("there is no tab 7; call tab_list to see the open tabs", "there is no tab 7"),
        ('"css=p[" is not valid: no CSS; use @eN, role:button[name="…"], text:…, CSS or xpath=…', '"p[" is not valid: no CSS; write a CSS selector'),
        (
            "it stands still; answer it with the dialog tool (accept or dismiss), or leave the page (navigate, tab_close)",
            "it stands still; answer it in the browser, or leave the page with browser_inspect_navigate",
        ),
        ("a page's own css=word", "a page's own css=word"),
    ],
)  # fmt: skip
def test_an_error_names_the_tools_of_this_surface(theirs: str, ours: str) -> None:
    from tabwire.surfaces.instrument.replies import fail

    told = fail(cast(Any, None), InvalidArgument(theirs, {"fact": 1}))
    assert told.text == f"invalid_argument: {ours}" and told.is_error
    assert told.structured == {"error": "invalid_argument", "message": ours, "data": {"fact": 1}}
