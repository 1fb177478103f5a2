"""Arguments as strings of JSON: some clients write all values so."""

import json
from copy import deepcopy
from typing import Any

from pydantic import BaseModel, ValidationError

_ROUNDS = 3
"""Strings of JSON in a list that was one itself."""


def validated(model: type[BaseModel], arguments: dict[str, Any], *, decodes: bool) -> tuple[BaseModel, dict[str, Any]]:
    """The parameters of a call, and its arguments as they were understood.

    Args:
        decodes: Whether a string of JSON is read where an argument takes no string.

    Raises:
        ValidationError: of the arguments as they were given.
    """
    try:
        return model.model_validate(arguments), arguments
    except ValidationError as first:
        read, error = deepcopy(arguments), first
        for _ in range(_ROUNDS if decodes else 0):
            decoded = [_decode(read, detail["loc"]) for detail in error.errors(include_url=False)]
            if not any(decoded):
                break
            try:
                return model.model_validate(read), read
            except ValidationError as later:
                error = later
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
    # RecursionError: brackets within brackets, thousands deep.
    except (ValueError, RecursionError):
        return False
    return True


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
