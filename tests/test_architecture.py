"""The rules of CONTRIBUTING.md that a program can check."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "bridge/tabwire"
CONTENT = ROOT / "extension/content"
OWN_CODE = ("bridge", "extension", "scripts", "tests")
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
# Injected by themselves: one talks to the worker, from the top frame only; the other is registered for sites without permission.
ALONE = {"person/arrival-guard", "person/lifeline"}
GENERATED = {"extension/background/base/protocol.js", "extension/background/rules/secret-shapes.js"}
FORBIDDEN_WORDS = {"helper", "helpers", "util", "utils", "common", "manager", "service"}

# Who may import what; the demo and the testing plugin are MCP clients, not the server.
IMPORTERS = {
    "mcp": {"server/mcp.py", "demo/command.py", "demo/transcript.py"},
    "websockets": {"wire/listeners.py", "wire/unauthenticated.py", "wire/transport.py"},
    "cryptography": {"wire/tls.py"},
    "uvicorn": {"server/http.py"},
    "selenium": set(),
}
NO_IO_MODULES = ("messages", "session", "pairing", "text_provenance", "pairing_permissions")
NO_IO = {"asyncio", "anyio", "socket", "websockets", "mcp", "pathlib", "os", "subprocess"}


def own_files(*suffixes: str) -> list[Path]:
    found = [path for folder in OWN_CODE for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    return sorted(path for path in found if path.is_file() and "node_modules" not in path.parts)


def python_modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imported_packages(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("package", IMPORTERS)
def test_a_package_is_imported_only_where_the_architecture_says(package: str) -> None:
    importers = {str(path.relative_to(PACKAGE)) for path in python_modules() if package in imported_packages(path)}
    assert importers <= IMPORTERS[package]


def test_the_protocol_does_no_io() -> None:
    paths = [PACKAGE / f"wire/{name}.py" for name in NO_IO_MODULES] + [PACKAGE / "engine/pending_calls.py"]
    found = {path.name: imported_packages(path) & NO_IO for path in paths}
    assert {name: packages for name, packages in found.items() if packages} == {}


def test_every_file_is_of_readable_length() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in own_files(".py", ".js", ".css", ".html")
    }
    assert {name: length for name, length in lengths.items() if length > MAX_FILE_LINES and name not in GENERATED} == {}


def test_every_python_function_is_of_readable_length() -> None:
    lengths = {
        f"{path.relative_to(ROOT)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in own_files(".py")
        for node in functions(path)
    }
    assert {name: length for name, length in lengths.items() if length > MAX_FUNCTION_LINES} == {}


def test_no_file_has_a_name_that_says_nothing() -> None:
    named = [path for path in own_files(".py", ".js") if FORBIDDEN_WORDS & set(re.split(r"[-_.]", path.stem.lower()))]
    # The worker is called what Chrome calls it.
    assert [path for path in named if "service_worker" not in path.stem and "service-worker" not in path.stem] == []


def test_chrome_can_load_the_repository_root() -> None:
    """Chrome refuses a folder with a top-level name that starts with an underscore, as Python's cache of a root module does."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, timeout=30, check=False).stdout
    tracked = {line.split("/")[0] for line in listed.splitlines()}
    present = {path.name for path in ROOT.iterdir()}
    assert [name for name in sorted(tracked | present) if name.startswith("_") or name.endswith(".py")] == []


def test_every_file_the_manifest_names_exists() -> None:
    manifest = json.loads((ROOT / "manifest.json").read_text())
    named = [manifest["background"]["service_worker"], *manifest["icons"].values()]
    named += [manifest["action"]["default_popup"], manifest["side_panel"]["default_path"]]
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_content_files_are_listed_once_and_all_of_them() -> None:
    source = (ROOT / "extension/background/page/content-files.js").read_text()
    found = re.search(r"const CONTENT = (?:Object\.freeze\()?\[(.*?)\]", source, re.DOTALL)
    assert found, "extension/background/page/content-files.js has no list CONTENT"
    listed = re.findall(r'"([\w/-]+)"', found[1])
    present = {str(path.relative_to(CONTENT).with_suffix("")) for path in CONTENT.rglob("*.js")}
    assert sorted(listed) == sorted(present - ALONE)


def test_content_files_are_pure_dom() -> None:
    """They also run in a plain page, where there is no chrome.*: what they use of it they ask for by optional chaining."""
    files = [path for path in CONTENT.rglob("*.js") if str(path.relative_to(CONTENT).with_suffix("")) not in ALONE]
    uses = {path.name: re.findall(r"(?<![\w.])chrome\.(?!dom\b)\w+|chrome\?\.(?!dom\b)\w+", _code(path)) for path in files}
    assert {name: found for name, found in uses.items() if found} == {}


def _code(path: Path) -> str:
    """The file without comments."""
    return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text(), flags=re.DOTALL)


def test_javascript_has_no_fixed_waits_by_animation_frame() -> None:
    """A hidden tab never gets one."""
    users = [
        str(path.relative_to(ROOT))
        for path in own_files(".js")
        if "extension" in path.parts and "requestAnimationFrame(" in _code(path)
    ]
    assert users == []
