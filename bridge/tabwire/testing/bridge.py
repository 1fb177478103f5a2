"""A bridge inside this process: browsers join it as they join `tabwire serve`, and Python takes the place of MCP.

It runs in a thread of its own until it is closed or the process ends. Whatever it has started (browsers, drivers, folders) ends
with it, also when the process is killed.
"""

import atexit
import logging
import os
import secrets
import tempfile
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import anyio
from anyio.from_thread import BlockingPortal

from tabwire import app, config
from tabwire.browsers.guard import Guard
from tabwire.browsers.instance import Instance
from tabwire.browsers.launcher import Launcher
from tabwire.browsers.running import LaunchOptions
from tabwire.config import Config
from tabwire.engine.engine import Engine
from tabwire.errors import InvalidArgument, NotConnected, TabwireError, Timeout
from tabwire.install import extension_files
from tabwire.middleware import chain
from tabwire.middleware.browser import browser
from tabwire.middleware.errors import errors
from tabwire.rules.grants import Grants
from tabwire.surfaces.context import Context
from tabwire.surfaces.shared.files import Destination, Files
from tabwire.surfaces.tool import ToolCall
from tabwire.testing.client import Tabwire
from tabwire.testing.methods import toolset, wire_arguments
from tabwire.testing.reply import Reply
from tabwire.wire.keys import MemoryKeys

END_S = 15.0
"""Seconds for the bridge's browsers to end when it is closed, so that whoever looks at the machine then finds nothing."""
FILES_S = 5.0
"""Seconds for the bridge's folder to be deleted."""
CLOSE_S = 30.0
"""Seconds for the thread to end; the guards end what it has not ended by then."""

T = TypeVar("T")

log = logging.getLogger(__name__)

ANY_FILE = Grants(files=["/"])
"""A test's browser opens what its developer names."""


def launch_options(settings: Config) -> LaunchOptions:
    """Options of browsers, as settings have them."""
    return replace(settings.launch_options(), downloads=None, permissions=settings.permissions.over(ANY_FILE))


_OF_CLIENTS = (errors, browser)
"""Rules for MCP clients. A test gets exceptions, and an object for each browser."""


class _AnyFiles(Files):
    """A test is its author's own program and may use every file that it may use anyway."""

    def allowed(self, name: str) -> Path:
        return self.real(name)

    def may_replace(self, destination: Destination, status: os.stat_result) -> bool:
        """Allow every replacement, as any program that opens a file for writing does."""
        return True


class _OneBrowser(Context):
    """Replies do not say which browser they are from: whoever asked knows."""

    def answering(self) -> str | None:
        return None


@dataclass(frozen=True)
class _Parts:
    """Parts that run in the thread."""

    portal: BlockingPortal
    launcher: Launcher
    context: Context
    stop: anyio.Event


@dataclass(frozen=True)
class _Failed:
    """Failure that is passed instead of a result."""

    error: Exception


class Bridge:
    """A bridge of this process.

    Args:
        settings: as those of `tabwire serve`; default: the user's (TABWIRE_* and the configuration file). Where it keeps
            its own files is a temporary folder in any case, but for named profiles.

    Raises:
        TabwireError: it could not start.
    """

    def __init__(self, settings: Config | None = None) -> None:
        self._settings = settings or config.load({})
        self._run_tool = chain([rule for rule in app.common_rules() if rule not in _OF_CLIENTS])
        self._ending: set[Future[None]] = set()
        self._closing = threading.Lock()
        self._is_closed = False
        ready: Future[_Parts] = Future()
        self._thread = threading.Thread(target=self._live, args=(ready,), name="tabwire", daemon=True)
        self._thread.start()
        self._parts = ready.result()
        atexit.register(self.close)

    def launch(self, options: LaunchOptions | None = None, /, **changes: Any) -> Tabwire:
        """Start a browser, or take one that was started ahead.

        Args:
            options: which browser.
            changes: fields of `LaunchOptions` to change.

        Raises:
            TabwireError: it did not start or did not join.
        """
        __tracebackhide__ = True
        wanted = replace(options or self.options(), **changes)
        instance = self.run(self._parts.launcher.launch, wanted)
        return Tabwire(self, instance)

    def options(self) -> LaunchOptions:
        """Options of the browsers, by the settings."""
        return launch_options(self._settings)

    def end(self, instance: Instance) -> None:
        """End one of its browsers. Only a kept profile is waited for, because the next browser may want it."""
        if instance.options.profile is not None:
            return self.run(self._end, instance)
        try:
            ending = self._parts.portal.start_task_soon(self._end, instance)
        except RuntimeError:
            return
        self._ending.add(ending)
        ending.add_done_callback(self._ended)

    async def _end(self, instance: Instance) -> None:
        if instance.ended is None:
            await self._parts.launcher.terminate(instance.id)
        await instance.wait_ended()

    def _ended(self, ending: Future[None]) -> None:
        self._ending.discard(ending)
        if not ending.cancelled() and ending.exception() is not None:
            log.error("a browser could not be ended", exc_info=ending.exception())

    def call(self, instance: Instance, tool: str, arguments: dict[str, Any], limit_s: float | None = None) -> Reply:
        """Run a tool in one of its browsers.

        Args:
            instance: the browser.
            tool: name of the tool.
            arguments: what it takes.
            limit_s: the longest that the caller waits, besides the tool's own deadline.

        Raises:
            TabwireError: it failed.
        """
        __tracebackhide__ = True
        return self.run(self._answer, instance, tool, arguments, limit_s=limit_s)

    async def _answer(self, instance: Instance, name: str, arguments: dict[str, Any]) -> Reply:
        tool = toolset().by_name.get(name)
        if tool is None:
            raise InvalidArgument(f"there is no tool {name!r}. Tools: {', '.join(toolset().by_name)}")
        context = self._parts.context.naming(instance.id)
        call = ToolCall(tool=tool, arguments=wire_arguments(tool, arguments), toolset=toolset(), context=context)
        return Reply.of(await self._run_tool(call))

    def run(self, work: Callable[..., Awaitable[T]], *arguments: Any, limit_s: float | None = None) -> T:
        """Run something in the bridge's thread and wait for it; interrupting the wait withdraws it.

        Raises:
            NotConnected: the bridge is closed.
            Timeout: the limit is over.
        """
        __tracebackhide__ = True
        try:
            future: Future[T | _Failed] = self._parts.portal.start_task_soon(_outcome, work, arguments, limit_s)
        except RuntimeError:
            raise NotConnected(
                "This bridge is closed, and its browsers with it.", next_step="Use it before it is closed."
            ) from None
        try:
            outcome = future.result()
        except CancelledError:
            raise NotConnected("This bridge was closed meanwhile.", next_step="Close it after its last call.") from None
        except BaseException:
            # Ctrl-C, or the time limit of a test.
            future.cancel()
            raise
        if isinstance(outcome, _Failed):
            # The frames of the other thread say nothing about the test.
            raise outcome.error.with_traceback(None) if isinstance(outcome.error, TabwireError) else outcome.error
        return outcome

    def close(self) -> None:
        """End its browsers and the bridge. May be called again."""
        with self._closing:
            if self._is_closed:
                return
            self._is_closed = True
        atexit.unregister(self.close)
        wait(tuple(self._ending), END_S)
        try:
            self._parts.portal.start_task_soon(self._parts.stop.set)
        except RuntimeError:
            log.debug("the bridge had ended before")
        self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            log.warning("the bridge did not end in %.0f s", CLOSE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # In the thread.

    def _live(self, ready: Future[_Parts]) -> None:
        try:
            anyio.run(self._serve, ready)
        except BaseException as error:
            if ready.done():
                log.exception("the bridge failed")
            else:
                ready.set_exception(error)

    async def _serve(self, ready: Future[_Parts]) -> None:
        home = Path(tempfile.gettempdir()) / f"tabwire-testing-{secrets.token_hex(6)}"
        guard = Guard()
        try:
            guard.folder(home)
            home.mkdir(mode=0o700)
            await self._serve_in(home, ready)
        finally:
            guard.release()
            with anyio.move_on_after(FILES_S, shield=True):
                await guard.finished()

    async def _serve_in(self, home: Path, ready: Future[_Parts]) -> None:
        # Several processes of one run may not want the same port.
        settings = self._settings.model_copy(update={"home": home, "port": None})
        keys = MemoryKeys()
        async with app.transport_for(settings, keys, launches=True) as transport:
            engine = Engine(transport)
            engine.set_client_info("tabwire.testing", extension_files.version())
            launches = Launcher(engine, transport, keys, self._settings.home_dir(), end_seconds=END_S)
            async with launches as launcher, BlockingPortal() as portal:
                given = replace(app.context_for(settings, engine, app.files_for(settings)), shows_secrets=True)
                context = _OneBrowser(engine, _AnyFiles(given.files.artifacts.folder), given.snapshots)
                stop = anyio.Event()
                ready.set_result(_Parts(portal, launcher, context, stop))
                await stop.wait()
                await portal.stop(cancel_remaining=True)


async def _outcome(work: Callable[..., Awaitable[T]], arguments: tuple[Any, ...], limit_s: float | None) -> T | _Failed:
    """Errors as values: raised in the thread that waits, they show the test and nothing else."""
    try:
        with anyio.fail_after(limit_s):
            return await work(*arguments)
    except TimeoutError:
        return _Failed(Timeout(f"There was no answer within {limit_s} s.", next_step="Look whether the browser still runs."))
    except Exception as error:
        return _Failed(error)


def launch(options: LaunchOptions | None = None, /, **changes: Any) -> Tabwire:
    """Start a browser with a bridge of its own; use it in a `with` block, or `close()` it.

    Args:
        options: which browser; default: headless, with a profile of its own that is deleted at the end.
        changes: fields of `LaunchOptions` to change: `launch(headless=False)`.

    Raises:
        TabwireError: it did not start or did not join.
    """
    __tracebackhide__ = True
    bridge = Bridge()
    try:
        # One browser alone needs no spare.
        browser = bridge.launch(options, **{"use_pool": False, **changes})
    except BaseException:
        bridge.close()
        raise
    browser._bridge_to_close = bridge
    return browser
