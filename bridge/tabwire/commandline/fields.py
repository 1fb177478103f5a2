"""The arguments of a tool as a command line takes them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabwire.commandline.lines import OTHER_FLAGS, POSITIONS, SAVED_TO, SHORT_NAMES
from tabwire.commands.wait import CONDITION_FIELDS
from tabwire.surfaces.tool import BROWSER_ARGUMENT, Tool, load_toolset

TEXT: dict[str, Any] = {"type": "string"}


@dataclass(frozen=True)
class Field:
    """Argument of a tool."""

    name: str
    schema: dict[str, Any] = field(repr=False)
    is_required: bool = False

    @property
    def flag(self) -> str:
        """The flag that gives it."""
        return flag_of(self.name)

    @property
    def kinds(self) -> list[str]:
        """The JSON types that it may have."""
        return [str(one.get("type", "string")) for one in self.schema.get("oneOf", [self.schema])]

    @property
    def is_switch(self) -> bool:
        """Whether its flag needs no value."""
        return self.kinds == ["boolean"]

    @property
    def usual_flag(self) -> str:
        """The flag that changes it: one that is on by default is switched off."""
        return f"--no-{self.flag[2:]}" if self.is_switch and self.schema.get("default") is True else self.flag

    @property
    def choices(self) -> list[str]:
        """The values it may have, where they are listed."""
        listed = self.schema.get("enum") or self.schema.get("items", {}).get("enum") or []
        return [str(value) for value in listed]


def tools() -> dict[str, Tool]:
    """The tools of the agent surface by name."""
    return load_toolset("agent").by_name


def command_of(tool: str) -> str:
    """The command of a tool: `tab-list`."""
    return tool.replace("_", "-")


def commands() -> dict[str, Tool]:
    """All commands for a browser, the short ones first, with their tools."""
    known = tools()
    return {
        **{short: known[name] for short, name in SHORT_NAMES.items()},
        **{command_of(name): tool for name, tool in known.items()},
    }


def tool_of(command: str, served: Mapping[str, Tool] | None = None) -> Tool | None:
    """The tool of a command: its own name, with dashes or not, or a short one."""
    return (served or tools()).get(SHORT_NAMES.get(command, command.replace("-", "_")))


def flag_of(name: str) -> str:
    """The flag of a field: `tabId` → `--tab-id`."""
    spelled = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", OTHER_FLAGS.get(name, name)).lower().replace("_", "-")
    return f"--{spelled}"


def fields_of(tool: Tool) -> list[Field]:
    """All arguments of a tool but the file that it saves (-o), with those that every tool takes last."""
    properties: dict[str, Any] = tool.input_schema.get("properties", {})
    required = tool.input_schema.get("required", ())
    found = [Field(name, schema, name in required) for name, schema in properties.items() if name != SAVED_TO.get(tool.name)]
    if "reason" in tool.model.model_fields:
        found.append(Field("reason", {**TEXT, "description": "Why, in a sentence: shown to the user when asked"}))
    return [*found, Field(BROWSER_ARGUMENT, {**TEXT, "description": "Which browser, where there are several: name or id"})]


def positions_of(tool: Tool) -> tuple[str, ...]:
    """The fields that are given without a flag, in their order."""
    saved = SAVED_TO.get(tool.name)
    return POSITIONS.get(tool.name) or tuple(name for name in tool.input_schema.get("required", ()) if name != saved)


def placed(tool: Tool, words: list[str], said: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    """Words without a flag, by field. Required fields come first: one word of `type` is its text, of two the first is where.

    Args:
        said: what flags give, by field.

    Raises:
        ValueError: there are more than the tool takes.
    """
    names = [name for name in positions_of(tool) if name not in said]
    required = set(tool.input_schema.get("required", ()))
    optional = max(0, len(words) - sum(name in required for name in names))
    left = list(words)
    last = ""
    for name in positions_of(tool):
        if not left:
            return
        if name in said:
            last = said[name][-1]
            continue
        if name not in required:
            if not optional:
                continue
            optional -= 1
        if name == "~":
            name = CONDITION_FIELDS.get(last, last)
        is_list = "array" in Field(name, tool.input_schema["properties"].get(name, TEXT)).kinds
        taken = left if is_list and name == names[-1] else left[:1]
        left = left[len(taken) :]
        last = taken[0]
        yield name, taken
    if left:
        raise ValueError(f"does not take {left[0]!r}")
