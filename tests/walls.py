"""The walls of the architecture: each is a function from the source tree to the sentences that say where it is broken.

`test_architecture.py` holds the repository against them; `test_walls.py` breaks each of them on purpose.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from source_tree import PACKAGE, Graph, Tree, cycles
from walls_worker import WALLS_OF_THE_WORKER, WORKER

CONTENT = "extension/content"

Wall = Callable[[Tree], list[str]]


def python_has_no_cycle(tree: Tree) -> list[str]:
    """No module of the package is imported, however indirectly, by what it imports; imports for types count."""
    return cycles(tree.python_graph)


def javascript_has_no_cycle(tree: Tree) -> list[str]:
    """The same for the extension; `import("…")` in JSDoc counts."""
    return cycles(tree.javascript_graph)


IMPORTERS = {
    "mcp": {"server/mcp.py", "server/stdio.py", "demo/command.py", "demo/kept_server.py", "demo/transcript.py"},
    "websockets": {"wire/listeners.py", "wire/pairing_desk.py", "wire/unauthenticated.py", "wire/transport.py"},
    "cryptography": {"wire/key_agreement.py", "wire/tls.py"},
    "uvicorn": {"server/http.py"},
    "selenium": set[str](),
}
"""Package → files that may import it. The demo is an MCP client, not the server."""


def packages_have_few_importers(tree: Tree) -> list[str]:
    """The packages of the outside world are imported where the architecture says."""
    return [
        f"{path} imports {package}"
        for path in tree.below(PACKAGE, ".py")
        for package in sorted(tree.python[path].packages & IMPORTERS.keys())
        if path.removeprefix(f"{PACKAGE}/") not in IMPORTERS[package]
    ]


NO_IO_MODULES = (
    "wire/messages wire/session wire/pairing wire/pairing_session wire/key_agreement "
    "text/provenance rules/grants rules/site_patterns engine/pending_calls"
).split()
NO_IO = {"asyncio", "anyio", "socket", "websockets", "mcp", "pathlib", "os", "subprocess"}


def protocol_does_no_io(tree: Tree) -> list[str]:
    """The protocol is tested with plain values."""
    paths = [f"{PACKAGE}/{name}.py" for name in NO_IO_MODULES]
    return [f"{path} imports {name}" for path in paths for name in sorted(tree.python[path].packages & NO_IO)]


def surfaces_import_no_sibling(tree: Tree) -> list[str]:
    """Code that two surfaces need is in `surfaces/shared`."""
    return [
        f"{module} imports {other}"
        for module, others in tree.python_graph.items()
        for other in sorted(others)
        if (mine := _surface(module)) and (theirs := _surface(other)) and theirs not in (mine, "shared")
    ]


def _surface(module: str) -> str | None:
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["surfaces"] and len(parts) > 3 else None


PYTHON_ROOMS = {
    "text": "",
    "windows": "",
    "errors": "text",
    "disk": "errors",
    "rules": "errors",
    "commands": "errors rules",
    "settings": "errors disk",
    "wire": "windows errors disk",
    "engine": "errors commands wire",
    "eventlog": "errors disk commands",
    "install": "windows errors disk wire",
    "browsers": "windows errors disk rules wire engine install",
    "config": "errors disk rules settings wire engine browsers",
    "diagnosis": "errors disk commands wire engine install config",
    "recordings": "commands eventlog",
    "surfaces": "text errors disk rules commands settings wire engine eventlog recordings install browsers config diagnosis",
    "middleware": "text errors commands wire eventlog surfaces",
    "server": "text errors disk wire engine browsers config surfaces middleware",
    "cli.grammar": "commands eventlog surfaces",
    "cli.session": "disk commands recordings cli.grammar",
    "app": "disk rules wire engine eventlog install browsers config surfaces middleware server recordings",
    "cli.session.host": "disk errors commands wire engine install config surfaces cli.grammar cli.session app",
    "demo": "",
    "cli": "windows errors rules settings wire eventlog recordings install config diagnosis surfaces server cli.grammar cli.session app demo",
    "testing": "errors rules wire engine install browsers config surfaces middleware app",
    "__main__": "cli.session cli",
}
"""Room or loose module of the bridge → what it may import, the lowest first: none imports one that follows it. The rooms in `cli` are
far apart: the words of a command are below the bridge, the session of a shell holds one."""

WORKER_ROOMS = {
    "base": "",
    "rules": "base",
    "tabs": "base rules",
    "debugger": "base rules tabs",
    "documents": "base rules debugger",
    "page": "base rules tabs debugger documents",
    "input": "base rules tabs debugger documents page",
    "console": "base rules tabs debugger documents page",
    "emulation": "base debugger",
    "network": "base rules tabs debugger page emulation",
    "sources": "base rules debugger documents network",
    "elements": "base rules debugger documents page sources",
    "breakpoints": "base rules tabs debugger documents console sources elements",
    "profiles": "base rules tabs debugger documents console sources elements",
    "media": "base rules tabs debugger page",
    "storage": "base rules tabs page",
    "webmcp": "page",
    "steps": "base rules tabs debugger page",
    "handlers": "base rules tabs debugger documents page input console emulation network sources elements breakpoints profiles media storage webmcp steps",
    "calls": "base rules tabs debugger page handlers",
    "wire": "base rules tabs steps handlers calls",
    "panel": "base rules tabs page steps calls wire",
}
"""Room of the worker → rooms it may import, the lowest first: no room imports one that stands below it."""

CONTENT_ROOMS = {
    "base": "",
    "dom": "base",
    "visibility": "base dom",
    "find": "base dom visibility",
    "snapshot": "base dom visibility find",
    "changes": "base dom visibility find",
    "act": "base dom visibility find changes",
    "inspect": "base dom visibility find",
    "user": "base dom visibility find changes act",
}
"""The same for the content scripts. The entry points beside the rooms import what they need."""


def python_rooms_are_entered_by_the_table(tree: Tree) -> list[str]:
    """A room of the bridge imports only the rooms of its line in the table, which precede it there."""
    edges = ((_python_room(a), _python_room(b), a, b) for a, b in _edges(tree.python_graph))
    return [*_upwards(PYTHON_ROOMS), *_beyond_table(PYTHON_ROOMS, edges)]


def worker_rooms_are_entered_by_the_table(tree: Tree) -> list[str]:
    """A room of the worker imports only the rooms of its line in the table, which precede it there."""
    return _beyond_layers(WORKER_ROOMS, WORKER, tree)


def content_rooms_are_entered_by_the_table(tree: Tree) -> list[str]:
    """The same for the content scripts, which nothing else of the extension imports."""
    into = [
        f"{one} imports {other}"
        for one, other in _edges(tree.javascript_graph)
        if other.startswith(f"{CONTENT}/") and not one.startswith(f"{CONTENT}/")
    ]
    return [*into, *_beyond_layers(CONTENT_ROOMS, CONTENT, tree)]


def _beyond_layers(table: Mapping[str, str], folder: str, tree: Tree) -> list[str]:
    edges = ((_room(folder, a), _room(folder, b), a, b) for a, b in _edges(tree.javascript_graph))
    return [*_upwards(table), *_beyond_table(table, edges)]


def _upwards(table: Mapping[str, str]) -> list[str]:
    order = list(table)
    pairs = ((room, one) for room, entered in table.items() for one in entered.split())
    return [
        f"the table lets {room} import {one}, which follows it" for room, one in pairs if order.index(one) > order.index(room)
    ]


def _edges(graph: Graph) -> Iterator[tuple[str, str]]:
    return ((one, other) for one, others in graph.items() for other in sorted(others))


def _python_room(module: str) -> str | None:
    parts = module.split(".")[1:]
    rooms = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((room for room in rooms if room in PYTHON_ROOMS), parts[0] if parts else None)


def _room(folder: str, path: str) -> str | None:
    parts = path.split("/")
    return parts[2] if path.startswith(f"{folder}/") and len(parts) > 3 else None


def _beyond_table(table: Mapping[str, str], edges: Iterable[tuple[str | None, str | None, str, str]]) -> list[str]:
    return [
        f"{one} imports {other}: {room} may not enter {entered}"
        for room, entered, one, other in edges
        if room and entered and room != entered and entered not in table.get(room, "").split()
    ]


MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_FOLDER_FILES = 20
MAX_LOOSE_MODULES = 6
GENERATED = {f"{WORKER}/base/protocol.js", f"{WORKER}/base/protocol-types.d.ts", f"{WORKER}/rules/secret-shapes.js"}
IN_THE_PAGE = {(f"{WORKER}/page/listener-watch.js", "watchListeners"), (f"{WORKER}/profiles/heap-walk.js", "keptPaths")}
"""A function that cannot be split: it runs in the page's own world, where nothing outside it exists."""
LARGE_FOLDERS = (f"{PACKAGE}/commands", f"{WORKER}/handlers", "tests/wpt", "bridge/tabwire/demo/pages")
FORBIDDEN_WORDS = {"helper", "helpers", "util", "utils", "common", "manager", "service", "processor", "payload"}


def files_are_of_readable_length(tree: Tree) -> list[str]:
    """Generated files are not read."""
    lengths = {path: len(text.splitlines()) for path, text in tree.files.items() if not path.endswith(".json")}
    return [f"{path}: {length} lines" for path, length in lengths.items() if length > MAX_FILE_LINES and path not in GENERATED]


def python_functions_are_of_readable_length(tree: Tree) -> list[str]:
    """Signature, docstring and body together."""
    return [
        f"{path}: {name}: {length} lines"
        for path, file in tree.python.items()
        for name, length in file.functions
        if length > MAX_FUNCTION_LINES
    ]


def javascript_functions_are_of_readable_length(tree: Tree) -> list[str]:
    """The same limit as for Python."""
    return [
        f"{path}: {name}: {length} lines"
        for path, facts in tree.javascript.items()
        for name, length in facts.functions
        if length > MAX_FUNCTION_LINES and (path, name) not in IN_THE_PAGE
    ]


def files_have_names_that_say_something(tree: Tree) -> list[str]:
    """The worker is called what Chrome calls it."""
    stems = {
        path: PurePosixPath(path).stem.lower().replace("service-worker", "").replace("service_worker", "") for path in tree.files
    }
    return [path for path, stem in stems.items() if FORBIDDEN_WORDS & set(re.split(r"[-_.]", stem))]


def folders_hold_few_files(tree: Tree) -> list[str]:
    """A folder that grows over this is several rooms."""
    counts: dict[str, int] = {}
    for path in tree.files:
        folder = posixpath.dirname(path)
        counts[folder] = counts.get(folder, 0) + 1
    return [
        f"{folder}: {count} files"
        for folder, count in counts.items()
        if count > MAX_FOLDER_FILES and not any(folder == large or folder.startswith(f"{large}/") for large in LARGE_FOLDERS)
    ]


def few_modules_are_loose(tree: Tree) -> list[str]:
    """Everything else is in a room."""
    loose = [path for path in tree.below(PACKAGE, ".py") if posixpath.dirname(path) == PACKAGE]
    worker = [
        path for path in tree.below(WORKER, ".js", ".ts") if posixpath.dirname(path) == WORKER and path != f"{WORKER}/main.js"
    ]
    return [*(loose if len(loose) > MAX_LOOSE_MODULES else []), *worker]


def chrome_can_load_the_root(tree: Tree) -> list[str]:
    """Chrome refuses a folder with a top-level name that starts with an underscore, as Python's cache of a root module does."""
    return [name for name in tree.loose if name.startswith("_") or name.endswith(".py")]


ENTRIES_WITH_CHROME = {"lifeline", "origin-frame"}
"""Entry points that talk to the worker themselves."""


def manifest_names_existing_files(tree: Tree) -> list[str]:
    """A missing one makes Chrome refuse the extension."""
    manifest = json.loads(tree.files["manifest.json"])
    named = [
        manifest["background"]["service_worker"],
        manifest["action"]["default_popup"],
        manifest["side_panel"]["default_path"],
    ]
    return [name for name in named if name not in tree.files]


def content_entries_are_injected(tree: Tree) -> list[str]:
    """The table of `bundle_extension.mjs` has each entry point, and names the one file of the worker that injects it."""
    there = {PurePosixPath(path).stem for path in tree.below(CONTENT, ".js") if posixpath.dirname(path) == CONTENT}
    made = re.findall(r'^  "?([\w-]+)"?: \{\s+by: "(.+?)"', tree.files["scripts/bundle_extension.mjs"], re.MULTILINE)
    named = {
        (name, path)
        for path in tree.below(WORKER, ".js")
        for name in re.findall(r'"extension/injected/(.+?)\.js"', tree.files[path])
    }
    wrong = {name for name, by in {*made} ^ {(name, path.removeprefix(f"{WORKER}/")) for name, path in named}} | (
        there ^ {*dict(made)}
    )
    return [
        f"{name}: not an entry point that is bundled, and injected by the file that the table names" for name in sorted(wrong)
    ]


def content_modules_only_declare(tree: Tree) -> list[str]:
    """A module of the content scripts does nothing when it is loaded, so that the order of imports does not matter."""
    return [
        f"{path}:{line} does something when it is loaded"
        for path in tree.below(CONTENT, ".js")
        if posixpath.dirname(path) != CONTENT
        for line in tree.javascript[path].actions
    ]


def content_files_are_pure_dom(tree: Tree) -> list[str]:
    """They also run in a plain page without chrome.*, which they ask for by optional chaining."""
    alone = {f"{CONTENT}/{name}.js" for name in ENTRIES_WITH_CHROME}
    uses = {
        path: re.findall(r"(?<![\w.])chrome\.(?!dom\b)\w+|chrome\?\.(?!dom\b)\w+", _code(tree.files[path]))
        for path in tree.below(CONTENT, ".js")
        if path not in alone
    }
    return [f"{path}: {', '.join(found)}" for path, found in uses.items() if found]


def nothing_waits_for_an_animation_frame(tree: Tree) -> list[str]:
    """A hidden tab never gets one."""
    return [path for path in tree.below("extension", ".js") if "requestAnimationFrame(" in _code(tree.files[path])]


def _code(text: str) -> str:
    """JavaScript without comments."""
    return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.DOTALL)


def exports_are_used_elsewhere(tree: Tree) -> list[str]:
    """A name that only its own file uses needs no export. Tests import modules in the page, and declarations name them, by their text."""
    used: dict[str, set[str]] = {}
    for path, facts in tree.javascript.items():
        for specifier, names in facts.imports:
            used.setdefault(tree.target(path, specifier), set()).update(names)
        for specifier, name in facts.types:
            used.setdefault(tree.target(path, specifier), set()).add(name)
    texts = "\n".join(tree.files[path] for path in tree.below("tests", ".py") if "import(" in tree.files[path])
    texts += "\n".join(tree.files[path] for path in tree.below("extension", ".d.ts"))
    return [
        f"{path}: {name}"
        for path, facts in tree.javascript.items()
        if path not in GENERATED and "*" not in used.get(path, ())
        for name in facts.exports
        if name not in used.get(path, ()) and not re.search(rf"\b{re.escape(name)}\b", texts)
    ]


def no_parameter_is_of_any_type(tree: Tree) -> list[str]:
    """The wire is typed: parameters and results of a method have types by its name."""
    blanket = re.compile(r"@param \{(?:any|\*|object|Record<string, any>)\} (?:params|call|result)\b")
    return [f"{path}: {found}" for path in tree.below("extension", ".js") for found in blanket.findall(tree.files[path])]


def no_table_has_methods_for_keys(tree: Tree) -> list[str]:
    """A fact about one method is said in its declaration. The handlers are the one table of methods, by room."""
    methods = set(re.findall(r'^  "([a-z_]+\.[a-z_]+)": \{title', tree.files[f"{WORKER}/base/protocol.js"], re.MULTILINE))
    elsewhere = [path for path in tree.below(WORKER, ".js") if path not in GENERATED and f"{WORKER}/handlers/" not in path]
    found = [
        f"{path}: {', '.join(named)}"
        for path in elsewhere
        for keys in tree.javascript[path].keys
        if len(named := methods & set(keys)) > 1
    ]
    strings = (
        (path, texts)
        for path in tree.below(PACKAGE, ".py")
        if "/commands/" not in path
        for texts in tree.python[path].collections
    )
    return [*found, *(f"{path}: {', '.join(sorted(named))}" for path, texts in strings if len(named := methods & set(texts)) > 1)]


MAKERS = "mkdir makedirs write_text write_bytes touch mkstemp mkdtemp NamedTemporaryFile TemporaryDirectory".split()
MAKES_FILES = {
    "cli/extension_command.py": "",
    "demo/command.py": "TemporaryDirectory open",
    "diagnosis/doctor.py": "TemporaryDirectory",
    "disk/open_folders.py": "mkdir open",
    "disk/private_files.py": "mkdir open",
    "install/clients/config_file.py": "mkdir",
    "install/extension_files.py": "mkdir",
    "cli/session/start.py": "open",
    "cli/session/written_files.py": "open",
    "surfaces/shared/matching/program.py": "open",
    "testing/artifacts.py": "mkdir write_text",
    "testing/bridge.py": "mkdir",
    "testing/reply.py": "write_bytes",
    "testing/trace.py": "mkdir write_text",
    "wire/keys.py": "touch",
}
"""File → ways in which it makes files or folders past `disk/private_files.py`: in temporary folders, in the user's own places (a
package, a report, a client's configuration, a copy or a test that a command is to make), or with the mode said (`touch`); `program` opens
the null device."""


def files_are_made_in_one_place(tree: Tree) -> list[str]:
    """Files and folders are their owner's only, because one module makes them."""
    return [
        f"{path}: {way}"
        for path in tree.below(PACKAGE, ".py")
        for way, is_to_write in tree.python[path].calls
        if (way in MAKERS or is_to_write) and way not in MAKES_FILES.get(path.removeprefix(f"{PACKAGE}/"), "").split()
    ]


WALLS = (
    python_has_no_cycle,
    javascript_has_no_cycle,
    packages_have_few_importers,
    protocol_does_no_io,
    surfaces_import_no_sibling,
    python_rooms_are_entered_by_the_table,
    worker_rooms_are_entered_by_the_table,
    content_rooms_are_entered_by_the_table,
    files_are_of_readable_length,
    python_functions_are_of_readable_length,
    javascript_functions_are_of_readable_length,
    files_have_names_that_say_something,
    folders_hold_few_files,
    few_modules_are_loose,
    chrome_can_load_the_root,
    manifest_names_existing_files,
    content_entries_are_injected,
    content_modules_only_declare,
    content_files_are_pure_dom,
    nothing_waits_for_an_animation_frame,
    exports_are_used_elsewhere,
    no_parameter_is_of_any_type,
    no_table_has_methods_for_keys,
    files_are_made_in_one_place,
    *WALLS_OF_THE_WORKER,
)
