"""Arguments of a command as a command line spells them. The tables are what no declaration says."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from pydantic import BaseModel

from tabwire.commands import COMMANDS
from tabwire.commands.declaration import BROWSER_ARGUMENT
from tabwire.commands.json_schema import input_schema

SHORT_NAMES: Mapping[str, str] = {
    "open": "navigate",
    "goto": "navigate",
    "tabs": "tab_list",
    "requests": "capture",
    "eval": "evaluate",
}
"""Short name → tool."""

POSITIONS: Mapping[str, tuple[str, ...]] = {
    "navigate": ("url",),
    "snapshot": ("selector",),
    "find": ("text",),
    "query": ("by", "value"),
    "click": ("selector",),
    "dblclick": ("selector",),
    "hover": ("selector",),
    "drag": ("source", "target"),
    "scroll": ("direction", "amount"),
    "type": ("selector", "text"),
    "press": ("selector", "key"),
    "select": ("selector", "value"),
    "wait": ("for", "~"),
    "tab_new": ("url",),
    "tab_switch": ("tabId",),
    "tab_close": ("tabId",),
    "window_new": ("url",),
    "console": ("action",),
    "page_tools": ("name",),
    "screenshot": ("selector",),
    "pdf": (),
    "dialog": ("action", "prompt_text"),
    "cookies": ("action", "name", "value"),
    "storage": ("action", "key", "value"),
    "auth_state": ("action", "name"),
    "bookmarks": ("action", "query"),
    "route": ("action", "url_pattern"),
    "device": ("name",),
    "geolocation": ("latitude", "longitude"),
    "history": ("query",),
}
"""Tool → fields without a flag, in the order in which they are typed; of other tools the required ones. `~` is the field that the
one before it chooses (`CONDITION_FIELDS` of the command `wait`)."""

SAVED_TO: Mapping[str, str] = {"screenshot": "save_path", "pdf": "save_path", "record": "save_path", "capture": "har_path"}
"""Tool → the field that names its file: said as -o FILE, which is a copy of the file that the tool saves."""

SAVING_ACTION: Mapping[str, str] = {"record": "stop", "capture": "stop"}
"""Tool of several actions → the one that saves its file."""

SAVED_ALWAYS: Mapping[str, str] = {"screenshot": "screenshot", "pdf": "page"}
"""Tool whose result is a file, also without -o → the beginning of its name."""

OTHER_FLAGS: Mapping[str, str] = {"json": "json-body"}
"""Field → its flag, where a flag of every command has the name."""

READ_FILES: frozenset[str] = frozenset({"files"})
"""Fields with paths of files to read: relative ones are below the folder in which the command is typed."""

FOLLOWED: Mapping[str, str] = {
    "console": "console",
    "console-messages": "console",
    "requests": "network_requests",
    "network-requests": "network_requests",
}
"""Command that takes --follow → the tool that tells what is new."""

TEXT: dict[str, Any] = {"type": "string"}


class Declared(Protocol):
    """A tool, or a command that becomes one."""

    @property
    def name(self) -> str:
        """Name of the tool."""

    @property
    def model(self) -> type[BaseModel]:
        """Model of its arguments."""

    @property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema of its arguments."""


@dataclass(frozen=True)
class _Command:
    name: str
    model: type[BaseModel]
    input_schema: dict[str, Any]


@cache
def declared(tool: str) -> Declared:
    """The command that becomes a tool of this name.

    Raises:
        KeyError: there is none.
    """
    command = {command.tool: command for command in COMMANDS}[tool]
    return _Command(tool, command, input_schema(command))


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


def command_of(tool: str) -> str:
    """The command of a tool: `tab-list`."""
    return tool.replace("_", "-")


def flag_of(name: str) -> str:
    """The flag of a field: `tabId` → `--tab-id`."""
    spelled = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", OTHER_FLAGS.get(name, name)).lower().replace("_", "-")
    return f"--{spelled}"


def fields_of(tool: Declared) -> list[Field]:
    """All arguments of a tool but the file that it saves (-o), with those that every tool takes last."""
    properties: dict[str, Any] = tool.input_schema.get("properties", {})
    required = tool.input_schema.get("required", ())
    found = [Field(name, schema, name in required) for name, schema in properties.items() if name != SAVED_TO.get(tool.name)]
    if "reason" in tool.model.model_fields:
        found.append(Field("reason", {**TEXT, "description": "Why, in a sentence: shown to the user when asked"}))
    return [*found, Field(BROWSER_ARGUMENT, {**TEXT, "description": "Which browser, where there are several: name or id"})]


def positions_of(tool: Declared) -> tuple[str, ...]:
    """The fields that are given without a flag, in their order."""
    saved = SAVED_TO.get(tool.name)
    return POSITIONS.get(tool.name) or tuple(name for name in tool.input_schema.get("required", ()) if name != saved)
