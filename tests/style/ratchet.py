"""Counts of constructions and names that the project gives up; `counts.json` holds those of the last commit, which may only fall.

.venv/bin/python tests/style/ratchet.py     writes lower counts, and refuses higher ones
"""

from __future__ import annotations

import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from source_tree import ROOT, Tree

COUNTS = Path(__file__).with_name("counts.json")

CONSTRUCTIONS = {
    "tell, told (say, report)": r"\b(?:tells?|told|telling)\b",
    "stand, stood (is)": r"\b(?:stands?|stood)\b",
    "lie (is)": r"\b(?:lies|lay)\b",
    "anew (again)": r"\banew\b",
    "nobody (no one, passive)": r"\bnobody\b",
    "of its own (its)": r"\bof (?:its|their|our|his|your|my) own\b",
    "by itself (automatically)": r"\bby (?:itself|themselves)\b",
    "what became of (the result of)": r"\bwhat (?:became|becomes|came|comes|is left) of\b",
    "go before (take precedence over)": r"\b(?:goes|go|went) before\b",
    "as such": r"\bas such\b",
    "all the same (anyway)": r"\ball the same\b",
    "not any more (no longer)": r"\b(?:not|n't)\b[^.;:]{0,40}\bany ?more\b",
    "is to be (must be)": r"\b(?:is|are) to be\b",
    "of former times (deprecated)": r"\bof former times\b",
    "for good (permanently)": r"\bfor good\b",
    "meanwhile (while)": r"\bmeanwhile\b",
}
"""Construction, with the direction in brackets → pattern."""

NAMES = ("told", "look", "own", "ask", "tell")
"""Names that say nothing about the thing, and that a search finds everywhere."""

_JAVASCRIPT_TEXTS = re.compile(r'/\*.*?\*/|(?<!:)//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_JAVASCRIPT_COMMENTS = re.compile(r"/\*.*?\*/|(?<![:\"'`/])//[^\n]*", re.DOTALL)
_LEFT_OUT = ("extension/vendor/", "extension/injected/", "extension/launched/", "scripts/lab/bench/bugs/apps/")


def prose(tree: Tree) -> Iterator[str]:
    """Docstrings and comments of product and scripts, and the pages of the documentation."""
    for path, text in _sources(tree):
        if path.endswith(".py"):
            yield from (
                token.string for token in _tokens(text) if token.type in (tokenize.COMMENT, tokenize.STRING) and _is_prose(token)
            )
        elif path.endswith((".js", ".ts")):
            yield from _JAVASCRIPT_COMMENTS.findall(text)
    yield from (page.read_text("utf-8") for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))))


def identifiers(tree: Tree) -> Iterator[str]:
    """Names in the code of product and scripts, each as often as it is used."""
    for path, text in _sources(tree):
        if path.endswith(".py"):
            yield from (token.string for token in _tokens(text) if token.type == tokenize.NAME)
        elif path.endswith((".js", ".ts")):
            yield from re.findall(r"[A-Za-z_$][\w$]*", _JAVASCRIPT_TEXTS.sub(" ", text))


def _sources(tree: Tree) -> Iterator[tuple[str, str]]:
    for path, text in tree.files.items():
        is_ours = path.startswith(("bridge/", "extension/", "scripts/")) and not path.startswith(_LEFT_OUT)
        if is_ours and "GENERATED" not in text[:200]:
            yield path, text


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(text).readline)


def _is_prose(token: tokenize.TokenInfo) -> bool:
    return token.type == tokenize.COMMENT or token.string.startswith('"""')


def counts(tree: Tree) -> dict[str, int]:
    """Construction or name → how often it occurs now."""
    whole = "\n".join(prose(tree))
    names = list(identifiers(tree))
    found = {title: len(re.findall(pattern, whole, re.IGNORECASE)) for title, pattern in CONSTRUCTIONS.items()}
    return {**found, **{f"name {name}": names.count(name) for name in NAMES}}


def risen(now: Mapping[str, int], before: Mapping[str, int]) -> list[str]:
    """The counts that are higher than before."""
    return [f"{title}: {count}, before {before.get(title, 0)}" for title, count in now.items() if count > before.get(title, 0)]


def fallen(now: Mapping[str, int], before: Mapping[str, int]) -> list[str]:
    """The counts that are lower than before."""
    return [f"{title}: {now.get(title, 0)}, before {count}" for title, count in before.items() if now.get(title, 0) < count]


def main() -> int:
    """Write the counts, unless one has risen; the exit code."""
    now, before = counts(Tree.of_repository()), json.loads(COUNTS.read_text())
    if problems := risen(now, before):
        sys.stderr.write("\n".join(["These may only fall:", *problems, ""]))
        return 1
    COUNTS.write_text(json.dumps(now, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
