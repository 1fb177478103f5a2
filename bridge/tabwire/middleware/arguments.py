"""Rule: arguments are checked before anything happens, and the error names the valid ones."""

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError

from tabwire.errors import InvalidArgument
from tabwire.surfaces.argument_errors import describe
from tabwire.surfaces.tool import Next, Reasoned, ToolCall, ToolResult


async def arguments(call: ToolCall, call_next: Next) -> ToolResult:
    """Validate strictly: no coercion, no unknown argument. Strings of JSON are read where the surface says so.

    Raises:
        InvalidArgument: what is wrong with which argument, and what is valid.
    """
    try:
        call.parameters = _validated(call)
    except ValidationError as error:
        missing = [str(detail["loc"][-1]) for detail in error.errors(include_url=False) if detail["type"] == "missing"]
        words = (call.toolset.replies.describe or describe)(call.tool, error, call.beside)
        raise InvalidArgument(words, {"missing": missing} if missing else None) from None
    if isinstance(call.parameters, Reasoned):
        call.context = replace(call.context, reason=call.parameters.reason)
    return await call_next()


_ROUNDS = 3
"""Strings of JSON in a list that was one itself."""


def _validated(call: ToolCall) -> BaseModel:
    model = call.tool.model
    try:
        return model.model_validate(call.arguments)
    except ValidationError as first:
        arguments, error = deepcopy(call.arguments), first
        for _ in range(_ROUNDS if call.toolset.decodes_arguments else 0):
            decoded = [_decode(arguments, detail["loc"]) for detail in error.errors(include_url=False)]
            if not any(decoded):
                break
            try:
                parameters = model.model_validate(arguments)
            except ValidationError as later:
                error = later
            else:
                call.arguments = arguments
                return parameters
        raise


def _decode(arguments: Any, place: tuple[int | str, ...]) -> bool:
    """Put the value of a string of JSON at a place that takes no string; whether there is one."""
    holder, key, value = None, None, arguments
    for step in place:
        is_inside = step in value if isinstance(value, dict) else isinstance(value, list) and isinstance(step, int)
        if not is_inside:
            break
        holder, key, value = value, step, value[step]
    if holder is None or not isinstance(value, str):
        return False
    try:
        holder[key] = json.loads(value, parse_constant=_refused)
    except ValueError:
        return False
    return True


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
