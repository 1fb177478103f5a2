"""The source files of the project as the walls of its architecture see them: texts, parsed files, imports."""

from __future__ import annotations

import ast
import json
import posixpath
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWN_CODE = ("bridge", "extension", "scripts", "tests")
PACKAGE = "bridge/tabwire"

Graph = Mapping[str, Iterable[str]]


@dataclass(frozen=True)
class Tree:
    """The source files of the project: path from the root → text."""

    files: Mapping[str, str]
    loose: tuple[str, ...] = ()
    """Names at the top of the repository, tracked or not."""

    @classmethod
    def of_repository(cls) -> Tree:
        """The tree as it is on disk now."""
        found = (path for folder in OWN_CODE for path in (ROOT / folder).rglob("*") if path.is_file())
        kept = {".py", ".js", ".mjs", ".ts", ".css", ".html", ".json"}
        paths = [path for path in found if path.suffix in kept and "node_modules" not in path.parts]
        files = {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted(paths)}
        files["manifest.json"] = (ROOT / "manifest.json").read_text()
        tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, timeout=30, check=False).stdout
        top = {line.split("/")[0] for line in tracked.splitlines()} | {path.name for path in ROOT.iterdir()}
        return cls(files, tuple(sorted(top)))

    def changed(self, path: str, text: str) -> Tree:
        """The tree with one file replaced or added."""
        return Tree({**self.files, path: text}, (*self.loose, path) if "/" not in path else self.loose)

    def below(self, folder: str, *suffixes: str) -> list[str]:
        """Paths of the files below a folder."""
        return [path for path in self.files if path.startswith(f"{folder}/") and path.endswith(suffixes)]

    @cached_property
    def python(self) -> dict[str, ast.Module]:
        """Parsed Python files."""
        return {path: _parsed(text) for path, text in self.files.items() if path.endswith(".py")}

    @cached_property
    def javascript(self) -> dict[str, Facts]:
        """Facts about the extension's JavaScript files."""
        sources = {path: self.files[path] for path in self.below("extension", ".js")}
        new = {path: text for path, text in sources.items() if (path, text) not in _FACTS}
        _FACTS.update({(path, new[path]): facts for path, facts in _read_facts(new).items()})
        return {path: _FACTS[path, text] for path, text in sources.items()}

    @cached_property
    def python_graph(self) -> dict[str, set[str]]:
        """Module → modules of the package that it imports, also only for types."""
        modules = {module_of(path): path for path in self.below(PACKAGE, ".py")}
        graph: dict[str, set[str]] = {name: set() for name in modules}
        for name, path in modules.items():
            for module, names in python_imports(self.python[path]):
                graph[name] |= {full if (full := f"{module}.{one}") in modules else module for one in names} & modules.keys()
        return graph

    @cached_property
    def javascript_graph(self) -> dict[str, set[str]]:
        """File → files that it imports, also only for types."""
        graph: dict[str, set[str]] = {}
        for path, facts in self.javascript.items():
            targets = {self.target(path, specifier) for specifier, _ in (*facts.imports, *facts.types)}
            graph[path] = {target for target in targets if target in self.javascript}
        return graph

    def target(self, path: str, specifier: str) -> str:
        """The file that an import specifier of another file means."""
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), specifier))
        return target if target in self.files else f"{target}.js"


@dataclass(frozen=True)
class Facts:
    """The facts that `javascript_facts.mjs` gives of one file."""

    imports: Sequence[tuple[str, list[str]]]
    types: Sequence[tuple[str, str]]
    exports: Sequence[str]
    functions: Sequence[tuple[str, int]]
    listeners: Sequence[str]
    calls: Sequence[str]
    """Names of functions called and of commands of the debugger."""
    keys: Sequence[list[str]]


_FACTS: dict[tuple[str, str], Facts] = {}


@cache
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)


def _read_facts(sources: Mapping[str, str]) -> dict[str, Facts]:
    if not sources:
        return {}
    command = ["node", ROOT / "tests/javascript_facts.mjs"]
    run = subprocess.run(command, input=json.dumps(sources), capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    return {path: Facts(**facts) for path, facts in json.loads(run.stdout).items()}


def module_of(path: str) -> str:
    """`bridge/tabwire/wire/ports.py` → `tabwire.wire.ports`."""
    return path.removeprefix("bridge/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def python_imports(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, [""]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, [alias.name for alias in node.names]


def packages(tree: ast.Module) -> set[str]:
    return {module.split(".")[0] for module, _ in python_imports(tree)}


def cycles(graph: Graph) -> list[str]:
    """A sentence for each cycle (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[str] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            part = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(part) > 1:
                found.append(f"import cycle: {', '.join(sorted(part))}")

    for node in graph:
        if node not in index:
            visit(node)
    return found
