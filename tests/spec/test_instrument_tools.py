"""The instrument surface against document 004: names, order and schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabwire.surfaces.tool import load_toolset

SPECIFIED: list[dict[str, Any]] = json.loads(Path(__file__).with_name("instrument-tools.json").read_text())


def test_the_tools_are_those_of_the_document() -> None:
    listed = [{"name": tool.name, "inputSchema": tool.input_schema} for tool in load_toolset("instrument").tools]
    assert listed == SPECIFIED


@pytest.mark.parametrize("tool", SPECIFIED, ids=lambda tool: str(tool["name"]))
def test_only_what_the_document_says_requires_escalation(tool: dict[str, Any]) -> None:
    ours = load_toolset("instrument").by_name[tool["name"]]
    assert (ours.intent == "act") == tool["name"].startswith("browser_act_")
    assert (ours.effect == "act") == (ours.intent != "read")
