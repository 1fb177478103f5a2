"""The port of a session where Python has no local sockets; `port_line` says how both sides prove who they are."""

import hmac
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
from anyio.abc import SocketStream, TaskGroup

from tabwire.cli.session import port_line
from tabwire.disk import private_files


class PortListener:
    """A loopback port and the file with its address."""

    def __init__(self, listener: anyio.abc.Listener[SocketStream], address: port_line.Address) -> None:
        self._listener = listener
        self._address = address

    @classmethod
    async def opened(cls, path: str) -> "PortListener":
        """Listen at a free port, and write its address.

        Raises:
            OSError: there is none, or the file cannot be written.
        """
        listener = await anyio.create_tcp_listener(local_host=port_line.HOST, local_port=0)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        words = (secrets.token_hex(port_line.WORD_BYTES // 2).encode() for _ in range(2))
        address = port_line.Address(port, *words)
        private_files.write(Path(path), port_line.written(address))
        return cls(listener, address)

    async def serve(self, handle: Callable[[SocketStream], Awaitable[None]], task_group: TaskGroup | None = None) -> None:
        """Hand on the connections of commands that know the word."""

        async def greet(stream: SocketStream) -> None:
            if await self._is_known(stream):
                await handle(stream)
            else:
                await stream.aclose()

        await self._listener.serve(greet, task_group)

    async def aclose(self) -> None:
        """Listen no longer."""
        await self._listener.aclose()

    async def _is_known(self, stream: SocketStream) -> bool:
        said = b""
        try:
            with anyio.fail_after(port_line.GREETING_S):
                while len(said) < port_line.WORD_BYTES:
                    said += await stream.receive(port_line.WORD_BYTES - len(said))
                if not hmac.compare_digest(said, self._address.command_word):
                    return False
                await stream.send(self._address.session_word)
        except (TimeoutError, anyio.EndOfStream, anyio.BrokenResourceError):
            return False
        return True
