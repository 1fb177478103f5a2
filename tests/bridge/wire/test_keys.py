"""Key files: private, replaced whole, read again each time."""

import json
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from tabwire.errors import UnsupportedOperation
from tabwire.wire import keys as keys_module
from tabwire.wire import pairing
from tabwire.wire.keys import JoinedKeys, KeyStore, MemoryKeys, new_key, write_pairing, write_private

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no permission bits")


@pytest.fixture
def store(tmp_path: Path) -> KeyStore:
    return KeyStore(tmp_path / "home" / "keys.json")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_key_is_random_and_named_by_its_hash() -> None:
    first, second = new_key("laptop"), new_key()
    assert first.secret != second.secret
    assert (len(first.secret), first.id, first.label) == (32, pairing.key_id(first.secret), "laptop")


def test_a_key_does_not_show_its_secret() -> None:
    key = new_key()
    assert pairing.encode(key.secret) not in repr(key)
    assert repr(key.secret) not in repr(key)


def test_there_are_no_keys_before_the_first(store: KeyStore) -> None:
    assert store.all() == ()
    assert store.find("0" * 16) is None


def test_keys_are_kept_and_found_by_another_store(store: KeyStore) -> None:
    first, second = store.create("one"), store.create("two")
    again = KeyStore(store.path)
    assert again.all() == (first, second)
    assert again.find(second.id) == second.secret


def test_pairing_a_copy_of_the_extension_again_takes_its_earlier_key_back(store: KeyStore) -> None:
    other, unnamed, old = store.create("other"), store.create(), store.create("copy")
    new = store.create("copy")
    assert store.all() == (other, unnamed, new)
    assert store.find(old.id) is None


def test_a_key_taken_back_by_another_process_is_gone_at_once(store: KeyStore) -> None:
    key = store.create()
    assert KeyStore(store.path).remove(key.id)
    assert store.find(key.id) is None
    assert not store.remove(key.id)


@posix
def test_the_files_and_the_folder_are_private(store: KeyStore, tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        key = store.create()
        written = write_pairing(tmp_path, key)
    finally:
        os.umask(previous)
    assert (mode(store.path.parent), mode(store.path), mode(written)) == (0o700, 0o600, 0o600)


@posix
def test_an_open_folder_is_closed_to_others(store: KeyStore) -> None:
    store.path.parent.mkdir(mode=0o755)
    store.create()
    assert mode(store.path.parent) == 0o700


@posix
def test_a_file_others_may_read_is_not_used(store: KeyStore, caplog: pytest.LogCaptureFixture) -> None:
    key = store.create()
    store.path.chmod(0o644)
    with pytest.raises(UnsupportedOperation, match="chmod 600"):
        store.all()
    assert store.find(key.id) is None
    assert "chmod 600" in caplog.text


@posix
def test_a_link_put_in_the_way_is_replaced_and_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "victim"
    target.write_text("untouched")
    (tmp_path / "keys.json").symlink_to(target)
    write_private(tmp_path / "keys.json", "new")
    assert (target.read_text(), (tmp_path / "keys.json").read_text()) == ("untouched", "new")
    assert not (tmp_path / "keys.json").is_symlink()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"keys":[{}]}', '{"keys":[{"key":"AAAA"}]}', '{"keys":[7]}', '{"keys":[{"key":"é"}]}']
)
def test_a_broken_file_is_reported_and_finds_nothing(store: KeyStore, text: str) -> None:
    write_private(store.path, text)
    with pytest.raises(UnsupportedOperation, match="tabwire install"):
        store.all()
    assert store.find("0" * 16) is None


def test_a_failed_write_leaves_the_old_file_and_nothing_else(store: KeyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    key = store.create()

    def fail(descriptor: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        store.create()
    assert store.all() == (key,)
    assert [path.name for path in store.path.parent.iterdir()] == ["keys.json"]


def test_writers_at_the_same_time_lose_no_key(store: KeyStore) -> None:
    threads = [threading.Thread(target=store.create, args=(f"key {n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert {key.label for key in store.all()} == {f"key {n}" for n in range(8)}


def test_a_lock_of_a_live_writer_is_respected_and_a_stale_one_is_not(store: KeyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.create()
    lock = store.path.with_name("keys.json.lock")
    lock.touch()
    monkeypatch.setattr(keys_module, "_LOCK_PATIENCE_S", 0.0)
    with pytest.raises(UnsupportedOperation, match=r"keys\.json\.lock"):
        store.create()
    os.utime(lock, (0, 0))
    monkeypatch.setattr(keys_module, "_LOCK_PATIENCE_S", 2.0)
    store.create()
    assert len(store.all()) == 2
    assert not lock.exists()


def test_a_pairing_file_holds_what_the_extension_reads(tmp_path: Path) -> None:
    key = new_key()
    path = write_pairing(tmp_path, key, ports=[17890])
    assert path == tmp_path / "pairing.json"
    assert json.loads(path.read_text()) == {"version": 1, "key": pairing.encode(key.secret), "key_id": key.id, "ports": [17890]}
    write_pairing(tmp_path, key)
    assert "ports" not in json.loads(path.read_text())


def test_a_pairing_file_may_say_which_bridge_to_dial_and_who_the_browser_is(tmp_path: Path) -> None:
    told = {"address": "wss://192.0.2.7:8443", "token": "secret", "browser": {"id": "b1", "name": "Launched"}}
    path = write_pairing(tmp_path, new_key(), **told)  # type: ignore[arg-type]
    written = json.loads(path.read_text())
    assert {name: written.get(name) for name in told} == told
    assert "ports" not in written
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_key_in_memory_can_be_added_and_taken_back() -> None:
    first, second = new_key(), new_key()
    keys = MemoryKeys(first)
    keys.add(second)
    assert keys.find(second.id) == second.secret
    keys.remove(first.id)
    keys.remove("0" * 16)
    assert not keys.holds(first.id)
    assert keys.find(first.id) is None
    assert keys.holds(second.id)


def test_a_key_that_is_bound_to_a_browser_fits_no_other_and_that_browser_no_other_key(store: KeyStore) -> None:
    bound, free, kept = new_key(), new_key(), store.create()
    memory = MemoryKeys(free)
    memory.add(bound, "b1")
    for keys in (memory, JoinedKeys(store, memory)):
        assert keys.fits(bound.id, "b1") and not keys.fits(bound.id, "b2")
        assert keys.fits(free.id, "b2") and not keys.fits(free.id, "b1")
        assert keys.fits(kept.id, "b2") and not keys.fits(kept.id, "b1")
    memory.remove(bound.id)
    assert memory.fits(free.id, "b1")


def test_keys_of_several_places_count_together(store: KeyStore) -> None:
    kept, launched = store.create(), new_key()
    memory = MemoryKeys(launched)
    keys = JoinedKeys(store, memory)
    assert [keys.find(key.id) for key in (kept, launched)] == [kept.secret, launched.secret]
    assert keys.find("0" * 16) is None and not keys.holds("0" * 16)
    keys.note_use(kept.id, 30)
    keys.note_use(launched.id, 6)
    assert store.last_used(kept.id) is not None
    assert store.last_used(launched.id) is None
    visit = keys.last_visit()
    assert visit is not None and (visit.at, visit.wake_s) == (store.last_used(kept.id), 30)
    assert [keys.is_launched(key.id) for key in (kept, launched)] == [False, True]
    memory.remove(launched.id)
    store.remove(kept.id)
    assert not keys.holds(kept.id) and not keys.holds(launched.id)


def test_keys_of_a_launched_browser_stay_in_memory() -> None:
    key = new_key()
    keys = MemoryKeys(key)
    assert keys.find(key.id) == key.secret
    assert keys.find("0" * 16) is None
