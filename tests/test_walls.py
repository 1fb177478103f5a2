"""Each wall of the architecture falls when its rule is broken: a wall that cannot fall guards nothing."""

from collections.abc import Callable

import pytest

import walls
from source_tree import PACKAGE, Tree, learn_javascript
from walls import CONTENT, WALLS, WORKER, Wall

Change = Callable[[Tree], Tree]


def added(path: str, text: str) -> Change:
    """A file more; or, with a path that exists, lines more at its end."""
    return lambda tree: tree.changed(path, f"{tree.files.get(path, '')}\n{text}\n")


def added_files(folder: str, count: int) -> Change:
    def change(tree: Tree) -> Tree:
        for number in range(count):
            tree = tree.changed(f"{folder}/one_{number}.py", "")
        return tree

    return change


LONG = "".join(f"    x{number} = {number}\n" for number in range(70))
LONG_JS = "".join(f"  const x{number} = {number};\n" for number in range(70))

BREACHES: dict[str, tuple[Change, str]] = {
    "python_has_no_cycle": (
        added(f"{PACKAGE}/errors.py", "if TYPE_CHECKING:\n    from tabwire.engine.engine import Engine"),
        "tabwire.errors",
    ),
    "javascript_has_no_cycle": (
        added(f"{WORKER}/base/errors.js", '/** @typedef {import("../calls/router.js").Running} Running */'),
        "base/errors.js",
    ),
    "packages_have_few_importers": (
        added(f"{PACKAGE}/engine/engine.py", "import websockets.sync"),
        "engine.py imports websockets",
    ),
    "protocol_does_no_io": (added(f"{PACKAGE}/wire/session.py", "import socket"), "session.py imports socket"),
    "surfaces_import_no_sibling": (
        added(f"{PACKAGE}/surfaces/facade/page.py", "from tabwire.surfaces.agent.network import network"),
        "facade.page imports tabwire.surfaces.agent.network",
    ),
    "python_rooms_are_entered_by_the_table": (
        added(f"{PACKAGE}/wire/ports.py", "from tabwire.server import mcp"),
        "wire may not enter server",
    ),
    "worker_rooms_are_entered_by_the_table": (
        added(f"{WORKER}/base/url.js", 'import { refs } from "../page/refs.js";'),
        "base may not enter page",
    ),
    "content_rooms_are_entered_by_the_table": (
        added(f"{CONTENT}/dom/text.js", 'import { refFor } from "../find/refs.js";'),
        "dom may not enter find",
    ),
    "files_are_of_readable_length": (added(f"{CONTENT}/dom/text.js", "// x\n" * 500), "dom/text.js: "),
    "python_functions_are_of_readable_length": (added(f"{PACKAGE}/errors.py", f"def endless() -> None:\n{LONG}"), "endless: 71"),
    "javascript_functions_are_of_readable_length": (
        added(f"{WORKER}/base/url.js", f"function endless() {{\n{LONG_JS}}}"),
        "endless: 72",
    ),
    "files_have_names_that_say_something": (added(f"{PACKAGE}/engine/call_helpers.py", ""), "call_helpers.py"),
    "folders_hold_few_files": (added_files(f"{PACKAGE}/engine", 20), f"{PACKAGE}/engine: "),
    "few_modules_are_loose": (added(f"{WORKER}/leases.js", ""), "background/leases.js"),
    "chrome_can_load_the_root": (added("_notes", ""), "_notes"),
    "manifest_names_existing_files": (
        lambda tree: tree.changed("manifest.json", tree.files["manifest.json"].replace("/main.js", "/start.js")),
        "background/start.js",
    ),
    "content_entries_are_injected": (added(f"{CONTENT}/shadows.js", ""), "shadows: not an entry point"),
    "content_modules_only_declare": (
        added(f"{CONTENT}/dom/text.js", 'addEventListener("click", () => {});'),
        "does something when it is loaded",
    ),
    "content_files_are_pure_dom": (
        added(f"{CONTENT}/dom/text.js", "chrome.runtime.sendMessage({});"),
        "dom/text.js: chrome.runtime",
    ),
    "nothing_waits_for_an_animation_frame": (added(f"{CONTENT}/dom/text.js", "requestAnimationFrame(() => {});"), "dom/text.js"),
    "listeners_are_declared": (
        added(f"{WORKER}/page/refs.js", "chrome.tabs.onRemoved.addListener(() => {});"),
        "page/refs.js listens to chrome.tabs.onRemoved",
    ),
    "gates_do_not_know_each_other": (
        added(f"{WORKER}/calls/gates/queue.js", 'import { reach } from "./reach.js";'),
        "calls/gates/queue.js imports extension/background/calls/gates/reach.js",
    ),
    "contexts_of_calls_are_not_written": (
        added(f"{WORKER}/handlers/storage.js", "const load = async (call) => { call.tab = await withDocument(call.tab); };"),
        "handlers/storage.js writes call.tab",
    ),
    "observations_are_written_in_their_room": (
        added(f"{WORKER}/input/hover.js", "const named = ({ observation }) => { observation.known.ref ??= 1; };"),
        "input/hover.js writes observation.known.ref",
    ),
    "exports_are_used_elsewhere": (added(f"{WORKER}/base/url.js", f"export const LONE{'LY'} = 1;"), "base/url.js: LONE"),
    "no_parameter_is_of_any_type": (
        added(f"{WORKER}/base/url.js", "/** @param {any} params */"),
        "base/url.js",
    ),
    "files_are_made_in_one_place": (
        added(f"{PACKAGE}/surfaces/shared/files.py", 'def save(path: Path) -> None:\n    path.open("wb").close()'),
        "surfaces/shared/files.py: open",
    ),
    "no_table_has_methods_for_keys": (
        added(f"{WORKER}/base/url.js", 'const NAMES = { "input.click": "Click", "input.hover": "Hover" };'),
        "input.click",
    ),
}


@pytest.fixture(scope="module")
def tree() -> Tree:
    tree = Tree.of_repository()
    learn_javascript([tree, *(breach(tree) for breach, _ in BREACHES.values())])
    return tree


@pytest.mark.parametrize("wall", WALLS, ids=lambda wall: wall.__name__)
def test_the_wall_falls_when_its_rule_is_broken(wall: Wall, tree: Tree) -> None:
    breach, sentence = BREACHES[wall.__name__]
    found = wall(breach(tree))
    assert any(sentence in one for one in found), found


@pytest.mark.parametrize(
    ("path", "line", "sentence"),
    [
        ("surfaces/agent/batch.py", "from tabwire.middleware.limits import limits", "surfaces may not enter middleware"),
        ("errors.py", "from tabwire.wire.messages import Success", "errors may not enter wire"),
        ("config.py", "from tabwire.surfaces.tool import Tool", "config may not enter surfaces"),
    ],
)
def test_an_arrow_upwards_is_found(path: str, line: str, sentence: str, tree: Tree) -> None:
    wall = next(wall for wall in WALLS if wall.__name__ == "python_rooms_are_entered_by_the_table")
    found = wall(added(f"{PACKAGE}/{path}", line)(tree))
    assert any(sentence in one for one in found), found


@pytest.mark.parametrize("table", ["PYTHON_ROOMS", "WORKER_ROOMS"])
def test_a_table_with_an_arrow_upwards_is_found(table: str, tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms: dict[str, str] = getattr(walls, table)
    monkeypatch.setitem(rooms, next(iter(rooms)), "wire")
    wall = next(wall for wall in WALLS if wall.__name__ == f"{table.split('_')[0].lower()}_rooms_are_entered_by_the_table")
    assert any("import wire, which follows it" in one for one in wall(tree))


@pytest.mark.parametrize(
    "line",
    [
        "export const one = (call) => { delete call.observation.known.ref; };",
        "export const one = (call) => { call.observation.answers += 1; };",
        "export const one = (call) => { call.observation.answers++; };",
        "export const one = (call, told) => { [call.observation.counted] = told; };",
        "export const one = ({ observation }, told) => { ({ counted: observation.counted } = told); };",
        "export const one = (actStart) => { actStart.isOffered = true; };",
        "export const one = (call, other) => call.observing.begin(other);",
    ],
)
def test_each_way_to_write_an_observation_is_found(line: str, tree: Tree) -> None:
    wall = next(wall for wall in WALLS if wall.__name__ == "observations_are_written_in_their_room")
    assert len(wall(added(f"{WORKER}/base/url.js", line)(tree))) == 1


def test_a_table_in_python_is_found_too(tree: Tree) -> None:
    wall = next(wall for wall in WALLS if wall.__name__ == "no_table_has_methods_for_keys")
    broken = tree.changed(f"{PACKAGE}/eventlog/names.py", 'NAMES = {"input.click": 1, "input.hover": 2}')
    assert any("eventlog/names.py" in one for one in wall(broken))


def test_an_import_for_types_closes_a_cycle_too(tree: Tree) -> None:
    wall = next(wall for wall in WALLS if wall.__name__ == "javascript_has_no_cycle")
    one = tree.changed(f"{WORKER}/base/one.js", 'import { two } from "./two.js";\nexport const one = two;')
    both = one.changed(f"{WORKER}/base/two.js", '/** @typedef {typeof import("./one.js").one} One */\nexport const two = 2;')
    assert any("base/one.js" in cycle for cycle in wall(both))


def test_a_cycle_of_content_modules_is_found(tree: Tree) -> None:
    wall = next(wall for wall in WALLS if wall.__name__ == "javascript_has_no_cycle")
    path = f"{CONTENT}/dom/flat-tree.js"
    broken = tree.changed(path, f'import {{ isVisible }} from "./visibility.js";\n{tree.files[path]}')
    assert any("content/dom/flat-tree.js" in cycle and "content/dom/visibility.js" in cycle for cycle in wall(broken))


def test_the_worker_imports_no_content_module(tree: Tree) -> None:
    wall = next(wall for wall in WALLS if wall.__name__ == "content_rooms_are_entered_by_the_table")
    broken = tree.changed(f"{WORKER}/base/one.js", 'import { cut } from "../../content/dom/text.js";\nexport const one = cut;')
    assert f"{WORKER}/base/one.js imports {CONTENT}/dom/text.js" in wall(broken)


@pytest.mark.parametrize(
    "line", ["const lone = new MessageChannel();", "export const lone = document.addEventListener('x', () => {});"]
)
def test_a_declaration_that_opens_or_listens_is_found(line: str, tree: Tree) -> None:
    wall = next(wall for wall in WALLS if wall.__name__ == "content_modules_only_declare")
    broken = added(f"{CONTENT}/dom/text.js", line)(tree)
    learn_javascript([broken])
    assert len(wall(broken)) == len(wall(tree)) + 1


def test_an_export_that_no_user_of_a_whole_module_names_is_unused(tree: Tree) -> None:
    wall = next(wall for wall in WALLS if wall.__name__ == "exports_are_used_elsewhere")
    path = f"{CONTENT}/act/stop.js"
    broken = tree.changed(path, f"{tree.files[path]}\nexport const lone{'ly'}Stop = 1;\n")
    assert f"{path}: lone{'ly'}Stop" in wall(broken)
