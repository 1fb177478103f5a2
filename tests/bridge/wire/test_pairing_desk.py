"""A bridge at which a person waits: who is given a key, who is not, and what is kept of an exchange that does not come to its end."""

import io
import json
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress

import anyio
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bridge.newcomer import newcomer
from bridge.peer import dial
from polling import until_async
from tabwire.cli import first_run
from tabwire.errors import UnsupportedOperation
from tabwire.wire import key_agreement, pairing_desk, peer_user
from tabwire.wire.keys import Key, KeyStore
from tabwire.wire.pairing_desk import Asking, PairingDesk
from tabwire.wire.transport import Transport

pytestmark = pytest.mark.anyio
Listen = Callable[..., Transport]


class Person:
    """The person at the terminal."""

    def __init__(self, *answers: bool) -> None:
        self.heard: list[str] = []
        self.codes: list[str] = []
        self._answers = list(answers)

    def asking(self) -> Asking:
        return Asking(self.heard.append, self.codes.append, self._confirm if self._answers else None)

    async def _confirm(self) -> bool:
        return self._answers.pop()


def kept(store: KeyStore) -> list[Key]:
    return [key for key in store.all() if key.browser_id]


async def test_a_key_is_kept_once_a_browser_has_proved_that_it_has_it(listen: Listen, store: KeyStore) -> None:
    person = Person()
    async with listen(desk=PairingDesk(store, person.asking())) as transport:
        async with newcomer(transport) as one:
            code = await one.ask()
            await until_async(lambda: person.codes)
            assert person.codes == [f"{code[:3]} {code[3:]}"]
            key = await one.allow()
            assert kept(store) == []
            async with dial(transport, key) as extension:
                await extension.join()
                assert [(known.id, known.label, known.browser_id) for known in kept(store)] == [(key.id, "Work", "b1")]
        # The exchange is over, and the key goes on to count.
        async with dial(transport, key) as extension:
            await extension.join()
        async with newcomer(transport) as one:
            await one.ask()
            again = await one.allow()
            async with dial(transport, again) as extension:
                await extension.join()
        assert [known.id for known in kept(store)] == [again.id], "a browser has one key"


async def test_a_key_counts_no_longer_than_its_exchange(listen: Listen, store: KeyStore) -> None:
    person = Person()
    async with listen(desk=PairingDesk(store, person.asking())) as transport:
        async with newcomer(transport) as one:
            await one.ask()
            key = await one.allow()
        await until_async(lambda: any("ended the exchange" in text for text in person.heard))
        async with dial(transport, key) as extension:
            await extension.hello()
            assert (await extension.end())[1] == "unknown_key"
        assert kept(store) == []


async def test_who_is_not_allowed_or_proves_nothing_is_given_no_key(listen: Listen, store: KeyStore) -> None:
    desk = PairingDesk(store, Person().asking(), decision_s=0.2)
    async with listen(desk=desk) as transport:
        for answer, reason in (
            ({"allowed": False}, "not_allowed"),
            ({"allowed": True, "mac": key_agreement.new_nonce()}, "wrong_mac"),
            (None, "handshake_timeout"),
        ):
            async with newcomer(transport) as one:
                await one.ask()
                if answer is not None:
                    await one.socket.send(json.dumps({"type": "pairing_answer", **answer}))
                assert await one.end() == reason
        assert kept(store) == [] and not desk.pending.holds("")


async def test_of_two_at_once_neither_is_answered_and_the_next_one_is(listen: Listen, store: KeyStore) -> None:
    person = Person()
    async with listen(desk=PairingDesk(store, person.asking())) as transport:
        async with newcomer(transport) as first, newcomer(transport) as second:
            assert {await first.end(), await second.end()} == {"several"}
        assert any("neither was answered" in text for text in person.heard)
        async with newcomer(transport) as one:
            await one.ask()


async def test_a_program_of_another_user_is_refused_however_often_it_asks(listen: Listen, store: KeyStore) -> None:
    person = Person()
    answers = [True, *[False] * 5]
    async with listen(desk=PairingDesk(store, person.asking(), whose=lambda peer, here: answers.pop())) as transport:
        for _ in range(5):
            async with newcomer(transport) as one:
                assert await one.end() == "other_user"
        assert len(person.heard) == 1
        async with newcomer(transport) as one:
            await one.ask()


@pytest.mark.parametrize(("answers", "is_given"), [((), False), ((False,), False), ((True,), True)])
async def test_where_the_system_does_not_tell_whose_program_asks_the_person_at_the_terminal_has_the_last_word(
    answers: tuple[bool, ...], is_given: bool, listen: Listen, store: KeyStore
) -> None:
    person = Person(*answers)
    async with listen(desk=PairingDesk(store, person.asking(), whose=lambda peer, here: None)) as transport:
        async with newcomer(transport) as one:
            await one.ask()
            if is_given:
                async with dial(transport, await one.allow()) as extension:
                    await extension.join()
            else:
                answer = {"type": "pairing_answer", "allowed": True, "mac": one.agreed.proof("extension")}
                await one.socket.send(json.dumps(answer))
                assert await one.end() == "not_allowed"
        assert len(kept(store)) == is_given


@pytest.mark.parametrize(("typed", "is_confirmed"), [("yes\n", True), ("Y\n", True), ("\n", False), ("no\n", False), ("", False)])
async def test_only_yes_confirms_at_the_terminal(typed: str, is_confirmed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    with anyio.fail_after(5):
        assert await first_run.confirm() is is_confirmed


async def test_after_many_tries_nobody_is_answered_any_more(
    listen: Listen, store: KeyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_desk, "MAX_TRIES", 2)
    async with listen(desk=PairingDesk(store, Person().asking())) as transport:
        for reason in ("malformed", "malformed", "pairing_over"):
            async with newcomer(transport) as one:
                with suppress(ConnectionClosed):
                    await one.socket.send("{}")
                assert await one.end() == reason


async def test_a_key_that_cannot_be_kept_is_not_given(listen: Listen, store: KeyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(key: Key) -> None:
        raise UnsupportedOperation("no room")

    monkeypatch.setattr(store, "add", fail)
    person = Person()
    async with listen(desk=PairingDesk(store, person.asking())) as transport, newcomer(transport) as one:
        await one.ask()
        async with dial(transport, await one.allow()) as extension:
            await extension.hello()
            await extension.auth(await extension.receive())
            assert (await extension.end())[1] == "not_allowed"
        assert any("no room" in text for text in person.heard)


async def test_a_page_and_another_extension_get_nowhere(listen: Listen, store: KeyStore) -> None:
    person = Person()
    async with listen(desk=PairingDesk(store, person.asking())) as transport:
        assert await look(transport) == 204
        for origin in ("https://example.com", f"chrome-extension://{'b' * 32}", "null"):
            with pytest.raises(InvalidStatus, match="403"):
                async with newcomer(transport, origin):
                    pass
        assert await look(transport, Host="evil.example") == 403
        assert person.heard == []


async def test_a_bridge_where_nobody_waits_pairs_with_nobody(listen: Listen) -> None:
    async with listen() as transport:
        assert await look(transport) == 404
        with pytest.raises(InvalidStatus, match="404"):
            async with newcomer(transport):
                pass


async def look(transport: Transport, **headers: str) -> int:
    def get() -> int:
        request = urllib.request.Request(f"http://127.0.0.1:{transport.port}/pair", headers=headers)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    return await anyio.to_thread.run_sync(get)


TABLE = """  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:45E2 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1
   1: 0100007F:45E2 0100007F:BBA6 01 00000000:00000000 00:00000000 00000000     0        0 2
   2: 0100007F:BBA6 0100007F:45E2 01 00000000:00000000 00:00000000 00000000  1001        0 3
"""


async def test_the_table_of_connections_tells_whose_program_has_dialled() -> None:
    here, peer = ("127.0.0.1", 0x45E2), ("127.0.0.1", 0xBBA6)
    assert peer_user.owner_in(TABLE.splitlines(), peer, here) == 1001
    assert peer_user.owner_in(TABLE.splitlines(), here, peer) == 0
    assert peer_user.owner_in(TABLE.splitlines(), ("127.0.0.1", 1), here) is None
    named = ["p812", "f23", f"n{here[0]}:{here[1]}->{peer[0]}:{peer[1]}", "f24", f"n{peer[0]}:{peer[1]}->{here[0]}:{here[1]}"]
    assert peer_user.is_listed(named, peer, here) and not peer_user.is_listed(named[:3], peer, here)
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert peer_user.is_own(client.getsockname(), client.getpeername()) is True
