"""The listener on the network, with real sockets: TLS, the token before the upgrade, and what strangers may cost."""

import asyncio
import contextlib
import logging
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from bridge.certificate import unverified, write_certificate
from bridge.network import network_address
from bridge.peer import ORIGIN, Extension, Recorder, dial
from polling import until_async
from tabwire.config import load
from tabwire.diagnosis.round_trips import try_server
from tabwire.errors import InvalidArgument
from tabwire.wire import listeners, tls, unauthenticated
from tabwire.wire import ports as port_window
from tabwire.wire.keys import JoinedKeys, Key, KeyStore, MemoryKeys, new_key
from tabwire.wire.listeners import Listen, RemoteAddress, address_of
from tabwire.wire.messages import Success
from tabwire.wire.session import CLOSE_CODES
from tabwire.wire.transport import Transport

pytestmark = pytest.mark.anyio

UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
Open = Callable[..., Any]


def remote(transport: Transport) -> RemoteAddress:
    address = transport.address_for_remote()
    assert address is not None
    return address


def place(transport: Transport) -> tuple[str, int]:
    return address_of(remote(transport).address.partition("//")[2])


def shown(token: str | None) -> list[str]:
    return ["tabwire1", f"tabwire.token.{token}"]


@asynccontextmanager
async def come_in(transport: Transport, key: Key, **options: Any) -> AsyncIterator[Extension]:
    """The extension's end of a connection at the door on the network, with all that is asked for there."""
    address = remote(transport)
    options = {
        "origin": ORIGIN,
        "compression": None,
        "proxy": None,
        "open_timeout": 5,
        "close_timeout": 1,
        "ssl": unverified() if address.spki else None,
        "subprotocols": shown(address.token) if address.token else None,
        **options,
    }
    async with connect(f"{address.address}/", **options) as connection:
        yield Extension(connection, key, place(transport)[1])


async def request(transport: Transport, text: str) -> str:
    """The whole answer to a hand-written request inside TLS."""
    with anyio.fail_after(5):
        reader, writer = await asyncio.open_connection(*place(transport), ssl=unverified())
        writer.write(text.encode())
        answer = await reader.read()
        writer.close()
        return answer.decode()


@pytest.fixture
def network(listen: Callable[..., Transport], tmp_path: Path) -> Open:
    """Makes a bridge that listens on the network as well."""
    return lambda **change: listen(listen=Listen(network_address(), 0, tmp_path / "home"), **change)


@pytest.fixture
def guarded(listen: Callable[..., Transport], tmp_path: Path) -> Open:
    """The same on loopback, where a test can come from several addresses: with a certificate, so there is TLS, and without token."""

    def make(**change: Any) -> Transport:
        certificate, key = write_certificate(tmp_path / "tls", "127.0.0.1")
        return listen(listen=Listen("127.0.0.1", 0, tmp_path / "home", certificate, key), **change)

    return make


# ---- who gets in ----------------------------------------------------------------------------------------------------------


async def test_a_browser_with_token_and_key_gets_in_and_works(network: Open, key: Key) -> None:
    async with network() as transport:
        recorder = Recorder(transport)
        async with come_in(transport, key, max_size=None) as extension:
            assert extension.socket.subprotocol == "tabwire1"
            assert extension.socket.transport.get_extra_info("ssl_object").version() == "TLSv1.3"
            assert (await extension.join())["type"] == "ready"
            assert (await recorder.next())[0] == "connected"
            large = "x" * 3_000_000
            await transport.send("b1", f'{{"upload":"{large}"}}')
            assert await extension.receive() == {"upload": large}
            await extension.send(type="success", id=1, result={"image": large})
            assert await recorder.next() == ("message", "b1", Success(1, {"image": large}))
        assert await recorder.next() == ("lost", "b1")


WRONG_TOKENS: dict[str, Callable[[str], list[str]]] = {
    "none at all": lambda token: [],
    "no token": lambda token: ["tabwire1"],
    "empty": lambda token: shown(""),
    "a part": lambda token: shown(token[:-1]),
    "more": lambda token: shown(token + "A"),
    "other case": lambda token: shown(token.swapcase()),
    "another": lambda token: shown("A" * len(token)),
    "without prefix": lambda token: ["tabwire1", token],
    "other prefix": lambda token: ["tabwire1", f"tabwire.token {token}"],
}


async def test_without_the_token_nobody_comes_as_far_as_the_handshake(network: Open) -> None:
    answers = {}
    async with network() as transport:
        host, port = place(transport)
        authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        for name, wrong in WRONG_TOKENS.items():
            offered = wrong(remote(transport).token or "")
            lines = f"Sec-WebSocket-Protocol: {', '.join(offered)}\r\n" if offered else ""
            head = f"GET / HTTP/1.1\r\nHost: {authority}\r\nOrigin: {ORIGIN}\r\n"
            answers[name] = await request(transport, f"{head}{UPGRADE}{lines}\r\n")
            assert transport.last_refusal is None, name
    assert answers == dict.fromkeys(WRONG_TOKENS, "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")


async def test_the_token_alone_lets_nobody_in(network: Open, key: Key) -> None:
    async with network() as transport:
        async with come_in(transport, new_key()) as rogue:
            await rogue.hello()
            assert await rogue.end() == (CLOSE_CODES["unknown_key"], "unknown_key")
        for origin in ("https://evil.test", None):
            with pytest.raises(InvalidStatus, match="403"):
                async with come_in(transport, key, origin=origin):
                    pass


async def test_it_is_asked_by_its_own_name_only(network: Open) -> None:
    async with network() as transport:
        own, port = place(transport)
        own = f"[{own}]" if ":" in own else own
        foreign = [f"127.0.0.1:{port}", f"localhost:{port}", f"evil.test:{port}", own, f"{own}:1", f"{own}.evil.test:{port}"]
        probe = "GET /probe HTTP/1.1\r\nHost: {}\r\n\r\n"
        answers = {named: await request(transport, probe.format(named)) for named in foreign}
        assert {
            named: answer.split("\r\n")[0] for named, answer in answers.items() if not answer.startswith("HTTP/1.1 403 ")
        } == {}
        answer = await request(transport, probe.format(f"{own}:{port}"))
        assert answer == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
        assert (await request(transport, f"GET /json HTTP/1.1\r\nHost: {own}:{port}\r\n\r\n")).startswith("HTTP/1.1 404 ")


async def test_a_proof_for_the_port_on_loopback_is_none_here(network: Open, key: Key) -> None:
    async with network() as transport, come_in(transport, key) as relayed:
        relayed.port = transport.port
        await relayed.hello()
        await relayed.auth(await relayed.receive())
        assert await relayed.end() == (CLOSE_CODES["wrong_mac"], "wrong_mac")


async def test_what_is_not_tls_gets_no_answer(network: Open, key: Key) -> None:
    async with network() as transport:
        host, port = place(transport)
        with anyio.fail_after(5):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(f"GET /probe HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            try:
                answer = await reader.read()
            except ConnectionResetError:
                answer = b""
            assert b"HTTP" not in answer and b"204" not in answer
            writer.close()
        async with come_in(transport, key) as extension:
            assert (await extension.join())["type"] == "ready"


async def test_old_versions_of_tls_are_refused(network: Open) -> None:
    async with network() as transport:
        old = unverified()
        with pytest.warns(DeprecationWarning):
            old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        with anyio.fail_after(5), pytest.raises(OSError):
            await asyncio.open_connection(*place(transport), ssl=old)


async def test_the_certificate_is_the_one_whose_fingerprint_is_told(network: Open, tmp_path: Path) -> None:
    async with network() as transport:
        trusting = ssl.create_default_context(cafile=str(tmp_path / "home" / tls.FILE))
        with anyio.fail_after(5):
            _, writer = await asyncio.open_connection(*place(transport), ssl=trusting, server_hostname=place(transport)[0])
            writer.close()
        assert remote(transport).spki == tls.own(tmp_path / "home", network_address()).spki


async def test_the_token_is_of_this_process_and_never_told_or_logged(
    network: Open, key: Key, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with network() as transport, network() as other:
        address = remote(transport)
        assert address.token and len(address.token) >= 43
        assert address.token != remote(other).token
        async with come_in(transport, key) as extension:
            await extension.join()
        with pytest.raises(InvalidStatus):
            async with come_in(transport, key, subprotocols=shown(remote(other).token)):
                pass
        ours = [record for record in caplog.records if record.name.startswith("tabwire")]
        assert any(address.address in record.getMessage() for record in ours)
        said = "\n".join(record.getMessage() for record in ours) + repr(address)
        assert address.token not in said and remote(other).token not in said
        assert key.secret.hex() not in said


# ---- beside the door on loopback ------------------------------------------------------------------------------------------


async def test_the_door_on_loopback_stays_as_it_is(network: Open, key: Key, tmp_path: Path) -> None:
    async with network() as transport:
        assert transport.port is not None
        assert [holder.port for holder in port_window.holders(tmp_path / "run")] == [transport.port]
        with pytest.raises(OSError, match=r"refused|Connect call failed"):
            await asyncio.open_connection(network_address(), transport.port)
        async with dial(transport, key) as near, come_in(transport, key) as far:
            assert (await near.join())["type"] == "ready"
            assert (await far.join(browser={"id": "b2"}))["type"] == "ready"
            await transport.send("b2", '{"for":"far"}')
            await transport.send("b1", '{"for":"near"}')
            assert [await near.receive(), await far.receive()] == [{"for": "near"}, {"for": "far"}]


async def test_a_launched_browser_cannot_say_it_is_another_one(network: Open, key: Key, store: KeyStore) -> None:
    launched = new_key()
    memory = MemoryKeys()
    memory.add(launched, "b2")
    async with network(keys=JoinedKeys(store, memory)) as transport:
        recorder = Recorder(transport)
        for holder, browser_id in ((launched, "b1"), (key, "b2")):
            async with come_in(transport, holder) as rogue:
                await rogue.hello()
                await rogue.auth(await rogue.receive(), browser={"id": browser_id})
                assert await rogue.end() == (CLOSE_CODES["wrong_browser"], "wrong_browser")
        async with come_in(transport, launched) as extension:
            await extension.join(browser={"id": "b2"})
            assert (await recorder.next())[1].id == "b2"


async def test_a_browser_is_told_whether_it_was_launched_by_the_key_it_holds(network: Open, key: Key, store: KeyStore) -> None:
    launched = new_key()
    memory = MemoryKeys(launched)
    async with network(keys=JoinedKeys(store, memory)) as transport:
        async with dial(transport, key) as own, come_in(transport, launched) as other:
            assert (await own.join())["launched"] is False
            assert (await other.join(browser={"id": "b2"}))["launched"] is True
            memory.remove(launched.id)
            await other.send(type="ping", n=1)
            assert await other.end() == (CLOSE_CODES["unknown_key"], "unknown_key")
            await own.send(type="ping", n=1)
            assert await own.receive() == {"type": "pong", "n": 1}


async def test_without_a_free_port_on_loopback_browsers_elsewhere_come_in_all_the_same(network: Open, key: Key) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        async with network(ports=[other.getsockname()[1]]) as transport:
            assert transport.port is None and transport.problem is None
            assert (await try_server(transport.reception.port, transport.problem)).ok is None
            async with come_in(transport, key) as extension:
                assert (await extension.join())["type"] == "ready"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
async def test_on_loopback_it_is_plain_and_asks_for_no_token(
    host: str, listen: Callable[..., Transport], key: Key, tmp_path: Path
) -> None:
    async with listen(listen=Listen(host, 0, tmp_path / "home")) as transport:
        address = remote(transport)
        assert address.address.startswith("ws://") and address.token is None and address.spki is None
        assert not (tmp_path / "home").exists()
        async with come_in(transport, key) as extension:
            assert (await extension.join())["type"] == "ready"


# ---- starting and ending --------------------------------------------------------------------------------------------------


async def test_an_address_that_cannot_be_had_is_said_and_leaves_nothing_behind(
    listen: Callable[..., Transport], tmp_path: Path
) -> None:
    with socket.socket() as other:
        other.bind((network_address(), 0))
        other.listen()
        taken = other.getsockname()[1]
        for host, port, reason in (
            (network_address(), taken, "in use"),
            ("192.0.2.254" if network_address() != "192.0.2.254" else "192.0.2.253", 0, "annot assign"),
            ("x" * 64, 0, "not known to this computer"),
            ("0x0", 0, "means every address"),
        ):
            with pytest.raises(InvalidArgument, match=reason):
                async with listen(listen=Listen(host, port, tmp_path / "home")):
                    pass
    assert port_window.holders(tmp_path / "run") == []


async def test_a_certificate_that_cannot_be_used_is_said(listen: Callable[..., Transport], tmp_path: Path) -> None:
    certificate, private_key = write_certificate(tmp_path / "tls", "127.0.0.1", days=0.5)
    with pytest.raises(InvalidArgument, match="expired"):
        async with listen(listen=Listen("127.0.0.1", 0, tmp_path / "home", certificate, private_key)):
            pass


async def test_leaving_takes_at_most_a_second_whatever_strangers_do(network: Open, key: Key) -> None:
    async with AsyncExitStack() as stack:
        transport = network()
        await transport.__aenter__()
        host, port = place(transport)
        _, silent = await asyncio.open_connection(host, port)
        _, in_tls = await asyncio.open_connection(host, port, ssl=unverified())
        extension = await stack.enter_async_context(come_in(transport, key))
        await extension.join()
        began = time.monotonic()
        await transport.__aexit__(None, None, None)
        assert time.monotonic() - began < 1.5
        assert (await extension.end())[0] == 1001
        for writer in (silent, in_tls):
            writer.transport.abort()
        with pytest.raises(OSError):
            await asyncio.open_connection(host, port)


# ---- what strangers may cost ----------------------------------------------------------------------------------------------


async def test_a_stranger_has_a_limited_time_for_tls_and_for_its_request(guarded: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "OPEN_S", 0.3)
    async with guarded() as transport:
        host, port = place(transport)
        for options in ({}, {"ssl": unverified()}):
            reader, writer = await asyncio.open_connection(host, port, **options)
            with anyio.fail_after(5):
                try:
                    assert await reader.read() == b""
                except ConnectionResetError:
                    pass
            writer.transport.abort()


async def test_a_handshake_that_fails_is_told_to_who_asks_for_it(guarded: Open, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "tabwire.wire.unauthenticated")
    async with guarded() as transport:
        host, port = place(transport)
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(b"GET /probe HTTP/1.1\r\n\r\n")
        with anyio.fail_after(10), contextlib.suppress(ConnectionResetError):
            await reader.read()
        writer.transport.abort()
    assert caplog.messages[0].startswith("no TLS with 127.0.0.1: ")
    assert "http request" in caplog.messages[0].lower()


async def test_a_crowd_keeps_out_only_itself(guarded: Open, key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unauthenticated, "MAX_UNAUTHENTICATED", 4)
    async with guarded() as transport, AsyncExitStack() as stack:
        host, port = place(transport)
        # It came first and is slow: TCP only so far.
        slow = await asyncio.open_connection(host, port)
        crowd = [await asyncio.open_connection(host, port, local_addr=("127.0.0.2", 0)) for _ in range(20)]
        for _, writer in (slow, *crowd):
            stack.callback(writer.transport.abort)
        with anyio.fail_after(5):
            for reader, _ in crowd[:16]:
                try:
                    assert await reader.read() == b""
                except ConnectionResetError:
                    pass
            reader, writer = slow
            await writer.start_tls(unverified())
            writer.write(f"GET /probe HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            assert (await reader.read()).startswith(b"HTTP/1.1 204 ")
        async with come_in(transport, key) as extension:
            assert (await extension.join())["type"] == "ready"


async def test_browsers_that_are_in_are_not_counted_among_strangers(
    guarded: Open, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unauthenticated, "MAX_UNAUTHENTICATED", 2)
    async with guarded() as transport, AsyncExitStack() as stack:
        extensions = [await stack.enter_async_context(come_in(transport, key)) for _ in range(5)]
        for number, extension in enumerate(extensions):
            await extension.join(browser={"id": f"b{number}"})
        for number, extension in enumerate(extensions):
            await extension.send(type="ping", n=number)
            assert await extension.receive() == {"type": "pong", "n": number}


async def test_those_who_came_and_went_are_forgotten(guarded: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    async with guarded() as transport:
        host, port = place(transport)
        door = next(door for door in transport._listeners if door.port == port)
        for options in ({}, {"ssl": unverified()}):
            for _ in range(3):
                _, writer = await asyncio.open_connection(host, port, **options)
                writer.transport.abort()
        assert (await request(transport, f"GET /probe HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n")).startswith("HTTP/1.1 204 ")
        # The last of them may still be on its way out.
        await until_async(lambda: door._unauthenticated is not None and not door._unauthenticated._known, within=5)


# ---- how it is asked for --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("192.0.2.7:8443", ("192.0.2.7", 8443)),
        ("Build-7.Example.org:0", ("build-7.example.org", 0)),
        ("[2001:DB8:0::7]:443", ("2001:db8::7", 443)),
        (" localhost:9000 ", ("localhost", 9000)),
        ("host.example.:1", ("host.example", 1)),
    ],
)
def test_an_address_is_read_as_browsers_write_it(text: str, expected: tuple[str, int]) -> None:
    assert address_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "8443", ":8443", "192.0.2.7", "192.0.2.7:", "192.0.2.7:70000", "192.0.2.7:-1", "192.0.2.7:٣", "2001:db8::7:8443",
        "0.0.0.0:8443", "[::]:8443", "224.0.0.1:1", "[fe80::1%eth0]:1", "wss://192.0.2.7:8443", "user@host:1", "a b:1", "a/b:1",
        "192.0.2.300:1", "1.2.3:1", "[host]:1", "-host:1", "a..b:1",
    ],
)  # fmt: skip
def test_what_is_no_address_to_dial_is_refused_at_the_start(text: str) -> None:
    with pytest.raises(ValueError):
        address_of(text)
    with pytest.raises(InvalidArgument, match="listen: " if text else "configuration"):
        load({"listen": text}, {})


def test_a_certificate_needs_something_to_listen_on() -> None:
    for given in ({"tls_cert": "a.pem"}, {"tls_key": "a.pem"}, {"tls_key": "a.pem", "listen": "localhost:1"}):
        with pytest.raises(InvalidArgument, match="tls_"):
            load(given, {})
    assert load({}, {"TABWIRE_LISTEN": "localhost:1", "TABWIRE_TLS_CERT": "a.pem"}).tls_cert == Path("a.pem")
