"""The worker as the one file that launched browsers get."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from e2e.client import ROOT
from tabwire.install import extension_files

INJECTED = re.compile(rb'"(extension/injected/[\w-]+\.js)"')
#: Names that a file uses without having them, and the kinds of its statements: what ESLint itself asks of its parts, without its rules.
REPORT = """
import { readFileSync } from "node:fs";
import { analyze } from "eslint-scope";
import { latestEcmaVersion, parse } from "espree";
import globals from "globals";
const code = readFileSync(process.argv[1], "utf8");
const read = { ecmaVersion: latestEcmaVersion, sourceType: "module" };
const tree = parse(code, { ...read, range: true, loc: true });
const known = new Set(["builtin", "browser", "webextensions"].flatMap((name) => Object.keys(globals[name])).concat("Buffer"));
const unknown = analyze(tree, read).globalScope.through.map(({ identifier }) => identifier).filter(({ name }) => !known.has(name));
const statements = tree.body.map(({ type }) => type);
console.log(JSON.stringify([unknown.map(({ name, loc }) => `${loc.start.line}: ${name}`), [...new Set(statements)]]));
"""


def reported(worker: Path) -> list[list[str]]:
    command = ["node", "--input-type=module", "-e", REPORT, worker]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    found: list[list[str]] = json.loads(done.stdout)
    return found


def test_the_worker_of_launched_browsers_is_one_file_that_lacks_nothing(tmp_path: Path) -> None:
    files = extension_files.contents_for_launched()
    left = {path for path in files if path.startswith(("extension/background/", "extension/vendor/")) and path.endswith("js")}
    pages = {f"extension/background/base/{name}.js" for name in ("deadline", "protocol", "text")}
    assert left == {"extension/background/main.js", "extension/vendor/axe.min.js", *pages}
    worker = tmp_path / "worker.mjs"
    worker.write_bytes(files["extension/background/main.js"])
    unknown, statements = reported(worker)
    assert unknown == [] and not {one for one in statements if one.startswith(("Import", "Export"))}
    # A name that is missing would be reported.
    worker.write_text("const one = two;\nthree();\n")
    assert reported(worker) == [["1: two", "2: three"], ["VariableDeclaration", "ExpressionStatement"]]


def test_browsers_get_no_sources_of_bundles() -> None:
    folders = {path.split("/")[1] for path in extension_files.contents() if "/" in path}
    assert {"background", "injected", "ui"} <= folders and not {"content", "launched"} & folders
    assert {path.split("/")[1] for path in extension_files.contents_for_launched() if "/" in path} == folders


def test_all_files_that_are_injected_are_there() -> None:
    files = extension_files.contents()
    named = {
        name.decode()
        for path, text in files.items()
        if path.startswith("extension/background/")
        for name in INJECTED.findall(text)
    }
    assert len(named) == 4 and named <= files.keys()
