"""The browser of `serve --launch`: started with the server, and anew for the next call after it has ended.

A new one is not started before a call wants it: a person who closes the window does not see it come back by itself. A browser
that ends again and again right after its start is left alone for a while; calls then fail at once and say so.
"""

import logging
from dataclasses import dataclass, field

import anyio

from tabwire.browsers.instance import Instance
from tabwire.browsers.launcher import Launcher
from tabwire.browsers.running import LaunchOptions
from tabwire.engine.engine import Engine
from tabwire.errors import TabwireError

BRIEF_LIFE_SECONDS = 30.0
MAX_BRIEF_LIVES = 3
PAUSE_SECONDS = 60.0
"""Seconds to wait after `MAX_BRIEF_LIVES` brief lives in a row."""
RETRY_SECONDS = 10.0
"""Seconds to wait after a start that failed."""

REPLACED = "The next call starts a new browser, which has none of its tabs: tab ids and refs of the old one mean nothing there."

log = logging.getLogger(__name__)


@dataclass(eq=False)
class KeptBrowser:
    """Keeper of one launched browser at a time."""

    engine: Engine
    """Way of its calls."""
    launcher: Launcher
    options: LaunchOptions
    """Description of the browser."""
    pause_seconds: float = PAUSE_SECONDS
    """Seconds for which it is left alone when it ends again and again."""
    retry_seconds: float = RETRY_SECONDS
    """Seconds for which it is left alone after a start that failed."""
    _brief_lives: int = field(default=0, init=False)

    async def keep(self) -> None:
        """Have one there for every call, until cancelled."""
        while True:
            self.engine.expect_browser()
            problem = await self._live()
            if problem is not None:
                log.error("%s", problem)
                self.engine.give_up(problem)
                await anyio.sleep(self.retry_seconds if self._brief_lives == 0 else self.pause_seconds)
                self._brief_lives = 0
                self.engine.expect_browser()
            await self.engine.sought()

    async def _live(self) -> str | None:
        """Start a browser and wait for its end. Return why no other one may follow at once; None if one may."""
        began = anyio.current_time()
        try:
            instance = await self.launcher.launch(self.options, next_step=REPLACED)
        except (TabwireError, OSError) as error:
            self._brief_lives = 0
            return f"{_words_of(error)} A call after {self.retry_seconds:g} seconds tries again."
        self.engine.expect_successor(instance.id)
        return self._judged(await instance.wait_ended(), instance, anyio.current_time() - began)

    def _judged(self, how: str, instance: Instance, lived_seconds: float) -> str | None:
        log.error("%s (%s) %s", how, instance.where, REPLACED)
        self._brief_lives = self._brief_lives + 1 if lived_seconds < BRIEF_LIFE_SECONDS else 0
        if self._brief_lives < MAX_BRIEF_LIVES:
            return None
        return (
            f"The launched browser has ended {self._brief_lives} times in a row within {BRIEF_LIFE_SECONDS:g} seconds of its "
            f"start. The last time: {how} A call after {self.pause_seconds:g} seconds starts another one; see the server's log, "
            "and start that Chromium by hand to see what is wrong with it."
        )


def _words_of(error: TabwireError | OSError) -> str:
    if isinstance(error, TabwireError):
        return str(error)
    return f"The browser could not be started: {error}. See --chromium and TABWIRE_CHROMIUM."
