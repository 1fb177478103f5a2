"""Steps of a person, a line for each, and the test that is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from tabwire.commands.declaration import Command
from tabwire.commands.steps import RecordedStep, RecordSteps
from tabwire.eventlog import pytest_script
from tabwire.eventlog.written_tests import WRITERS
from tabwire.surfaces.tool import Answer, Run, ToolCall
from tabwire.wire.text_provenance import PageText, Words, joined


async def run_record_steps(call: ToolCall) -> Answer:
    """The new steps as lines; at the end all of them as a test."""
    command: RecordSteps = call.parameters
    result = await call.context.send(command)
    acts = [lasting(step) for step in result["steps"]]
    notes = [f"The recording has ended: {result['ended']}"] if "ended" in result else []
    notes += [f"Note: {result['note']}"] if "note" in result else []
    if command.action == "stop":
        text: Any = PageText(WRITERS[command.language](acts))
    else:
        text = _lines(acts, is_started=command.action == "start")
    return {
        **result,
        "steps": acts,
        "snapshot": joined("\n", [*([text] if text else []), *notes]),
        "lines": [_line(act) for act in acts],
    }


def _lines(acts: Sequence[dict[str, Any]], *, is_started: bool) -> Words | PageText | None:
    if is_started:
        return Words(
            "Recording: what the person does in the tab becomes a test. Call record_steps with action stop when they are done"
        )
    if not acts:
        return Words("No step yet")
    return PageText("\n".join(f"{act['number']}: {_line(act)}" for act in acts))


def _line(act: dict[str, Any]) -> str:
    return "; ".join(pytest_script.lines_of(act))


def lasting(step: RecordedStep) -> dict[str, Any]:
    """A step whose observed address is one that it has again the next time: not one of a session or of a new record."""
    act: dict[str, Any] = dict(step)
    observed = dict(act.get("observed") or {})
    if "url" in observed and not _is_lasting(observed["url"]["to"]):
        del observed["url"]
    return {**act, "observed": observed}


def _is_lasting(url: str) -> bool:
    parts = urlsplit(url)
    is_named = not any(letter.isdigit() for letter in parts.path)
    return parts.scheme in ("http", "https") and not parts.query and not parts.fragment and is_named


RUNS: dict[type[Command], Run] = {RecordSteps: run_record_steps}
