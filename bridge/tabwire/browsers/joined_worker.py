"""The modules of the extension's worker as one file, for launched browsers.

Chromium installs a worker module by module: the browser process requests, reads and stores each one, which takes half a second of
a processor for two hundred of them whenever a profile gets the extension. A launched browser has a new profile nearly always.

Each module becomes a function that returns what it exports, called once, in the order in which modules are evaluated. That is the
same to modules that import each other in no circle and never assign to what they export. Only the statements that they use are
known here; others are refused.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping

_IMPORT = re.compile(
    r"""\nimport\ (?:(?:(?P<default>[\w$]+)|\{(?P<names>[^}]*)\}|\*\ as\ (?P<all>[\w$]+))\ from\ )?"(?P<path>\.{1,2}/[^"]+)";""",
    re.VERBOSE,
)
_DECLARED = re.compile(r"\nexport (?=(?:const|class|(?:async )?function\*?) (?P<name>[\w$]+)\b)")
_LISTED = re.compile(r"\nexport \{(?P<names>[^}]*)\};")
_UNKNOWN = re.compile(r"\n(?:import|export)\b.*")
_MODULES = (".js", ".mjs")


class Unjoinable(Exception):
    """The modules cannot be joined; the text says which statement or circle is in the way."""


def joined(files: Mapping[str, bytes], manifest: str = "manifest.json") -> dict[str, bytes]:
    """The files of an extension whose worker is one file; modules that only the worker needs are not among them.

    Args:
        files: the files of the extension by path.
        manifest: the path of the manifest.

    Raises:
        Unjoinable: a module has a statement that is not known here, or imports itself in the end.
    """
    worker: str = json.loads(files[manifest])["background"]["service_worker"]
    numbers: dict[str, int] = {}
    parts = [_as_function(path, text, numbers) for path, text in _in_order(files, worker, numbers, ())]
    pages: dict[str, int] = {}
    for path in files:
        if path.endswith(_MODULES) and path not in numbers:
            pages.update((module, 0) for module, _ in _in_order(files, path, pages, ()))
    left = {path: content for path, content in files.items() if path not in numbers or path in pages}
    return {**left, worker: "".join(parts).encode()}


def _in_order(
    files: Mapping[str, bytes], path: str, numbers: dict[str, int], above: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """The modules behind a path, each once, those that a module imports before it. They are numbered as they come."""
    if path in above:
        raise Unjoinable(f"{path} imports itself by way of {above[-1]}.")
    if path in numbers:
        return
    # Statements are looked for at the beginning of a line; a pattern that begins with a character is a fast one.
    text = "\n" + files[path].decode()
    for found in _IMPORT.finditer(text):
        yield from _in_order(files, _target(path, found), numbers, (*above, path))
    numbers[path] = len(numbers)
    yield path, text


def _target(path: str, found: re.Match[str]) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), found["path"]))


def _as_function(path: str, text: str, numbers: Mapping[str, int]) -> str:
    def imported(found: re.Match[str]) -> str:
        module = f"__module{numbers[_target(path, found)]}"
        if found["all"]:
            return f"\nconst {found['all']} = {module};"
        names = [("default", found["default"])] if found["default"] else _pairs(found["names"] or "")
        return f"\nconst {{ {', '.join(f'{theirs}: {ours}' for theirs, ours in names)} }} = {module};" if names else "\n"

    exports = {found["name"]: found["name"] for found in _DECLARED.finditer(text)}
    exports |= {theirs: ours for found in _LISTED.finditer(text) for ours, theirs in _pairs(found["names"])}
    body = _LISTED.sub("\n", _DECLARED.sub("\n", _IMPORT.sub(imported, text)))
    if unknown := _UNKNOWN.search(body):
        raise Unjoinable(f"{path}: {unknown[0].strip()}")
    # In the order in which a namespace lists them.
    members = "".join(f", {theirs}: {exports[theirs]}" for theirs in sorted(exports))
    whole = f"(() => {{{body}\nreturn Object.freeze({{ __proto__: null{members} }});\n}})()"
    return f"// {path}\nconst __module{numbers[path]} = {whole};\n"


def _pairs(names: str) -> list[tuple[str, str]]:
    """Return the names of a list in braces: before and after `as`, or the same name twice."""
    words = [name.split() for name in names.split(",") if name.strip()]
    return [(word[0], word[-1]) for word in words]
