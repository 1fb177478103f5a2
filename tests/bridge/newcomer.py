"""A browser that has no key and asks for one, as the extension from a store does."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from bridge.peer import EXTENSION, ORIGIN
from tabwire.wire import key_agreement
from tabwire.wire.keys import Key, new_key
from tabwire.wire.session import CLOSE_CODES
from tabwire.wire.transport import Transport


class Newcomer:
    """The extension's end of one exchange."""

    def __init__(self, socket: ClientConnection, port: int) -> None:
        self.socket = socket
        self.port = port
        self.own = key_agreement.new_private_key()

    async def hear(self) -> dict[str, Any]:
        with anyio.fail_after(5):
            frame: dict[str, Any] = json.loads(await self.socket.recv())
            return frame

    async def ask(self) -> str:
        """The code."""
        offer = await self.hear()
        public, nonce = key_agreement.public_key_of(self.own), key_agreement.new_nonce()
        fields = {"type": "pairing_request", "version": 1, "extension_id": EXTENSION, "public_key": public, "nonce": nonce}
        await self.socket.send(json.dumps(fields))
        reveal = await self.hear()
        bridge = offer["server_id"], reveal["public_key"], reveal["nonce"]
        self.transcript = key_agreement.PairingTranscript(EXTENSION, self.port, *bridge, public, nonce)
        self.agreed = key_agreement.agree(self.own, self.transcript.server_key, self.transcript)
        return key_agreement.code_of(self.transcript)

    async def allow(self) -> Key:
        answer = {"type": "pairing_answer", "allowed": True, "mac": self.agreed.proof("extension")}
        await self.socket.send(json.dumps(answer))
        done = await self.hear()
        assert done["type"] == "pairing_done" and self.agreed.is_proof("server", done["mac"])
        return new_key(secret=self.agreed.key)

    async def end(self) -> str:
        """The reason with which the bridge closes."""
        with anyio.fail_after(5):
            try:
                while True:
                    await self.socket.recv()
            except ConnectionClosed as closed:
                assert closed.rcvd is not None and closed.rcvd.code == CLOSE_CODES[closed.rcvd.reason]
                return closed.rcvd.reason


@asynccontextmanager
async def newcomer(transport: Transport, origin: str = ORIGIN) -> AsyncIterator[Newcomer]:
    url = f"ws://127.0.0.1:{transport.port}/pair"
    async with connect(url, origin=Origin(origin), compression=None, proxy=None, open_timeout=5, close_timeout=1) as stream:
        assert transport.port is not None
        yield Newcomer(stream, transport.port)
