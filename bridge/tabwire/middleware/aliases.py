"""Rule: a call of an old name becomes the calls of the new one that mean the same."""

from dataclasses import replace

from pydantic import ValidationError

from tabwire.errors import ElementNotEditable, InvalidArgument, InvalidElementState
from tabwire.surfaces.alias import Alias, Step, Translation
from tabwire.surfaces.argument_errors import describe
from tabwire.surfaces.tool import Next, Tool, ToolCall, ToolResult
from tabwire.text.provenance import joined


async def aliases(call: ToolCall, call_next: Next) -> ToolResult:
    """Translate calls of old names; others pass."""
    if not isinstance(call.tool, Alias):
        return await call_next()
    old = call.tool
    translation = old.translate(call.arguments)
    results = [await _run(step, old, call, call_next) for step in translation.steps]
    note = _note(old, translation)
    return replace(
        results[-1],
        text=joined("\n", [*(result.text for result in results), *note]),
        images=tuple(image for result in results for image in result.images),
        saved=tuple(artifact for result in results for artifact in result.saved),
    )


def _note(old: Tool, translation: Translation) -> list[str]:
    if not translation.left_out:
        return []
    return [
        f"Note: {old.name} is now {translation.steps[-1].tool}; "
        f"left out, without a counterpart: {', '.join(translation.left_out)}"
    ]


async def _run(step: Step, old: Tool, call: ToolCall, call_next: Next) -> ToolResult:
    tool = call.toolset.by_name.get(step.tool)
    if tool is None:
        raise InvalidArgument(f"{old.name} is now {step.tool}, which is not among the tools served; see --tools")
    try:
        arguments = step.arguments if step.look_up is None else await step.look_up(call.context, step.arguments)
    except ValidationError as error:
        raise InvalidArgument(describe(old, error)) from None
    call.tool, call.arguments = tool, arguments
    if step.instead is None:
        return await call_next()
    try:
        return await call_next()
    except (ElementNotEditable, InvalidElementState):
        # Both are found out before anything is done to the page.
        return await _run(step.instead, old, call, call_next)
