"""Pairing of a browser that has no key, as one from a store, while a person waits for it at a terminal or in an MCP client.

One exchange at a time; a key counts as long as its exchange is open, and is kept when a browser proves in the ordinary handshake
that it has it. A bridge without a desk answers no exchange.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import anyio

from tabwire.errors import TabwireError
from tabwire.wire import peer_user
from tabwire.wire.keys import Key, KeyStore, MemoryKeys, new_key
from tabwire.wire.pairing_session import PairingSession
from tabwire.wire.session import Refused

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

    from tabwire.wire.messages import Browser

MAX_TRIES = 12
"""Exchanges in one wait. Each has a code of its own, and a person who has to compare so many is being played with."""
EXCHANGE_S = 5.0
DECISION_S = 120.0
"""Time for a person to find the page and compare."""
PROOF_S = 15.0
"""Time for the browser to come back with the new key."""

_SAID = {
    "not_allowed": "It was not allowed in the browser. Nothing was kept: Look again in Tabwire's page starts anew.",
    "gone": "The browser has ended the exchange. Nothing was kept: Tabwire's page in it, when it is open, asks again.",
    "late": "Nobody has answered in the browser. Nothing was kept: Look again in Tabwire's page starts anew.",
    "several": "Two browsers have asked at the same time, and neither was answered. Close Tabwire's page in the browser that "
    "is not meant, then press Look again in the other one.",
    "other_user": "A program of another user of this computer has asked and was refused.",
    "unconfirmed": "It was not confirmed here. Nothing was kept.",
    "pairing_over": f"There were {MAX_TRIES} tries. No more are answered: find out who asks, then start this program again.",
}


@dataclass(frozen=True, slots=True)
class Asking:
    """The person who waits for the browser.

    Args:
        say: Tells them what has become of an exchange.
        show_code: Shows them the code to compare; "" when it counts no more.
        confirm: Asks them whether the page shows the code, where the system does not tell whose program asks; None when they
            cannot be asked.
    """

    say: Callable[[str], None]
    show_code: Callable[[str], None]
    confirm: Callable[[], Awaitable[bool]] | None = None


@dataclass(eq=False)
class PairingDesk:
    """See the module docstring."""

    keys: KeyStore
    """Store of a new key."""
    person: Asking
    """The person who is asked."""
    decision_s: float = DECISION_S
    """Seconds that the person in the browser has."""
    whose: Callable[[tuple[str, int], tuple[str, int]], bool | None] = peer_user.is_own
    """Whether a connection is of this user, by its two ends."""
    is_open: Callable[[], bool] = lambda: True
    """Whether exchanges may begin now."""

    def __post_init__(self) -> None:
        self.pending = MemoryKeys()
        """Keys that were agreed on and not proved yet."""
        self.browser_id: str | None = None
        """The browser whose new key was kept last."""
        self._agreed: dict[str, Key] = {}
        self._current: anyio.CancelScope | None = None
        self._end = ""
        """Reason for which the current exchange was cancelled."""
        self._tries = 0
        self._told: set[str] = set()

    async def converse(self, connection: ServerConnection, session: PairingSession) -> None:
        """Lead an exchange from its beginning to its end.

        Raises:
            Refused: The connection must be closed.
        """
        is_own = await anyio.to_thread.run_sync(self.whose, connection.remote_address[:2], connection.local_address[:2])
        if is_own is False:
            raise self._refused("other_user", once=True)
        if self._current is not None:
            self._cancel("several")
            raise self._refused("several")
        if self._tries >= MAX_TRIES:
            raise self._refused("pairing_over", once=True)
        self._tries += 1
        with anyio.CancelScope() as scope:
            self._current = scope
            try:
                await self._exchange(connection, session, is_own=is_own)
            finally:
                self._current = None
                self.person.show_code("")
        if scope.cancelled_caught:
            raise Refused(self._end)

    def refuse(self) -> None:
        """The person has said no in another place than the browser."""
        if self._current is not None:
            self.person.say(_SAID["unconfirmed"])
            self._cancel("not_allowed")

    def _cancel(self, reason: str) -> None:
        self._end = reason
        if self._current is not None:
            self._current.cancel()

    async def _exchange(self, connection: ServerConnection, session: PairingSession, *, is_own: bool | None) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            done = await self._ask(connection, session)
            if not is_own:
                await self._confirm()
            await self._await_proof(connection, session, done)
        except ConnectionClosed:
            if session.code:
                self.person.say(_SAID["gone"])
            raise

    async def _ask(self, connection: ServerConnection, session: PairingSession) -> str:
        """Agree on a key, and wait for the person's answer in the browser; the last frame."""
        try:
            with anyio.fail_after(EXCHANGE_S):
                await connection.send(session.offer())
                reveal = session.advance(await connection.recv())
                assert reveal is not None
                await connection.send(reveal)
        except TimeoutError:
            raise Refused("handshake_timeout") from None
        self.person.show_code(shown(session.code))
        try:
            with anyio.fail_after(self.decision_s):
                while not (done := session.advance(await connection.recv())):
                    pass
        except TimeoutError:
            raise self._refused("late", reason="handshake_timeout") from None
        except Refused as refused:
            raise self._refused(refused.reason) from None
        return done

    async def _confirm(self) -> None:
        """The person's word at the terminal: any program of this computer may say that it was allowed in the browser."""
        is_confirmed = False
        with anyio.move_on_after(self.decision_s):
            is_confirmed = self.person.confirm is not None and await self.person.confirm()
        if not is_confirmed:
            raise self._refused("unconfirmed", reason="not_allowed")

    async def _await_proof(self, connection: ServerConnection, session: PairingSession, done: str) -> None:
        assert session.agreed is not None
        key = new_key(secret=session.agreed.key)
        self._agreed[key.id] = key
        self.pending.add(key)
        try:
            await connection.send(done)
            with anyio.move_on_after(PROOF_S):
                await connection.wait_closed()
            if key.id in self._agreed:
                self.person.say(_SAID["gone"])
        finally:
            self._agreed.pop(key.id, None)
            self.pending.remove(key.id)

    def keep(self, key_id: str, browser: Browser) -> bool:
        """Keep the key of a browser that has just proved to have it; whether it is a new one.

        Raises:
            Refused: It cannot be kept.
        """
        agreed = self._agreed.pop(key_id, None)
        if agreed is None:
            return False
        try:
            self.keys.add(replace(agreed, label=browser.name, browser_id=browser.id))
        except (OSError, TabwireError) as error:
            self.person.say(f"The key of this browser cannot be kept: {error}")
            raise Refused("not_allowed", str(error)) from None
        self.browser_id = browser.id
        return True

    def forget(self, key_id: str) -> None:
        """Take a kept key back: its browser has not heard that it counts."""
        self.keys.remove(key_id)
        self.browser_id = None

    def _refused(self, why: str, *, reason: str = "", once: bool = False) -> Refused:
        if why in _SAID and not (once and why in self._told):
            self.person.say(_SAID[why])
        self._told.add(why)
        return Refused(reason or why)


def shown(code: str) -> str:
    """A code in two groups, as the page shows it."""
    return f"{code[: len(code) // 2]} {code[len(code) // 2 :]}"
