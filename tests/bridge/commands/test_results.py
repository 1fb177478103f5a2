"""The results that commands declare."""

import pytest
from pydantic import TypeAdapter, ValidationError

from tabwire.commands import WIRE
from tabwire.commands.declaration import Command
from tabwire.commands.results import Effects


@pytest.mark.parametrize("command", WIRE, ids=lambda command: command.method)
def test_every_command_names_a_closed_model_of_its_result(command: type[Command]) -> None:
    with pytest.raises(ValidationError) as refusal:
        TypeAdapter(command.result).validate_python({"no_such_field": 1})
    assert "extra_forbidden" in {error["type"] for error in refusal.value.errors()}


def test_acts_in_a_tab_tell_their_effects_and_other_commands_do_not_have_to() -> None:
    acts = {command.method for command in WIRE if command.effect == "act" and command.scope == "tab" and command.in_browser}
    required = {command.method for command in WIRE if "effects" in TypeAdapter(command.result).json_schema().get("required", ())}
    assert required == acts


def test_parameters_that_travel_otherwise_have_types() -> None:
    for command in WIRE:
        for type_ in command.on_wire.values():
            TypeAdapter(type_)


def test_no_effect_is_required() -> None:
    assert TypeAdapter(Effects).validate_python({"none": True}) == {"none": True}
