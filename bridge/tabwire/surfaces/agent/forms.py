"""Files for a page, and a form in one call: its fields as one command, then the press that submits it as another."""

from dataclasses import replace
from typing import Any, cast

from tabwire.commands.declaration import Act
from tabwire.commands.forms import FillForm, FillFormResult, FormField, WantedField
from tabwire.commands.input import Click, Press, Upload
from tabwire.commands.results import Effects
from tabwire.engine.questions import told_to
from tabwire.errors import TabwireError
from tabwire.surfaces.agent.snapshots import brief, run_act
from tabwire.surfaces.tool import Answer, Runs, ToolCall
from tabwire.text.provenance import PageText, Words, joined

_IDLE_ENTER = (
    "the fields are in no form with a button, and Enter in the last one changed nothing that was observed; click what sends them"
)
_ECHOES = frozenset({"none", "events", "fields", "focus"})
"""Effects of Enter on its field, which has been changed and says so."""
_TOGETHER = ("changes", "errors", "fields", "requests", "new_tabs", "downloads", "frames", "scrolled")
"""Effects that are lists: of both acts where both have some."""


async def run_upload(call: ToolCall) -> Answer:
    """Files of this computer are read here: the extension only sees bytes, and of a folder the path."""
    command: Upload = call.parameters
    return await run_act(call, files=call.context.files.contents(command.files))


async def run_fill_form(call: ToolCall) -> Answer:
    """The fields, and what submitting them did. Files of this computer are read here, before anything is done."""
    command: FillForm = call.parameters
    fields = [_wanted(call, field) for field in command.fields]
    if not command.submit:
        return _told(command, cast(FillFormResult, await run_act(call, fields=fields)))
    filled = await call.context.send(command, fields=fields)
    press = _press(command, filled)
    if isinstance(press, str):
        return {**brief(call), **_told(command, filled, press)}
    try:
        # A client may answer a question by making the whole call again: the fields would be filled twice.
        with told_to(lambda question: None):
            pressed = cast(dict[str, Any], await run_act(replace(call, parameters=press)))
    except TabwireError as error:
        error.message = Words(f"{_done(command, filled)}, and submitting it failed: ", error.message)
        error.data = {**error.data, "filled": filled.get("fields", [])}
        raise
    how = "by Enter" if isinstance(press, Press) else _button(filled)
    after: dict[str, object] = {name: pressed[name] for name in ("dialog", "diff", "is_brief") if name in pressed}
    effects = _both(filled["effects"], pressed["effects"])
    note: str = pressed.get("note", "")
    if isinstance(press, Press) and not pressed["effects"].keys() - _ECHOES:
        note = joined("; ", [*filter(None, [note]), _IDLE_ENTER])
    return {**after, **_told(command, filled, note), "pressed": how, "effects": effects}


def _wanted(call: ToolCall, field: FormField) -> WantedField:
    selector = field.selector if field.selector is not None else f"label:{field.label}"
    if field.files is not None:
        return {"selector": selector, "files": call.context.files.contents(field.files)}
    value = field.wanted()
    assert value is not None
    return {"selector": selector, "value": value}


def _press(command: FillForm, filled: FillFormResult) -> Act | str:
    """Command that submits the form, or the reason why nothing does."""
    if "dialog" in filled["effects"] or len(filled.get("fields", ())) < len(command.fields):
        return "it was not submitted"
    if "submitter" in filled:
        return Click(selector=filled["submitter"], timeout=command.timeout, tabId=filled["tabId"], diff=command.diff)
    if "enters" in filled:
        return Press(selector=filled["enters"], key="Enter", tabId=filled["tabId"], diff=command.diff)
    return "it was not submitted: no button submits the form of the last field, which takes no Enter; click what sends it"


def _done(command: FillForm, filled: FillFormResult) -> str:
    done, wanted = len(filled.get("fields", ())), len(command.fields)
    return f"Filled {done} {'field' if done == 1 else 'fields'}" if done == wanted else f"Filled {done} of {wanted} fields"


def _told(command: FillForm, filled: FillFormResult, more: str = "") -> dict[str, object]:
    """The result, with what is special of single fields in the note."""
    fields = filled.get("fields", [])
    notes: list[str] = [Words(f"{field['ref']}: ", field["note"]) for field in fields if "note" in field]
    notes = [note for note in (filled.get("note", ""), *notes, more) if note]
    parts = [part for note in notes for part in ("; ", note)][1:]
    result: dict[str, object] = {**filled, "done": _done(command, filled)}
    for name in ("submitter", "submitter_name", "enters", "ref", "input"):
        result.pop(name, None)
    return {**result, "note": Words(*parts)} if parts else result


def _button(filled: FillFormResult) -> str:
    """The button that was pressed, as snapshots name it, with its reference."""
    name = filled.get("submitter_name", "")
    return Words(PageText(name), f" {filled['submitter']}") if name else filled["submitter"]


def _both(filled: Effects, pressed: Effects) -> dict[str, object]:
    """The effects of both acts as those of one."""
    before, after = cast(dict[str, object], filled), cast(dict[str, object], pressed)
    both = {name: effect for name, effect in before.items() if name != "focus"} | after
    for name in _TOGETHER:
        first, then = before.get(name), after.get(name)
        if isinstance(first, list) and isinstance(then, list):
            both[name] = [*first, *then]
    if len(both) > 1:
        both.pop("none", None)
    return both


RUNS: Runs = {FillForm: run_fill_form, Upload: run_upload}
