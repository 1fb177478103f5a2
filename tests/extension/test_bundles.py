"""The bundles of the extension are those of its modules, and the check of generated files says where they are not."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from source_tree import ROOT

SCRIPT = "scripts/bundle_extension.mjs"
OPERATION = re.compile(r'^  "(\w+\.\w+)": [\w.]+,$', re.MULTILINE)
METHOD = re.compile(r'^  "(\w+\.\w+)": \{', re.MULTILINE)


def checked(root: Path) -> tuple[int, str]:
    node = shutil.which("node")
    assert node, "node is needed, as for the type check"
    done = subprocess.run([node, root / SCRIPT, "--check"], capture_output=True, text=True, timeout=100, check=False)
    return done.returncode, done.stderr


def test_the_bundles_are_fresh() -> None:
    assert checked(ROOT) == (0, "")


def test_a_bundle_that_is_stale_or_that_nothing_makes_is_named(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "extension", tmp_path / "extension")
    (tmp_path / "scripts").mkdir()
    for path in (SCRIPT, "manifest.json"):
        shutil.copy(ROOT / path, tmp_path / path)
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    for path, before, after in (
        ("extension/content/dom/text.js", "export const NOT_TEXT", "globalThis.mark = 1;\nexport const NOT_TEXT"),
        ("extension/background/base/url.js", "export ", "globalThis.mark = 1;\nexport "),
    ):
        text = (tmp_path / path).read_text()
        assert before in text
        (tmp_path / path).write_text(text.replace(before, after, 1))
    (tmp_path / "extension/injected/old.js").write_text("")
    code, said = checked(tmp_path)
    assert code == 1
    named = {line.split()[0] for line in said.splitlines()}
    assert named == {"extension/injected/page.js", "extension/injected/old.js", "extension/launched/worker.js"}


def test_the_bundles_are_committed() -> None:
    tracked = subprocess.run(["git", "ls-files", "extension"], cwd=ROOT, capture_output=True, text=True, timeout=30, check=True)
    made = {
        path.relative_to(ROOT).as_posix() for name in ("injected", "launched") for path in (ROOT / "extension" / name).iterdir()
    }
    assert len(made) == 6 and made <= set(tracked.stdout.split())


def test_the_check_says_that_it_needs_node(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    bundle = runpy.run_path(str(ROOT / "scripts/generate_protocol.py"), run_name="generate")["bundle"]
    monkeypatch.setattr(sys, "argv", ["generate_protocol.py", "--check"])
    monkeypatch.setenv("PATH", os.devnull)
    assert bundle() == 1
    assert "were not checked, because Node.js is missing" in capsys.readouterr().err


NO_OPERATIONS = {"network.seen", "stop.clients", "stop.tabs", "steps.write", "steps.written"}
"""Names in the worker that look like operations of a page: stored values, and messages to the bridge."""


ROOMS = set(
    "actionability effects elements fingerprints forms frames input keyboard markup media network observation outline pageMarks performance "
    "person picker pointerArrival refs scripts selectors sensitiveFields snapshot steps stop storage visualViewport wait".split()
)
ALSO_METHODS = set(
    "forms.fill forms.focus forms.select input.drag input.scroll input.upload markup.read snapshot.capture storage.items storage.restore".split()
)
"""Operations under the name of a method."""


def operations() -> set[str]:
    tables = (ROOT / "extension/content" / name for name in ("page.js", "base/storage.js"))
    return {name for table in tables for name in OPERATION.findall(table.read_text())}


def test_a_page_has_each_operation_that_the_worker_names() -> None:
    there = operations()
    methods = set(METHOD.findall((ROOT / "extension/background/base/protocol.js").read_text()))
    worker = "\n".join(path.read_text() for path in (ROOT / "extension/background").rglob("*.js"))
    rooms = {name.split(".")[0] for name in there}
    assert there & methods == ALSO_METHODS
    named = {name for name in re.findall(r'"(\w+\.\w+)"', worker) if name.split(".")[0] in rooms} - methods
    assert named - there == NO_OPERATIONS
    # The last ones are asked by other documents of the page, and by tests.
    assert there - named == {"frames.pathTo", "refs.check"} | ALSO_METHODS
    assert rooms == ROOMS
