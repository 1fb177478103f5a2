"""`tabwire extension` and `tabwire pair`: put the extension where Chrome can load it, and give it the key."""

from __future__ import annotations

import sys
from pathlib import Path

from tabwire import config, extension
from tabwire.keys import KeyStore, write_pairing


def _keys(settings: config.Config) -> KeyStore:
    return KeyStore(settings.home_dir() / "keys.json")


def extension_path() -> int:
    """Print the folder of the extension's files."""
    sys.stdout.write(f"{extension.source()}\n")
    return 0


def install(folder: str | None) -> int:
    """Copy the extension into a stable folder, pair it, and say how to load it."""
    settings = config.load({})
    target = Path(folder).expanduser().absolute() if folder else settings.home_dir() / "extension"
    extension.copy_to(target)
    _pair(target, settings)
    sys.stdout.write(
        f"The extension is in {target}, paired.\n"
        "Open chrome://extensions, switch on Developer mode, choose Load unpacked and pick that folder.\n"
    )
    return 0


def pair(folder: str | None) -> int:
    """Write a key into an extension folder."""
    settings = config.load({})
    target = Path(folder).expanduser().absolute() if folder else extension.source()
    if not (target / extension.MANIFEST).is_file():
        sys.stderr.write(f"tabwire: {target} has no {extension.MANIFEST}; name the folder Chrome loads the extension from\n")
        return 2
    _pair(target, settings)
    sys.stdout.write(f"Paired {target}. Reload the extension in chrome://extensions if it is already loaded.\n")
    return 0


def _pair(target: Path, settings: config.Config) -> None:
    key = _keys(settings).create(label=str(target))
    write_pairing(target, key, settings.ports())
