"""The reader surface against document 001: names and schemas, to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabwire.surfaces.tool import load_toolset

SPECIFIED: dict[str, dict[str, Any]] = {
    tool["name"]: tool for tool in json.loads(Path(__file__).with_name("reader-tools.json").read_text())
}
READER = load_toolset("reader")


@pytest.mark.parametrize("name", SPECIFIED)
@pytest.mark.parametrize("which", ["inputSchema", "outputSchema"])
def test_schema_is_the_one_of_the_document(name: str, which: str) -> None:
    tool = READER.by_name[name]
    assert {"inputSchema": tool.input_schema, "outputSchema": tool.output_schema}[which] == SPECIFIED[name][which]


def test_the_tools_are_those_of_the_document_in_its_order() -> None:
    assert list(READER.by_name) == list(SPECIFIED)


def test_every_tool_only_reads() -> None:
    assert {tool.effect for tool in READER.tools} == {"read"}
