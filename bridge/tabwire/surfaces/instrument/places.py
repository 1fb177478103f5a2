"""Places where a session observes: a browser launched for it, or a window of its own in the browser that is connected."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from tabwire.browsers.running import LaunchOptions
from tabwire.commands import dialog, emulation, navigation, network, script, tabs
from tabwire.engine import browser_choice
from tabwire.errors import (
    AmbiguousSelector,
    ElementClickIntercepted,
    ElementNotInteractable,
    InvalidArgument,
    InvalidSelector,
    NoSuchElement,
    NoSuchTab,
    NotConnected,
    SessionNotCreated,
    TabLeased,
    TabwireError,
    Timeout,
    UnsupportedOperation,
)

if TYPE_CHECKING:
    from tabwire.browsers.instance import Instance
    from tabwire.surfaces.context import Context
    from tabwire.wire.messages import Browser

RECORDED_MS = 7 * 24 * 3_600_000
"""Milliseconds for which requests are recorded, at most."""
CLOSE_SECONDS = 3.0
DETACHED_SECONDS = 1.0
LOOK_SECONDS = 0.05
HEADLESS = "Pass headless: true for one without a window."


@dataclass(frozen=True, slots=True)
class Viewport:
    """Size of what a page sees, in CSS pixels."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


@dataclass(eq=False, slots=True)
class Place:
    """A tab, and the parts of its browser that are the session's own."""

    browser: Browser
    tab: int
    instance: Instance | None = None
    """The browser that was launched for the session; None: it has a window in one that is not its own."""
    opened: list[int] = field(default_factory=list)
    """Tabs that acts of the session have opened."""

    @property
    def words(self) -> str:
        """Description of the place for people."""
        if self.instance is not None:
            return f"a browser launched for it ({self.instance.where})"
        return f"a window of its own in the connected browser {self.browser.name!r}"

    @property
    def facts(self) -> dict[str, str]:
        """Facts about the place for the log."""
        return {"where": "launched" if self.instance is not None else "connected", "browser": self.browser.name}


async def open_place(context: Context, options: LaunchOptions, viewport: Viewport, ours: set[str]) -> Place:
    """Open one, and begin to record what its console says and what it requests.

    Args:
        options: of a browser to launch; one with a window is only launched where none is connected.
        ours: browsers that were launched for sessions; one that is launched now is added.

    Raises:
        TabwireError: there can be none; nothing is left behind.
    """
    own = None if options.headless else await _connected(context, ours)
    place = await (_launched(context, options, ours) if own is None else _window(context, own, viewport))
    try:
        await _prepare(context.naming(place.browser.id), place.tab, viewport)
    except BaseException:
        with anyio.move_on_after(CLOSE_SECONDS, shield=True), suppress(TabwireError):
            await close(context, place)
        raise
    return place


async def _connected(context: Context, ours: set[str]) -> Browser | None:
    """The browser that is there without us having launched it for a session; None when there is none.

    Raises:
        TabwireError: it is not clear which, or the one that is configured is not there.
    """
    engine = context.engine
    wanted = engine.default_browser
    if engine.is_expecting or not [browser for browser in engine.present if browser.id not in ours]:
        # It may be just joining.
        with suppress(NotConnected):
            await engine.find(wanted)
    present = [browser for browser in engine.present if browser.id not in ours]
    found = present if wanted is None else browser_choice.matching(wanted, present)
    if len(found) > 1:
        names = ", ".join(browser_choice.label(browser, found) for browser in found)
        raise InvalidArgument(
            f"Several browsers are connected: {names}.", next_step=f"Serve with --browser and one of these names. {HEADLESS}"
        )
    if not found and wanted is not None:
        raise NotConnected(f"The browser {wanted!r}, which this bridge is bound to, is not connected.", next_step=HEADLESS)
    return found[0] if found else None


async def _window(context: Context, browser: Browser, viewport: Viewport) -> Place:
    """Behind the others: the person at the screen goes on with what is in front."""
    command = tabs.CreateWindow(width=viewport.width, height=viewport.height)
    opened = await context.naming(browser.id).send(command, background=True)
    return Place(browser, opened["tabId"])


async def _launched(context: Context, options: LaunchOptions, ours: set[str]) -> Place:
    if context.launcher is None:
        raise UnsupportedOperation("This server cannot launch browsers.")
    if not options.headless and options.grid is None and not _has_screen():
        raise SessionNotCreated("No browser is connected, and there is no screen here to launch one on.", next_step=HEADLESS)
    instance = await context.launcher.launch(options)
    ours.add(instance.id)
    browser = await context.engine.find(instance.id)
    listed = await context.naming(browser.id).send(tabs.List())
    return Place(browser, listed["tabs"][0]["tabId"], instance)


def _has_screen() -> bool:
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


async def _prepare(context: Context, tab: int, viewport: Viewport) -> None:
    await context.send(emulation.Viewport(width=viewport.width, height=viewport.height, tabId=tab))
    await context.send(script.Console(action="start_buffer", tabId=tab))
    await context.send(network.Capture(action="start", tabId=tab), max_capture_time=RECORDED_MS)
    # No tool of this surface can answer one, and a page that waits for an answer can neither be read nor left.
    answers = dialog.AutoHandle(enabled=True, default_action="dismiss")
    await context.send(dialog.Handle(action="get_message", auto_handle=answers, tabId=tab))


async def close(context: Context, place: Place) -> str | None:
    """Close what the session has opened, and nothing else; a sentence about what could not be closed."""
    if place.instance is not None:
        assert context.launcher is not None
        # It may have ended already.
        with suppress(InvalidArgument):
            await context.launcher.terminate(place.instance.id)
        return None
    left = []
    for tab in (*place.opened, place.tab):
        try:
            await context.naming(place.browser.id).send(tabs.Close(tabId=tab, force=True))
        except NoSuchTab:
            continue
        except (NotConnected, Timeout) as error:
            return f"Its window could not be closed: {error}"
        except TabwireError as error:
            left.append(str(error))
    return f"Not all of its tabs could be closed: {'; '.join(left)}" if left else None


_CLEAR = (
    NoSuchTab,
    NotConnected,
    InvalidArgument,
    InvalidSelector,
    NoSuchElement,
    AmbiguousSelector,
    ElementNotInteractable,
    ElementClickIntercepted,
    TabLeased,
)
"""Failures that say what became of the tab. After others it is looked for: a tab that is closed under a call has many words."""


async def end_of(context: Context, place: Place, error: TabwireError | None = None) -> str | None:
    """Reason why a place is no more; None while it is there, or may be again.

    Args:
        error: what a call in it failed with, if one did.
    """
    if place.instance is not None and place.instance.ended is not None:
        return place.instance.ended
    now = next((browser for browser in context.engine.present if browser.id == place.browser.id), None)
    if now is None:
        return None
    if now.session != place.browser.session:
        return "Its browser was restarted, or the extension in it was reloaded."
    if not isinstance(error, _CLEAR):
        # The debugger is let go a moment before the tab is gone.
        is_detached = error is not None and "attach" in error.data
        error = await _look(context.naming(now.id).for_call(), place.tab, DETACHED_SECONDS if is_detached else 0)
    return "Its tab was closed in the browser." if isinstance(error, NoSuchTab) else None


async def _look(context: Context, tab: int, patience: float) -> TabwireError | None:
    """Look at a tab until it is gone (`NoSuchTab`) or `patience` seconds are over. Return the last error, or None."""
    until = anyio.current_time() + patience
    while True:
        try:
            await context.send(navigation.Title(tabId=tab))
            error = None
        except TabwireError as raised:
            error = raised
        if isinstance(error, NoSuchTab) or anyio.current_time() >= until:
            return error
        await anyio.sleep(LOOK_SECONDS)
