"""What the documents say is so."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from programs import ran_here
from tabwire.rules.kinds import KINDS
from tabwire.settings import TOOLSETS
from tabwire.surfaces.tool import load_toolset

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
GENERATED = "docs/command-line.md"
"""A page with the options of all commands; scripts/generate_protocol.py --check keeps it."""
MANUAL = "\n".join([README, *((ROOT / page).read_text() for page in PAGES if page != GENERATED)])
TOOLS = (ROOT / "docs" / "tools.md").read_text()


def test_the_page_of_tools_lists_those_that_are_served() -> None:
    rows = [line for line in TOOLS.splitlines() if line.startswith("| ")]
    listed = re.findall(r"`(\w+)`", "\n".join(rows))
    assert sorted(listed) == sorted(tool.name for tool in load_toolset("agent").tools)


@pytest.mark.parametrize("surface", sorted(set(TOOLSETS) - {"agent"}))
def test_the_page_of_a_surface_lists_its_tools(surface: str) -> None:
    page = (ROOT / "docs" / "surfaces" / f"{surface}.md").read_text()
    listed = re.findall(r"`(\w+)`", "\n".join(line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `")))
    assert sorted(listed) == sorted(tool.name for tool in load_toolset(surface).tools)
    assert f"serve --toolset {surface}" in page


def test_the_page_of_the_agent_surface_lists_its_groups() -> None:
    page = (ROOT / "docs" / "surfaces" / "agent.md").read_text()
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(load_toolset("agent").purposes)


def test_the_page_of_surfaces_links_each_of_them() -> None:
    page = (ROOT / "docs" / "surfaces.md").read_text()
    linked = re.findall(r"^\| \[`(\w+)`\]\(surfaces/\1\.md\)", page, re.MULTILINE)
    assert sorted(linked) == sorted(TOOLSETS)


@pytest.mark.parametrize("page", ["architecture", "platforms"])
def test_every_source_file_a_page_names_exists(page: str) -> None:
    named = re.findall(r"`([\w/.-]+/[\w.-]+\.(?:py|js|yml))`", (ROOT / "docs" / f"{page}.md").read_text())
    roots = [ROOT, ROOT / "bridge/tabwire", ROOT / "extension", ROOT / "extension/background"]
    assert named
    assert [file for file in named if not any((root / file).is_file() for root in roots)] == []


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/e2e/README.md", *PAGES])
def test_every_file_and_heading_a_document_links_to_exists(document: str) -> None:
    path = ROOT / document
    links = [link.partition("#") for link in re.findall(r"\]\(([^)]+)\)", path.read_text()) if "://" not in link]
    assert [file for file, _, _ in links if not (path.parent / file).exists() and not is_left_out(file)] == []
    anchored = [(path.parent / file if file else path, anchor) for file, _, anchor in links if anchor]
    assert [anchor for target, anchor in anchored if anchor not in anchors(target.read_text())] == []


def is_left_out(file: str) -> bool:
    """Whether a file is of the laboratory, which a source distribution does not have."""
    return "scripts/lab" in file and not (ROOT / "scripts/lab").is_dir()


def anchors(text: str) -> set[str]:
    """Anchors of the headings, as those who show Markdown make them."""
    prose = re.sub(r"^(```+|~~~+).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_comments_in_code_are_no_headings() -> None:
    assert anchors("# Start\n```sh\n# a comment\n```\n## `tabwire click`\n~~~\n# other\n~~~\n") == {"start", "tabwire-click"}


def test_the_first_page_stays_short_and_its_pages_can_be_reached() -> None:
    assert len(README.splitlines()) <= 120
    assert [page for page in PAGES if page.count("/") == 1 and f"({page})" not in README] == []
    surfaces = (ROOT / "docs" / "surfaces.md").read_text()
    assert [page for page in PAGES if page.count("/") > 1 and f"({page.removeprefix('docs/')})" not in surfaces] == []


@pytest.mark.parametrize("script", sorted(set(re.findall(r"\bscripts/[\w/]+", MANUAL + (ROOT / "CONTRIBUTING.md").read_text()))))
def test_every_script_a_document_names_exists(script: str) -> None:
    assert (ROOT / script).exists() or (ROOT / f"{script}.py").exists() or is_left_out(script)


def test_every_option_in_the_manual_exists() -> None:
    known = {"--url", "--headed", "--keep", "--kill-node"}
    of_chromium = {"--headless", "--no-first-run", "--no-sandbox"}
    logs = ("log show", "log verify", "log export")
    commands = (
        "serve",
        "doctor",
        "install",
        "uninstall",
        "pair",
        "extension",
        "console",
        "requests",
        "network-requests",
        "codegen",
        "replay",
        *logs,
    )
    # With the plugin for tests of one's own site.
    pytest_help = [sys.executable, "-m", "pytest", "-p", "no:tabwire", "-p", "tabwire.testing.plugin", "--help"]
    helps = [subprocess.run(pytest_help, cwd=ROOT / "bridge", capture_output=True, text=True, timeout=30, check=True)]
    helps += (ran_here(*command.split(), "--help", env=dict(os.environ), cwd=ROOT) for command in commands)
    for done in helps:
        done.check_returncode()
        known |= set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", done.stdout))
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", MANUAL))
    assert sorted(named - known - of_chromium) == []


def test_no_document_names_a_version_other_than_the_manifests() -> None:
    manifest = (ROOT / "manifest.json").read_text()
    version = re.search(r'"version": *"([^"]+)"', manifest)
    assert version
    assert set(re.findall(r"tabwire (\d+\.\d+\.\d+)", MANUAL)) <= {version[1]}


def test_the_security_page_gives_a_reason_for_each_permission() -> None:
    manifest = json.loads((ROOT / "manifest.json").read_text())
    told = re.findall(r"^\| (`[^|]*`) \|", (ROOT / "SECURITY.md").read_text(), re.MULTILINE)
    named = {name for cell in told for name in re.findall(r"`([\w<>]+)`", cell)}
    assert named == {*manifest["permissions"], *manifest["host_permissions"]}


def test_the_security_page_names_every_sensitive_kind() -> None:
    text = (ROOT / "SECURITY.md").read_text()
    assert [kind for kind in KINDS if f"`{kind}`" not in text] == []


def test_the_page_of_replies_shows_the_calls_of_its_script_and_every_tool() -> None:
    spec = importlib.util.spec_from_file_location("replies_scenes", ROOT / "scripts" / "replies" / "scenes.py")
    assert spec and spec.loader
    scenes = importlib.util.module_from_spec(spec)
    # Its data classes look for their module by name.
    sys.modules[spec.name] = scenes
    spec.loader.exec_module(scenes)
    shown = re.findall(r"^→ (\w+)", (ROOT / "docs" / "replies.md").read_text("utf-8"), re.MULTILINE)
    served = [tool.name for tool in load_toolset("agent").tools]
    assert shown == [call.tool for scene in scenes.scenes(served) for call in scene.calls], "run scripts/replies/run"
    assert set(shown) == set(served)
