"""Wording of bad arguments: what is wrong with each, and what is valid."""

import difflib
from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tabwire.surfaces.tool import Tool


def describe(tool: Tool, error: ValidationError, beside: Sequence[str] = ()) -> str:
    """All that is wrong, one sentence each, followed by the valid arguments where a name was unknown or missing.

    Args:
        beside: arguments that every tool takes now.
    """
    details = error.errors(include_url=False, include_input=True)
    names = [*tool.input_schema.get("properties", {}), *beside]
    sentences = list(dict.fromkeys(_sentence(names, detail) for detail in details))
    text = f"{tool.name}: " + "; ".join(sentences)
    if any(detail["type"] in ("extra_forbidden", "missing") for detail in details):
        text += f". Valid arguments: {_signature(tool, names)}"
    return text


def _sentence(names: Sequence[str], detail: ErrorDetails) -> str:
    path = ".".join(str(part) for part in detail["loc"] if not str(part).startswith(("function-", "list[", "str", "int")))
    if detail["type"] == "extra_forbidden":
        name = str(detail["loc"][-1])
        close = difflib.get_close_matches(name, names, 1)
        return f"unknown argument {path!r}" + (f" (did you mean {close[0]!r}?)" if close else "")
    if detail["type"] == "missing":
        return f"required argument {path!r} is missing"
    message = detail["msg"].removeprefix("Value error, ")
    return f"{path!r}: {message}, got {_shown(detail['input'])}" if path else message


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _signature(tool: Tool, names: Sequence[str]) -> str:
    required = set(tool.input_schema.get("required", ()))
    return ", ".join(f"{name} (required)" if name in required else name for name in names) or "none"
