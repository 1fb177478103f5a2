"""Every door has its guard, and SECURITY.md names them."""

import pytest

from doors import DOORS, WORKER, doors_are_known, table, unguarded
from source_tree import PACKAGE, ROOT, Tree


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree.of_repository()


def test_every_door_is_known_and_guarded(tree: Tree) -> None:
    assert doors_are_known(tree) == []


def test_the_security_page_has_the_table_of_doors() -> None:
    assert table() in (ROOT / "SECURITY.md").read_text(), f"the table of doors should be:\n{table()}"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (f"{WORKER}/console/more.js", "export const ask = (url) => fetch(url);"),
        (f"{WORKER}/media/more.js", "export const open = (url) => chrome.tabs.update(1, { url });"),
        (f"{WORKER}/media/more.js", 'export const go = (send, url) => send("Page.navigate", { url });'),
        (
            f"{WORKER}/console/more.js",
            'import { sendToClient } from "../base/clients.js";\nexport const tell = (id) => sendToClient(id, {});',
        ),
        (f"{PACKAGE}/surfaces/agent/more.py", "from pathlib import Path\nPath('x').write_text('y')\n"),
        (f"{PACKAGE}/middleware/more.py", "import shutil\nshutil.move('a', 'b')\n"),
        (f"{PACKAGE}/surfaces/agent/more.py", "import httpx2\nclient = httpx2.AsyncClient()\n"),
    ],
)
def test_a_door_without_a_guard_is_found(tree: Tree, path: str, text: str) -> None:
    (problem,) = doors_are_known(tree.changed(path, text))
    assert path in problem


def test_a_guard_that_is_gone_is_found(tree: Tree) -> None:
    for door in DOORS:
        for path, text in door.asked:
            without = tree.changed(path, tree.files[path].replace(text, ""))
            assert any(repr(text) in problem for problem in unguarded(without))
