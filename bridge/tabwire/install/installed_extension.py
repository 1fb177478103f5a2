"""The copy of the extension that Chrome loads: put in place whole, with its pairing, which survives an update.

At every moment of an update the folder holds the old copy or the new one, or the old one waits beside it for the next attempt.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from tabwire import INSTALL_COMMAND
from tabwire.disk import plain_files, private_files
from tabwire.errors import InvalidArgument, system_failure_told
from tabwire.install import extension_files
from tabwire.wire.keys import PAIRING_FILE, Key, KeyStore, kept_permissions, locked, write_pairing
from tabwire.wire.pairing import decode, key_id

State = Literal["new", "update", "pair", "ports", "same"]
"""Work of an installation: first copy, another version or damaged copy, only a new key, only other ports, nothing."""

LOCKED = "extension"
"""Name of a lock beside keys.json, which is held while a copy is put in place."""
_VISIBLE = "Tabwire-extension"
_HOME = "~/.tabwire"
_OWN_NAMES = frozenset({extension_files.MANIFEST, extension_files.FOLDER, PAIRING_FILE, "_metadata"})
"""Chrome itself writes `_metadata`."""
_DESKTOP_NAMES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


def usual_folder(home: Path) -> Path:
    """The folder of the copy, where none is named.

    File pickers show it, as it lies straight in the user's home: they hide folders whose names begin with a dot, and a Chromium
    from a snap may not read those at all. Documents would be shown as well, but are often copied to other computers (the folder
    holds a key), and macOS asks before a program may read them.

    Args:
        home: The folder of keys.json. One that the user has chosen keeps the copy, and so does one that has it from an earlier
            version: Chrome has loaded it from there.
    """
    kept = home / extension_files.FOLDER
    return kept if home != Path(_HOME).expanduser().absolute() or _is_copy(kept) else Path.home() / _VISIBLE


def is_put(folder: Path) -> bool:
    """Whether there is a copy of the extension that Chrome could load."""
    return (folder / PAIRING_FILE).is_file() and _is_copy(folder)


def mending(folder: Path, home: Path) -> str:
    """The command that puts the copy in a folder in order."""
    quoted = f'"{folder}"' if " " in str(folder) else str(folder)
    return INSTALL_COMMAND if folder == usual_folder(home) else f"{INSTALL_COMMAND} --dir {quoted}"


def check_folder(folder: Path) -> None:
    """Make sure that the folder may be replaced: it is not there, empty, or a copy of the extension and nothing else.

    Raises:
        InvalidArgument: It holds other files.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InvalidArgument(f"{folder} is not a folder; name another one with --dir.")
    names = {path.name for path in folder.iterdir()}
    if not names - _DESKTOP_NAMES:
        return
    others = sorted(names - _OWN_NAMES - _DESKTOP_NAMES)
    if others or not _is_copy(folder):
        held = f"holds {others[0]}" if others else "holds other files"
        raise InvalidArgument(f"{folder} {held} and is not an installed copy of the extension; name another one with --dir.")


def is_checkout(folder: Path) -> bool:
    """Whether a folder is the checkout that this program runs from: its files are loaded as they are, it only needs a key."""
    return extension_files.is_checkout() and folder == extension_files.source()


def state_of(folder: Path, keys: KeyStore, ports: Sequence[int]) -> State:
    """State of a folder, which decides what `install` does.

    Raises:
        UnsupportedOperation: The key file cannot be used.
    """
    paired = paired_key(folder, keys)
    if not (folder / extension_files.MANIFEST).is_file():
        return "new"
    if not is_checkout(folder) and not _is_current(folder):
        return "update"
    if not paired:
        return "pair"
    return "same" if _told_ports(folder) == list(ports) else "ports"


def install(folder: Path, keys: KeyStore, ports: Sequence[int]) -> State:
    """Put this version's extension into a folder, paired; an earlier copy keeps its key if that is valid.

    Raises:
        InvalidArgument: The folder holds other files.
        UnsupportedOperation: It cannot be written, or the key file cannot be used; the earlier copy is still there.
    """
    if not is_checkout(folder):
        check_folder(folder)
    # Claude Desktop starts each of its servers twice, and one that comes in a bundle installs.
    what, next_step = f"The extension cannot be put into {folder}", "Make it writable, or name another folder with --dir."
    with locked(keys.path.with_name(LOCKED)), system_failure_told(what, next_step):
        return _install(folder, keys, ports)


def _install(folder: Path, keys: KeyStore, ports: Sequence[int]) -> State:
    _recover(folder)
    state = state_of(folder, keys, ports)
    if state == "same":
        return state
    key = paired_key(folder, keys) or keys.create(label=str(folder))
    if state in ("pair", "ports"):
        write_pairing(folder, key, ports=ports)
        return state
    staged = _beside(folder, "new")
    shutil.rmtree(staged, ignore_errors=True)
    private_files.make_folder(staged)
    extension_files.write_to(staged)
    write_pairing(staged, key, ports=ports, permissions=kept_permissions(folder))
    _swap(staged, folder)
    return state


def remove(folder: Path, keys: KeyStore) -> list[Key]:
    """Delete an installed copy and take its keys back; the keys that were.

    Raises:
        InvalidArgument: The folder holds other files; nothing was changed.
        UnsupportedOperation: It cannot be deleted, or the key file cannot be used.
    """
    check_folder(folder)
    own = paired_key(folder, keys)
    revoked = [key for key in keys.all() if key == own or key.label == str(folder)]
    for key in revoked:
        keys.remove(key.id)
    with system_failure_told(f"{folder} cannot be deleted", "Delete the folder by hand.", after="; its keys are revoked"):
        for path in (folder, _beside(folder, "old"), _beside(folder, "new")):
            if path.exists():
                shutil.rmtree(path)
    return revoked


def paired_key(folder: Path, keys: KeyStore) -> Key | None:
    """The key in a folder's pairing file, if bridges accept it.

    Raises:
        UnsupportedOperation: The key file cannot be used.
    """
    known = {key.id: key for key in keys.all()}
    try:
        secret = decode(plain_files.read_object(folder / PAIRING_FILE)["key"])
        key = known.get(key_id(secret))
    except (ValueError, KeyError, TypeError):
        return None
    return key if key and key.secret == secret else None


def _told_ports(folder: Path) -> list[int]:
    """The ports that the copy looks at."""
    told: list[int] = plain_files.read_object(folder / PAIRING_FILE).get("ports", [])
    return told


def version_of(folder: Path) -> str | None:
    """The version of the copy in a folder."""
    version = plain_files.read_object(folder / extension_files.MANIFEST).get("version")
    return None if version is None else str(version)


def _is_copy(folder: Path) -> bool:
    return bool(plain_files.read_object(folder / extension_files.MANIFEST).get("key") == extension_files.manifest()["key"])


def _is_current(folder: Path) -> bool:
    wanted = extension_files.contents()
    present = {path.relative_to(folder).as_posix() for path in (folder / extension_files.FOLDER).rglob("*") if path.is_file()}
    files = {name for name in wanted if name != extension_files.MANIFEST}
    unexpected = {name for name in present - files if Path(name).name not in _DESKTOP_NAMES}
    return not unexpected and all(_holds(folder / name, content) for name, content in wanted.items())


def _holds(path: Path, content: bytes) -> bool:
    try:
        return plain_files.read(path) == content
    except OSError:
        return False


def _beside(folder: Path, what: str) -> Path:
    """Hidden, and of a name that nobody else uses."""
    return folder.with_name(f".{folder.name}.tabwire-{what}")


def _recover(folder: Path) -> None:
    """Bring back the copy that an interrupted update has put aside."""
    old = _beside(folder, "old")
    if not old.exists():
        return
    if folder.exists():
        shutil.rmtree(old)
    else:
        old.rename(folder)


def _swap(staged: Path, folder: Path) -> None:
    old = _beside(folder, "old")
    if folder.exists():
        folder.rename(old)
    try:
        staged.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
