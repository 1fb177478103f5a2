"""The workflows of the public host: they can be read, run scripts that exist, and publish without a secret."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from publishing.scripts import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PINNED = re.compile(r"^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$")


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    return found


def commands(path: Path) -> str:
    """All that the jobs of a workflow run."""
    return "\n".join(step.get("run", "") for job in jobs(path).values() for step in job["steps"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_script_and_file_that_a_workflow_runs_exists(path: Path) -> None:
    named = re.findall(r"(?<![\w/])(?:scripts|tests|requirements)/[\w./-]+", commands(path))
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_to_commits(path: Path) -> None:
    used = re.findall(r"uses: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert used
    assert [one for one in used if not PINNED.match(one)] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_jobs_have_deadlines_and_their_own_rights(path: Path) -> None:
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"] == {}
    assert [name for name, job in jobs(path).items() if "timeout-minutes" not in job or "permissions" not in job] == []


def test_a_release_is_tested_and_checked_before_it_is_published_without_a_secret() -> None:
    path = ROOT / ".github/workflows/release.yml"
    steps = [step.get("run", step.get("uses", "")) for step in jobs(path)["build"]["steps"]]
    assert steps.index("scripts/test") < steps.index("scripts/release --dry-run")
    publishing = jobs(path)["pypi"]
    assert (publishing["needs"], publishing["permissions"]) == ("build", {"id-token": "write"})
    assert "secrets." not in path.read_text()


def test_every_push_is_tested() -> None:
    text = (ROOT / ".github/workflows/test.yml").read_text()
    # YAML 1.1 reads the key `on` as a boolean.
    assert set(yaml.safe_load(text)[True]) == {"push", "pull_request"}
    assert "scripts/test" in commands(ROOT / ".github/workflows/test.yml").splitlines()
