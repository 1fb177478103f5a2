"""Browser as a test sees it."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from tabwire.errors import TabwireError, UnsupportedOperation
from tabwire.testing.calls import HIDDEN, Call, first_line, shown, tells_secrets
from tabwire.testing.reply import Reply
from tabwire.testing.tools import Tools

if TYPE_CHECKING:
    from tabwire.browsers.instance import Instance
    from tabwire.browsers.running import LaunchOptions

MAX_CALLS = 2_000
"""Number of calls that are remembered; the oldest are forgotten first."""


class Home(Protocol):
    """The bridge that a browser has joined."""

    def call(self, instance: Instance, tool: str, arguments: dict[str, Any], limit_s: float | None = None) -> Reply:
        """Run a tool in one of its browsers."""

    def end(self, instance: Instance) -> None:
        """End one of its browsers."""

    def close(self) -> None:
        """End all of its browsers, and itself."""


class Tabwire(Tools):
    """A browser and the calls to it. Every tool is a method; `call` is what they have in common.

    Args:
        bridge: where the browser has joined.
        instance: the browser.
    """

    def __init__(self, bridge: Home, instance: Instance) -> None:
        self.calls: list[Call] = []
        """Calls made so far, oldest first."""
        self.on_call: Callable[[Call, dict[str, Any], Reply | None], None] | None = None
        """Callback with each call of the log, its arguments and its reply, once it is over."""
        self._bridge = bridge
        self._instance = instance
        self._bridge_to_close: Home | None = None
        self._started = time.monotonic()

    @property
    def id(self) -> str:
        """Id of the browser."""
        return self._instance.id

    @property
    def name(self) -> str:
        """Name of the browser."""
        return self._instance.name

    @property
    def options(self) -> LaunchOptions:
        """Options the browser was started with."""
        return self._instance.options

    @property
    def where(self) -> str:
        """Description of its process or session for people: "process 4711"."""
        return self._instance.where

    @property
    def ended(self) -> str | None:
        """None while the browser runs, else how it ended."""
        return self._instance.ended

    @property
    def has_driver(self) -> bool:
        """Whether there is a WebDriver for this browser."""
        return self._instance.driver is not None

    @property
    def driver(self) -> Any:
        """The `selenium` WebDriver of this browser.

        Raises:
            UnsupportedOperation: it was started without one.
        """
        if not self.has_driver:
            raise UnsupportedOperation(
                "This browser was started without a WebDriver.",
                next_step="Start it with launch(driver=True); under pytest, make tabwire_driver an argument of the test.",
            )
        return self._instance.driver

    def call(self, tool: str, /, *, limit_s: float | None = None, **arguments: Any) -> Reply:
        """Call a tool.

        Args:
            tool: its name, as in `tabwire serve`.
            limit_s: the longest to wait in seconds, besides the tool's own `timeout` (which is in milliseconds).
            arguments: what it takes. Paths may be `Path` objects; relative ones are relative to the working directory. `for`
                and `return` are written `for_` and `return_`.

        Raises:
            TabwireError: it failed; the class says how (`tabwire.errors`).
        """
        __tracebackhide__ = True
        started = time.monotonic()
        reply, failure = None, None
        try:
            reply = self._bridge.call(self._instance, tool, arguments, limit_s)
            return reply
        except BaseException as error:
            failure = error
            if isinstance(error, TabwireError):
                error.add_note(f"Call: {tool}({shown(tool, arguments)})")
            raise
        finally:
            self._note(tool, arguments, started, reply, failure)

    def look(self, tool: str, /, *, limit_s: float | None = None, **arguments: Any) -> Reply:
        """Call a tool without a word in the log of calls. See `call`."""
        __tracebackhide__ = True
        return self._bridge.call(self._instance, tool, arguments, limit_s)

    def again(self) -> Tabwire:
        """The same browser with a log of its own."""
        return Tabwire(self._bridge, self._instance)

    def close(self) -> None:
        """End the browser. May be called again."""
        if self._bridge_to_close is not None:
            self._bridge_to_close.close()
        else:
            self._bridge.end(self._instance)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Tabwire {self.name!r}, {self.where}>"

    def _note(
        self, tool: str, arguments: dict[str, Any], started: float, reply: Reply | None, failure: BaseException | None
    ) -> None:
        if reply is not None:
            outcome, code = HIDDEN if tells_secrets(tool, arguments) else reply.text, None
        else:
            code = failure.code if isinstance(failure, TabwireError) else type(failure).__name__
            outcome = f"{code}: {failure}"
        now = time.monotonic()
        written = shown(tool, arguments, None if reply is None else reply.data)
        call = Call(started - self._started, tool, written, 1000 * (now - started), first_line(outcome), code)
        self.calls.append(call)
        del self.calls[:-MAX_CALLS]
        if self.on_call is not None and (failure is None or isinstance(failure, TabwireError)):
            self.on_call(call, arguments, reply)
