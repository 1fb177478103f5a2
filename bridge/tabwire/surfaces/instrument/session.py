"""Sessions of this bridge that live, and the order of their calls."""

import secrets
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import anyio

from tabwire.errors import InvalidArgument, PermissionDenied, TabwireError
from tabwire.surfaces.instrument.errors import NoSuchSession, SessionClosed
from tabwire.surfaces.instrument.index import Known
from tabwire.surfaces.instrument.lifecycle import Refusal, Status, Step, after
from tabwire.surfaces.instrument.places import Place, Viewport
from tabwire.surfaces.tool import ToolCall

READABLE = "Its events can still be read with browser_inspect_events; browser_session_create begins a new one."


@dataclass(eq=False)
class Session:
    """A session of this bridge. It is also the authority of the rule of escalation: what its status allows."""

    name: str
    headless: bool
    viewport: Viewport
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    status: Status = Status.ACTIVE
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    reason: str | None = None
    """Reason for its escalation."""
    cause: str = ""
    """Reason for its end."""
    _place: Place | None = field(default=None, repr=False)

    @property
    def place(self) -> Place:
        """Place where the session observes."""
        if self._place is None:
            raise NoSuchSession(f"The session {self.name!r} could not be created.")
        return self._place

    def begin(self, place: Place) -> None:
        """Give the session its place."""
        self._place = place
        self.created = datetime.now(UTC)

    @property
    def is_open(self) -> bool:
        """Whether it has a place and is not closed."""
        return self._place is not None and self.status is not Status.CLOSED

    def take(self, step: Step) -> None:
        """Go on to the status that a step leads to.

        Raises:
            TabwireError: it cannot be taken; what to do instead.
        """
        try:
            self.status = after(self.status, step)
        except Refusal as refusal:
            raise self._refused(refusal) from None

    def _refused(self, refusal: Refusal) -> TabwireError:
        if refusal.status is Status.CLOSED:
            return SessionClosed(f"The session {self.name!r} is closed. {self.cause}".rstrip(), next_step=READABLE)
        if refusal.step is Step.ESCALATE:
            return InvalidArgument(
                f"The session {self.name!r} is escalated already (reason: {self.reason}).", next_step="browser_act_* can be used."
            )
        return _not_escalated(self.name)

    # What the rule of escalation asks (surfaces.tool.Authority).

    @property
    def origins(self) -> Collection[str] | None:
        """Escalated it may act everywhere, else nowhere."""
        return None if self.status is Status.ESCALATED else ()

    def refusal(self, call: ToolCall) -> TabwireError:
        """Error for a refused act, with the way out."""
        return self._refused(Refusal(self.status, Step.ACT))


def _not_escalated(name: str) -> PermissionDenied:
    return PermissionDenied(
        f"The session {name!r} only observes: nothing was done.",
        {"session": name, "status": str(Status.ACTIVE), "escalate_with": "browser_session_escalate"},
        f'If observing is not enough, browser_session_escalate {{"name": "{name}", "reason": "why it must act"}} allows acts; '
        "the reason stays in the event log.",
    )


class Sessions:
    """The sessions of this bridge that live, by name."""

    def __init__(self) -> None:
        self._live: dict[str, Session] = {}

    @property
    def live(self) -> tuple[Session, ...]:
        """The oldest first."""
        return tuple(self._live.values())

    def reserve(self, session: Session) -> None:
        """Give a session its name.

        Raises:
            InvalidArgument: another one has it.
        """
        other = self._live.get(session.name)
        if other is not None:
            raise InvalidArgument(
                f"A session named {session.name!r} is there already ({other.status}).",
                next_step="Use that one, take another name, or end it with browser_session_destroy first.",
            )
        self._live[session.name] = session

    def find(self, name: str) -> Session | None:
        """The one of that name that lives."""
        return self._live.get(name)

    def forget(self, session: Session) -> None:
        """Free the name of a session."""
        if self._live.get(session.name) is session:
            del self._live[session.name]

    def missing(self, name: str, known: Known | None, *, is_elsewhere: bool) -> TabwireError:
        """Error that says why there is no session of that name here.

        Args:
            known: the last one of that name in the log.
            is_elsewhere: it lives in another bridge.
        """
        if known is not None and is_elsewhere:
            return NoSuchSession(
                f"The session {name!r} belongs to another bridge that is running, and only its client can use it.",
                next_step="Its events can be read with browser_inspect_events.",
            )
        if known is not None:
            return SessionClosed(f"The session {name!r} is closed. {known.end}".rstrip(), next_step=READABLE)
        names = ", ".join(self._live) or "none"
        return NoSuchSession(f"There is no session {name!r}. Sessions: {names}.", next_step="browser_session_create begins one.")


class Turns:
    """The calls for one name run one after the other, in the order they came in."""

    def __init__(self) -> None:
        self._locks: dict[str, anyio.Lock] = {}

    @asynccontextmanager
    async def of(self, name: str) -> AsyncIterator[None]:
        """Wait for the turn, and keep it."""
        lock = self._locks.setdefault(name, anyio.Lock())
        try:
            async with lock:
                yield
        finally:
            statistics = lock.statistics()
            if not statistics.locked and not statistics.tasks_waiting and self._locks.get(name) is lock:
                del self._locks[name]
