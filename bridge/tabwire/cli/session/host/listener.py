"""The local socket of a session: a command comes in, and its reply goes out. Only programs of the same user are heard."""

import logging
import os
import socket
from contextlib import suppress
from typing import Self

import anyio
import anyio.to_thread
from anyio.abc import Listener as Listening
from anyio.abc import SocketAttribute, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from tabwire.cli.session import connection, frames, port_line
from tabwire.cli.session.host.port_listener import PortListener
from tabwire.cli.session.host.session import Session, Typed
from tabwire.errors import SessionNotCreated
from tabwire.wire import peer_user

FIRST_FRAME_S = 10.0
"""Time for a command to say what it wants."""

_GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, anyio.IncompleteRead)

log = logging.getLogger(__name__)


class Listener:
    """The socket, from its creation to its end.

    Args:
        session: hears the commands.
        path: the socket, in a folder that is its owner's alone. The name of a dead session is taken.
    """

    def __init__(self, session: Session, path: str) -> None:
        self._session = session
        self._path = path
        self._closing: list[socket.socket] = []
        """Lines that end with the process: whoever asked for its end waits for that."""

    async def __aenter__(self) -> Self:
        if await _answers(self._path):
            raise SessionNotCreated(
                f"session {self._session.name} is there already: `tabwire close -s {self._session.name}` ends it"
            )
        with suppress(FileNotFoundError):
            os.unlink(self._path)
        self._listener = await _opened(self._path)
        self._file = os.stat(self._path)
        return self

    async def __aexit__(self, *_: object) -> None:
        # Not the socket of a session that has taken the name meanwhile.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.stat(self._path), self._file):
                os.unlink(self._path)
        await self._listener.aclose()

    async def serve(self) -> None:
        """Serve commands until this is cancelled."""
        await self._listener.serve(self._serve_one)

    async def _serve_one(self, stream: SocketStream) -> None:
        async with stream:
            # At a port the word says it.
            if connection.HAS_LOCAL_SOCKETS and peer_user.is_own_socket(stream.extra(SocketAttribute.raw_socket)) is False:
                log.warning("a program of another user was turned away")
                return
            try:
                await self._hear(stream, BufferedByteReceiveStream(stream))
            except _GONE:
                return
            except Exception:  # a defect of ours must not end the session; the command is told
                log.exception("a command failed inside tabwire")
                await _tell_defect(stream)

    async def _hear(self, stream: SocketStream, received: BufferedByteReceiveStream) -> None:
        with anyio.move_on_after(FIRST_FRAME_S) as limit:
            kind, content = await _next(received)
        if limit.cancelled_caught:
            return
        if kind == frames.ABOUT:
            await stream.send(frames.frame(frames.OUT, self._session.about()))
        elif kind == frames.CLOSE:
            self._closing.append(stream.extra(SocketAttribute.raw_socket).dup())
            self._session.ended.set()
        elif kind == frames.CALL:
            await self._run(stream, received, frames.parts_of(content))

    async def _run(self, stream: SocketStream, received: BufferedByteReceiveStream, parts: list[str]) -> None:
        turn = anyio.Lock()

        async def send(kind: bytes, *told: str) -> None:
            # A command that is gone hears nothing more; its call is withdrawn.
            async with turn:
                with suppress(*_GONE):
                    await stream.send(frames.frame(kind, *told))

        # A command that is gone by now has said that nothing heard it: its call is not begun.
        await stream.send(frames.frame(frames.HEARD))
        version, cwd, options, *words = parts
        if version != frames.VERSION or not words:
            await send(frames.ERR, f"tabwire: session {self._session.name} is of another version; `tabwire close` it first")
            await send(frames.END, str(frames.FAILED))
            return
        cancelled = anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_watch, received, cancelled)
            await self._session.run(Typed(cwd, options.split(), words), send, cancelled)
            tasks.cancel_scope.cancel()


async def _opened(path: str) -> PortListener | Listening[SocketStream]:
    """The socket of a name, or a port with its address in a file of this name."""
    if connection.HAS_LOCAL_SOCKETS:
        return await anyio.create_unix_listener(path, mode=0o600)
    return await PortListener.opened(path)


async def _answers(path: str) -> bool:
    """Whether a living session has the socket."""
    try:
        if connection.HAS_LOCAL_SOCKETS:
            await (await anyio.connect_unix(path)).aclose()
        else:
            (await anyio.to_thread.run_sync(port_line.dial, path)).close()
    except OSError:
        return False
    return True


async def _tell_defect(stream: SocketStream) -> None:
    """Tell a command that it failed by a defect of Tabwire."""
    problem = "tabwire: the command failed by a defect of Tabwire, so its outcome is unknown; the session's log has the reason"
    with anyio.move_on_after(FIRST_FRAME_S), suppress(*_GONE):
        await stream.send(frames.frame(frames.ERR, problem))
        await stream.send(frames.frame(frames.END, str(frames.FAILED)))


async def _watch(received: BufferedByteReceiveStream, cancelled: anyio.Event) -> None:
    """Withdraw the call when its command says so, or is gone."""
    with suppress(*_GONE):
        await _next(received)
    cancelled.set()


async def _next(received: BufferedByteReceiveStream) -> tuple[bytes, bytes]:
    kind, length = frames.opened(await received.receive_exactly(frames.HEADER))
    if length > frames.MAX_BYTES:
        raise anyio.EndOfStream
    return kind, await received.receive_exactly(length) if length else b""
