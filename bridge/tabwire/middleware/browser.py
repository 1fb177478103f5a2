"""Rule: every tool takes the argument `browser`, which is not the tool's own but says where the call goes."""

from typing import Any

from tabwire.commands.declaration import BROWSER_ARGUMENT
from tabwire.errors import InvalidArgument
from tabwire.surfaces.tool import Next, ToolCall, ToolResult

_SCHEMA = {"type": "string", "description": "Which browser: name or id"}


async def browser(call: ToolCall, call_next: Next) -> ToolResult:
    """Take the argument off and give the call a context of its own, so that calls at the same time do not mix.

    Raises:
        InvalidArgument: it is no name.
    """
    if not call.toolset.takes_browser:
        call.context = call.context.naming(None)
        return await call_next()
    named = call.arguments.get(BROWSER_ARGUMENT)
    if BROWSER_ARGUMENT in call.arguments:
        call.arguments = {name: value for name, value in call.arguments.items() if name != BROWSER_ARGUMENT}
        if not isinstance(named, str) or not named.strip():
            raise InvalidArgument(
                f"{call.tool.name}: {BROWSER_ARGUMENT!r}: the name or id of a browser as a string, got {named!r:.60}"
            )
    call.context = call.context.naming(named.strip() if named else None)
    if call.context.engine.has_several:
        call.beside = (BROWSER_ARGUMENT,)
    return await call_next()


def with_browser(schema: dict[str, Any]) -> dict[str, Any]:
    """An input schema that has the argument, too: for while there are several browsers to choose from."""
    return {**schema, "properties": {**schema.get("properties", {}), BROWSER_ARGUMENT: _SCHEMA}}
