"""A call in a home where no browser was ever connected: it says the code of one that asks, and goes on with it once it is allowed."""

import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal

import anyio
import pytest
from websockets.exceptions import InvalidStatus

from bridge.newcomer import Newcomer, newcomer
from bridge.peer import dial
from polling import until_async
from tabwire.engine import first_pairing
from tabwire.engine.engine import Engine
from tabwire.engine.first_pairing import FirstPairing
from tabwire.engine.questions import Question, told_to
from tabwire.errors import NotConnected
from tabwire.wire import pairing_desk, peer_user
from tabwire.wire.desk_claim import DeskClaim
from tabwire.wire.keys import KeyStore, new_key
from tabwire.wire.transport import Transport

pytestmark = pytest.mark.anyio
Listen = Callable[..., Transport]
MISSING = NotConnected("No browser is connected to this bridge.", next_step="Load it.")


class Bridge:
    """A bridge that is served, and a call to it that has found no browser."""

    def __init__(self, transport: Transport, store: KeyStore, run_dir: Path, answer_s: float) -> None:
        self.transport = transport
        self.engine = Engine(transport)
        self.pairing = FirstPairing(self.engine, transport.open_desk, store, run_dir, answer_s)

    async def refused(self) -> NotConnected:
        """The failure of the call."""
        with pytest.raises(NotConnected) as caught, anyio.fail_after(10):
            await self.pairing.admit(MISSING)
        return caught.value

    async def is_desk_open(self) -> bool:
        try:
            async with newcomer(self.transport) as one:
                assert (await one.hear())["type"] == "pairing_offer"
                return True
        except InvalidStatus:
            return False


@asynccontextmanager
async def serving(listen: Listen, store: KeyStore, run_dir: Path, answer_s: float = 10) -> AsyncIterator[Bridge]:
    async with listen() as transport:
        bridge = Bridge(transport, store, run_dir, answer_s)
        yield bridge
        bridge.pairing.close()


@asynccontextmanager
async def asking(bridge: Bridge) -> AsyncIterator[tuple[Newcomer, str]]:
    """A browser that has asked, and its code as it is shown."""
    async with newcomer(bridge.transport) as one:
        code = await one.ask()
        yield one, f"{code[:3]} {code[3:]}"


@pytest.fixture(autouse=True)
def short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_pairing, "LOOK_S", 0.1)
    monkeypatch.setattr(first_pairing, "CODE_S", 0.3)


async def test_a_reply_says_the_code_and_the_next_call_goes_through_when_it_is_allowed(
    listen: Listen, store: KeyStore, tmp_path: Path
) -> None:
    store.create("a folder that nobody has loaded")
    async with serving(listen, store, tmp_path / "run") as bridge:
        assert not await bridge.is_desk_open()
        told = await bridge.refused()
        assert "Load it. If Tabwire is in Chrome from its store" in str(told) and "code" not in told.data
        async with asking(bridge) as (one, code):
            told = await bridge.refused()
            assert f"The code is {code}." in str(told) and told.data == {"code": code}
            through = anyio.Event()

            async def call() -> None:
                await bridge.pairing.admit(MISSING)
                through.set()

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call)
                async with dial(bridge.transport, await one.allow()) as extension:
                    assert not through.is_set()
                    await extension.join()
                    with anyio.fail_after(5):
                        await through.wait()
        # The browser is gone, and its key is known: nobody else is let in.
        await until_async(lambda: not bridge.engine.browsers)
        assert await bridge.refused() is MISSING
        assert not await bridge.is_desk_open()


async def test_another_code_ends_the_wait_and_is_told(listen: Listen, store: KeyStore, tmp_path: Path) -> None:
    async with serving(listen, store, tmp_path / "run") as bridge:
        await bridge.refused()
        async with asking(bridge) as (one, first):
            assert first in str(await bridge.refused())
            async with anyio.create_task_group() as tasks:
                heard: list[NotConnected] = []

                async def call() -> None:
                    heard.append(await bridge.refused())

                tasks.start_soon(call)
                await one.socket.send(json.dumps({"type": "pairing_answer", "allowed": False}))
                assert await one.end() == "not_allowed"
        assert "It was not allowed in the browser" in str(heard[0])
        async with asking(bridge) as (one, second):
            assert second in str(await bridge.refused()) and second != first


async def test_of_two_bridges_of_one_home_one_leads_the_desk_until_it_ends(
    listen: Listen, store: KeyStore, tmp_path: Path
) -> None:
    run_dir = tmp_path / "run"
    async with serving(listen, store, run_dir) as first, serving(listen, store, run_dir) as second:
        await first.refused()
        note = run_dir / "pairing-desk"
        note.write_text(f"{os.getppid()} {time.time() + 60:.0f}\n")
        assert "connected by another program" in str(await second.refused())
        assert not await first.is_desk_open() and not await second.is_desk_open()
        note.write_text(f"{os.getppid()} {time.time() - 1:.0f}\n")
        await second.refused()
        assert await second.is_desk_open()
        # A command that a person has typed goes before calls.
        assert DeskClaim(run_dir).take(60.0, from_others=True)


async def test_a_home_that_takes_no_claim_is_named_and_no_other_program(listen: Listen, store: KeyStore, tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    run_dir.mkdir()
    (run_dir / "pairing-desk").mkdir()
    async with serving(listen, store, run_dir) as bridge:
        said = str(await bridge.refused())
    assert f"No browser can be connected: {run_dir} cannot be written" in said and "another program" not in said
    assert "TABWIRE_HOME" in said


async def test_a_client_that_can_ask_its_user_waits_at_once_and_their_no_ends_the_exchange(
    listen: Listen, store: KeyStore, tmp_path: Path
) -> None:
    questions: list[Question] = []
    async with serving(listen, store, tmp_path / "run") as bridge:
        await bridge.refused()
        async with asking(bridge) as (one, code), anyio.create_task_group() as tasks:

            async def call() -> None:
                with told_to(questions.append):
                    assert "It was not confirmed" in str(await bridge.refused())

            tasks.start_soon(call)
            await until_async(lambda: questions)
            assert code in questions[0].words and questions[0].from_client and questions[0].answered
            await questions[0].answered("later")
            assert await one.end() == "not_allowed"
        assert [key for key in store.all() if key.browser_id] == []


@pytest.mark.parametrize("says", ["once", "later"])
async def test_where_the_system_does_not_tell_whose_program_asks_the_client_s_user_has_the_last_word(
    says: Literal["once", "later"], listen: Listen, store: KeyStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer_user, "is_told", lambda: False)
    of_nobody_known = partial(pairing_desk.PairingDesk, whose=lambda peer, here: None)
    monkeypatch.setattr(pairing_desk, "PairingDesk", of_nobody_known)
    async with serving(listen, store, tmp_path / "run") as bridge:
        assert await bridge.refused() is MISSING and not await bridge.is_desk_open(), "nobody could confirm it"
        questions: list[Question] = []
        with told_to(questions.append):
            await bridge.refused()
            async with asking(bridge) as (one, _), anyio.create_task_group() as tasks:
                tasks.start_soon(bridge.pairing.admit if says == "once" else bridge.refused, *[MISSING][: says == "once"])
                await until_async(lambda: questions)
                answer = {"type": "pairing_answer", "allowed": True, "mac": one.agreed.proof("extension")}
                await one.socket.send(json.dumps(answer))
                assert questions[0].answered
                await questions[0].answered(says)
                if says == "later":
                    assert await one.end() == "not_allowed"
                else:
                    assert (await one.hear())["type"] == "pairing_done"
                    async with dial(bridge.transport, new_key(secret=one.agreed.key)) as extension:
                        await extension.join()


def test_serving_imports_the_desk_only_where_it_is_opened() -> None:
    script = "import sys, tabwire.app; print(*[name for name in sys.modules if name.startswith('tabwire.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    desk = {f"tabwire.wire.{name}" for name in ("desk_claim", "key_agreement", "pairing_desk", "pairing_session", "peer_user")}
    assert "tabwire.engine.first_pairing" in done.stdout.split() and not desk & set(done.stdout.split())
