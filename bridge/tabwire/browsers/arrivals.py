"""Stands between the link and the engine: sees our own browsers come and go, and keeps back those that nobody has yet."""

from collections.abc import Callable

import anyio

from tabwire.wire.connection import Receiver
from tabwire.wire.messages import Browser, Event, Failure, Success


class Arrivals:
    """A `link.Receiver` that passes on what is not of a browser kept back.

    Args:
        engine: receiver of the others' events.
    """

    def __init__(self, engine: Receiver) -> None:
        self._engine = engine
        self._kept: set[str] = set()
        self._here: dict[str, Browser] = {}
        self._change = anyio.Event()

    def keep_back(self, browser_id: str) -> None:
        """Keep a browser from the engine until `admit`: a call that names none must not go to it."""
        self._kept.add(browser_id)

    def is_kept_back(self, browser_id: str) -> bool:
        """Whether the engine does not know of it."""
        return browser_id in self._kept

    def admit(self, browser_id: str) -> None:
        """Stop keeping a browser back: the engine hears of it from now on."""
        if browser_id not in self._kept:
            return
        self._kept.discard(browser_id)
        if browser := self._here.get(browser_id):
            self._engine.browser_connected(browser)

    def forget(self, browser_id: str) -> None:
        """Forget a browser that is gone for good."""
        self._kept.discard(browser_id)
        self._here.pop(browser_id, None)
        self._changed()

    async def joined(self, browser_id: str) -> None:
        """Wait until it is connected."""
        await self._until(lambda: browser_id in self._here)

    async def left(self, browser_id: str) -> None:
        """Wait until it is not."""
        await self._until(lambda: browser_id not in self._here)

    async def _until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            await self._change.wait()

    def _changed(self) -> None:
        change, self._change = self._change, anyio.Event()
        change.set()

    # link.Receiver

    def browser_connected(self, browser: Browser) -> None:
        """A browser proved itself."""
        self._here[browser.id] = browser
        if browser.id not in self._kept:
            self._engine.browser_connected(browser)
        self._changed()

    def browser_lost(self, browser_id: str) -> None:
        """Note that a browser's connection is gone."""
        self._here.pop(browser_id, None)
        if browser_id not in self._kept:
            self._engine.browser_lost(browser_id)
        self._changed()

    def browser_refused(self) -> None:
        """A browser was refused."""
        self._engine.browser_refused()

    def message_received(self, browser_id: str, message: Success | Failure | Event) -> None:
        """Pass a browser's message on to the engine, unless the browser is kept back."""
        if browser_id not in self._kept:
            self._engine.message_received(browser_id, message)
