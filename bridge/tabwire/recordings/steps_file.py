"""Recorded steps as a file that `tabwire replay` runs and repairs: JSON, with the fingerprint of each element."""

import json
from collections.abc import Iterable
from typing import Any

from tabwire.commands.replay import Act

FORMAT = "tabwire steps"
VERSION = 1


def text_of(acts: Iterable[Act]) -> str:
    """The file."""
    return json.dumps({"format": FORMAT, "version": VERSION, "steps": list(acts)}, ensure_ascii=False, indent=2) + "\n"


def steps_in(text: str) -> list[dict[str, Any]]:
    """The steps of a file.

    Raises:
        ValueError: it has none, or is of another version.
    """
    try:
        told = json.loads(text)
    except ValueError as error:
        raise ValueError(f"it is no JSON ({error}); record one with `tabwire codegen URL -o NAME.steps.json`") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise ValueError("it is no recording of steps; record one with `tabwire codegen URL -o NAME.steps.json`")
    if told.get("version") != VERSION:
        raise ValueError(f"it is of version {told.get('version')!r}, and this Tabwire reads version {VERSION}; record it again")
    steps = told.get("steps")
    if not isinstance(steps, list) or not all(isinstance(step, dict) and isinstance(step.get("method"), str) for step in steps):
        raise ValueError("its steps are not a list of objects with a method; record it again")
    return steps
