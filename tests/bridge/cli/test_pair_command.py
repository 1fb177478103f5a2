"""`tabwire pair`: a key for a copy of the extension, listed, replaced, taken back."""

import json
from pathlib import Path

import pytest

from bridge.command import ROOT, User
from tabwire.wire.keys import KeyStore
from tabwire.wire.pairing import decode, encode, key_id


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path, is_process=False)


@pytest.fixture
def keys(user: User) -> KeyStore:
    return KeyStore(user.home / ".tabwire/keys.json")


def unpacked(user: User, name: str) -> Path:
    """A folder Chrome could load."""
    return user.write(f"{name}/manifest.json", "{}").parent


def key_in(folder: Path) -> str:
    return key_id(decode(json.loads((folder / "pairing.json").read_text())["key"]))


def test_a_named_folder_is_paired(user: User, keys: KeyStore) -> None:
    folder = unpacked(user, "copy")
    user.ok("pair", "--extension", str(folder))
    (key,) = keys.all()
    assert (key.id, key.label) == (key_in(folder), str(folder))


@pytest.mark.parametrize("words", [[], ["--rotate"]])
def test_a_folder_without_the_extension_is_refused_and_no_key_made(user: User, keys: KeyStore, words: list[str]) -> None:
    done = user.run("pair", "--extension", str(user.work), *words)
    assert done.code == 2 and str(user.work) in done.err
    assert keys.all() == ()


def test_the_list_tells_everything_but_the_secret(user: User, keys: KeyStore) -> None:
    assert "No browser is paired" in user.ok("pair", "--list")
    first, second = keys.create("/one"), keys.create("/two")
    keys.note_use(second.id, 6)
    out = user.ok("pair", "--list")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == [first.id, second.id]
    assert "not used yet" in lines[0] and lines[0].endswith("/one")
    assert "last used 20" in lines[1] and lines[1].endswith("/two")
    assert not any(encode(key.secret) in out for key in (first, second))


def test_rotating_replaces_the_key_in_the_same_folder(user: User, keys: KeyStore) -> None:
    user.ok("extension", "install")
    other, old = keys.create("/other"), key_in(user.extension)
    out = user.ok("pair", "--rotate")
    new = key_in(user.extension)
    assert new != old and new in out
    assert keys.find(old) is None
    assert keys.find(new) is not None
    assert keys.find(other.id) is not None


def test_rotating_after_a_move_of_the_folder_leaves_no_old_key(user: User, keys: KeyStore) -> None:
    folder = unpacked(user, "before")
    user.ok("pair", "--extension", str(folder))
    moved = folder.rename(user.home / "after")
    user.ok("pair", "--rotate", "--extension", str(moved))
    assert [key.id for key in keys.all()] == [key_in(moved)]


def test_rotating_nothing_is_refused(user: User, keys: KeyStore) -> None:
    done = user.run("pair", "--rotate", "--extension", str(unpacked(user, "copy")))
    assert done.code == 2 and "not paired" in done.err
    assert keys.all() == ()


@pytest.mark.parametrize("by", ["id", "label"])
def test_a_key_is_taken_back_by_id_or_label(user: User, keys: KeyStore, by: str) -> None:
    first, second = keys.create("/one"), keys.create("/two")
    keys.note_use(first.id, 6)
    assert first.id in user.ok("pair", "--revoke", first.id if by == "id" else "/one")
    assert keys.all() == (second,)
    assert keys.last_used(first.id) is None


@pytest.mark.parametrize("name", ["0000000000000000", "", "/on"])
def test_an_unknown_key_is_refused_with_those_there_are(user: User, keys: KeyStore, name: str) -> None:
    key, unnamed = keys.create("/one"), keys.create()
    done = user.run("pair", "--revoke", name)
    assert done.code == 2
    assert f"{key.id} (/one)" in done.err and unnamed.id in done.err
    assert keys.all() == (key, unnamed)


def test_only_one_of_them_at_a_time(user: User) -> None:
    assert user.run("pair", "--list", "--rotate").code == 2


def test_a_broken_key_file_is_told(user: User) -> None:
    path = user.write(".tabwire/keys.json", "nonsense")
    path.chmod(0o600)
    for words in (["pair", "--list"], ["pair", "--revoke", "x"], ["install"], ["uninstall"], ["extension", "install"]):
        done = user.run(*words)
        assert done.code == 2 and "keys.json" in done.err
    assert path.read_text() == "nonsense"
    assert not user.extension.exists()


def test_serving_imports_none_of_it(user: User) -> None:
    """Every client starts the server many times a day."""
    import subprocess
    import sys

    script = "import sys, tabwire.cli.program as c; c.parser(); print(*[n for n in sys.modules if n.split('.')[0] in ('tabwire', 'pydantic')])"
    done = subprocess.run([sys.executable, "-c", script], env=user.environment(), capture_output=True, text=True, timeout=60)
    names = ("commands", "doctor_command", "log_command", "serve_command", "setup_options")
    commands = {f"tabwire.cli.{name}" for name in names}
    assert set(done.stdout.split()) == {"tabwire", "tabwire.cli", "tabwire.cli.program", "tabwire.settings", *commands}
    assert (ROOT / "bridge/tabwire/cli/install_command.py").is_file()


def test_what_is_allowed_ahead_is_written_kept_and_taken_back(user: User) -> None:
    folder = unpacked(user, "copy")
    pairing = folder / "pairing.json"
    for words, allowed in (
        ([], None),
        (["--allow", "cookies", "--allow", "uploads@example.com"], ["cookies", "uploads@example.com"]),
        (["--rotate"], ["cookies", "uploads@example.com"]),
        (["--allow", "none"], []),
    ):
        user.ok("pair", "--extension", str(folder), *words)
        assert json.loads(pairing.read_text()).get("permissions", {}).get("allow") == allowed, words
    before = pairing.read_text()
    done = user.run("pair", "--extension", str(folder), "--allow", "everything")
    assert done.code == 2 and "kinds: all, auth_state" in done.err
    assert pairing.read_text() == before
