"""Rule: a call of an old name becomes the calls of the new one that mean the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from pydantic import ValidationError

from tabwire.commands.privacy import Kept
from tabwire.errors import ElementNotEditable, InvalidArgument, InvalidElementState
from tabwire.middleware.arguments import describe
from tabwire.surfaces.context import Context
from tabwire.surfaces.tool import Next, Tool, ToolCall, ToolResult
from tabwire.text.provenance import joined

Arguments: TypeAlias = Mapping[str, Any]
LookUp: TypeAlias = Callable[[Context, dict[str, Any]], Awaitable[dict[str, Any]]]


@dataclass(frozen=True)
class Step:
    """A call of a tool under its new name."""

    tool: str
    arguments: dict[str, Any]
    instead: Step | None = None
    """Step for an element that turns out to be of another kind: it has the tool for that kind."""
    look_up: LookUp | None = None
    """Completes the arguments from what the browser says."""


@dataclass(frozen=True)
class Translation:
    """Meaning of an old call in terms of the new tools."""

    steps: tuple[Step, ...]
    left_out: tuple[str, ...] = ()
    """Old arguments without a counterpart."""


@dataclass(frozen=True)
class Alias(Tool):
    """A tool under its old name."""

    translate: Callable[[Arguments], Translation] = field(kw_only=True, repr=False)
    old_kept: Mapping[str, Kept] = field(kw_only=True, repr=False)

    @property
    def kept(self) -> Mapping[str, Kept]:
        """The privacy of its old arguments."""
        return self.old_kept


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
