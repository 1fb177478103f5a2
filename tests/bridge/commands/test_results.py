"""The results that commands declare."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from pydantic import TypeAdapter, ValidationError

from bridge.fake_link import WORK, connected
from tabwire.commands import WIRE, tabs
from tabwire.commands.declaration import Command
from tabwire.commands.input import Click
from tabwire.commands.results import Effects
from tabwire.commands.snapshot import Capture
from tabwire.errors import TabwireError
from tabwire.install import extension_files
from tabwire.surfaces.context import Context
from tabwire.surfaces.shared.files import Files
from tabwire.surfaces.shared.snapshots import Snapshots
from tabwire.wire.messages import Success

TAB = {"tabId": 1, "windowId": 1, "index": 0, "url": "https://a.example/", "title": "A", "active": True, "current": True}


ANSWERED = [command for command in WIRE if command.in_browser]


@pytest.mark.parametrize("command", ANSWERED, ids=lambda command: command.method)
def test_every_command_names_a_closed_model_of_its_result(command: type[Command]) -> None:
    with pytest.raises(ValidationError) as refusal:
        TypeAdapter(command.result).validate_python({"no_such_field": 1})
    assert "extra_forbidden" in {error["type"] for error in refusal.value.errors()}


def test_acts_in_a_tab_tell_their_effects_and_other_commands_do_not_have_to() -> None:
    acts = {command.method for command in ANSWERED if command.effect == "act" and command.scope == "tab"}
    required = {
        command.method for command in ANSWERED if "effects" in TypeAdapter(command.result).json_schema().get("required", ())
    }
    assert required == acts


def test_parameters_that_travel_otherwise_have_types() -> None:
    for command in WIRE:
        for type_ in command.on_wire.values():
            TypeAdapter(type_)


def test_no_effect_is_required() -> None:
    assert TypeAdapter(Effects).validate_python({"none": True}) == {"none": True}


def answered(command: Any, result: dict[str, Any], version: str = "") -> dict[str, Any]:
    """The outcome of an answer of the extension of that version."""

    async def work() -> dict[str, Any]:
        link, engine = connected(browsers=[replace(WORK, extension_version=version)])
        context = Context(engine, Files(Path("/nowhere")), Snapshots())
        found: dict[str, Any] = {}

        async def ask() -> None:
            found.update(await context.send(command))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            link.answer(Success((await link.next_frame())["id"], result))
        return found

    return anyio.run(work)


@pytest.mark.parametrize(
    ("command", "result", "field", "said"),
    [
        (Capture(), {"tabId": 1}, "snapshot", "snapshot is missing"),
        (Capture(), {"tabId": 1, "snapshot": 7}, "snapshot", "snapshot is wrong: Input should be a valid string"),
        (Capture(), {"tabId": 1, "snapshot": "", "page": "x"}, "page", "page is not known"),
        (tabs.List(), {"tabs": [TAB, {**TAB, "index": "first"}]}, "tabs.1.index", "tabs.1.index is wrong"),
        (
            Click(selector="@e1"),
            {"tabId": 1},
            "effects",
            "effects is missing. It has been carried out: do not make the call again.",
        ),
    ],
    ids=["missing", "of another type", "unknown", "nested", "of an act"],
)
def test_an_answer_that_does_not_fit_is_one_error_with_method_and_field(
    command: Command, result: dict[str, Any], field: str, said: str
) -> None:
    with pytest.raises(ExceptionGroup) as raised:
        answered(command, result)
    (error,) = raised.value.exceptions
    assert isinstance(error, TabwireError)
    assert error.data == {"method": command.method, "field": field}
    assert f"answer to {command.method} cannot be read: its field {said}" in str(error)
    assert "Bring extension and bridge to the same version" in str(error)


@pytest.mark.parametrize("version", ["", extension_files.version()])
def test_what_another_version_says_besides_is_left_out(version: str) -> None:
    def read(of: str) -> dict[str, Any]:
        return answered(tabs.List(), {"tabs": [{**TAB, "colour": "red"}], "later": 1}, of)

    assert read("99.0.0") == {"tabs": [TAB]}
    with pytest.raises(ExceptionGroup):
        read(version)


def test_an_answer_that_fits_stays_as_it_is() -> None:
    result = {"tabs": [dict(reversed(TAB.items())), TAB], "redacted": 2}
    assert answered(tabs.List(), result) == result
    assert list(answered(tabs.List(), result)["tabs"][0]) == list(reversed(TAB))
