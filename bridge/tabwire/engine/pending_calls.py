"""The calls that wait for an answer. No I/O, no clock.

They outlive connections, because a service worker may die and come back while one runs:

    QUEUED ──deliver──► SENT ──settle──► DONE
                        SENT ──lose──► LOST ──deliver (same id)──► SENT

A read that was lost runs again. An act is sent again only to an extension that still has its record of started acts: that one
answers a finished act from the record and joins a running one, so that nothing runs twice. Otherwise its outcome is unknown.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwire.errors import NotConnected, OutcomeUnknown, TabwireError, Timeout
from tabwire.wire.messages import NOTHING_BESIDE, Beside, Browser, Failure, Request, Success

if TYPE_CHECKING:
    from tabwire.commands.declaration import Effect

MAX_DELIVERIES = 3
"""Number of times one call is sent before the breaking connection is taken to be its own fault."""

_FORGOTTEN = (
    "The browser was restarted, or its extension reloaded, and does not know what became of it: "
    "call tab_list, and look at the page before you try again."
)


class CallState(enum.Enum):
    """Stage of a call."""

    QUEUED = "queued"
    SENT = "sent"
    LOST = "lost"
    DONE = "done"


@dataclass(eq=False, slots=True)
class Call:
    """A call and what is known about it."""

    id: int
    method: str
    params: Mapping[str, Any]
    effect: Effect
    browser_id: str
    beside: Beside = NOTHING_BESIDE
    state: CallState = CallState.QUEUED
    answer: Success | Failure | None = None
    deliveries: int = 0
    browser_session: str = ""
    """The `Browser.session` it was first sent to."""
    wake: Callable[[], None] = lambda: None
    """Called after each change the call did not make itself."""

    @property
    def may_have_run(self) -> bool:
        """Whether an act of this call may have happened although nobody answered."""
        return self.effect == "act" and self.deliveries > 0


class PendingCalls:
    """The calls that wait for an answer."""

    def __init__(self) -> None:
        self._calls: dict[int, Call] = {}
        self._last_id = 0

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[Call]:
        return iter(self._calls.values())

    def open(
        self,
        method: str,
        params: Mapping[str, Any],
        effect: Effect,
        browser_id: str,
        beside: Beside = NOTHING_BESIDE,
    ) -> Call:
        """Note a new call. Its id is never used again by this process."""
        self._last_id += 1
        call = Call(self._last_id, method, params, effect, browser_id, beside)
        self._calls[call.id] = call
        return call

    def close(self, call: Call) -> None:
        """Forget a call; a later answer to it is ignored."""
        self._calls.pop(call.id, None)

    def deliver(self, call: Call, browser: Browser, timeout_ms: int) -> str:
        """The frame that asks this browser for the call, the first time or again.

        Raises:
            TabwireError: Asking again could run an act twice, or was tried often enough.
        """
        if call.deliveries:
            forgotten = call.effect == "act" and browser.session != call.browser_session
            if forgotten or call.deliveries >= MAX_DELIVERIES:
                raise self.abandoned(call, _FORGOTTEN if forgotten else None)
        text = Request(call.id, call.method, call.params, timeout_ms, call.beside).encode()
        call.browser_session = browser.session
        call.deliveries += 1
        call.state = CallState.SENT
        return text

    def take_back(self, call: Call) -> None:
        """Undo a delivery of which nothing was written."""
        call.deliveries -= 1
        call.state = CallState.LOST if call.deliveries else CallState.QUEUED

    def settle(self, browser_id: str, answer: Success | Failure) -> bool:
        """Take an answer; False when no call waits for it (unknown, withdrawn, answered already, or another browser's)."""
        call = self._calls.get(answer.id)
        if call is None or call.browser_id != browser_id or call.state is not CallState.SENT:
            return False
        call.answer = answer
        call.state = CallState.DONE
        call.wake()
        return True

    def lose(self, browser_id: str) -> None:
        """A browser's connection is gone: its sent calls wait for it to return, and are woken in order of id."""
        lost = [call for call in self if call.browser_id == browser_id and call.state is CallState.SENT]
        for call in lost:
            call.state = CallState.LOST
        for call in lost:
            call.wake()

    def abandoned(self, call: Call, problem: str | None = None) -> TabwireError:
        """The failure of a call whose browser did not return in time, or must not be asked again.

        Args:
            problem: Why the browser will not return, with what to do, where that is known.
        """
        data = {"method": call.method}
        if call.may_have_run:
            return OutcomeUnknown(
                f"The connection to the browser was lost while {call.method} ran, so whether it happened is unknown.",
                data,
                problem or "Take a snapshot to see the page before you try again.",
            )
        if problem:
            return NotConnected(f"{call.method} was not answered; nothing was changed.", data, problem)
        return NotConnected(
            f"The connection to the browser was lost before {call.method} was answered; nothing was changed.",
            data,
            "Call again; if it keeps failing, check that the browser is running.",
        )

    def overdue(self, call: Call, timeout_ms: int) -> TabwireError:
        """The failure of a call whose time ran out on this side."""
        if call.state in (CallState.LOST, CallState.QUEUED):
            return self.abandoned(call)
        what, data = f"The browser did not answer {call.method} within {timeout_ms} ms", {"timeout_ms": timeout_ms}
        if call.may_have_run:
            return OutcomeUnknown(
                f"{what}, so whether it happened is unknown.",
                {"method": call.method, **data},
                "Take a snapshot to see the page before you try again.",
            )
        return Timeout(f"{what}.", data, "The page may be busy: call again with more time.")
