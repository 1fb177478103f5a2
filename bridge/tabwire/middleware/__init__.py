"""The chain every call runs through. One file, one rule; the order is in `app.py`."""

from collections.abc import Awaitable, Callable, Sequence

from tabwire.surfaces.tool import Middleware, ToolCall, ToolResult


def chain(rules: Sequence[Middleware]) -> Callable[[ToolCall], Awaitable[ToolResult]]:
    """Compose the rules, outermost first; the innermost step runs the tool and renders its result."""

    async def step(call: ToolCall, index: int) -> ToolResult:
        if index == len(rules):
            return call.toolset.replies.respond(call, await call.tool.run(call))
        return await rules[index](call, lambda: step(call, index + 1))

    return lambda call: step(call, 0)
