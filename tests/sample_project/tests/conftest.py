import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from shop import Shop  # the site's own code, which is beside its tests


@pytest.fixture(scope="session")
def shop() -> Iterator[Shop]:
    shop = Shop()
    yield shop
    shop.close()
