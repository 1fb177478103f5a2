"""Parameters that sentences recommend are in the schemas that clients have, those of the short list of tools too."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

import pytest

from programs import ROOT

LISTS = ROOT / "bridge/tabwire/server/tool_lists"
LEFT_OUT = {"cli", "install", "former", "facade", "reader", "browseagent", "instrument"}
"""Folders whose sentences no client of the agent surface reads."""
BUNDLES = {"injected", "launched", "vendor"}
EXEMPT = {"use format png or webp", "use format jpeg", "overwrite: true"}
"""Advice to a client that has given the parameter itself, or beside another way that every list has."""


def schemas(name: str) -> dict[str, set[str]]:
    found = json.loads((LISTS / f"{name}.json").read_text("utf-8"))
    tools = found["tools"] if isinstance(found, dict) else found
    return {tool["name"]: set(tool["inputSchema"]["properties"]) for tool in tools}


ALL, CORE = schemas("agent-all"), schemas("agent-core")
PARAMETERS = set().union(*ALL.values())
HIDDEN = {name for tool in CORE if tool in ALL for name in ALL[tool] - CORE[tool]} - set().union(*CORE.values())
"""Parameters of tools of the short list that no schema in it has."""
NAMED_WITH = re.compile(rf"\b({'|'.join(sorted(ALL, key=len, reverse=True))})(?: with|, with| and its) (\w+)\b")
RECOMMENDED = re.compile(r"\b(?:[Uu]se|[Rr]aise|[Pp]ass|narrow it with) (?:a |an |the )?(\w+)\b(?! of\b)[^.;]*|\b(\w+): true\b")


def of_python() -> Iterator[str]:
    for path in (ROOT / "bridge/tabwire").rglob("*.py"):
        if LEFT_OUT.isdisjoint(path.parts):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def of_extension() -> Iterator[str]:
    for path in (ROOT / "extension").rglob("*.js"):
        if BUNDLES.isdisjoint(path.parts):
            code = re.sub(r"/\*.*?\*/|(?<![:\"'`/])//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL)
            joined = re.sub(r"[\"`]\s*\+\s*[\"`]", "", code)
            yield from (found[0][1:-1] for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`', joined))


SENTENCES = sorted({text for text in (*of_python(), *of_extension()) if " " in text and "\n" not in text and "=>" not in text})


def test_sentences_are_found() -> None:
    assert any("snapshot with diff" in text for text in SENTENCES)
    assert any("dismiss stays" in text for text in SENTENCES)


@pytest.mark.parametrize("tools", [ALL, CORE], ids=["all", "core"])
def test_a_parameter_that_is_named_with_its_tool_is_in_its_schema(tools: dict[str, set[str]]) -> None:
    absent = [
        (tool, name, text)
        for text in SENTENCES
        for tool, name in NAMED_WITH.findall(text)
        if name in PARAMETERS and tool in tools and name not in tools[tool]
    ]
    assert absent == []


def test_no_sentence_recommends_a_parameter_that_the_short_list_hides() -> None:
    found = [(each[0], text) for text in SENTENCES for each in RECOMMENDED.finditer(text) if (each[1] or each[2]) in HIDDEN]
    assert [pair for pair in found if not any(pair[0].startswith(given) for given in EXEMPT)] == []
