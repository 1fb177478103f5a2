"""The browseagent surface against document 003: names, order and schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from spec.test_agent_tools import without_descriptions
from tabwire.surfaces.tool import load_toolset

SPECIFIED: list[dict[str, Any]] = json.loads(Path(__file__).with_name("browseagent-tools.json").read_text())
TOOLSET = load_toolset("browseagent")


def test_the_tools_are_those_of_the_document_in_its_order() -> None:
    assert list(TOOLSET.by_name) == [tool["name"] for tool in SPECIFIED]


@pytest.mark.parametrize("tool", SPECIFIED, ids=lambda tool: str(tool["name"]))
def test_schema_is_the_one_of_the_document(tool: dict[str, Any]) -> None:
    schema = TOOLSET.by_name[tool["name"]].input_schema
    assert without_descriptions(schema) == tool["inputSchema"]
    assert list(schema["properties"]) == list(tool["inputSchema"]["properties"])


def test_every_tool_says_what_it_does() -> None:
    assert all(10 < len(tool.description) < 120 for tool in TOOLSET.tools)
