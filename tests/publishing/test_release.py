"""Checks of `scripts/release` that need nothing built: its conditions, licences, and what a packed extension names."""

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from publishing.scripts import ROOT, module

preflight = module("publishing/preflight")
licences = module("publishing/licences")
packages = module("publishing/packages")

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "bridge")}
CHANGES = "# Changelog\n\n## [1.2.3] - 2026-01-31\n\n### Added\n\n- A thing.\n\n## [1.2.2] - 2026-01-01\n\n- Another.\n"
PROJECT = {"project": {"dynamic": ["version"]}, "tool": {"hatch": {"version": {"path": "manifest.json"}}}}


def seen(problems: Any) -> list[str]:
    return [what for what, _ in problems]


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("", "", None),
        ("[1.2.3]", "[1.2.4]", "CHANGELOG.md has no section [1.2.3]"),
        (" - 2026-01-31", "", "The section [1.2.3] of CHANGELOG.md has no date"),
        ("- A thing.", "", "The section [1.2.3] of CHANGELOG.md is empty"),
    ],
)
def test_the_change_log_must_describe_the_version(before: str, after: str, problem: str | None) -> None:
    assert seen(preflight.changelog_problems("1.2.3", CHANGES.replace(before, after, 1))) == ([problem] if problem else [])


def test_changes_that_no_version_has_are_refused() -> None:
    assert seen(preflight.unreleased_problems("1.2.3", CHANGES)) == []
    later = CHANGES.replace("## [1.2.3]", "## [Unreleased]\n\n- More.\n\n## [1.2.3]")
    assert seen(preflight.unreleased_problems("1.2.3", later)) == ["CHANGELOG.md has changes under Unreleased"]


def test_a_tree_with_changes_is_refused_with_their_names() -> None:
    assert seen(preflight.tree_problems("")) == []
    assert "M README.md" in seen(preflight.tree_problems(" M README.md\n"))[0]


@pytest.mark.parametrize(
    ("tags", "here", "problem"),
    [
        ([], [], None),
        (["v1.2.3"], ["v1.2.3"], None),
        (["v1.2.3"], [], "v1.2.3 is the tag of another commit"),
        (["v1.2.2"], ["v1.2.2"], "this commit has the tag v1.2.2, and manifest.json the version 1.2.3"),
    ],
)
def test_a_tag_must_be_that_of_the_version(tags: list[str], here: list[str], problem: str | None) -> None:
    assert seen(preflight.tag_problems("1.2.3", tags, here)) == ([problem] if problem else [])


def test_the_version_is_one_for_all_stores_and_stands_in_the_manifest_alone() -> None:
    assert seen(preflight.version_problems("1.2.3", PROJECT)) == []
    assert seen(preflight.version_problems("1.2.3rc1", PROJECT)) == ["manifest.json has the version 1.2.3rc1"]
    own = {**PROJECT, "project": {"version": "1.2.3"}}
    assert seen(preflight.version_problems("1.2.3", own)) == ["pyproject.toml has a version of its own"]


def test_the_version_of_this_tree_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert seen(preflight.version_problems(preflight.extension_files.version(), project)) == []


def component(*declared: dict[str, Any], name: str = "thing") -> dict[str, Any]:
    return {"name": name, "version": "1", "licenses": list(declared)}


@pytest.mark.parametrize(
    ("declared", "licence"),
    [
        ([{"license": {"id": "MIT"}}], "MIT"),
        ([{"expression": "apache-2.0 or BSD-3-Clause"}], "Apache-2.0 OR BSD-3-Clause"),
        ([{"license": {"id": "MPL-2.0"}}, {"license": {"name": "License :: OSI Approved :: MIT License"}}], None),
        ([{"license": {"id": "MIT"}}, {"license": {"name": "License :: DFSG approved"}}], "MIT"),
        ([{"license": {"id": "MIT"}}, {"license": {"id": "GPL-3.0-only"}}], "(GPL-3.0-only) AND (MIT)"),
        ([{"license": {"name": "Ask me"}}], None),
        ([], None),
    ],
)
def test_a_declared_licence_becomes_an_expression_or_stays_unknown(declared: list[dict[str, Any]], licence: str | None) -> None:
    assert [package.licence for package in licences.of_sbom({"components": [component(*declared)]})] == [licence]


@pytest.mark.parametrize(
    ("expression", "is_accepted"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only AND MIT", False),
        ("(GPL-3.0-only OR MIT) AND ISC", True),
        ("MIT AND (ISC AND GPL-2.0-only)", False),
        ("GPL-2.0-only OR GPL-3.0-only OR ISC AND MIT", True),
        ("Apache-2.0 WITH LLVM-exception", False),
    ],
)
def test_an_expression_is_accepted_if_accepted_licences_meet_it(expression: str, is_accepted: bool) -> None:
    assert licences.is_accepted(expression) is is_accepted


def test_a_package_with_an_unknown_or_foreign_licence_is_named() -> None:
    found = [licences.Package("a", "1", "MIT"), licences.Package("b", "2", None), licences.Package("c", "3", "AGPL-3.0-only")]
    assert list(licences.problems(found)) == [
        "b 2 declares no licence that is known",
        "c 3 is under AGPL-3.0-only, which is not among the accepted licences",
    ]


def test_the_project_that_an_sbom_is_made_from_says_its_version() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    before, after = tomllib.loads(text)["project"], tomllib.loads(licences.with_version(text, "1.2.3"))["project"]
    assert "version" in before.pop("dynamic")
    assert after == {**before, "version": "1.2.3"}


def test_the_development_tools_of_node_have_accepted_licences() -> None:
    found = licences.of_package_lock(json.loads((ROOT / "package-lock.json").read_text()))
    assert len(found) > 50
    assert list(licences.problems(found)) == []


def test_every_library_in_the_extension_is_listed_with_an_accepted_licence() -> None:
    found = licences.of_vendored(json.loads((ROOT / "scripts/vendored.json").read_text()))
    assert list(licences.problems(found)) == []
    text = (ROOT / "extension/vendor/LICENSE.txt").read_text()
    files = {path.name for path in (ROOT / "extension/vendor").iterdir() if path.suffix in (".js", ".mjs")}
    assert files == {f"{package.name.rsplit('/', 1)[1]}.mjs" for package in found if "/" in package.name} | {"axe.min.js"}
    assert all(name in text for name in files)


EXTENSION = {
    "manifest.json": b'{"action": {"default_popup": "extension/ui/popup.html"}}',
    "extension/ui/popup.html": b'<script type="module" src="popup.js"></script><link href="../style.css"><a href="https://example.com">',
    "extension/ui/popup.js": b'import { a } from "./a.js";\nimport "./b.js";\nexport { c } from "./c.js";\nconst text = "from ./d.js";\n',
    "extension/style.css": b"",
    **{f"extension/ui/{name}.js": b"" for name in "abc"},
}


@pytest.mark.parametrize("name", [name for name in EXTENSION if name != "manifest.json"])
def test_a_file_that_the_packed_extension_names_and_lacks_is_found(name: str) -> None:
    assert list(packages.missing_files(EXTENSION)) == []
    (missing,) = packages.missing_files({one: content for one, content in EXTENSION.items() if one != name})
    assert missing.startswith(f"{name} (by ")


def test_the_skill_is_published_as_one_folder_with_the_same_bytes_each_time(tmp_path: Path) -> None:
    for version in ("1", "2"):
        packages.write_skill(packages.Files(tmp_path, version).skill)
    assert len({path.read_bytes() for path in tmp_path.glob("*.zip")}) == 1
    assert "limits" in packages.check_skill(packages.Files(tmp_path, "1"))


@pytest.mark.parametrize(
    "text",
    [
        "---\nname: other\ndescription: x\n---\n",
        "---\nname: tabwire\n---\n",
        f"---\nname: tabwire\ndescription: {'x' * 1025}\n---\n",
    ],
)
def test_a_skill_that_agents_would_refuse_is_not_published(tmp_path: Path, text: str) -> None:
    files = packages.Files(tmp_path, "1")
    with zipfile.ZipFile(files.skill, "w") as package:
        package.writestr(packages.SKILL_FILE, text)
    with pytest.raises(packages.CheckFailed, match="Next: "):
        packages.check_skill(files)


def test_without_dry_run_it_says_what_to_do_and_does_nothing(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "scripts/publishing/main.py"]
    run = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, timeout=30, check=False)
    assert run.returncode == 2
    assert "uploads nothing. Run scripts/release --dry-run" in " ".join(run.stderr.split())
