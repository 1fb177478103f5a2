"""Words of other programs are read in an encoding that the code names; ruff holds files to that (PLW1514)."""

import ast

import pytest

from source_tree import PACKAGE, Tree


def unnamed(text: str) -> list[int]:
    """Lines with a call that reads text, and leaves the encoding to the country of the computer."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    given = [(call.lineno, {word.arg: word.value for word in call.keywords}) for call in calls]
    return [
        line
        for line, words in given
        if _is_true(words.get("text") or words.get("universal_newlines")) and "encoding" not in words
    ]


def _is_true(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def test_each_program_is_read_in_a_named_encoding() -> None:
    tree = Tree.of_repository()
    found = [f"{path}:{line}" for path in tree.below(PACKAGE, ".py") for line in unnamed(tree.files[path])]
    assert found == []


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("run(words, text=True)", [1]),
        ("\nrun(words, universal_newlines=True)", [2]),
        ("run(words, text=True, encoding='utf-8')", []),
        ("run(words, encoding='utf-8')", []),
        ("show(text='True')", []),
    ],
)
def test_a_call_without_one_is_found(code: str, lines: list[int]) -> None:
    assert unnamed(code) == lines
