"""The facade against document 000: names, order and schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from spec.test_agent_tools import without_descriptions
from tabwire.surfaces.tool import load_toolset

SPECIFIED: list[dict[str, Any]] = json.loads(Path(__file__).with_name("facade-tools.json").read_text())


def test_the_tools_are_those_of_the_document() -> None:
    assert [tool.name for tool in load_toolset("facade").tools] == [tool["name"] for tool in SPECIFIED]


@pytest.mark.parametrize("tool", SPECIFIED, ids=lambda tool: str(tool["name"]))
def test_a_schema_is_the_one_of_the_document(tool: dict[str, Any]) -> None:
    assert without_descriptions(load_toolset("facade").by_name[tool["name"]].input_schema) == tool["inputSchema"]


def test_every_action_has_its_table_entry_and_its_function() -> None:
    from tabwire.surfaces.facade.browser_sessions import SESSION
    from tabwire.surfaces.facade.page import CAPTURE, EXECUTE, EXTRACT, INSPECT, INTERACT, NAVIGATE
    from tabwire.surfaces.facade.saved_files import STORAGE

    functions = [SESSION, NAVIGATE, INTERACT, INSPECT, EXTRACT, CAPTURE, EXECUTE, STORAGE]
    for tool, actions in zip(SPECIFIED, functions, strict=False):
        named = tool["inputSchema"]["properties"]["action"]["enum"]
        assert list(actions) == named
        assert set(load_toolset("facade").by_name[tool["name"]].model.actions) == set(named)  # type: ignore[attr-defined]
