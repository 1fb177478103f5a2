"""State of the surface while it is served, and its calls about sessions: create, list, escalate, destroy, events."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from tabwire.browsers.running import LaunchOptions
from tabwire.commands.kept_text import masked
from tabwire.errors import InvalidArgument, PermissionDenied, TabwireError
from tabwire.surfaces.context import Context
from tabwire.surfaces.instrument import places
from tabwire.surfaces.instrument.errors import NoSuchSession, SessionClosed
from tabwire.surfaces.instrument.events import SESSION_ENDED
from tabwire.surfaces.instrument.index import Index, Known
from tabwire.surfaces.instrument.lifecycle import Status, Step
from tabwire.surfaces.instrument.liveness import Living, is_alive
from tabwire.surfaces.instrument.places import Place, Viewport
from tabwire.surfaces.instrument.session import READABLE, Session, Sessions, Turns
from tabwire.surfaces.tool import Next, Run, ToolCall, ToolResult

if TYPE_CHECKING:
    from tabwire.config import Config

FOLDER = "sessions"
INDEX = "index.sqlite"
LISTED = 100
"""Sessions from the log that are listed, at most."""
END_SECONDS = 1.0
"""A client kills a server that takes long to end."""

Result = dict[str, Any]
InPlace = Callable[[ToolCall, Place], Awaitable[Any]]

log = logging.getLogger(__name__)


class Instrument:
    """The sessions of this bridge, and what is known of all others.

    Args:
        context: that of the server.
        living: tells other bridges that this one lives.
        index: of the event log.
        launch: what every launched browser has in common.
    """

    def __init__(self, context: Context, living: Living, index: Index, launch: LaunchOptions) -> None:
        self.context = context
        self.living = living
        self.index = index
        self.launch = launch
        self.sessions = Sessions()
        self.turns = Turns()
        self.launched: set[str] = set()
        """Browsers that were launched for sessions, by id."""

    async def known(self, name: str) -> Known | None:
        """The last session of that name in the log."""
        return await anyio.to_thread.run_sync(self.index.latest, name)

    def lives(self, known: Known) -> bool:
        """Whether it is open in a bridge that is running."""
        return known.closed is None and is_alive(self.living.folder, known.bridge)

    async def missing(self, name: str) -> TabwireError:
        """Error that says why no session of that name can be used here."""
        known = await self.known(name)
        elsewhere = known is not None and known.bridge != self.living.id and self.lives(known)
        return self.sessions.missing(name, known, is_elsewhere=elsewhere)

    def end(self, session: Session, cause: str) -> None:
        """A session has lost its place: no call has asked for its end."""
        session.take(Step.CLOSE)
        session.cause = cause
        self.sessions.forget(session)
        if self.context.events is not None:
            entry = {"event": SESSION_ENDED, "surface": "instrument", "session": session.name, "session_id": session.id}
            self.context.events.append({**entry, "cause": masked(cause)})

    async def close_all(self) -> None:
        """The bridge ends: windows of sessions are closed as far as there is time. Launched browsers end with their launcher."""
        open_ones = [session for session in self.sessions.live if session.is_open]
        for session in open_ones:
            self.end(session, "Its bridge was ended.")
        with anyio.move_on_after(END_SECONDS, shield=True):
            async with anyio.create_task_group() as ends:
                for session in open_ones:
                    if session.place.instance is None:
                        ends.start_soon(self._close_window, session.place)

    async def _close_window(self, place: Place) -> None:
        with suppress(TabwireError):
            await places.close(self.context.for_call(), place)


def of(call: ToolCall) -> Instrument:
    """State of the surface in this call."""
    instrument: Instrument = call.context.surface
    return instrument


@asynccontextmanager
async def opened(config: Config, context: Context) -> AsyncIterator[Context]:
    """Open the surface's state, as `Toolset.opened` requires.

    Raises:
        InvalidArgument: there is no event log.
    """
    if context.events is None:
        raise InvalidArgument("The instrument surface lives on its event log; take event_log = false out of the configuration.")
    folder = config.home_dir() / FOLDER
    living = Living(folder)
    instrument = Instrument(context, living, Index(folder / INDEX, config.events_dir()), config.launch_options())
    instrument.context = context = replace(context, surface=instrument)
    try:
        yield context
    finally:
        await instrument.close_all()
        living.close()


def name_in(call: ToolCall) -> str | None:
    """The name of the session that a call is for, before its arguments are validated."""
    argument = getattr(call.tool.model, "session_argument", None)
    name = None if argument is None else call.arguments.get(argument)
    return name.strip() if isinstance(name, str) else None


async def note_session(call: ToolCall, call_next: Next) -> ToolResult:
    """Rule: the entries of a call in the event log name its session."""
    call.noted.update(_session_of(call))
    return await call_next()


def _session_of(call: ToolCall) -> Result:
    """The session that a call is for, if it is open."""
    name = name_in(call)
    session = None if name is None or call.tool.model.creates else of(call).sessions.find(name)  # type: ignore[attr-defined]
    return {} if session is None or not session.is_open else {"session_id": session.id, "session": session.name}


async def in_turn(call: ToolCall, call_next: Next) -> ToolResult:
    """Rule: the calls of one session run in the order they came in."""
    name = name_in(call)
    if name is None:
        return await call_next()
    async with of(call).turns.of(name):
        # The calls before it may have begun the session, or ended it.
        call.noted.update(_session_of(call))
        return await call_next()


def authority_of(call: ToolCall) -> Session | None:
    """Session whose permission an act needs, for the rule of escalation; None for other calls, which need none."""
    name = name_in(call) if call.intent == "act" else None
    return None if name is None else of(call).sessions.find(name)


def in_session(step: Step, run: InPlace) -> Run:
    """Make a tool that works in a session's place."""

    async def work(call: ToolCall) -> Any:
        instrument = of(call)
        session = await _open_session(call)
        session.take(step)
        if step is Step.ACT:
            _refuse_unlogged(call)
        place = session.place
        call.context = call.context.naming(place.browser.id)
        try:
            return await run(call, place)
        except TabwireError as error:
            cause = await places.end_of(call.context, place, error)
            if cause is None:
                raise
            instrument.end(session, cause)
            was_sent = any(sent.command.intends() == "act" for sent in call.context.sent)
            unknown = " It is not known whether this act was done before." if was_sent else ""
            raise SessionClosed(f"The session {session.name!r} is closed. {cause}{unknown}", next_step=READABLE) from error

    return work


def _refuse_unlogged(call: ToolCall) -> None:
    """Raises: PermissionDenied: the reason of this call could not be written down."""
    if problem := call.context.unlogged:
        raise PermissionDenied(
            f"{problem}; an act needs its reason there, so nothing was done.", next_step="Make room for the log."
        )


async def _open_session(call: ToolCall) -> Session:
    """Raises: TabwireError: there is none of that name that can be used here, and why."""
    name = name_in(call) or ""
    session = of(call).sessions.find(name)
    if session is None or not session.is_open:
        raise await of(call).missing(name)
    return session


async def create(call: ToolCall) -> Result:
    """Begin a session. It can only observe."""
    asked, instrument = call.parameters, of(call)
    session = Session(asked.name, asked.headless, Viewport(asked.viewport_width, asked.viewport_height))
    options = replace(instrument.launch, headless=asked.headless)
    instrument.sessions.reserve(session)
    try:
        session.begin(await places.open_place(call.context, options, session.viewport, instrument.launched))
    except BaseException:
        instrument.sessions.forget(session)
        raise
    details = {"viewport": str(session.viewport), "headless": session.headless, **session.place.facts}
    call.noted.update(session_id=session.id, session=session.name, bridge=instrument.living.id, details=details)
    return {"session": _of_live(session), "note": f"It observes in {session.place.words}; acts need browser_session_escalate."}


async def list_sessions(call: ToolCall) -> Result:
    """List the sessions of this bridge, those of other bridges that run, and closed ones of the log."""
    instrument = of(call)
    for session in instrument.sessions.live:
        if session.is_open and (cause := await places.end_of(call.context, session.place)) and session.is_open:
            instrument.end(session, cause)
    here = {session.id: _of_live(session) for session in instrument.sessions.live if session.is_open}
    known = await anyio.to_thread.run_sync(instrument.index.sessions, LISTED)
    past = [_of_known(one, is_open=instrument.lives(one)) for one in known if one.id not in here]
    return {"sessions": [*past, *here.values()]}


async def escalate(call: ToolCall) -> Result:
    """Let a session act, for a reason that is kept."""
    session = await _open_session(call)
    _refuse_unlogged(call)
    session.take(Step.ESCALATE)
    session.reason = call.parameters.reason
    return {"session": _of_live(session), "note": "Acts are allowed now; each needs a reason of its own and is logged."}


async def destroy(call: ToolCall) -> Result:
    """End a session and close what it has opened, and nothing else."""
    instrument, session = of(call), await _open_session(call)
    session.take(Step.CLOSE)
    note = None
    try:
        note = await places.close(call.context, session.place)
    finally:
        # Whatever became of its window: the session is over.
        instrument.sessions.forget(session)
    call.noted["details"] = {"note": masked(note)} if note else {}
    return {
        "session": {"name": session.name, "id": session.id, "status": str(session.status)},
        **({"note": note} if note else {}),
    }


async def inspect_events(call: ToolCall) -> Result:
    """The events of a session, also of one that is closed: the last one of that name."""
    instrument, name = of(call), name_in(call) or ""
    session = instrument.sessions.find(name)
    if session is not None and session.is_open:
        which, status = session.id, session.status
    else:
        known = await instrument.known(name)
        if known is None:
            raise NoSuchSession(
                f"There is no session {name!r}, and the log knows none of that name.",
                next_step="browser_session_list shows all sessions.",
            )
        which, status = known.id, _status(known, is_open=instrument.lives(known))
    events = await anyio.to_thread.run_sync(instrument.index.events, which)
    shown = [event.shown() for event in events]
    return {"session": name, "id": which, "status": str(status), "events": shown, "count": len(shown)}


def _of_live(session: Session) -> Result:
    return {
        "name": session.name,
        "id": session.id,
        "status": str(session.status),
        "created": session.created.isoformat(timespec="milliseconds"),
        "headless": session.headless,
        "viewport": str(session.viewport),
        "where": session.place.words,
        **({"reason": session.reason} if session.reason else {}),
    }


def _of_known(known: Known, *, is_open: bool) -> Result:
    ended = {"ended": known.end} if known.end else {}
    told = {"elsewhere": "It belongs to another bridge that is running."} if is_open else ended
    return {
        "name": known.name,
        "id": known.id,
        "status": str(_status(known, is_open=is_open)),
        "created": known.created,
        **{name: known.details[name] for name in ("headless", "viewport") if name in known.details},
        **({"closed": known.closed} if known.closed else {}),
        **({"reason": known.reason} if known.reason else {}),
        **told,
    }


def _status(known: Known, *, is_open: bool) -> Status:
    if not is_open:
        return Status.CLOSED
    return Status.ESCALATED if known.escalated else Status.ACTIVE
