"""A bridge inside the test process that listens on the network, and browsers that are told to dial it."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from anyio.from_thread import start_blocking_portal

from e2e.plain import PlainChromium, copy_extension
from tabwire.engine.engine import Engine, Patience
from tabwire.install import extension_files
from tabwire.wire.keys import Key, MemoryKeys, new_key, write_pairing
from tabwire.wire.listeners import Listen, RemoteAddress
from tabwire.wire.transport import Transport

JOIN_LIMIT_S = 20


class Listening:
    """The bridge. ``address`` is what a browser has to know, ``key`` one that it lets in."""

    def __init__(self, work: Path, host: str, **listen: Any) -> None:
        self.home = work / "home"
        self.key: Key = new_key()
        self.keys = MemoryKeys(self.key)
        self._stack = ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        self._transport = self._portal.call(self._make, host, listen)
        try:
            self._stack.enter_context(self._portal.wrap_async_context_manager(self._transport))
        except BaseException:
            self._stack.close()
            raise
        self._engine = self._portal.call(
            lambda: Engine(self._transport, patience=Patience(first=JOIN_LIMIT_S, again=JOIN_LIMIT_S))
        )
        address = self._portal.call(self._transport.address_for_remote)
        assert address is not None
        self.address: RemoteAddress = address

    async def _make(self, host: str, listen: dict[str, Any]) -> Transport:
        return Transport(
            ports=[0],
            keys=self.keys,
            run_dir=self.home / "run",
            extension_id=extension_files.identity(),
            server_version=extension_files.version(),
            listen=Listen(host, 0, self.home, **listen),
        )

    @property
    def port(self) -> int:
        return int(self.address.address.rpartition(":")[2])

    @contextmanager
    def browser(self, work: Path, flags: Sequence[str] = (), **pairing: Any) -> Iterator[tuple[str, PlainChromium]]:
        """A browser that is told to dial this bridge, and its id. Fields of ``pairing`` are changed."""
        browser_id = str(uuid.uuid4())
        folder = copy_extension(work / "unpacked")
        told = {"address": self.address.address, "token": self.address.token, "browser": {"id": browser_id, "name": work.name}}
        told["permissions"] = {"sensitive": "allow"}
        write_pairing(folder, self.key, **{**told, **pairing})
        chromium = PlainChromium(work, "about:blank", flags=flags, extension=folder)
        try:
            yield browser_id, chromium
        finally:
            chromium.close()

    def asked(self, browser_id: str, method: str = "tabs.list", **params: Any) -> dict[str, Any]:
        """What a browser answers, after waiting until it has joined."""

        async def ask() -> dict[str, Any]:
            return await self._engine.send(method, params, effect="read", timeout_ms=10_000, browser=browser_id)

        return self._portal.call(ask)

    @property
    def joined(self) -> list[str]:
        """Ids of the browsers that are here."""
        return self._portal.call(lambda: [browser.id for browser in self._engine.browsers])

    def close(self) -> None:
        self._stack.close()
