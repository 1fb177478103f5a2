"""Search of the disk: the keys of this user's bridges, and the folders Chrome loads the extension from. Only reads."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabwire.diagnosis.report import Hop, fault, remark, seen
from tabwire.disk import plain_files
from tabwire.errors import INSTALL_STEP, RELOAD_STEP, TabwireError, capitalized
from tabwire.install import extension_files, installed_extension
from tabwire.wire.keys import PAIRING_FILE, Key, KeyStore

INSTALL = capitalized(INSTALL_STEP)


@dataclass(frozen=True, slots=True)
class Installed:
    """Findings on the disk."""

    keys: Hop
    folders: tuple[Hop, ...]
    """State of the extension's folders, those that are in order first."""
    count: int
    """Number of keys whose folder is still there: so many browsers may join, or more."""


def examine(home: Path, version: str) -> Installed:
    """Look at the keys and at every folder that was ever paired with one, or that an installation is expected in.

    Args:
        home: The folder of keys.json.
        version: Of this bridge.
    """
    store = KeyStore(home / "keys.json")
    try:
        keys = store.all()
    except TabwireError as error:
        return Installed(
            fault("server", error.message, error.next_step or f"Make {store.path} readable for you", subject="keys"), (), 0
        )
    if not keys:
        return Installed(fault("extension", "no browser has been set up on this computer yet", INSTALL), (), 0)
    hops = [_look_at(folder, home, keys, version) for folder in _folders(home, keys)]
    hops += [
        seen("extension", f"{key.label}: connected by its page, with a valid key", subject=key.label)
        for key in keys
        if key.browser_id
    ]
    hops.sort(key=lambda hop: hop.ok is not True)
    many = "1 key" if len(keys) == 1 else f"{len(keys)} keys"
    gone = sum(hop.ok is None for hop in hops)
    return Installed(
        seen("server", f"{store.path}: {many}, readable by you alone", subject="keys"), tuple(hops), len(keys) - gone
    )


def _folders(home: Path, keys: Sequence[Key]) -> Iterator[Path]:
    named = [Path(key.label) for key in keys if key.label and not key.browser_id]
    expected = [installed_extension.usual_folder(home), extension_files.source()]
    present = [folder for folder in expected if (folder / PAIRING_FILE).exists()]
    yield from dict.fromkeys([*named, *present])


def _look_at(folder: Path, home: Path, keys: Sequence[Key], version: str) -> Hop:
    mend = f"Run `{installed_extension.mending(folder, home)}`, then {RELOAD_STEP}"
    try:
        found = str(json.loads(plain_files.read_text(folder / extension_files.MANIFEST))["version"])
    except FileNotFoundError:
        return remark("extension", f"{folder}: no extension is there any more", subject=str(folder))
    except (OSError, ValueError, KeyError, TypeError) as error:
        return fault(
            "extension", f"{folder}: its {extension_files.MANIFEST} cannot be read ({error})", INSTALL, subject=str(folder)
        )
    try:
        key_id = str(json.loads(plain_files.read_text(folder / PAIRING_FILE))["key_id"])
    except FileNotFoundError:
        return fault("extension", f"{folder}: not paired, it has no {PAIRING_FILE}", mend, subject=str(folder))
    except (OSError, ValueError, KeyError, TypeError) as error:
        return fault("extension", f"{folder}: its {PAIRING_FILE} cannot be read ({error})", mend, subject=str(folder))
    if key_id not in {key.id for key in keys}:
        return fault(
            "extension",
            f"{folder}: paired with key {key_id}, which is not one of this computer's (any more)",
            mend,
            subject=str(folder),
        )
    if found != version:
        return fault("extension", f"{folder}: version {found}, but this is tabwire {version}", mend, subject=str(folder))
    return seen("extension", f"{folder}: version {found}, with a valid key", subject=str(folder))
