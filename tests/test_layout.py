"""A test is where its subject is: below tests/extension in the room that it tests, below tests/e2e in a folder of the README's table."""

import posixpath
import re
from dataclasses import replace

import pytest

from source_tree import ROOT, Tree
from tabwire.commands import COMMANDS

E2E = "tests/e2e"
EXTENSION = "tests/extension"
OF_ALL_ROOMS = {
    "test_bundles.py": "the files that are made of all rooms",
    "test_mutations.py": "the faults of the laboratory, in several rooms",
    "test_travelling_functions.py": "the functions of all rooms that are sent to pages as text",
}
"""Files in tests/extension itself, and the reason."""
DOMAINS = {command.method.split(".")[0] for command in COMMANDS}
ROW = re.compile(r"^\| `(\w+)/` \|([^|]*)\|", re.MULTILINE)


def files_with_tests(folder: str, tree: Tree) -> dict[str, list[str]]:
    """Folder, as its path from the given one, → its files with tests."""
    found: dict[str, list[str]] = {}
    for path in tree.below(folder, ".py"):
        where, name = posixpath.split(posixpath.relpath(path, folder))
        if name.startswith("test_"):
            found.setdefault(where, []).append(name)
    return found


def outside_of_rooms(tree: Tree) -> list[str]:
    """Folders of tests/extension that are no rooms, files that are in none without a reason, and reasons without a file."""
    found = files_with_tests(EXTENSION, tree)
    rooms = {posixpath.relpath(posixpath.dirname(path), "extension") for path in tree.below("extension", ".js")}
    return sorted({*(found.keys() - rooms - {""}), *(OF_ALL_ROOMS.keys() ^ found[""])})


def gaps_of_the_table(readme: str, tree: Tree) -> list[str]:
    """Folders and domains without a row, rows without a folder or with a domain that does not exist, and tests in no folder."""
    found = files_with_tests(E2E, tree)
    rows = {folder: set(re.findall(r"`(\w+)`", domains)) for folder, domains in ROW.findall(readme)}
    return sorted({*(found.keys() ^ rows.keys()), *(DOMAINS ^ set().union(*rows.values()))})


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree.of_repository()


@pytest.fixture(scope="module")
def readme() -> str:
    return (ROOT / E2E / "README.md").read_text()


def test_tests_of_the_extension_are_in_the_rooms_they_test(tree: Tree) -> None:
    assert outside_of_rooms(tree) == []


def test_each_domain_and_each_folder_of_end_to_end_tests_has_a_row(tree: Tree, readme: str) -> None:
    assert gaps_of_the_table(readme, tree) == []


@pytest.mark.parametrize("where", ["content/finding", "worker", "background/requests"])
def test_a_folder_that_is_no_room_is_found(where: str, tree: Tree) -> None:
    assert outside_of_rooms(tree.changed(f"{EXTENSION}/{where}/test_new.py", "")) == [where]


def test_a_file_in_no_room_is_found_and_so_is_a_reason_without_a_file(tree: Tree) -> None:
    assert outside_of_rooms(tree.changed(f"{EXTENSION}/test_new.py", "")) == ["test_new.py"]
    fewer = {path: text for path, text in tree.files.items() if path != f"{EXTENSION}/test_bundles.py"}
    assert outside_of_rooms(replace(tree, files=fewer)) == ["test_bundles.py"]


def test_a_folder_without_a_row_is_found_and_so_is_a_test_in_no_folder(tree: Tree, readme: str) -> None:
    assert gaps_of_the_table(readme, tree.changed(f"{E2E}/coffee/test_new.py", "")) == ["coffee"]
    assert gaps_of_the_table(readme, tree.changed(f"{E2E}/test_new.py", "")) == [""]


@pytest.mark.parametrize(
    ("row", "instead", "gap"),
    [
        ("| `history/` | `history` |", "| `history/` | |", ["history"]),
        ("| `history/` | `history` |", "| `history/` | `history`, `coffee` |", ["coffee"]),
        ("| `history/` | `history` |", "| `the_past/` | `history` |", ["history", "the_past"]),
    ],
    ids=["a domain in no row", "no domain", "a row without a folder"],
)
def test_a_row_that_does_not_fit_is_found(row: str, instead: str, gap: list[str], tree: Tree, readme: str) -> None:
    assert row in readme
    assert gaps_of_the_table(readme.replace(row, instead), tree) == gap


def named_but_gone(names: str) -> list[str]:
    """The tests and folders in a list of names that are not there: pytest runs none of a list with such a name."""
    found = (name.partition("::") for name in names.split())
    return [
        path + colons + test
        for path, colons, test in found
        if not (ROOT / path).exists() or (test and f"def {test.partition('[')[0]}(" not in (ROOT / path).read_text())
    ]


def test_the_quick_part_of_the_suite_names_what_is_there() -> None:
    quick = (ROOT / "tests/quick.txt").read_text()
    assert named_but_gone(quick) == []
    gone = "tests/test_layout.py::test_coffee"
    assert named_but_gone(f"{quick}\n{gone}") == [gone]
