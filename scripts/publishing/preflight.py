"""Conditions of a release that are looked at before anything is built."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from failures import CheckFailed

from tabwire.install import extension_files

SECTION = re.compile(r"^## \[(?P<name>[^\]]+)\](?P<rest>.*)$", re.MULTILINE)
DATED = re.compile(r" - \d{4}-\d{2}-\d{2}")
CHROME_VERSION = re.compile(r"\d{1,5}(\.\d{1,5}){2}")
"""Form of a version that Chrome, PyPI and the MCP registry all take."""


def check(root: Path, *, allow_dirty: bool) -> str:
    """Check them all.

    Returns:
        The version.

    Raises:
        CheckFailed: one of them does not hold.
    """
    version = extension_files.version()
    problems = [
        *([] if allow_dirty else tree_problems(_git(root, "status", "--porcelain"))),
        *([] if allow_dirty else unreleased_problems(version, (root / "CHANGELOG.md").read_text())),
        *tag_problems(version, _git(root, "tag", "--list").split(), _git(root, "tag", "--points-at", "HEAD").split()),
        *version_problems(version, tomllib.loads((root / "pyproject.toml").read_text())),
        *changelog_problems(version, (root / "CHANGELOG.md").read_text()),
    ]
    if problems:
        seen, next_steps = zip(*problems, strict=True)
        raise CheckFailed("\n".join(seen), "; ".join(next_steps))
    return version


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout


def tree_problems(status: str) -> Iterator[tuple[str, str]]:
    """Changes that no commit has, from `git status --porcelain`."""
    if status.strip():
        yield (
            f"The tree has changes that are in no commit:\n{status.rstrip()}",
            "commit them, or add --allow-dirty to try the release out",
        )


def tag_problems(version: str, tags: Sequence[str], here: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A tag of this version at another commit, or of another version at this one."""
    tag = f"v{version}"
    if tag in tags and tag not in here:
        yield f"{tag} is the tag of another commit", "raise the version in manifest.json, or check that commit out"
    if others := [one for one in here if re.fullmatch(r"v\d.*", one) and one != tag]:
        yield f"this commit has the tag {others[0]}, and manifest.json the version {version}", "correct one of the two"


def version_problems(version: str, project: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """A version that not all stores take, or one that the distribution does not have from manifest.json."""
    if not CHROME_VERSION.fullmatch(version):
        yield f"manifest.json has the version {version}", "give it three numbers with points between them, such as 1.2.3"
    source = project["tool"]["hatch"]["version"].get("path")
    if "version" not in project["project"].get("dynamic", []) or source != "manifest.json":
        yield "pyproject.toml has a version of its own", "let it take the version from manifest.json ([tool.hatch.version])"


def sections(text: str) -> dict[str, tuple[str, str]]:
    """Sections of a change log: name → the rest of its heading, and its text."""
    found = list(SECTION.finditer(text))
    ends = [*(section.start() for section in found[1:]), len(text)]
    return {section["name"]: (section["rest"], text[section.end() : end]) for section, end in zip(found, ends, strict=True)}


def unreleased_problems(version: str, text: str) -> Iterator[tuple[str, str]]:
    """Changes that no version has yet."""
    if any(line.startswith("- ") for line in sections(text).get("Unreleased", ("", ""))[1].splitlines()):
        yield "CHANGELOG.md has changes under Unreleased", f"move them to the section [{version}], or add --allow-dirty"


def changelog_problems(version: str, text: str) -> Iterator[tuple[str, str]]:
    """A change log that does not describe the version."""
    parts = sections(text)
    if version not in parts:
        yield f"CHANGELOG.md has no section [{version}]", f"write one: ## [{version}] - YYYY-MM-DD"
        return
    rest, body = parts[version]
    if not DATED.fullmatch(rest):
        yield f"The section [{version}] of CHANGELOG.md has no date", f"write ## [{version}] - YYYY-MM-DD"
    if not any(line.startswith("- ") for line in body.splitlines()):
        yield f"The section [{version}] of CHANGELOG.md is empty", "say what changed for users"
