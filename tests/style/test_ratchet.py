"""Constructions and names that the project gives up become fewer with each commit, never more."""

import json
from typing import Any

import pytest

from source_tree import Tree
from style.ratchet import CONSTRUCTIONS, COUNTS, NAMES, counts, fallen, risen

RECORDED: dict[str, int] = json.loads(COUNTS.read_text())
LOWER = "write the lower counts with: .venv/bin/python tests/style/ratchet.py"


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree.of_repository()


@pytest.fixture(scope="module")
def now(tree: Tree) -> dict[str, int]:
    return counts(tree)


def test_no_count_rises(now: dict[str, int]) -> None:
    assert risen(now, RECORDED) == [], "say it in the words of the style guide"


def test_a_count_that_has_fallen_stays_low(now: dict[str, int]) -> None:
    assert fallen(now, RECORDED) == [], LOWER


def test_everything_counted_is_recorded() -> None:
    assert list(RECORDED) == [*CONSTRUCTIONS, *(f"name {name}" for name in NAMES)]


@pytest.mark.parametrize(
    ("path", "text", "title"),
    [
        ("bridge/tabwire/one.py", '"""A client is told."""\n', "tell, told (say, report)"),
        ("bridge/tabwire/one.py", "# It stands here.\n", "stand, stood (is)"),
        ("extension/one.js", "// It does so by itself.\n", "by itself (automatically)"),
        ("extension/one.js", "/** What became of it. */\n", "what became of (the result of)"),
        ("scripts/one.py", "own = 1\n", "name own"),
        ("extension/one.js", "const look = 1;\n", "name look"),
    ],
)
def test_one_more_is_found(path: str, text: str, title: str) -> None:
    without, with_one = counts(Tree({})), counts(Tree({path: text}))
    assert risen(with_one, without) == [f"{title}: {without[title] + 1}, before {without[title]}"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("bridge/tabwire/one.py", 'MESSAGE = "told"\n'),
        ("extension/one.js", 'const text = "own"; // own\n'),
        ("extension/vendor/one.js", "const own = 1;\n"),
        ("extension/one.js", "// GENERATED\nconst own = 1;\n"),
    ],
)
def test_what_is_no_prose_or_no_name_of_ours_is_not_counted(path: str, text: str) -> None:
    assert counts(Tree({path: text})) == counts(Tree({}))


def test_a_lower_count_is_found() -> None:
    before: dict[str, Any] = {"name own": 2}
    assert fallen({"name own": 1}, before) == ["name own: 1, before 2"] and risen({"name own": 1}, before) == []
