"""A browser of the user's own and, in this process, the loader that reads through it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import anyio
from anyio.from_thread import start_blocking_portal

from e2e.plain import PlainChromium
from e2e.ports import free_port
from tabwire.engine.engine import Engine
from tabwire.install import extension_files
from tabwire.surfaces.reader.loading.browser import BrowserLoader
from tabwire.surfaces.reader.loading.policy import Policy
from tabwire.wire.keys import KeyStore
from tabwire.wire.transport import Transport

JOIN_LIMIT_S = 20


class ReadBrowser:
    """See the module. ``run(lambda: loader.load(url))`` awaits something of the loader's."""

    def __init__(self, work: Path, url: str) -> None:
        self._ends = ExitStack()
        self._home = work / "home"
        self.portal = self._ends.enter_context(start_blocking_portal())
        ports = [free_port(), free_port()]
        self.engine = self._ends.enter_context(self.bridge(ports[0]))
        self.spare_port = ports[1]
        self.chromium = PlainChromium(work, "about:blank", pairing={"ports": ports}, home=self._home)
        self._ends.callback(self.chromium.close)
        self.join(self.engine)
        (shown,) = self.chromium.browser.pages()
        shown.call("Page.navigate", {"url": url})
        shown.wait_for(f"location.href === {url!r} && document.readyState === 'complete'")

    @contextmanager
    def bridge(self, port: int) -> Iterator[Engine]:
        """A bridge for this browser; the browser has lost it afterwards."""
        transport = Transport(
            ports=[port],
            keys=KeyStore(self._home / "keys.json"),
            run_dir=self._home / "run",
            extension_id=extension_files.identity(),
            server_version=extension_files.version(),
        )
        with self.portal.wrap_async_context_manager(transport):
            yield self.portal.call(lambda: _engine(transport))

    def join(self, engine: Engine) -> None:
        """Waits until the browser has joined a bridge."""
        self.portal.call(lambda: _joined(engine))

    def loader(self, **policy: Any) -> BrowserLoader:
        """A loader for this browser."""
        return BrowserLoader(self.engine, Policy(**policy))

    def run(self, work: Callable[[], Any]) -> Any:
        """Awaits what a function returns, where the bridge runs."""
        return self.portal.call(lambda: work())

    def close(self) -> None:
        self._ends.close()


async def _engine(transport: Transport) -> Engine:
    return Engine(transport)


async def _joined(engine: Engine) -> None:
    with anyio.fail_after(JOIN_LIMIT_S):
        while not engine.browsers:
            await engine.changed()
