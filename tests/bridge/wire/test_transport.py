"""The loopback server, with real sockets: who gets in, who is turned away, and what is left behind."""

import asyncio
import json
import os
import socket
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest
from websockets.exceptions import InvalidStatus

from bridge.peer import ORIGIN, Recorder, dial, joined
from tabwire.engine.engine import Engine, Patience
from tabwire.wire import pairing
from tabwire.wire import ports as port_window
from tabwire.wire import transport as transport_module
from tabwire.wire.connection import Disconnected
from tabwire.wire.keys import JoinedKeys, Key, KeyStore, MemoryKeys, new_key
from tabwire.wire.messages import HANDSHAKE_LIMIT, Browser, Event, Success
from tabwire.wire.session import CLOSE_CODES
from tabwire.wire.transport import Transport

pytestmark = pytest.mark.anyio

UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


async def request(port: int | None, text: str) -> str:
    """The whole answer to a hand-written HTTP request."""
    with anyio.fail_after(5):
        async with await anyio.connect_tcp("127.0.0.1", port or 0) as stream:
            await stream.send(text.encode())
            answer = b""
            try:
                while True:
                    answer += await stream.receive()
            except anyio.EndOfStream:
                return answer.decode()


async def test_a_paired_browser_gets_in_and_is_told_who_asks(listen: Callable[..., Transport], key: Key) -> None:
    async with listen(input_mode="dom") as transport:
        recorder = Recorder(transport)
        async with dial(transport, key) as extension:
            await extension.hello()
            challenge = await extension.receive()
            assert pairing.verify(key.secret, "server", extension.transcript(challenge), challenge["mac"])
            assert challenge["server_id"] == transport.server_id
            await extension.auth(challenge)
            assert await extension.receive() == {
                "type": "ready",
                "client": {"name": "Claude", "version": "1"},
                "server_version": "0.1.0",
                "protocol": 1,
                "input": "dom",
                "launched": False,
            }
            assert await recorder.next() == ("connected", Browser("b1", "Work", "UA", "", "0.1.0"))
        assert await recorder.next() == ("lost", "b1")


async def test_a_browser_is_told_whether_it_was_launched_by_its_key(
    listen: Callable[..., Transport], store: KeyStore, key: Key
) -> None:
    launched = new_key()
    async with listen(keys=JoinedKeys(store, MemoryKeys(launched))) as transport:
        transport.set_client("Claude", "2")
        async with dial(transport, key) as own, dial(transport, launched) as ours:
            told = [await own.join(), await ours.join(browser={"id": "b2", "name": "Launched", "user_agent": "UA"})]
    assert [greeting["launched"] for greeting in told] == [False, True]
    assert {greeting["client"]["version"] for greeting in told} == {"2"}


async def test_frames_go_both_ways_and_pings_are_answered(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport:
        recorder = Recorder(transport)
        async with joined(transport, key) as extension:
            await recorder.next()
            await transport.send("b1", '{"id":1}')
            assert await extension.receive() == {"id": 1}
            await extension.send(type="ping", n=9)
            assert await extension.receive() == {"type": "pong", "n": 9}
            await extension.send(type="success", id=1, result={})
            assert await recorder.next() == ("message", "b1", Success(1, {}))
            await extension.send(type="something_new")
            await extension.send(type="event", method="m", params={})
            assert await recorder.next() == ("message", "b1", Event("m"))
        await recorder.next()
        with pytest.raises(Disconnected):
            await transport.send("b1", "{}")


async def test_frames_may_be_large_once_the_browser_is_in(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport:
        recorder = Recorder(transport)
        async with joined(transport, key, max_size=None) as extension:
            await recorder.next()
            large = "x" * 3_000_000
            await extension.send(type="success", id=1, result={"image": large})
            assert await recorder.next() == ("message", "b1", Success(1, {"image": large}))
            await transport.send("b1", json.dumps({"upload": large}))
            assert await extension.receive() == {"upload": large}


async def test_a_frame_over_the_limit_ends_the_connection(
    listen: Callable[..., Transport], key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_module, "MAX_FRAME_BYTES", 100_000)
    async with listen() as transport, joined(transport, key) as extension:
        await extension.send(type="success", id=1, result={"x": "x" * 100_000})
        assert (await extension.end())[0] == 1009


async def test_strangers_may_not_send_large_frames(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport, dial(transport, key) as extension:
        await extension.hello(padding="x" * HANDSHAKE_LIMIT)
        assert (await extension.end())[0] == 1009


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]"])
async def test_a_probe_is_answered_with_nothing(listen: Callable[..., Transport], host: str) -> None:
    async with listen() as transport:
        answer = await request(
            transport.port, f"GET /probe HTTP/1.1\r\nHost: {host}:{transport.port}\r\nOrigin: http://x.test\r\n\r\n"
        )
        assert answer == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        ["evil.test:{port}"],
        ["127.0.0.1"],
        ["127.0.0.1:1"],
        ["127.0.0.1:{port}.evil.test"],
        ["127.0.0.1:{port}", "127.0.0.1:{port}"],
    ],
)
async def test_another_host_is_forbidden_everywhere(listen: Callable[..., Transport], hosts: list[str]) -> None:
    async with listen() as transport:
        lines = "".join(f"Host: {host.format(port=transport.port)}\r\n" for host in hosts)
        for head in ("GET /probe HTTP/1.1\r\n", f"GET / HTTP/1.1\r\nOrigin: {ORIGIN}\r\n{UPGRADE}"):
            answer = await request(transport.port, f"{head}{lines}\r\n")
            assert answer.startswith("HTTP/1.1 403 Forbidden\r\n")
            assert "access-control" not in answer.lower()


@pytest.mark.parametrize(
    "origins",
    [
        [],
        ["null"],
        ["http://127.0.0.1"],
        ["https://evil.test"],
        [f"chrome-extension://{'p' * 32}"],
        [ORIGIN + "/"],
        [ORIGIN.upper()],
        [ORIGIN, ORIGIN],
        [ORIGIN, "https://evil.test"],
    ],
)
async def test_another_origin_is_forbidden(listen: Callable[..., Transport], key: Key, origins: list[str]) -> None:
    async with listen() as transport:
        with pytest.raises(InvalidStatus) as caught:
            async with dial(transport, key, origin=None, additional_headers=[("Origin", origin) for origin in origins]):
                pass
        assert caught.value.response.status_code == 403
        assert transport.last_refusal is None


async def test_another_path_is_not_found(listen: Callable[..., Transport]) -> None:
    async with listen() as transport:
        answer = await request(transport.port, f"GET /json/version HTTP/1.1\r\nHost: localhost:{transport.port}\r\n\r\n")
        assert answer.startswith("HTTP/1.1 404 Not Found\r\n")


async def test_a_program_without_the_key_is_refused_and_the_reason_kept(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport:
        recorder = Recorder(transport)
        async with dial(transport, new_key()) as rogue:
            await rogue.hello()
            assert await rogue.end() == (CLOSE_CODES["unknown_key"], "unknown_key")
        async with dial(transport, Key(key.id, os.urandom(32))) as rogue:
            await rogue.hello()
            await rogue.auth(await rogue.receive())
            assert await rogue.end() == (CLOSE_CODES["wrong_mac"], "wrong_mac")
        assert transport.last_refusal is not None and "tabwire install" in transport.last_refusal
        assert recorder.refusals == 2
        async with joined(transport, key):
            assert transport.last_refusal is None


async def test_a_browser_that_does_not_believe_us_is_remembered(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport:
        async with dial(transport, key) as extension:
            await extension.hello()
            await extension.receive()
            await extension.socket.close(CLOSE_CODES["wrong_mac"])
        await anyio.wait_all_tasks_blocked()
        assert transport.last_refusal is not None and "does not know this bridge's key" in transport.last_refusal


async def test_a_key_taken_back_does_not_work_any_more(listen: Callable[..., Transport], store: KeyStore, key: Key) -> None:
    async with listen() as transport:
        async with dial(transport, key) as extension:
            assert (await extension.join())["type"] == "ready"
        store.remove(key.id)
        async with dial(transport, key) as extension:
            await extension.hello()
            assert (await extension.end())[1] == "unknown_key"


@pytest.mark.parametrize(
    "frame", ["not json", b"\x00\x01", "[]", '{"type":"success","id":1,"result":{}}', '{"type":"ping","n":1}']
)
async def test_nothing_is_understood_before_the_handshake(listen: Callable[..., Transport], key: Key, frame: str | bytes) -> None:
    async with listen() as transport, dial(transport, key) as extension:
        await extension.socket.send(frame)
        assert await extension.end() == (CLOSE_CODES["malformed"], "malformed")


async def test_a_malformed_message_ends_the_connection(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport:
        recorder = Recorder(transport)
        async with joined(transport, key) as extension:
            await extension.socket.send("{")
            assert await extension.end() == (CLOSE_CODES["malformed"], "malformed")
        assert [(await recorder.next())[0] for _ in range(2)] == ["connected", "lost"]


async def test_a_stranger_has_a_limited_time(listen: Callable[..., Transport], key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "HANDSHAKE_S", 0.05)
    async with listen() as transport, dial(transport, key) as extension:
        await extension.hello()
        assert await extension.end() == (CLOSE_CODES["handshake_timeout"], "handshake_timeout")


async def test_one_stranger_too_many_costs_the_one_that_came_least_far_its_place(
    listen: Callable[..., Transport], key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_module, "MAX_UNAUTHENTICATED", 2)
    async with listen() as transport, dial(transport, key) as first:
        await first.hello()
        challenge = await first.receive()
        async with dial(transport, key) as silent, dial(transport, key) as last:
            assert await silent.end() == (CLOSE_CODES["handshake_timeout"], "handshake_timeout")
            await first.auth(challenge)
            assert (await first.receive())["type"] == "ready"
            assert (await last.join(browser={"id": "b2"}))["type"] == "ready"


async def test_silent_strangers_do_not_keep_a_browser_out(
    listen: Callable[..., Transport], key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_module, "MAX_UNAUTHENTICATED", 4)
    async with listen() as transport, AsyncExitStack() as strangers:
        for _ in range(12):
            await strangers.enter_async_context(dial(transport, key))
        async with dial(transport, key) as extension:
            assert (await extension.join())["type"] == "ready"


async def test_a_silent_browser_is_dropped(listen: Callable[..., Transport], key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "SILENCE_S", 0.05)
    monkeypatch.setattr(transport_module, "ANSWER_S", 0.05)
    async with listen() as transport:
        recorder = Recorder(transport)
        async with joined(transport, key) as extension:
            assert await extension.end() == (CLOSE_CODES["silent"], "silent")
        assert [(await recorder.next())[0] for _ in range(2)] == ["connected", "lost"]


async def test_a_silent_browser_that_answers_stays(
    listen: Callable[..., Transport], key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_module, "SILENCE_S", 0.05)
    async with listen() as transport:
        recorder = Recorder(transport)
        async with joined(transport, key) as extension:
            for _ in range(2):
                assert await extension.receive() == {"type": "ping", "n": 0}
                await extension.send(type="pong", n=0)
            await transport.send("b1", '{"id":1}')
            while (frame := await extension.receive()) == {"type": "ping", "n": 0}:
                await extension.send(type="pong", n=0)
            assert frame == {"id": 1}
        assert [(await recorder.next())[0] for _ in range(2)] == ["connected", "lost"]


async def test_a_browser_that_was_restarted_is_told_before_its_first_call(listen: Callable[..., Transport], key: Key) -> None:
    def browser(session: str) -> dict[str, str]:
        return {"id": "b1", "name": "Work", "user_agent": "UA", "session": session}

    async with listen() as transport:
        async with dial(transport, key) as extension:
            await extension.join(browser=browser("one"))
            await transport.send("b1", '{"id":1}')
            assert await extension.receive() == {"id": 1}
        async with dial(transport, key) as extension:
            await extension.join(browser=browser("two"))
            assert await extension.receive() == {"type": "event", "method": "session.known", "params": {"session": "one"}}
        async with dial(transport, key) as extension:
            await extension.join(browser=browser("one"))
            await transport.send("b1", '{"id":2}')
            assert await extension.receive() == {"id": 2}


async def test_a_browser_that_connects_again_takes_its_own_place(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport:
        recorder = Recorder(transport)
        async with dial(transport, key) as old, dial(transport, key) as new:
            await old.join()
            await new.join()
            assert await old.end() == (CLOSE_CODES["replaced"], "replaced")
            assert [(await recorder.next())[0] for _ in range(3)] == ["connected", "lost", "connected"]
            await transport.send("b1", '{"id":1}')
            assert await new.receive() == {"id": 1}
            await new.send(type="event", method="m")
            assert await recorder.next() == ("message", "b1", Event("m"))


async def test_a_copied_profile_does_not_take_the_place_of_its_original(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport:
        recorder = Recorder(transport)
        async with dial(transport, key) as original, dial(transport, key) as copy:
            await original.join(browser={"id": "b1", "name": "Work", "session": "s1"})
            await copy.hello()
            await copy.auth(await copy.receive(), browser={"id": "b1", "name": "Work", "session": "s2"})
            assert await copy.end() == (CLOSE_CODES["duplicate"], "duplicate")
            await transport.send("b1", '{"id":1}')
            assert await original.receive() == {"id": 1}
        assert transport.last_refusal is not None and "copied profile" in transport.last_refusal
        assert [(await recorder.next())[0] for _ in range(2)] == ["connected", "lost"]


async def test_a_browser_that_was_started_again_takes_the_place_of_one_that_does_not_answer(
    listen: Callable[..., Transport], key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_module, "COPY_S", 0.05)
    async with listen() as transport, dial(transport, key) as stopped, dial(transport, key) as new:
        await stopped.join(browser={"id": "b1", "name": "Work", "session": "s1"})
        stopped.socket.transport.pause_reading()
        await new.join(browser={"id": "b1", "name": "Work", "session": "s2"})
        await transport.send("b1", '{"id":1}')
        assert await new.receive() == {"id": 1}
        stopped.socket.transport.resume_reading()
        assert await stopped.end() == (CLOSE_CODES["replaced"], "replaced")


async def test_several_browsers_are_connected_side_by_side(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport, dial(transport, key) as work, dial(transport, key) as home:
        await work.join()
        await home.join(browser={"id": "b2", "name": "Home"})
        await transport.send("b2", '{"for":"home"}')
        await transport.send("b1", '{"for":"work"}')
        assert [await home.receive(), await work.receive()] == [{"for": "home"}, {"for": "work"}]


async def test_the_name_of_the_client_reaches_browsers_and_the_note(
    listen: Callable[..., Transport], key: Key, tmp_path: Path
) -> None:
    async with listen(client_name="", client_version="") as transport:
        async with dial(transport, key) as early, dial(transport, key) as late:
            assert (await early.join())["client"] == {"name": "", "version": ""}
            transport.set_client("Cursor", "2")
            transport.set_client("Cursor", "2")
            cursor = {"name": "Cursor", "version": "2"}
            assert await early.receive() == {"type": "event", "method": "session.client", "params": cursor}
            assert (await late.join(browser={"id": "b2"}))["client"] == cursor
            assert [holder.client for holder in port_window.holders(tmp_path / "run")] == ["Cursor"]


async def test_browsers_are_told_when_another_bridge_listens_and_not_what_a_page_says_of_it(
    listen: Callable[..., Transport], key: Key
) -> None:
    async with listen() as transport, dial(transport, key) as extension:
        await extension.join()
        for header in ("Origin: https://example.com", "Sec-Fetch-Site: none"):
            said = await request(transport.port, f"GET /news HTTP/1.1\r\nHost: 127.0.0.1:{transport.port}\r\n{header}\r\n\r\n")
            assert said.startswith("HTTP/1.1 404 ")
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            free = one.getsockname()[1]
        async with listen(ports=(free,)):
            assert await extension.receive() == {"type": "event", "method": "session.bridges", "params": {}}


async def test_leaving_takes_at_most_a_second_whatever_peers_do(listen: Callable[..., Transport], key: Key) -> None:
    transport = listen()
    async with transport:
        with socket.create_connection(("127.0.0.1", transport.port or 0)):
            raw, writer = await asyncio.open_connection("127.0.0.1", transport.port)
            extension = dial(transport, key)
            client = await extension.__aenter__()
            await client.join()
            # A browser that is stopped reads nothing, not even the close frame.
            client.socket.transport.pause_reading()
            began = time.monotonic()
            await transport.__aexit__(None, None, None)
            assert time.monotonic() - began < 1.5
            writer.close()
            client.socket.transport.abort()
            await extension.__aexit__(None, None, None)
        with pytest.raises(OSError, match=r"refused|All connection attempts failed"):
            await request(transport.port, "GET /probe HTTP/1.1\r\n\r\n")


async def test_leaving_tells_browsers_that_the_bridge_goes(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport, joined(transport, key) as extension:
        await transport.__aexit__(None, None, None)
        assert (await extension.end())[0] == 1001


async def test_the_engine_sends_a_lost_call_again_over_a_new_connection(listen: Callable[..., Transport], key: Key) -> None:
    async with listen() as transport, anyio.create_task_group() as tasks:
        engine = Engine(transport, patience=Patience(first=30, again=30))
        results: list[dict[str, Any]] = []
        done = anyio.Event()

        async def call() -> None:
            results.append(await engine.send("tabs.list", {}, effect="act", timeout_ms=30_000))
            done.set()

        async with joined(transport, key) as extension:
            tasks.start_soon(call)
            first = await extension.receive()
            extension.socket.transport.abort()
        async with joined(transport, key) as extension:
            again = await extension.receive()
            assert (again["id"], again["method"]) == (first["id"], "tabs.list")
            await extension.send(type="success", id=again["id"], result={"tabs": []})
            with anyio.fail_after(5):
                await done.wait()
    assert results == [{"tabs": []}]


@pytest.mark.parametrize(
    ("fetch", "counted"), [("none no-cors", 1), ("cross-site no-cors", 0), ("none navigate", 0), ("", 0)], ids=str
)
async def test_only_an_extension_counts_as_one_that_looks_for_bridges(
    listen: Callable[..., Transport], fetch: str, counted: int
) -> None:
    async with listen() as transport:
        said = dict(zip(("Site", "Mode"), fetch.split(), strict=False))
        headers = "".join(f"Sec-Fetch-{name}: {value}\r\n" for name, value in said.items())
        await request(transport.port, f"GET /probe HTTP/1.1\r\nHost: localhost:{transport.port}\r\n{headers}\r\n")
        assert transport.reception.probes == counted
