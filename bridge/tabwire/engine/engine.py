"""Calls to a browser: find it, ask it, wait, and say what became of the call.

The engine knows neither MCP nor WebSockets. It speaks through a `Link` (the transport; in tests a fake) and keeps each call's
deadline, cancellation, choice of browser and second delivery after a lost connection in one place.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import anyio

from tabwire.engine import browser_choice
from tabwire.engine.call_wait import CallWait, wait_reason
from tabwire.engine.ended_browsers import EndedBrowsers
from tabwire.engine.patience import Patience
from tabwire.engine.pending_calls import Call, CallState, PendingCalls
from tabwire.engine.questions import ANSWERED_EVENT, Question
from tabwire.errors import InvalidArgument, NotConnected, TabwireError, from_wire
from tabwire.wire.connection import Disconnected, Link, Reception
from tabwire.wire.messages import (
    BROWSER_EVENT,
    NOTHING_BESIDE,
    Beside,
    Browser,
    Event,
    Failure,
    Malformed,
    Success,
    encode_cancel,
    renamed,
)

if TYPE_CHECKING:
    from tabwire.commands.declaration import Effect

MAX_CALLS = 64
CANCEL_LIMIT_S = 1.0
REMEMBERED_S = 180.0
"""A browser that left counts so long among several, so that what is offered does not change with each restart."""

EventCallback: TypeAlias = Callable[[Browser, str, Mapping[str, Any]], None]

logger = logging.getLogger(__name__)


class Engine:
    """Runs commands in connected browsers.

    Args:
        link: The way to the browsers.
        extension_dir: The folder to load in Chrome, named to those who have not.
        patience: How long to wait for a browser.
    """

    def __init__(self, link: Link, *, extension_dir: str | Path | None = None, patience: Patience | None = None) -> None:
        self.default_browser: str | None = None
        """Name or id of the browser for calls that name none: they go to no other one."""
        self._expecting = False
        self._problem: str | None = None
        self._link = link
        self._extension_dir = extension_dir
        self._patience = patience or Patience()
        self._calls = PendingCalls()
        self._slots = anyio.CapacityLimiter(MAX_CALLS)
        self._connected: dict[str, Browser] = {}
        self._lost: dict[str, tuple[Browser, float]] = {}
        self._ended = EndedBrowsers()
        self._seeking = 0
        """Calls that wait for a browser while none is there."""
        self._used: str | None = None
        """Id of the browser the last call went to."""
        self._change = anyio.Event()
        self._callbacks: list[EventCallback] = []
        self._waits: dict[int, CallWait] = {}
        link.attach(self)

    @property
    def browsers(self) -> Sequence[Browser]:
        """The connected browsers, longest connected first."""
        return tuple(self._connected.values())

    @property
    def has_several(self) -> bool:
        """Whether a call may have to name its browser: more than one is connected or was in the last minutes."""
        since = anyio.current_time() - REMEMBERED_S
        away = [key for key, (_, lost_at) in self._lost.items() if lost_at > since or key == self._used]
        ended = self._used in self._ended and not self._ended.is_succeeded(self._used)
        return len(self._connected) + len(away) + ended > 1

    async def several_changed(self, told: bool) -> bool:
        """Wait until `has_several` is no longer what was told, and return what it is."""
        while self.has_several is told:
            with anyio.move_on_after(self._next_forgotten()):
                await self._change.wait()
        return not told

    async def changed(self) -> None:
        """Wait until a browser joins, leaves, is refused, or takes another name."""
        await self._change.wait()

    def _next_forgotten(self) -> float:
        """Seconds until the next browser that left stops counting."""
        now = anyio.current_time()
        return min((left for _, lost_at in self._lost.values() if (left := lost_at + REMEMBERED_S - now) > 0), default=math.inf)

    def label(self, browser: Browser) -> str:
        """Name of a browser that tells it from the others connected."""
        return browser_choice.label(self._connected.get(browser.id, browser), self._connected.values())

    def expect_browser(self) -> None:
        """A browser of our own is starting, or will start for the next call: calls wait longer for the first one."""
        self._expecting = True
        self._problem = None
        self._changed()

    def expect_successor(self, browser_id: str) -> None:
        """Note that the owner of this launched browser waits for `sought` after its end and starts another one."""
        self._ended.expect_successor(browser_id)

    async def sought(self) -> None:
        """Wait until a call looks for a browser while none is there."""
        while not self._seeking:
            await self._change.wait()

    def give_up(self, problem: str) -> None:
        """No browser will come (a launch failed, its browser ended): calls fail with this text, until one connects after all."""
        self._expecting = False
        self._problem = problem
        self._changed()

    def browser_ended(self, browser_id: str, problem: str) -> None:
        """A browser of our own will not come back: its calls fail now, those that name it later at once, with this text.

        Args:
            browser_id: Its id; it need not have connected.
            problem: What became of it, and what to do about it: whole sentences.
        """
        lost = self._lost.pop(browser_id, None)
        browser = self._connected.pop(browser_id, None) or (lost[0] if lost else Browser(browser_id, browser_id))
        self._ended.add(browser, problem)
        self._expecting = self._expecting or self._ended.is_succeeded(browser_id)
        self._calls.lose(browser_id)
        self._changed()

    def on_event(self, callback: EventCallback) -> Callable[[], None]:
        """Have a function called with (browser, method, params) for each event; returns what stops it."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    def set_client_info(self, name: str, version: str) -> None:
        """Say who the MCP client is; saying it again costs nothing."""
        self._link.set_client(name, version)

    @property
    def present(self) -> Sequence[Browser]:
        """The connected browsers, and those that left a moment ago and may be coming back."""
        return tuple(self._present())

    @property
    def is_expecting(self) -> bool:
        """Whether a browser of our own is starting."""
        return self._expecting

    @property
    def departed(self) -> Sequence[Browser]:
        """The browsers that were connected and are not, the latest first."""
        return tuple(browser for browser, _ in reversed(self._lost.values()))

    @property
    def ended(self) -> Sequence[tuple[Browser, str]]:
        """The browsers of our own that will not come back, each with why, the latest first."""
        return self._ended.all

    @property
    def problem(self) -> str | None:
        """Reason why no browser can be there, with what to do about it; None when nothing stands in the way."""
        return self._problem or self._link.problem

    @property
    def reception(self) -> Reception:
        """Facts about the peers that have connected."""
        return self._link.reception

    def missing_since(self, browser_id: str) -> float | None:
        """Seconds for which a browser that was connected has been gone; None when it is here or never was."""
        lost = self._lost.get(browser_id)
        return None if lost is None else anyio.current_time() - lost[1]

    async def send(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        effect: Effect,
        timeout_ms: int,
        browser: str | None = None,
        told: Callable[[Mapping[str, Any]], None] | None = None,
        beside: Beside = NOTHING_BESIDE,
    ) -> dict[str, Any]:
        """Run one command and return its result.

        Cancelling this withdraws the call from the browser.

        Args:
            method: Wire method, `domain.verb`.
            params: Its parameters, defaults filled in.
            effect: "read" may be asked again after a lost connection; "act" never runs twice.
            timeout_ms: The extension's time for it; this side waits one second more.
            browser: Name or id; may be left out while one browser is connected.
            told: Called with what the browser says the call was about (`Success.about`), also when it failed there.
            beside: What is said of the call besides. Outside `only_origins` the browser refuses acts, by the address that is
                there at that moment.

        Raises:
            TabwireError: It failed, in the browser or on the way.
        """
        async with self._slots:
            target = await self.find(browser)
            return await self._call(target.id, method, params, effect, timeout_ms, told, beside)

    async def answer_question(self, question: Question, answer: Literal["once", "later"]) -> None:
        """Tell a browser what the client's user says to a question of its extension. It decides what that counts."""
        await self.tell(question.browser_id, ANSWERED_EVENT, {"question": question.id, "answer": answer})

    async def tell(self, browser_id: str, method: str, params: Mapping[str, Any]) -> None:
        """Send a browser an event. One that is away misses it."""
        with suppress(TabwireError):
            await self._link.send(browser_id, Event(method, dict(params)).encode())

    async def ask(self, browser_id: str, method: str, params: Mapping[str, Any], *, timeout_ms: int) -> dict[str, Any]:
        """Read something of one browser to see whether it answers: waits for no other calls, and chooses nothing.

        Raises:
            TabwireError: It failed, in the browser or on the way.
        """
        return await self._call(browser_id, method, params, "read", timeout_ms)

    async def _call(
        self,
        browser_id: str,
        method: str,
        params: Mapping[str, Any],
        effect: Effect,
        timeout_ms: int,
        told: Callable[[Mapping[str, Any]], None] | None = None,
        beside: Beside = NOTHING_BESIDE,
    ) -> dict[str, Any]:
        beside = replace(beside, asking_ms=round(self._patience.answer * 1000))
        call = self._calls.open(method, params, effect, browser_id, beside)
        wait = self._waits[call.id] = CallWait(browser_id, timeout_ms)
        try:
            answer = await self._run(call, wait, timeout_ms)
        finally:
            self._calls.close(call)
            del self._waits[call.id]
        if told is not None:
            told(answer.about)
        if isinstance(answer, Failure):
            raise from_wire(answer.error, answer.message, answer.data)
        return answer.result

    async def _run(self, call: Call, wait: CallWait, timeout_ms: int) -> Success | Failure:
        try:
            with wait.scope:
                return await self._exchange(call, wait)
        except anyio.get_cancelled_exc_class():
            await self._withdraw(call)
            raise
        if call.answer is not None:
            return call.answer
        error = self._calls.overdue(call, timeout_ms)
        await self._withdraw(call)
        raise error

    async def _exchange(self, call: Call, wait: CallWait) -> Success | Failure:
        """Deliver until answered: each turn ends with an answer, or with the loss of the connection it went to."""
        while True:
            browser = await self._await_return(call)
            woken, change = anyio.Event(), self._change
            call.wake = woken.set
            text = self._frame(call, browser, wait.left_ms)
            try:
                await self._link.send(browser.id, text)
            except Disconnected:
                if call.state is not CallState.DONE:
                    self._calls.take_back(call)
                    await change.wait()
                continue
            await woken.wait()
            if call.answer is not None:
                return call.answer

    def _frame(self, call: Call, browser: Browser, timeout_ms: int) -> str:
        try:
            return self._calls.deliver(call, browser, timeout_ms)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArgument(f"The parameters of {call.method} cannot be written as JSON: {error}.") from None

    async def _withdraw(self, call: Call) -> None:
        """Tell the browser that nobody waits any more, in bounded time and although we are being cancelled."""
        if call.state is not CallState.SENT:
            return
        with anyio.move_on_after(CANCEL_LIMIT_S, shield=True):
            try:
                await self._link.send(call.browser_id, encode_cancel(call.id))
            except Disconnected:
                logger.debug("call %d was withdrawn after its connection was lost", call.id)

    async def _await_return(self, call: Call) -> Browser:
        """The browser of a call, after waiting for it to come back if it is away."""
        while call.browser_id not in self._connected:
            if problem := self._problem or self._ended.why(call.browser_id):
                self._told(call.browser_id)
                raise self._calls.abandoned(call, problem)
            lost = self._lost.get(call.browser_id)
            left = lost[1] + self._patience.again - anyio.current_time() if lost else 0.0
            change = self._change
            with anyio.move_on_after(max(left, 0.0)) as waiting:
                await change.wait()
            if waiting.cancelled_caught:
                raise self._calls.abandoned(call)
        return self._connected[call.browser_id]

    async def find(self, wanted: str | None = None) -> Browser:
        """The browser a call is for, after waiting for it if there is reason to.

        Args:
            wanted: Name or id. None means the one set by configuration, else the only one.

        Raises:
            InvalidArgument: Several fit.
            NotConnected: None does.
        """
        bound = wanted is None and self.default_browser is not None
        wanted = wanted if wanted is not None else self.default_browser
        used, began = self._used, anyio.current_time()
        with anyio.move_on_after(self._waiting_time(wanted, bound)) as waiting:
            while True:
                if problem := self._problem or self._link.problem:
                    raise NotConnected(problem)
                browser = self._choose(wanted, bound, used)
                if browser is not None and browser.id in self._connected:
                    return self._taken(browser)
                if browser is None and (problem := self._ended_instead(wanted)):
                    raise NotConnected(problem)
                # The browser may have ended meanwhile, and another one is on its way.
                waiting.deadline = max(waiting.deadline, began + self._waiting_time(wanted, bound))
                await self._until_changed()
        raise self._not_connected(wanted, bound)

    async def _until_changed(self) -> None:
        if self._connected:
            await self._change.wait()
            return
        self._seeking += 1
        reason = wait_reason()
        reason.text = "waiting for the browser to connect"
        try:
            if self._seeking == 1:
                self._changed()
            await self._change.wait()
        finally:
            self._seeking -= 1
            reason.text = ""

    def _ended_instead(self, wanted: str | None) -> str | None:
        """Reason why the wanted browser will not come, if it has ended. The latest of them counts."""
        if wanted is None:
            return self._ended.why(self._used) if self._used and not self._expecting else None
        ended = self._ended.named(wanted, self._expecting)
        if ended is None:
            return None
        self._told(ended.id)
        return self._ended.why(ended.id)

    def _taken(self, browser: Browser) -> Browser:
        if self._used != browser.id:
            self._used = browser.id
            self._changed()
        return browser

    def _waiting_time(self, wanted: str | None, bound: bool) -> float:
        if self._expecting and not self._connected:
            return self._patience.launch
        if wanted is None or bound or not self._connected:
            return self._patience.again if self._connected or self._lost else max(self._patience.first, self._link.wake_left_s)
        # Others are here: this one is waited for as long as it may be returning, else only in case it is just joining.
        returns = [lost_at for browser, lost_at in self._lost.values() if browser_choice.matching(wanted, [browser])]
        left = max(returns, default=-math.inf) + self._patience.again - anyio.current_time()
        return max(left, self._patience.first)

    def _told(self, browser_id: str) -> None:
        """A call has failed with the news that this browser has ended: those that begin from now on may go to its successor."""
        if self._used == browser_id and self._ended.is_succeeded(browser_id):
            self._used = None

    def _choose(self, wanted: str | None, bound: bool, used: str | None) -> Browser | None:
        """Choose the browser that is meant among those that are here or just left; None when there is none yet.

        Args:
            used: The one that this client had used when the call began.
        """
        present = self._present()
        if wanted is not None:
            present = browser_choice.matching(wanted, present)
        if len(present) > 1:
            raise browser_choice.ambiguous(wanted, bound, present)
        if not present:
            return None
        gone = self._lost.get(used or "", (self._ended.find(used or ""), 0))[0]
        if wanted is None and gone and gone.id != present[0].id:
            if not self._ended.is_succeeded(gone.id):
                raise browser_choice.moved(gone, present[0])
            if present[0].id in self._connected:
                self._told(gone.id)
                raise browser_choice.succeeded(gone, present[0])
        return present[0]

    def _present(self) -> list[Browser]:
        # A browser whose worker is being restarted still counts, else a call that names none would go to the other one.
        since = anyio.current_time() - self._patience.again
        away = [browser for browser, lost_at in self._lost.values() if lost_at > since]
        return [*self._connected.values(), *away]

    def _not_connected(self, wanted: str | None, bound: bool) -> TabwireError:
        lost = [browser for browser, _ in self._lost.values()]
        refusal = self._link.last_refusal
        if wanted is not None and (self._connected or lost):
            return browser_choice.missing(wanted, bound, list(self._connected.values()), lost)
        if lost:
            return browser_choice.lost(lost[-1], refusal)
        if self._ended.all:
            return NotConnected(self._ended.all[0][1])
        which = f" This one is bound to {wanted!r} by --browser." if wanted is not None and bound else ""
        how = browser_choice.how_to_connect(refusal, self._extension_dir, self._link.last_visit)
        return NotConnected(f"No browser is connected to this bridge.{which}", next_step=how)

    def _changed(self) -> None:
        change, self._change = self._change, anyio.Event()
        change.set()

    # What the link tells us (link.Receiver).

    def browser_connected(self, browser: Browser) -> None:
        """A browser is there; calls that wait for it go on."""
        self._expecting = False
        self._problem = None
        self._lost.pop(browser.id, None)
        self._ended.remove(browser.id)
        self._connected[browser.id] = browser
        self._changed()

    def browser_lost(self, browser_id: str) -> None:
        """A browser is away; its calls wait for it."""
        browser = self._connected.pop(browser_id, None)
        if browser is None:
            return
        self._lost.pop(browser_id, None)
        self._lost[browser_id] = (browser, anyio.current_time())
        self._calls.lose(browser_id)
        self._changed()

    def browser_refused(self) -> None:
        """Report that a browser was turned away; the link's `reception` says why."""
        self._changed()

    def message_received(self, browser_id: str, message: Success | Failure | Event) -> None:
        """An answer or an event arrived."""
        if not isinstance(message, Event):
            if not self._calls.settle(browser_id, message):
                logger.debug("nobody waits for the answer to call %d", message.id)
            return
        browser = self._connected.get(browser_id)
        if browser is None:
            return
        if message.method == BROWSER_EVENT:
            browser = self._rename(browser, message)
        elif wait := self._waits.get(message.params.get("call", 0)):
            wait.hear(browser_id, message.method, message.params)
        for callback in tuple(self._callbacks):
            try:
                callback(browser, message.method, message.params)
            except Exception:
                logger.exception("a callback failed on event %r", message.method)

    def _rename(self, browser: Browser, message: Event) -> Browser:
        """Note that a browser's owner has given it another name."""
        try:
            browser = self._connected[browser.id] = renamed(browser, message.params)
        except Malformed as error:
            logger.debug("the new name of browser %r is none: %s", browser.name, error)
        self._changed()
        return browser
