"""The extension asks Chrome for what its code needs, and for nothing else; SECURITY.md says what for."""

import json
import zipfile
from pathlib import Path

import pytest

from publishing.permissions import PERMISSIONS, problems, table
from source_tree import ROOT, Tree
from tabwire.install import extension_files


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree.of_repository()


def test_each_permission_has_a_reason_and_code_that_needs_it(tree: Tree) -> None:
    assert list(problems(tree)) == []


def test_the_build_for_a_store_asks_for_nothing_else(tree: Tree, tmp_path: Path) -> None:
    extension_files.pack(tmp_path / "store.zip")
    manifest = zipfile.ZipFile(tmp_path / "store.zip").read("manifest.json").decode()
    assert list(problems(tree, manifest)) == []


def test_the_security_page_has_the_table_of_permissions() -> None:
    assert table() in (ROOT / "SECURITY.md").read_text(), f"the table of permissions should be:\n{table()}"


@pytest.mark.parametrize("key", ["permissions", "optional_permissions", "host_permissions"])
def test_a_permission_without_a_reason_is_found(tree: Tree, key: str) -> None:
    manifest = json.loads(tree.files["manifest.json"])
    manifest[key] = [*manifest.get(key, []), "geolocation"]
    (problem,) = problems(tree, json.dumps(manifest))
    assert problem.startswith("geolocation is asked for")


@pytest.mark.parametrize("permission", PERMISSIONS, ids=lambda one: one.name)
def test_a_permission_that_nothing_uses_any_more_is_found(tree: Tree, permission: object) -> None:
    assert isinstance(permission, type(PERMISSIONS[0]))
    files = {path: text.replace(permission.used, "") if path.endswith(".js") else text for path, text in tree.files.items()}
    assert any(problem.startswith(f"{permission.name} is asked for, and nothing uses it") for problem in problems(Tree(files)))


def test_an_api_without_a_permission_is_found(tree: Tree) -> None:
    path = "extension/background/media/more.js"
    assert list(problems(tree.changed(path, "chrome.identity.getAuthToken();"))) == [
        f"{path} uses chrome.identity, for which there is no permission"
    ]
