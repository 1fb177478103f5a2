"""A key that is taken back stops working for connections that are open, too."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge.peer import EXTENSION, Recorder, dial
from tabwire.wire.connection import Disconnected
from tabwire.wire.keys import Key, KeyStore
from tabwire.wire.session import CLOSE_CODES
from tabwire.wire.transport import Transport

pytestmark = pytest.mark.anyio


@pytest.fixture
def transport(store: KeyStore, tmp_path: Path) -> Transport:
    return Transport(ports=[0], keys=store, run_dir=tmp_path / "run", extension_id=EXTENSION, server_version="0.1.0")


def revoke(store: KeyStore, key: Key) -> None:
    KeyStore(store.path).remove(key.id)


def rotate(store: KeyStore, key: Key) -> None:
    KeyStore(store.path).create(key.label)


def delete_the_file(store: KeyStore, key: Key) -> None:
    store.path.unlink()


def let_others_read_it(store: KeyStore, key: Key) -> None:
    store.path.chmod(0o644)


WAYS = [revoke, rotate, delete_the_file, let_others_read_it]


@pytest.mark.parametrize("way", WAYS)
async def test_nothing_is_sent_to_it_any_more(way: Callable[..., None], transport: Transport, store: KeyStore) -> None:
    key = store.create("copy")
    async with transport, dial(transport, key) as extension:
        recorder = Recorder(transport)
        await extension.join()
        assert (await recorder.next())[0] == "connected"
        way(store, key)
        with pytest.raises(Disconnected):
            await transport.send("b1", '{"id":1,"method":"x.y","params":{}}')
        assert await extension.end() == (CLOSE_CODES["unknown_key"], "unknown_key")
        assert await recorder.next() == ("lost", "b1")
        assert "tabwire install" in (transport.last_refusal or "")


@pytest.mark.parametrize("frame", [{"type": "ping", "n": 1}, {"type": "success", "id": 1, "result": {}}], ids=["ping", "result"])
async def test_nothing_it_says_is_heard_any_more(frame: dict[str, Any], transport: Transport, store: KeyStore) -> None:
    key = store.create("copy")
    async with transport, dial(transport, key) as extension:
        recorder = Recorder(transport)
        await extension.join()
        await recorder.next()
        revoke(store, key)
        await extension.send(**frame)
        assert await extension.end() == (CLOSE_CODES["unknown_key"], "unknown_key")
        assert await recorder.next() == ("lost", "b1")


async def test_other_changes_of_the_file_disturb_nobody(transport: Transport, store: KeyStore) -> None:
    key = store.create("copy")
    async with transport, dial(transport, key) as extension:
        await extension.join()
        for number in range(3):
            other = KeyStore(store.path).create(f"other {number}")
            await extension.send(type="ping", n=number)
            assert await extension.receive() == {"type": "pong", "n": number}
            revoke(store, other)
            await extension.send(type="ping", n=number)
            assert await extension.receive() == {"type": "pong", "n": number}


async def test_the_use_of_a_key_is_noted(transport: Transport, store: KeyStore) -> None:
    key, unused = store.create("copy"), store.create("other")
    async with transport, dial(transport, key) as extension:
        assert store.last_used(key.id) is None
        await extension.join()
    assert store.last_used(key.id) is not None
    assert store.last_used(unused.id) is None
