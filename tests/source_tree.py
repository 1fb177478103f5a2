"""The source files of the project as the walls of its architecture see them: texts, parsed files, imports."""

from __future__ import annotations

import ast
import json
import posixpath
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWN_CODE = ("bridge", "extension", "scripts", "tests")
PACKAGE = "bridge/tabwire"
BUNDLES = ("extension/injected/", "extension/launched/")
"""Folders of files that are made of others, which are looked at."""

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
        named = {path.relative_to(ROOT).as_posix(): path for path in sorted(paths)}
        files = {name: path.read_text() for name, path in named.items() if not name.startswith(BUNDLES)}
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
    def python(self) -> dict[str, PythonFile]:
        """Python files, each read when something of it is asked for."""
        return {path: _python_file(text) for path, text in self.files.items() if path.endswith(".py")}

    @cached_property
    def javascript(self) -> dict[str, Facts]:
        """Facts about the extension's JavaScript files."""
        learn_javascript([self])
        return {path: _FACTS[self.files[path]] for path in self.below("extension", ".js")}

    @cached_property
    def python_graph(self) -> dict[str, set[str]]:
        """Module → modules of the package that it imports, also only for types."""
        modules = {module_of(path): path for path in self.below(PACKAGE, ".py")}
        graph: dict[str, set[str]] = {name: set() for name in modules}
        for name, path in modules.items():
            for module, names in self.python[path].imports:
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
    writes: Sequence[str]
    """Names of members that are assigned, counted up or down, or deleted."""
    actions: Sequence[int]
    """Lines of the statements that a module runs beside its declarations."""


_FACTS: dict[str, Facts] = {}
"""Text → facts."""


def learn_javascript(trees: Iterable[Tree]) -> None:
    """Reads the facts of all JavaScript files in several trees that are not known yet, in one run of node."""
    texts = {tree.files[path]: path for tree in trees for path in tree.below("extension", ".js")}
    sources = {f"{number}: {path}": text for number, (text, path) in enumerate(texts.items()) if text not in _FACTS}
    if not sources:
        return
    command = ["node", ROOT / "tests/javascript_facts.mjs"]
    run = subprocess.run(command, input=json.dumps(sources), capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    _FACTS.update({sources[name]: Facts(**facts) for name, facts in json.loads(run.stdout).items()})


class PythonFile:
    """A Python file by its text. What was parsed is not kept: millions of nodes would have to be looked at whenever memory is freed."""

    def __init__(self, text: str) -> None:
        self._text = text

    def parsed(self) -> ast.Module:
        return ast.parse(self._text)

    @property
    def imports(self) -> list[tuple[str, list[str]]]:
        """Modules and the names that are imported from them."""
        return self._statements[0]

    @property
    def functions(self) -> list[tuple[str, int]]:
        """Names and numbers of lines of the functions."""
        return self._statements[1]

    @property
    def collections(self) -> list[list[str]]:
        """The strings in each dict (its keys), list, tuple and set that holds several."""
        return self._expressions[0]

    @property
    def calls(self) -> list[tuple[str, bool]]:
        """Last words of the names of what is called, and whether a mode or flags say that it opens a file to write."""
        return self._expressions[1]

    @property
    def packages(self) -> set[str]:
        return {module.split(".")[0] for module, _ in self.imports}

    @cached_property
    def _statements(self) -> tuple[list[tuple[str, list[str]]], list[tuple[str, int]]]:
        imports: list[tuple[str, list[str]]] = []
        functions: list[tuple[str, int]] = []
        for node in statements(self.parsed()):
            if isinstance(node, ast.Import):
                imports += ((alias.name, [""]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imports.append((node.module, [alias.name for alias in node.names]))
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions.append((node.name, (node.end_lineno or 0) - node.lineno + 1))
        return imports, functions

    @cached_property
    def _expressions(self) -> tuple[list[list[str]], list[tuple[str, bool]]]:
        collections: list[list[str]] = []
        calls: list[tuple[str, bool]] = []
        for node in ast.walk(self.parsed()):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                calls.append((name, name == "open" and _opens_to_write(node)))
            items: Sequence[ast.AST] = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", ())
            if len(strings := [one.value for one in items if isinstance(one, ast.Constant) and isinstance(one.value, str)]) > 1:
                collections.append(strings)
        return collections, calls


_python_file = cache(PythonFile)


def statements(module: ast.Module) -> Iterator[ast.stmt]:
    """All statements of a file: a walk that leaves out expressions takes a tenth of the time."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, field, ())
        if isinstance(node, ast.stmt):
            yield node


def _opens_to_write(call: ast.Call) -> bool:
    parts = list(ast.walk(call))
    words = [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    flags = {one.attr for one in parts if isinstance(one, ast.Attribute)}
    return "O_CREAT" in flags or any(re.fullmatch(r"[rwax]b?\+?b?", word) and word[0] in "wax" for word in words)


def module_of(path: str) -> str:
    """`bridge/tabwire/wire/ports.py` → `tabwire.wire.ports`."""
    return path.removeprefix("bridge/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


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
