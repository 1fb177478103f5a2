"""Rule: arguments are checked before anything happens, and the error names the valid ones."""

from dataclasses import replace

from pydantic import ValidationError

from tabwire.errors import InvalidArgument
from tabwire.surfaces.argument_errors import describe
from tabwire.surfaces.argument_strings import validated
from tabwire.surfaces.tool import Next, Reasoned, ToolCall, ToolResult


async def arguments(call: ToolCall, call_next: Next) -> ToolResult:
    """Validate strictly: no coercion, no unknown argument. Strings of JSON are read where the surface says so.

    Raises:
        InvalidArgument: what is wrong with which argument, and what is valid.
    """
    try:
        call.parameters, call.arguments = validated(call.tool.model, call.arguments, decodes=call.toolset.decodes_arguments)
    except ValidationError as error:
        missing = [str(detail["loc"][-1]) for detail in error.errors(include_url=False) if detail["type"] == "missing"]
        words = (call.toolset.replies.describe or describe)(call.tool, error, call.beside)
        raise InvalidArgument(words, {"missing": missing} if missing else None) from None
    if isinstance(call.parameters, Reasoned):
        call.context = replace(call.context, reason=call.parameters.reason)
    return await call_next()
