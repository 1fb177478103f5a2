"""Rule: a call that finds no browser, in a home where none was ever connected, lets one ask for a key and goes on with it."""

from collections.abc import Awaitable, Callable

from tabwire.errors import NotConnected
from tabwire.surfaces.tool import Middleware, Next, ToolCall, ToolResult

Admit = Callable[[NotConnected], Awaitable[None]]
"""Waits for a first browser; raises the error that the call ends with where none has come."""


def first_browser(admit: Admit) -> Middleware:
    """The rule. It is the innermost one that may run the tool: nothing was sent anywhere when it runs it again."""

    async def rule(call: ToolCall, call_next: Next) -> ToolResult:
        try:
            return await call_next()
        except NotConnected as missing:
            if call.context.sent or call.context.engine.browsers:
                raise
            await admit(missing)
        return await call_next()

    return rule
