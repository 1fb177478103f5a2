"""The port a bridge listens on: taking it, noting it, and saying who holds those it could not have."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from tabwire.engine.engine import Engine, Patience
from tabwire.errors import NotConnected
from tabwire.wire import ports as port_window
from tabwire.wire.transport import Transport

pytestmark = pytest.mark.anyio


async def test_the_note_on_the_port_is_there_as_long_as_the_bridge(listen: Callable[..., Transport], tmp_path: Path) -> None:
    async with listen() as transport:
        (holder,) = port_window.holders(tmp_path / "run")
        assert (holder.port, holder.pid, holder.client, holder.version) == (transport.port, os.getpid(), "Claude", "0.1.0")
    assert list((tmp_path / "run").iterdir()) == []


async def test_a_second_bridge_takes_the_next_port_and_a_third_says_who_holds_them(listen: Callable[..., Transport]) -> None:
    async with listen() as first, listen() as spare:
        assert first.port and spare.port
        window = [first.port, spare.port]
        await spare.__aexit__(None, None, None)
        async with listen(ports=window) as second, listen(ports=window) as third:
            assert second.port == spare.port
            assert third.port is None
            assert third.problem is not None
            for part in (str(first.port), str(second.port), f"process {os.getpid()}", "Claude"):
                assert part in third.problem
            engine = Engine(third, patience=Patience(first=30))
            with anyio.fail_after(5), pytest.raises(NotConnected) as caught:
                await engine.send("tabs.list", {}, effect="read", timeout_ms=1000)
            assert str(caught.value) == third.problem


async def test_ports_held_by_other_programs_are_said_to_be(listen: Callable[..., Transport]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        async with listen(ports=[other.getsockname()[1]]) as transport:
            assert transport.problem is not None
            assert f"port {other.getsockname()[1]} is taken" in transport.problem
            assert "programs other than tabwire" in transport.problem


async def test_it_listens_on_loopback_only(listen: Callable[..., Transport]) -> None:
    async with listen() as transport:
        assert [door.address for door in transport._listeners] == ["127.0.0.1"]
