"""The extension's end of a connection to the bridge, for tests of the transport."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tabwire.wire import pairing
from tabwire.wire.keys import Key
from tabwire.wire.messages import Browser, Event, Failure, Success
from tabwire.wire.transport import Transport

EXTENSION = "abcdefghijklmnopabcdefghijklmnop"
ORIGIN = f"chrome-extension://{EXTENSION}"


class Recorder:
    """Notes what the transport reports; a test waits for the next report."""

    def __init__(self, transport: Transport) -> None:
        self._reports: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue()
        self.refusals = 0
        transport.attach(self)

    def browser_connected(self, browser: Browser) -> None:
        self._reports.put_nowait(("connected", browser))

    def browser_lost(self, browser_id: str) -> None:
        self._reports.put_nowait(("lost", browser_id))

    def browser_refused(self) -> None:
        self.refusals += 1

    def message_received(self, browser_id: str, message: Success | Failure | Event) -> None:
        self._reports.put_nowait(("message", browser_id, message))

    async def next(self) -> tuple[Any, ...]:
        with anyio.fail_after(5):
            return await self._reports.get()


class Extension:
    """The extension's end of one connection, which may do each step wrongly."""

    def __init__(self, socket: ClientConnection, key: Key, port: int | None) -> None:
        self.socket = socket
        self.key = key
        self.port = port
        self.nonce = pairing.encode(os.urandom(32))

    async def send(self, **fields: Any) -> None:
        await self.socket.send(json.dumps(fields))

    async def receive(self) -> dict[str, Any]:
        with anyio.fail_after(5):
            message: dict[str, Any] = json.loads(await self.socket.recv())
            return message

    async def hello(self, **change: Any) -> None:
        fields = {"type": "hello", "version": 1, "key_id": self.key.id, "extension_id": EXTENSION, "nonce": self.nonce}
        await self.send(**{**fields, **change})

    def transcript(self, challenge: dict[str, Any]) -> pairing.Transcript:
        assert self.port is not None
        return pairing.Transcript(self.key.id, EXTENSION, self.port, challenge["server_id"], self.nonce, challenge["nonce"])

    async def auth(self, challenge: dict[str, Any], **change: Any) -> None:
        proof = pairing.mac(self.key.secret, "extension", self.transcript(challenge))
        browser = {"id": "b1", "name": "Work", "user_agent": "UA"}
        fields = {"type": "auth", "mac": proof, "browser": browser, "extension_version": "0.1.0", "protocol": 1}
        await self.send(**{**fields, **change})

    async def join(self, **change: Any) -> dict[str, Any]:
        await self.hello()
        await self.auth(await self.receive(), **change)
        return await self.receive()

    async def end(self) -> tuple[int, str]:
        """How the bridge closes the connection."""
        with anyio.fail_after(5):
            try:
                while True:
                    await self.socket.recv()
            except ConnectionClosed as closed:
                assert closed.rcvd is not None
                return closed.rcvd.code, closed.rcvd.reason


@asynccontextmanager
async def dial(transport: Transport, key: Key, **options: Any) -> AsyncIterator[Extension]:
    options = {"origin": ORIGIN, "compression": None, "proxy": None, "open_timeout": 5, "close_timeout": 1, **options}
    async with connect(f"ws://127.0.0.1:{transport.port}/", **options) as socket:
        yield Extension(socket, key, transport.port)


@asynccontextmanager
async def joined(transport: Transport, key: Key, **options: Any) -> AsyncIterator[Extension]:
    """A connection whose handshake is done."""
    async with dial(transport, key, **options) as extension:
        await extension.join()
        yield extension
