"""Each name of a tool in a document, and in a table of tests or scripts, is one of a tool that exists."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tabwire.commands import WIRE
from tabwire.config import Config
from tabwire.errors import ERROR_CODES
from tabwire.settings import TOOLSETS
from tabwire.surfaces.tool import Toolset, load_toolset

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md", ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SURFACES: list[Toolset] = [load_toolset(name) for name in TOOLSETS]
TOOLS = {tool.name for surface in SURFACES for tool in surface.tools} | {"enable_tools"}
"""Those of all surfaces, and the one that only a list of some groups has."""

QUOTED = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")
"""Names of several words: those of one word are as often arguments, groups or elements of HTML."""
CALLED = re.compile(r"^→ (\w+)|\b[Tt]ools? `(\w+)`", re.MULTILINE)
"""A tool of a shown call, or one that the text calls so."""

NAMED = re.compile(r'\bdef (\w+)|^ +(\w+): |^[A-Z_]+ = "(\w+)"$', re.MULTILINE)
"""A function, a field such as a setting, or a constant of a program."""

MIN_NAMES, MIN_SHARE = 5, 0.75
"""A table of so many names, of which so many are tools, is one of tools."""
NO_TOOLS = {
    ("tests/bridge/eventlog/test_event_log.py", "unheard_of"): "a call of a tool that does not exist",
    ("scripts/lab/bench/servers/shells.py", "start"): "the cost of starting beside those of the calls",
}
"""File and name in a table of tools → the reason why it is there."""

EXAMPLES = {"page_language"}
"""Names of the tool that CONTRIBUTING.md adds to show how."""


@cache
def known_names() -> frozenset[str]:
    """Names of several words that documents may quote: tools, what they take and give, settings, prompts and functions."""
    types = (ROOT / "extension/background/base/protocol-types.d.ts").read_text()
    names = {*TOOLS, *ERROR_CODES, *Config.model_fields, *re.findall(r"\w+", types)}
    for surface in SURFACES:
        names |= {*surface.old_names, *surface.purposes, *(prompt.name for prompt in surface.prompts)}
        for tool in surface.tools:
            names |= {*_words(tool.input_schema), *_words(tool.output_schema)}
    for path in (ROOT / "bridge/tabwire").rglob("*.py"):
        names |= {name for groups in NAMED.findall(path.read_text("utf-8")) for name in groups}
    return frozenset(names)


def _words(schema: Any) -> Iterator[str]:
    """Names of properties and values of a JSON Schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield from _words(value)
            if key == "properties":
                yield from value
    elif isinstance(schema, list):
        yield from (item for item in schema if isinstance(item, str))
        for item in schema:
            yield from _words(item)


def unknown_in_text(text: str) -> list[str]:
    """Names in a document that nothing has."""
    called = [one or other for one, other in CALLED.findall(text)]
    domains = {command.method.partition(".")[0] for command in WIRE}
    methods = [name for name in re.findall(r"`([a-z_]+\.[a-z_]+)`", text) if name.partition(".")[0] in domains]
    return [
        *(name for name in QUOTED.findall(text) if name not in known_names()),
        *(name for name in called if name not in TOOLS),
        *(name for name in methods if name not in {command.method for command in WIRE} and not name.endswith(".json")),
    ]


def unknown_in_tables(source: str) -> list[str]:
    """Names in a program's tables of tools that no tool has."""
    return [name for node in ast.walk(ast.parse(source)) for name in _unknown_of(node)]


def _unknown_of(node: ast.AST) -> list[str]:
    items = node.keys if isinstance(node, ast.Dict) else node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else ()
    # The first of a tuple names its row.
    firsts = [item.elts[0] if isinstance(item, ast.Tuple) and item.elts else item for item in items]
    texts = {item.value for item in firsts if isinstance(item, ast.Constant) and isinstance(item.value, str)}
    names = {text for text in texts if text.isidentifier()}
    is_of_tools = len(names) >= MIN_NAMES and len(names & TOOLS) >= MIN_SHARE * len(names)
    return sorted(names - TOOLS) if is_of_tools else []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_document_names_only_what_exists(document: Path) -> None:
    unknown = unknown_in_text(document.read_text(encoding="utf-8"))
    assert [name for name in unknown if document.name != "CONTRIBUTING.md" or name not in EXAMPLES] == []


def test_tables_of_tests_and_scripts_name_only_tools_that_exist() -> None:
    programs = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "scripts").rglob("*.py")]
    found = {
        (path.relative_to(ROOT).as_posix(), name) for path in programs for name in unknown_in_tables(path.read_text("utf-8"))
    }
    # A source distribution has no laboratory.
    assert found - NO_TOOLS.keys() == set()
    assert {one for one in NO_TOOLS.keys() - found if (ROOT / one[0]).exists()} == set()


def test_the_tables_that_others_rely_on_are_looked_at() -> None:
    table = (ROOT / "tests/e2e/rules/ruling.py").read_text()
    assert unknown_in_tables(table.replace('("styles", {', '("emulate_viewport", {')) == ["emulate_viewport"]
    calls = (ROOT / "tests/e2e/rules/tab_calls.py").read_text()
    assert unknown_in_tables(calls.replace('"locate_step":', '"locate_a_step":')) == ["locate_a_step"]


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("| `contentSettings` | `emulate_permissions`: what a site learns |", ["emulate_permissions"]),
        ("| `bookmarks` | the tool `bookmark` |", ["bookmark"]),
        ('→ clik {"selector": "@e1"}', ["clik"]),
        ("the wire method `debug.messages`", ["debug.messages"]),
        ('`fill_form`, the tool `bookmarks`, `input.click` and\n→ click {"selector": "@e1"}', []),
    ],
)
def test_a_name_that_nothing_has_is_found_in_a_text(text: str, unknown: list[str]) -> None:
    assert unknown_in_text(text) == unknown


def test_a_table_of_other_names_is_no_table_of_tools() -> None:
    assert unknown_in_tables('["click", "fill", "select", "cross", "tick"]') == []
    assert unknown_in_tables('["click", "fill", "select", "type", "press", "tick"]') == ["tick"]
    assert unknown_in_tables('{"click": 1, "fill": 2, "select": 3, "type": 4, "two words": 5, "tick": 6}') == ["tick"]
