"""The repository stands within the walls of its architecture (`walls.py` says what each of them is)."""

import pytest

from source_tree import Tree
from walls import WALLS, Wall


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree.of_repository()


@pytest.mark.parametrize("wall", WALLS, ids=lambda wall: wall.__name__)
def test_the_wall_stands(wall: Wall, tree: Tree) -> None:
    assert wall(tree) == []
