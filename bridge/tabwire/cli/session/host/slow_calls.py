"""The reason why a command takes long, for the person who waits for it."""

from collections.abc import Awaitable, Callable

import anyio

from tabwire.engine.call_wait import WaitReason

PATIENCE_S = 1.0
"""A reason that has passed by then is not worth a line."""


class ToldReason(WaitReason):
    """A reason that is told once it has stood for a moment."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = anyio.Event()

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name == "text" and hasattr(self, "_changed"):
            self._changed.set()

    async def tell(self, told: Callable[[str], Awaitable[None]]) -> None:
        """Tell each reason that stands, until this is cancelled."""
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            with anyio.move_on_after(PATIENCE_S):
                await self._changed.wait()
            if self.text and not self._changed.is_set():
                await told(self.text)
