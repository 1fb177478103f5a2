"""The modules of the worker as the one file that launched browsers get."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from e2e.client import ROOT
from tabwire.browsers.joined_worker import Unjoinable, joined
from tabwire.install import extension_files

WORKER = "background/main.js"
MANIFEST = json.dumps({"background": {"service_worker": WORKER}}).encode()
MODULES = {
    WORKER: """import "./first.js";
import {
  one, two as second,
} from "./parts/numbers.js";
import * as numbers from "./parts/numbers.js";
const own = one + second;
console.log(JSON.stringify([order, own, Object.keys(numbers), numbers.three(), new numbers.Four().value, Object.isFrozen(numbers)]));
""",
    "background/first.js": "(globalThis.order ??= []).push('first');\nconst one = 100;\n",
    "background/parts/numbers.js": """import resolve from "../../vendor/list.mjs";
import { two as own } from "../../vendor/list.mjs";
order.push("numbers");
export const two = own;
export const one = resolve(1);
export async function three() {}
export function* five() {}
export class Four { value = typeof three; }
""",
    "vendor/list.mjs": "order.push('list');\nconst two = 2, same = (value) => value;\nexport {\n  two,\n  same as default,\n};\n",
}
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


def files_of(modules: dict[str, str]) -> dict[str, bytes]:
    return {"manifest.json": MANIFEST, **{path: text.encode() for path, text in modules.items()}}


def said_by_node(folder: Path, files: dict[str, bytes]) -> str:
    for path, content in {**files, "package.json": b'{"type": "module"}'}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return subprocess.run(["node", folder / WORKER], capture_output=True, text=True, check=True, timeout=30).stdout


def test_joined_modules_do_what_they_do_one_by_one(tmp_path: Path) -> None:
    whole = files_of(MODULES)
    as_one = joined(whole)
    assert as_one.keys() == {"manifest.json", WORKER}
    said = said_by_node(tmp_path / "one", as_one)
    assert said == said_by_node(tmp_path / "many", whole).replace("false]", "true]")
    assert json.loads(said)[:3] == [["first", "list", "numbers"], 3, ["Four", "five", "one", "three", "two"]]


def test_what_pages_of_the_extension_import_stays() -> None:
    pages = {"ui/panel.js": 'import { three } from "../background/parts/numbers.js";\n'}
    assert joined(files_of(MODULES | pages)).keys() - {"manifest.json", WORKER} == {
        "ui/panel.js",
        "background/parts/numbers.js",
        "vendor/list.mjs",
    }


@pytest.mark.parametrize(
    ("module", "says"),
    [
        ('import one, { two } from "./other.js";', "background/main.js: import one, { two }"),
        ("export let changes = 1;", "background/main.js: export let changes"),
        ("export default 1;", "background/main.js: export default"),
        ('export * from "./other.js";', "background/main.js: export * from"),
        ('import { main } from "./other.js";', "background/main.js imports itself by way of background/other.js"),
    ],
)
def test_what_cannot_be_joined_is_said(module: str, says: str) -> None:
    other = 'import { other } from "./main.js";\nexport const two = 2;\n'
    with pytest.raises(Unjoinable) as refused:
        joined(files_of({WORKER: f"{module}\n", "background/other.js": other}))
    assert str(refused.value).startswith(says)


def test_the_worker_of_the_extension_lacks_nothing_when_it_is_joined(tmp_path: Path) -> None:
    files = joined(extension_files.contents())
    left = {path for path in files if path.startswith(("extension/background/", "extension/vendor/")) and path.endswith("js")}
    pages = {f"extension/background/base/{name}.js" for name in ("deadline", "protocol", "text")}
    assert left == {"extension/background/main.js", "extension/vendor/axe.min.js", *pages}
    worker = tmp_path / "worker.mjs"
    worker.write_bytes(files["extension/background/main.js"])
    assert reported(worker) == [[], ["VariableDeclaration"]]
    # A name that is missing would be told.
    worker.write_text("const one = two;\nthree();\n")
    assert reported(worker) == [["1: two", "2: three"], ["VariableDeclaration", "ExpressionStatement"]]
