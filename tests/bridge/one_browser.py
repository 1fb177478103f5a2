"""What an engine says of its browsers while there is one: the part that fakes of engines share."""

from __future__ import annotations

import anyio

from tabwire.wire.messages import Browser

WORK = Browser("b1", "Work")


class OneBrowser:
    """Inherit it and add `send`."""

    has_several = False

    async def find(self, wanted: str | None = None) -> Browser:
        return WORK

    async def several_changed(self, told: bool) -> bool:
        await anyio.sleep_forever()
        raise AssertionError("it sleeps forever")

    def label(self, browser: Browser) -> str:
        return browser.name
