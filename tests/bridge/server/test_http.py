"""Who may ask over HTTP, where the token comes from, and what the browser is told of several callers."""

import socket
import time
from pathlib import Path
from typing import Any

import anyio
import pytest

from tabwire.config import load
from tabwire.errors import InvalidArgument, TabwireError
from tabwire.server import http
from tabwire.server.http import Callers, FileToken, GivenToken, claim, refusal, token_of

TOKEN = "0123456789abcdef0123"
HOST = (b"host", b"127.0.0.1:9000")
BEARER = (b"authorization", f"Bearer {TOKEN}".encode())


def status(*headers: tuple[bytes, bytes], token: str | None = TOKEN) -> int:
    refused = refusal(headers, 9000, token)
    return refused.status if refused else 200


@pytest.mark.parametrize("host", [b"127.0.0.1:9000", b"localhost:9000"])
@pytest.mark.parametrize("scheme", [b"Bearer", b"bearer"])
def test_the_token_under_our_own_name_is_let_in(host: bytes, scheme: bytes) -> None:
    assert status((b"host", host), (b"authorization", scheme + b" " + TOKEN.encode())) == 200
    assert status((b"host", host), (b"origin", b"http://" + host), BEARER) == 200


@pytest.mark.parametrize(
    "value",
    [b"", b"Bearer", b"Bearer ", b"Bearer 0123", f"Basic {TOKEN}".encode(), TOKEN.encode(), BEARER[1] + b"x", b"Bearer \xff\xe4"],
)
def test_another_token_is_not(value: bytes) -> None:
    assert status(HOST, (b"authorization", value)) == 401


def test_no_token_and_two_tokens_are_not() -> None:
    assert status(HOST) == 401
    assert status(HOST, BEARER, BEARER) == 401
    assert status(HOST, BEARER, token=None) == 401
    assert status(HOST, (b"authorization", b"Bearer "), token=None) == 401


@pytest.mark.parametrize(
    "hosts", [[], ["evil.test:9000"], ["127.0.0.1"], ["127.0.0.1:9001"], ["127.0.0.1:9000.evil.test"], ["localhost:9000"] * 2]
)
def test_another_name_is_refused_before_the_token_is_looked_at(hosts: list[str]) -> None:
    named = [(b"host", host.encode()) for host in hosts]
    assert status(*named, BEARER) == status(*named) == 421


@pytest.mark.parametrize(
    "origin",
    ["null", "https://evil.test", "http://127.0.0.1", "http://localhost:9001", "https://127.0.0.1:9000", "chrome-extension://a"],
)
def test_a_page_of_another_origin_is_refused_before_the_token_is_looked_at(origin: str) -> None:
    assert status(HOST, (b"origin", origin.encode()), BEARER) == status(HOST, (b"origin", origin.encode())) == 403


def test_a_token_that_nobody_gave_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first, second = (token_of(home, None, None).current() for _ in range(2))
    assert first == second == (home / "http-token").read_text().strip()
    assert first is not None and len(first) >= 43
    assert (home / "http-token").stat().st_mode & 0o777 == 0o600


def test_a_token_that_was_given_is_used_and_a_file_of_one_first(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("fedcba9876543210fedc\n")
    file.chmod(0o600)
    assert token_of(tmp_path / "home", TOKEN, None).current() == TOKEN
    assert token_of(tmp_path / "home", TOKEN, file).current() == "fedcba9876543210fedc"
    assert not (tmp_path / "home").exists()


def test_a_token_put_in_place_of_another_counts_at_once_and_none_lets_nobody_in(tmp_path: Path) -> None:
    token = token_of(tmp_path, None, None)
    (tmp_path / "http-token").write_text(TOKEN)
    assert token.current() == TOKEN
    (tmp_path / "http-token").chmod(0o644)
    assert token.current() is None
    (tmp_path / "http-token").unlink()
    assert token.current() is None


@pytest.mark.parametrize("text", ["", "short", "has a space in it, and more", "ünïcödé-0123456789"])
def test_a_token_that_protects_nothing_is_refused_and_not_shown(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    for make in (lambda: GivenToken(text), lambda: FileToken(file)):
        with pytest.raises(InvalidArgument, match="openssl rand") as caught:
            make()
        assert not text or text not in str(caught.value)


def test_a_token_in_another_encoding_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_bytes("ünïcödé-0123456789".encode("cp1252"))
    file.chmod(0o600)
    with pytest.raises(InvalidArgument, match="openssl rand"):
        FileToken(file)


def test_a_token_that_others_may_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o640)
    with pytest.raises(TabwireError, match="chmod 600"):
        FileToken(file)


def test_a_token_shows_neither_itself_nor_in_the_configuration() -> None:
    assert TOKEN not in repr(GivenToken(TOKEN))
    config = load({"http": 0}, {"TABWIRE_HTTP_TOKEN": TOKEN})
    assert TOKEN not in repr(config)
    assert config.http_token is not None and config.http_token.get_secret_value() == TOKEN


@pytest.mark.parametrize(
    ("port", "why"), [(17890, "wait for browsers"), (17905, "wait for browsers"), (80, "below 1024"), (70000, "65535")]
)
def test_a_port_that_cannot_be_meant_is_refused_with_the_reason(tmp_path: Path, port: int, why: str) -> None:
    with pytest.raises(InvalidArgument, match=why):
        load({"http": port, "home": str(tmp_path)}, {})


def test_a_port_that_is_taken_is_said_to_be() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(InvalidArgument, match=f"Port {other.getsockname()[1]} of 127.0.0.1 is taken"):
            claim(other.getsockname()[1])


def test_the_browser_is_told_who_has_called_lately() -> None:
    told: list[tuple[str, str]] = []
    now = [0.0]
    callers = Callers(lambda name, version: told.append((name, version)), clock=lambda: now[0])
    callers.seen("Cursor", "2")
    callers.seen("Claude", "1")
    callers.seen("Cursor", "2")
    now[0] = 3600
    callers.seen("Claude", "1")
    assert told == [
        ("Cursor over HTTP", "2"),
        ("Claude, Cursor over HTTP", ""),
        ("Claude, Cursor over HTTP", ""),
        ("Claude over HTTP", "1"),
    ]


def test_many_callers_make_no_long_name() -> None:
    told: list[str] = []
    callers = Callers(lambda name, version: told.append(name))
    for number in range(1000):
        callers.seen(f"client {number:04}", "1")
    assert told[-1] == "client 0900, client 0901, client 0902 and 97 more over HTTP"


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that begins to answer and never ends."""
    while scope["type"] == "lifespan":
        kind = (await receive())["type"]
        await send({"type": f"{kind}.complete"})
        if kind == "lifespan.shutdown":
            return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"begun", "more_body": True})
    await anyio.sleep_forever()


@pytest.mark.anyio
async def test_a_connection_that_asks_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "FIRST_REQUEST_S", 0.1)
    with claim(0) as listener, anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(http.serve, _answer, listener, GivenToken(TOKEN))
            for sent in (b"", b"POST /mcp HTTP/1.1\r\nHost: "):
                async with await anyio.connect_tcp("127.0.0.1", listener.getsockname()[1]) as stream:
                    await stream.send(sent)
                    with pytest.raises(anyio.EndOfStream):
                        await stream.receive()
            tasks.cancel_scope.cancel()


def seconds_given() -> float:
    """Seconds of a clock that stands while this thread could run and the system runs others: a busy computer has many of them."""
    _, waited_ns, _ = Path("/proc/thread-self/schedstat").read_text(encoding="utf-8").split()
    return time.monotonic() - int(waited_ns) / 1e9


@pytest.mark.anyio
async def test_cancelling_ends_it_within_a_second_although_an_answer_is_under_way() -> None:
    with claim(0) as listener, anyio.fail_after(10):
        port = listener.getsockname()[1]
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(http.serve, _answer, listener, GivenToken(TOKEN))
            async with await anyio.connect_tcp("127.0.0.1", port) as stream:
                await stream.send(
                    f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
                )
                while b"begun" not in await stream.receive():
                    pass
                began = seconds_given()
                tasks.cancel_scope.cancel()
        assert seconds_given() - began < 1
