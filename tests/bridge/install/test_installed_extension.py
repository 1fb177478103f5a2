"""The copy of the extension: put in place whole, updated, mended, and never in the place of other files."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bridge.command import User
from tabwire.errors import InvalidArgument, UnsupportedOperation
from tabwire.install import extension_files, installed_extension
from tabwire.wire.keys import KeyStore

pytestmark = pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="the home folder is set as on POSIX")


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path, is_process=False)


def test_an_update_replaces_the_files_and_keeps_the_pairing(user: User) -> None:
    user.ok("extension", "install")
    pairing = (user.extension / "pairing.json").read_text()
    manifest = user.extension / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"version": "{extension_files.version()}"', '"version": "0.0.1"'))
    (user.extension / "extension/stale.js").write_text("old")
    out = user.ok("extension", "install")
    assert f"now version {extension_files.version()} (was 0.0.1); its key stays" in out and "reload" in out
    assert (user.extension / "pairing.json").read_text() == pairing
    assert not (user.extension / "extension/stale.js").exists()
    assert [path.name for path in user.home.iterdir() if path.name != ".tabwire"] == [user.extension.name]


def test_a_copy_that_an_earlier_version_has_put_elsewhere_stays_where_chrome_has_loaded_it_from(user: User) -> None:
    earlier = user.home / ".tabwire/extension"
    user.ok("extension", "install", "--dir", str(earlier))
    assert f"The extension in {earlier} is already" in user.ok("install")
    assert not user.extension.exists()
    user.ok("uninstall")
    assert not earlier.exists()


def test_a_checkout_gets_a_key_and_its_files_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = extension_files.write_to(tmp_path / "checkout")
    (checkout / "README.md").write_text("mine")
    monkeypatch.setattr(extension_files, "source", lambda: checkout)
    keys = KeyStore(tmp_path / "keys.json")
    assert installed_extension.install(checkout, keys, []) == "pair"
    assert installed_extension.paired_key(checkout, keys) in keys.all()
    assert (checkout / "README.md").read_text() == "mine"
    assert installed_extension.install(checkout, keys, []) == "same"


def test_programs_that_install_at_once_leave_one_copy_with_one_valid_key(tmp_path: Path) -> None:
    """Claude Desktop starts each of its servers twice, and one that comes in a bundle installs."""
    folder, store = tmp_path / "copy", tmp_path / "home/keys.json"
    with ThreadPoolExecutor(4) as pool:
        started = [pool.submit(installed_extension.install, folder, KeyStore(store), []) for _ in range(4)]
        assert sorted(one.result(30) for one in started) == ["new", "same", "same", "same"]
    (key,) = KeyStore(store).all()
    assert installed_extension.paired_key(folder, KeyStore(store)) == key
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["keys.json"]


def test_a_damaged_copy_is_mended_and_an_unknown_key_replaced(user: User) -> None:
    user.ok("extension", "install")
    (user.extension / "extension/background/main.js").unlink()
    assert "its key stays" in user.ok("extension", "install")
    (user.home / ".tabwire/keys.json").unlink()
    assert "has a new key" in user.ok("extension", "install")
    assert len(user.json(".tabwire/keys.json")["keys"]) == 1


@pytest.mark.parametrize("name", ["thesis.txt", "extension.txt", "src/x"])
def test_a_folder_with_other_files_is_not_replaced(user: User, name: str) -> None:
    mine = user.write(f"mine/{name}", "years of work")
    for words in (["install"], ["extension", "install"], ["uninstall"]):
        done = user.run(*words, "--dir", str(user.home / "mine"))
        assert done.code == 2 and "--dir" in done.err
    assert mine.read_text() == "years of work"
    assert not user.extension.exists()


def test_another_extension_is_not_replaced(user: User) -> None:
    mine = user.write("mine/manifest.json", '{"name": "Mine"}')
    assert user.run("extension", "install", "--dir", str(mine.parent)).code == 2
    assert mine.read_text() == '{"name": "Mine"}'


def test_a_checkout_is_not_replaced(root: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="--dir"):
        installed_extension.check_folder(root)


STEPS = ["copying", "pairing", "putting the old one aside", "putting the new one in place"]


@pytest.mark.parametrize("step", STEPS)
def test_an_update_that_breaks_off_leaves_a_paired_extension(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys, folder = KeyStore(tmp_path / "keys.json"), tmp_path / "extension"
    installed_extension.install(folder, keys, [])
    (folder / "extension/background/main.js").write_text("// old")
    key = installed_extension.paired_key(folder, keys)
    rename, renames = Path.rename, iter(range(9))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def fail_to_pair(*args: Any, **options: Any) -> Any:
        fail()

    def fail_at(number: int) -> Any:
        return lambda path, target: fail() if next(renames) == number else rename(path, target)

    with monkeypatch.context() as patch:
        if step == "copying":
            patch.setattr(extension_files, "write_to", fail)
        elif step == "pairing":
            patch.setattr(installed_extension, "write_pairing", fail_to_pair)
        else:
            patch.setattr(Path, "rename", fail_at(STEPS.index(step) - 2))
        with pytest.raises(UnsupportedOperation, match="No space left"):
            installed_extension.install(folder, keys, [])
    assert (folder / "extension/background/main.js").read_text() == "// old"
    assert installed_extension.paired_key(folder, keys) == key
    assert installed_extension.install(folder, keys, []) == "update"
    assert installed_extension.paired_key(folder, keys) == key
    assert sorted(path.name for path in tmp_path.iterdir()) == ["extension", "keys.json"]


def test_a_copy_put_aside_by_a_killed_update_comes_back_with_its_key(tmp_path: Path) -> None:
    keys, folder = KeyStore(tmp_path / "keys.json"), tmp_path / "extension"
    installed_extension.install(folder, keys, [])
    key = installed_extension.paired_key(folder, keys)
    folder.rename(tmp_path / ".extension.tabwire-old")
    (tmp_path / ".extension.tabwire-new/extension").mkdir(parents=True)
    assert installed_extension.install(folder, keys, []) == "same"
    assert installed_extension.paired_key(folder, keys) == key
