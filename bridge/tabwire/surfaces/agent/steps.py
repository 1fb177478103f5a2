"""Steps of a person, a line for each, and the test that is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tabwire.commands.steps import Fingerprint, Locate, Record
from tabwire.errors import InvalidArgument
from tabwire.surfaces.tool import Answer, Runs, ToolCall
from tabwire.text.provenance import PageText, Words, joined


async def run_record_steps(call: ToolCall) -> Answer:
    """The new steps as lines; at the end all of them as a test."""
    # The printers are imported for those who record.
    from tabwire.recordings.languages import WRITERS
    from tabwire.recordings.recorded_steps import as_act

    command: Record = call.parameters
    result = await call.context.send(command)
    acts = [as_act(step, has_fingerprint=command.language == "steps") for step in result["steps"]]
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


async def run_locate_step(call: ToolCall) -> Answer:
    """The verdict on a selector, and the nearest elements, a line each.

    Raises:
        InvalidArgument: the fingerprint is none.
    """
    command: Locate = call.parameters
    try:
        _FINGERPRINT.validate_python(command.fingerprint)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, ("fingerprint", *problem["loc"])))
        raise InvalidArgument(f"{field}: {problem['msg']}. Take it as record_steps gave it") from None
    result = await call.context.send(command)
    found = [f"{one['score']:.2f} {one['ref']} {one['target']['selector']}" for one in result["candidates"]]
    said: list[Any] = [Words(_VERDICTS[result["verdict"]])]
    if found:
        which = "the first one" if result["clear"] else "none of them"
        heading = f"Nearest by likeness, 0 to 1; {which} is clearly the recorded element:"
        said += [Words(heading), PageText("\n".join(found))]
    elif result["verdict"] != "same":
        said.append(Words("Nothing in the page is like the recorded element"))
    return {**result, "snapshot": joined("\n", said)}


_FINGERPRINT: TypeAdapter[Fingerprint] = TypeAdapter(Fingerprint)
_VERDICTS = {
    "same": "The selector leads to the recorded element",
    "none": "The selector leads to nothing",
    "several": "The selector leads to several elements",
    "other": "The selector leads to another element than was recorded",
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
    from tabwire.recordings import pytest_test

    return "; ".join(pytest_test.lines_of(act))


RUNS: Runs = {Record: run_record_steps, Locate: run_locate_step}
