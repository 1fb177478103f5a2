"""What the tests of the loopback server share: keys, and servers that listen on a free port."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.misbehaving import Misbehaving
from bridge.peer import EXTENSION
from tabwire.wire.keys import Key, KeyStore
from tabwire.wire.transport import Transport


@pytest.fixture
def store(tmp_path: Path) -> KeyStore:
    return KeyStore(tmp_path / "keys.json")


@pytest.fixture
def key(store: KeyStore) -> Key:
    return store.create()


@pytest.fixture
def listen(store: KeyStore, tmp_path: Path) -> Callable[..., Transport]:
    def make(**change: Any) -> Transport:
        settings: dict[str, Any] = {
            "ports": [0],
            "keys": store,
            "run_dir": tmp_path / "run",
            "extension_id": EXTENSION,
            "client_name": "Claude",
            "client_version": "1",
            "server_version": "0.1.0",
        }
        return Transport(**{**settings, **change})

    return make


@pytest.fixture
def site() -> Iterator[Misbehaving]:
    site = Misbehaving()
    yield site
    site.close()
