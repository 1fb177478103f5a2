"""The first browser of a home, from a store and so without a key: given one while a call waits, by a click of its person.

A call that finds no browser opens the desk, and its reply says the code that the person compares. The next call, and one whose
client can put the question to them, waits until they have pressed Allow. Where a browser was ever connected no desk is opened.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from tabwire.engine.call_wait import wait_reason
from tabwire.engine.questions import Answer, Question, asker
from tabwire.errors import NotConnected, TabwireError

if TYPE_CHECKING:
    from tabwire.engine.engine import Engine
    from tabwire.wire.desk_claim import DeskClaim
    from tabwire.wire.keys import KeyStore
    from tabwire.wire.pairing_desk import PairingDesk

LOOK_S = 2.0
"""Tabwire's page, while a person has it open, looks for a desk every second."""
CODE_S = 5.0
"""Time from that look to a code."""
OPEN_S = 300.0
"""Time for which the desk stays open after the last call that found no browser."""

_WHERE = "Tabwire's page in Chrome (Tabwire's button in the toolbar, then Connect this browser)"
_FROM_A_STORE = f"If Tabwire is in Chrome from its store: open {_WHERE}, then call again: the reply has a code to compare."
_ELSEWHERE = (
    "A browser is being connected by another program of this computer: the code to compare is shown there. Then call again."
)


@dataclass(eq=False)
class FirstPairing:
    """See the module docstring."""

    engine: Engine
    """The engine knows which browsers are connected."""
    open_desk: Callable[[PairingDesk], None]
    """Has the bridge answer browsers without a key."""
    keys: KeyStore
    """Store of a new key."""
    run_dir: Path
    """The folder of the notes of this home's bridges."""
    answer_s: float
    """Seconds that a call waits for the person."""

    def __post_init__(self) -> None:
        self._desk: PairingDesk | None = None
        self._claim: DeskClaim | None = None
        self._opened_at = 0.0
        self._open_until = 0.0
        self._looked_at = -math.inf
        """The time at which a program has last asked if the desk is there: Tabwire's page, most likely."""
        self._code = ""
        self._told = ""
        """The code that a reply has said."""
        self._confirmed = ""
        """The code that the person has confirmed in the client."""
        self._can_confirm = False
        self._news = ""
        self._change = anyio.Event()

    async def admit(self, missing: NotConnected) -> None:
        """Wait for a browser that asks for a key; return when one is connected.

        Args:
            missing: The failure of a call that found no browser.

        Raises:
            NotConnected: None is connected yet: with the code, where one has asked.
        """
        refusal = await self._open()
        if refusal is not None:
            raise NotConnected(missing.message, missing.data, refusal) if refusal else missing
        await self._until(lambda: bool(self._code) or self._is_looked_for(), self._opened_at + LOOK_S - anyio.current_time())
        if self._is_looked_for():
            await self._until(lambda: bool(self._code), CODE_S)
        code = self._code
        if code and (self._ask() or code == self._told):
            await self._wait_for_allow(code)
        if not self.engine.browsers:
            raise self._still_missing(missing)

    async def _open(self) -> str | None:
        """Open the desk, or keep it open; None: it is. Otherwise the next step, "" for the usual one."""
        from tabwire.wire import peer_user

        self._can_confirm = asker() is not None
        if self._is_known() or not (peer_user.is_told() or self._can_confirm):
            return ""
        if self._claim is None:
            from tabwire.wire.desk_claim import DeskClaim

            self._claim = DeskClaim(self.run_dir)
        try:
            if not await anyio.to_thread.run_sync(self._claim.take, OPEN_S):
                return _ELSEWHERE
        except TabwireError as error:
            return str(error)
        now = anyio.current_time()
        is_over = now >= self._open_until and not self._code
        if is_over:
            self._opened_at = now
        # A desk counts its tries over one wait.
        if self._desk is None or self._desk.browser_id is not None or is_over:
            from tabwire.wire.pairing_desk import Asking, PairingDesk

            person = Asking(self._say, self._show_code, self._confirm)
            self._desk = PairingDesk(self.keys, person, is_open=self._is_open)
            self.open_desk(self._desk)
        self._open_until = now + OPEN_S
        return None

    def _is_known(self) -> bool:
        """Whether a browser of this home was ever connected. The key of a folder that nobody has loaded names none."""
        try:
            return any(key.browser_id or self.keys.last_used(key.id) for key in self.keys.all())
        except TabwireError:
            return True

    def _is_open(self) -> bool:
        """Whether an exchange may begin; asked at each look of a browser."""
        is_open = (
            self._desk is not None
            and self._desk.browser_id is None
            and anyio.current_time() < self._open_until
            and self._claim is not None
            and self._claim.is_held()
            and not self._is_known()
        )
        if is_open:
            self._looked_at = anyio.current_time()
            self._changed()
        return is_open

    def _is_looked_for(self) -> bool:
        return anyio.current_time() - self._looked_at < LOOK_S

    def close(self) -> None:
        """Answer no browser any more, and leave the desk to other bridges."""
        self._open_until = 0.0
        if self._claim is not None:
            self._claim.release()

    # The wait.

    async def _wait_for_allow(self, code: str) -> None:
        reason = wait_reason()
        reason.text = f"waiting for the user to press Allow in Tabwire's page in Chrome, which must show the code {code}"
        try:
            await self._until(lambda: self._code != code and not self._is_given(), self.answer_s)
        finally:
            reason.text = ""

    def _is_given(self) -> bool:
        """Whether a browser has proved its new key: its connection stands a moment later."""
        return self._desk is not None and self._desk.browser_id is not None

    async def _until(self, is_enough: Callable[[], bool], limit_s: float) -> None:
        """Wait until something is so, or a browser is connected; no longer than the limit."""
        with anyio.move_on_after(max(limit_s, 0.0)):
            while not is_enough() and not self.engine.browsers:
                await self._next_change()

    async def _next_change(self) -> None:
        async with anyio.create_task_group() as tasks:

            async def wait_for_browser() -> None:
                # One may have joined before this began.
                if not self.engine.browsers:
                    await self.engine.changed()
                tasks.cancel_scope.cancel()

            tasks.start_soon(wait_for_browser)
            await self._change.wait()
            tasks.cancel_scope.cancel()

    def _still_missing(self, missing: NotConnected) -> NotConnected:
        if not self._code:
            how = f"{missing.next_step or ''} {_FROM_A_STORE}".strip()
            return NotConnected(f"{missing.message} {self._news}".rstrip(), missing.data, how)
        self._told = self._code
        return NotConnected(
            f"Chrome asks the user for permission to work with this program. The code is {self._code}.",
            {"code": self._code},
            f"Tell the user: open {_WHERE}, compare the code {self._code}, and press Allow there only if it is the same. Then "
            "call again: that call waits for them.",
        )

    # The person.

    def _ask(self) -> bool:
        """Put the question to the client's user, where the client can; whether it can."""
        tell = asker()
        if tell is None:
            return False
        words = (
            f"Tabwire's page in Chrome asks whether programs on this computer may work in that browser. It must show the code "
            f"{self._code}. Only if it does, press Allow there, and accept here."
        )
        what = f"connect Chrome, code {self._code}"
        tell(Question("", "", what, "this computer", from_client=True, words=words, answered=self._hear(self._code)))
        return True

    def _hear(self, code: str) -> Callable[[Answer], Awaitable[None]]:
        async def hear(said: Answer) -> None:
            if code != self._code or self._desk is None:
                return
            if said == "once":
                self._confirmed = code
                self._changed()
            else:
                self._desk.refuse()

        return hear

    async def _confirm(self) -> bool:
        """The person's word in the client that the page shows the code. The desk bounds the wait."""
        code = self._code
        while self._can_confirm and self._confirmed != code:
            await self._change.wait()
        return self._confirmed == code

    def _show_code(self, code: str) -> None:
        self._code = code
        if code:
            self._news = ""
        self._changed()

    def _say(self, text: str) -> None:
        self._news = text
        self._changed()

    def _changed(self) -> None:
        change, self._change = self._change, anyio.Event()
        change.set()
