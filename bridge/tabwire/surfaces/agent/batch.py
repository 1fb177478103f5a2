"""Rule: the calls of a batch go through the whole chain one after the other, each as if it had come alone."""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from pydantic import ValidationError

from tabwire.commands.declaration import BROWSER_ARGUMENT
from tabwire.commands.session import Batch, BatchCall
from tabwire.engine.questions import told_to
from tabwire.errors import InvalidArgument
from tabwire.surfaces.argument_errors import describe
from tabwire.surfaces.argument_strings import validated
from tabwire.surfaces.reply_size import MAX_RESULT_BYTES, shortened, size_of
from tabwire.surfaces.tool import Next, Runs, Tool, ToolCall, ToolResult, Toolset
from tabwire.surfaces.tool_groups import group_of
from tabwire.text.provenance import Words, joined

MAX_BYTES = MAX_RESULT_BYTES * 9 // 10
"""Bytes of all replies together; the frame around them takes some as well."""
LEAST_BYTES = 1_500
"""Bytes that the replies of acts leave to each reply after theirs, enough to say that a call is done."""


_HARMLESS = ("console.error:", "ResizeObserver loop", "Error: ResizeObserver loop")


async def batch(call: ToolCall, call_next: Next) -> ToolResult:
    """Make the calls of a batch; other calls pass. One that is wrong goes on as it is, and the chain says why."""
    if call.tool.model is not Batch:
        return await call_next()
    # The browser that is meant goes with each call.
    browser = {name: value for name, value in call.arguments.items() if name == BROWSER_ARGUMENT}
    try:
        given = {name: value for name, value in call.arguments.items() if name != BROWSER_ARGUMENT}
        asked, _ = validated(Batch, given, decodes=call.toolset.decodes_arguments)
    except ValidationError:
        return await call_next()
    assert isinstance(asked, Batch)
    calls = asked.calls
    if problem_in(calls, call.toolset) is not None:
        return await call_next()
    whole, context = call.tool, call.context
    results: list[ToolResult] = []
    for number, one in enumerate(calls, 1):
        call.tool = call.toolset.by_name[one.tool]
        takes_reason = asked.reason is not None and "reason" in call.tool.model.model_fields
        call.arguments = {**browser, **({"reason": asked.reason} if takes_reason else {}), **one.arguments}
        call.context, call.parameters, call.beside = context.for_call(), None, ()
        call.noted = {"batch": f"{number} of {len(calls)}"}
        # A client may answer a question by making the whole call again: what is done by then must not be done twice.
        with told_to(lambda question: None) if results else nullcontext():
            result = await call_next()
        room = MAX_BYTES - size_of(_combined(calls, results))
        results.append(_that_fits(call, result, room, room - LEAST_BYTES * (len(calls) - number)))
        if results[-1].is_error or page_errors(result):
            break
    call.tool = whole
    return _combined(calls, results)


async def run_batch(call: ToolCall) -> Any:
    """The refusal of a batch of which a call is wrong.

    Raises:
        InvalidArgument: which one, and why. Nothing was done.
    """
    asked: Batch = call.parameters
    raise InvalidArgument(problem_in(asked.calls, call.toolset) or "batch: its calls could not be made; nothing was done")


def problem_in(calls: list[BatchCall], toolset: Toolset) -> str | None:
    """The reason why a batch is not begun."""
    for number, one in enumerate(calls, 1):
        tool = toolset.tool(one.tool)
        problem = _absence_of(one.tool, toolset) if tool is None else _problem_of(tool, one.arguments, toolset)
        if problem:
            return f"batch: call {number} of {len(calls)}: {problem}. Nothing was done"
    return None


def _absence_of(name: str, toolset: Toolset) -> str:
    if name in toolset.by_name:
        return f"{name} is not enabled; call {group_of(toolset.by_name[name])} first"
    return f"no tool {name!r} is served here"


def _problem_of(tool: Tool, arguments: Mapping[str, Any], toolset: Toolset) -> str | None:
    if tool.model is Batch:
        return "a batch takes no batch; list its calls here"
    # Old names have arguments of their own, which their rule looks at.
    if type(tool) is not Tool:
        return None
    try:
        given = {name: value for name, value in arguments.items() if name != BROWSER_ARGUMENT}
        validated(tool.model, given, decodes=toolset.decodes_arguments)
    except ValidationError as error:
        return describe(tool, error)
    return None


def page_errors(result: ToolResult) -> list[str]:
    """Errors that the page of an act did not catch. Messages to the console are none, nor is a loop that Chrome ends."""
    data = (result.facts or {}).get("data")
    errors = data.get("effects", {}).get("errors", []) if isinstance(data, dict) else []
    return [error for error in errors if not error.startswith(_HARMLESS)]


def _that_fits(call: ToolCall, result: ToolResult, room: int, room_of_act: int) -> ToolResult:
    """The reply beside those before it. A read that has no room fails; an act is done, and its reply is cut."""
    size, is_act = size_of(result), call.intent != "read" or result.is_error
    if size <= (room_of_act if is_act else room):
        return result
    if not is_act:
        words = f"result_too_large: the reply of {call.tool.name} ({size:,} bytes) does not fit beside the others; call it alone"
        return ToolResult(words, {"success": False, "error": "result_too_large"}, is_error=True)
    return shortened(result, max(room_of_act, LEAST_BYTES))


def _combined(calls: list[BatchCall], results: list[ToolResult]) -> ToolResult:
    lines: list[str] = [
        Words(f"{number}. {one.tool}: ", result.text) for number, (one, result) in enumerate(zip(calls, results, strict=False), 1)
    ]
    left = [one.tool for one in calls[len(results) :]]
    broken = bool(results and left and page_errors(results[-1]))
    failed = bool(results) and (results[-1].is_error or broken)
    if left:
        why = "Stopped there: the call was made, and the page reported an error" if broken else "Stopped there"
        lines.append(f"{why}; not called: {', '.join(left)}")
    images = tuple(image for result in results for image in result.images)
    told = [
        {"tool": one.tool, **(result.structured or result.facts or {"success": not result.is_error})}
        for one, result in zip(calls, results, strict=False)
    ]
    facts: dict[str, Any] = {"success": not failed, "data": {"results": told, "not_called": left}}
    return ToolResult(
        text=joined("\n", lines),
        # Some clients show their model the structured content alone where there is one: texts and pictures would be lost.
        facts=facts,
        images=images,
        is_error=failed,
        saved=tuple(artifact for result in results for artifact in result.saved),
    )


RUNS: Runs = {Batch: run_batch}
