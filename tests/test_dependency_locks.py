"""`requirements/*.txt` say which packages are installed: they fit `pyproject.toml`, are complete, and name no place to get them from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = {"run": (), "dev": ("dev",)}
TOOLS = ("docs", "release", "windows")
"""Locks of tools with environments of their own: what they install is named in `requirements/NAME.in`."""
ENTRY = re.compile(
    r"(?P<name>[\w.-]+)==(?P<version>[\w.!+]+)(?: ; [^\\\n]+)?(?P<hashes>(?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n"
)


def wanted(lock: str) -> list[Requirement]:
    if lock in TOOLS:
        lines = (ROOT / "requirements" / f"{lock}.in").read_text().splitlines()
        return [Requirement(line) for line in lines if not line.startswith("#")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    declared = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for extra in EXTRAS[lock]:
        declared += project["project"]["optional-dependencies"][extra]
    return [Requirement(one) for one in declared]


def text_of(lock: str) -> str:
    return (ROOT / "requirements" / f"{lock}.txt").read_text()


def locked(lock: str) -> dict[str, str]:
    return {canonicalize_name(found["name"]): found["version"] for found in ENTRY.finditer(text_of(lock))}


def needed(requirements: list[Requirement]) -> Iterator[Requirement]:
    """These and what they need in their turn, as far as it is installed here."""
    seen: set[str] = set()
    queue = list(requirements)
    while queue:
        requirement = queue.pop()
        yield requirement
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        try:
            own = [Requirement(one) for one in requires(requirement.name) or ()]
        except PackageNotFoundError:
            continue
        queue += [one for one in own if not one.marker or _applies(one, requirement.extras)]


def _applies(requirement: Requirement, extras: set[str]) -> bool:
    assert requirement.marker
    return any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras))


@pytest.mark.parametrize("lock", [*EXTRAS, *TOOLS])
def test_every_line_is_a_version_with_hashes_and_no_address(lock: str) -> None:
    rest = ENTRY.sub("", re.sub(r"^ *#.*\n", "", text_of(lock), flags=re.MULTILINE))
    assert rest == ""
    assert "://" not in text_of(lock)


@pytest.mark.parametrize("lock", [*EXTRAS, *TOOLS])
def test_the_lock_fits_what_is_declared_and_all_that_this_needs(lock: str) -> None:
    versions = locked(lock)
    misfits = [
        f"{requirement}: {versions.get(canonicalize_name(requirement.name))}"
        for requirement in needed(wanted(lock))
        if not requirement.specifier.contains(versions.get(canonicalize_name(requirement.name), "0.0.dev0"), prereleases=True)
        or canonicalize_name(requirement.name) not in versions
    ]
    assert misfits == [], "run scripts/lock"


def test_both_locks_have_the_same_versions() -> None:
    development = locked("dev")
    assert locked("run").items() <= development.items()
