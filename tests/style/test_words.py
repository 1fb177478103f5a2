"""Docstrings, comments and pages are plain sentences: no riddle at the beginning, no calque."""

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from typing import NamedTuple

import pytest

from source_tree import ROOT, Tree, statements

FIRST_WORDS = frozenset(
    # Relatives and conjunctions.
    "What Who Which Whose Whoever How Where When Why Once So "
    # Pronouns and the like.
    "It Its They Their Those These This That One There "
    # Prepositions.
    "After Against Among As At Before Beside Between By During For From In Like Of On Per Through To Under Until "
    "With Within Without".split()
)
"""Words that a docstring or comment does not begin with: the sentence begins with the noun or the verb that it is about."""

CALQUES = (
    r"\bshall\b",
    r"\bnobody's\b",
    r"\btold of\b",
    r"\bin the place of\b",
    r"\blets? in\b",
    r"\bst(?:ands?|ood) still\b",
    r"\bobeyed\b",
    r"\bthat there is not\b",
    r"\bdocument 00\d\b",
)
"""Patterns of phrases that read as translated, or that name a specification by its number."""

EXEMPT = {
    "bridge/tabwire/commands/*": "they become tool descriptions and JSON schemas, which golden files keep",
    "bridge/tabwire/surfaces/*/toolset.py": "those of argument models become tool descriptions, which golden files keep",
}
"""Patterns of files whose classes may have docstrings in other words, with the reason."""
OURS = frozenset(
    f"bridge/tabwire/commands/{name}.py"
    for name in ("console", "debug", "elements", "performance", "profiles", "sources", "steps", "traffic")
)
"""Files of commands that no golden file keeps."""


class Sentence(NamedTuple):
    """A docstring or a line of a page, with its place."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree.of_repository()


def docstrings(tree: Tree) -> Iterator[Sentence]:
    """Docstrings of modules, classes, functions and attributes in bridge/ and scripts/, without the exempt ones."""
    for path in (path for path in tree.python if path.startswith(("bridge/", "scripts/"))):
        module = tree.python[path].parsed()
        exempt = _of_classes(module) if path not in OURS and any(fnmatch(path, pattern) for pattern in EXEMPT) else set()
        for node in statements(module):
            match node:
                case ast.Expr(value=ast.Constant(value=str(text))) if node not in exempt:
                    yield Sentence(path, node.lineno, text)


@pytest.fixture(scope="module")
def told(tree: Tree) -> list[Sentence]:
    return list(docstrings(tree))


def _of_classes(module: ast.Module) -> set[ast.stmt]:
    """Docstrings of classes themselves, without those of their attributes."""
    return {node.body[0] for node in statements(module) if isinstance(node, ast.ClassDef)}


COMMENT = re.compile(r"/\*\*?[\s*]*(\w.*)")


def comments(tree: Tree) -> Iterator[Sentence]:
    """First lines of the block comments in the extension, but for generated files."""
    for path in tree.below("extension", ".js", ".ts"):
        text = tree.files[path]
        if "GENERATED" not in text[:200]:
            for found in COMMENT.finditer(text):
                yield Sentence(path, text.count("\n", 0, found.start()) + 1, found[1])


def pages() -> Iterator[Sentence]:
    """Lines of README.md and of the pages in docs/."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield Sentence(path.relative_to(ROOT).as_posix(), number, text)


def begins_badly(sentence: Sentence) -> bool:
    found = re.match(r"\s*(\w+)", sentence.text)
    return found is not None and found[1] in FIRST_WORDS


def calques(sentence: Sentence) -> list[str]:
    """Reports of the lines of a sentence that hold a calque."""
    lines = enumerate(sentence.text.splitlines(), sentence.line)
    return [
        str(Sentence(sentence.path, number, line.strip()))
        for number, line in lines
        if re.search("|".join(CALQUES), line, re.IGNORECASE)
    ]


def test_no_docstring_begins_with_a_pronoun_a_relative_or_a_preposition(told: list[Sentence]) -> None:
    bad = [f"{found.path}:{found.line}: {found.text.strip().splitlines()[0]}" for found in told if begins_badly(found)]
    assert bad == [], "begin with a noun or a verb"


def test_no_comment_of_the_extension_begins_with_one(tree: Tree) -> None:
    assert [str(found) for found in comments(tree) if begins_badly(found)] == []


def test_no_docstring_has_a_calque(told: list[Sentence]) -> None:
    assert [report for found in told for report in calques(found)] == []


def test_no_page_has_a_calque() -> None:
    assert [report for found in pages() for report in calques(found)] == []


@pytest.mark.parametrize(
    "source",
    [
        '"""What is left."""',
        'class Left:\n    """One of them."""',
        'def left() -> None:\n    """\n    Of the last call.\n    """',
        'LEFT = 1\n"""Once it is known."""',
    ],
    ids=["module", "class", "function", "attribute"],
)
def test_a_docstring_that_begins_badly_is_found(source: str) -> None:
    found = list(docstrings(Tree({"bridge/tabwire/left.py": source})))
    assert [begins_badly(sentence) for sentence in found] == [True]


@pytest.mark.parametrize("comment", ["/** What is left. */", "/* Of the last call. */", "/**\n * Once it is known.\n */"])
def test_a_comment_that_begins_badly_is_found(comment: str) -> None:
    found = list(comments(Tree({"extension/left.js": f"const left = 1;\n{comment}\n"})))
    assert [(sentence.line, begins_badly(sentence)) for sentence in found] == [(2, True)]


def test_a_calque_is_found_with_its_line() -> None:
    found = list(docstrings(Tree({"scripts/left.py": '\n"""Names.\n\nThe engine shall not know them.\n"""'})))
    assert [report for sentence in found for report in calques(sentence)] == [
        "scripts/left.py:4: The engine shall not know them."
    ]


def test_every_exempt_pattern_names_files(tree: Tree) -> None:
    paths = [path for path in tree.python if path.startswith("bridge/")]
    assert [pattern for pattern in EXEMPT if not any(fnmatch(path, pattern) for path in paths)] == []
