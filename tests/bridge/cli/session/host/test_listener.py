"""The socket of a session, with a session that does as each test says."""

from pathlib import Path
from typing import Any, NoReturn, cast

import anyio
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

from tabwire.cli.session import frames
from tabwire.cli.session.host.listener import Listener
from tabwire.cli.session.host.session import Session, Typed
from tabwire.errors import SessionNotCreated

LIMIT_S = 20


class BrokenSession:
    """A session with a defect."""

    name = "work"

    async def run(self, *_: Any) -> NoReturn:
        raise RuntimeError("a defect")


def listener(path: Path) -> Listener:
    return Listener(cast(Session, BrokenSession()), str(path))


def test_a_defect_is_told_to_the_command_and_the_session_lives(tmp_path: Path) -> None:
    path = tmp_path / "work.sock"
    found: list[tuple[bytes, str]] = []

    async def call() -> None:
        async with await anyio.connect_unix(path) as line:
            received = BufferedByteReceiveStream(line)
            await line.send(frames.frame(frames.CALL, frames.VERSION, "/", "", "title"))
            kind = b""
            while kind != frames.END:
                kind, length = frames.opened(await received.receive_exactly(frames.HEADER))
                found.append((kind, (await received.receive_exactly(length)).decode() if length else ""))

    async def main() -> None:
        with anyio.fail_after(LIMIT_S):
            async with listener(path) as served, anyio.create_task_group() as tasks:
                tasks.start_soon(served.serve)
                await call()
                await call()
                tasks.cancel_scope.cancel()

    anyio.run(main)
    kinds = [kind for kind, _ in found]
    assert kinds == [frames.HEARD, frames.ERR, frames.END] * 2
    assert "a defect of Tabwire" in found[1][1] and found[2][1] == str(frames.FAILED)


def test_a_call_whose_command_has_gone_is_not_begun(tmp_path: Path) -> None:
    """As of a session that was stopped for longer than its command waits."""
    path = tmp_path / "work.sock"
    begun: list[list[str]] = []

    class Counting(BrokenSession):
        async def run(self, typed: Typed, *_: Any) -> NoReturn:
            begun.append(typed.words)
            raise RuntimeError("a defect")

    async def main() -> None:
        with anyio.fail_after(LIMIT_S):
            async with Listener(cast(Session, Counting()), str(path)) as served, anyio.create_task_group() as tasks:
                async with await anyio.connect_unix(path) as gone:
                    await gone.send(frames.frame(frames.CALL, frames.VERSION, "/", "", "click"))
                async with await anyio.connect_unix(path) as line:
                    await line.send(frames.frame(frames.CALL, frames.VERSION, "/", "", "title"))
                    tasks.start_soon(served.serve)
                    received = BufferedByteReceiveStream(line)
                    while (await received.receive_exactly(frames.HEADER))[:1] != frames.HEARD:
                        pass
                    await received.receive_exactly(frames.HEADER)
                tasks.cancel_scope.cancel()

    anyio.run(main)
    assert begun == [["title"]]


def test_the_socket_of_a_living_session_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "work.sock"

    async def main() -> None:
        with anyio.fail_after(LIMIT_S):
            async with listener(path):
                with pytest.raises(SessionNotCreated, match="session work is there already"):
                    await listener(path).__aenter__()
                assert path.exists()
            assert not path.exists()

    anyio.run(main)
