"""The agent surface against document 002: names, schemas, and what we added."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabwire.commands import COMMANDS
from tabwire.commands.declaration import Act
from tabwire.commands.json_schema import input_schema
from tabwire.surfaces.tool import load_toolset

SPECIFIED: dict[str, dict[str, Any]] = {
    tool["name"]: tool["inputSchema"] for tool in json.loads(Path(__file__).with_name("agent-tools.json").read_text())
}

WITHOUT_SCHEMA = {"back", "forward", "reload"}
"""Named by the category table of the document; their parameters are those of `navigate`."""

ADDED = {
    "capture": {"sanitize", "trace", "har_path", "overwrite"},
    **dict.fromkeys(("screenshot", "pdf", "record"), {"overwrite"}),
    "snapshot": {"diff", "max_chars", "cursor", "refs", "timeout"},
    "cookies": {"partition_key"},
    "storage": {"frameId"},
    "wait": {"download", "value"},
    "query": {"pick", "timeout"},
    "locator": {"timeout"},
    "console": {"after", "timeout"},
    "type": {"timeout"},
    **dict.fromkeys(("click", "press"), {"hold"}),
    "drag": {"hold", "hold_at_target", "path"},
    "hover": {"path"},
    "scroll": {"timeout"},
    **dict.fromkeys(("navigate", "tab_close"), {"force"}),
}
"""Parameters of ours; every act has `diff` besides."""

NOT_YET: set[str] = set()


def without_descriptions(schema: Any) -> Any:
    if isinstance(schema, list):
        return [without_descriptions(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: without_descriptions(field) for name, field in value.items()}
        if key == "properties"
        else without_descriptions(value)
        for key, value in schema.items()
        if key != "description"
    }


def added(name: str) -> set[str]:
    command = next(command for command in COMMANDS if command.tool == name)
    return ADDED.get(name, set()) | ({"diff"} if issubclass(command, Act) else set())


@pytest.mark.parametrize("name", sorted(set(SPECIFIED) - NOT_YET))
def test_schema_is_the_one_of_the_document(name: str) -> None:
    schema = without_descriptions(load_toolset("agent").by_name[name].input_schema)
    for field in added(name):
        del schema["properties"][field]
    assert schema == without_descriptions(SPECIFIED[name]), "an addition is optional: none is in `required`"


def test_our_additions_come_last() -> None:
    for name in set(SPECIFIED) - NOT_YET:
        properties = list(load_toolset("agent").by_name[name].input_schema["properties"])
        assert set(properties[len(properties) - len(added(name)) :]) == added(name)


def test_every_tool_of_the_document_is_served_and_every_served_one_declared() -> None:
    served = load_toolset("agent").by_name
    assert (set(SPECIFIED) - NOT_YET) | WITHOUT_SCHEMA <= set(served)
    assert list(served) == [command.tool for command in COMMANDS]


def test_back_forward_reload_take_what_navigate_takes() -> None:
    navigate = SPECIFIED["navigate"]["properties"]
    for name in WITHOUT_SCHEMA:
        schema = without_descriptions(load_toolset("agent").by_name[name].input_schema)
        del schema["properties"]["diff"], schema["properties"]["force"]
        assert schema["properties"] == {field: navigate[field] for field in ("wait_until", "timeout", "tabId")}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.method)
def test_every_command_says_what_it_does(command: Any) -> None:
    assert 10 < len(command.description()) < 200
    assert command.model_config["title"]
    assert input_schema(command)["type"] == "object"
