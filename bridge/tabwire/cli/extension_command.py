"""`tabwire extension path|install|pack`."""

import argparse
import sys
from pathlib import Path

from tabwire import config
from tabwire.cli.reporting import failing
from tabwire.errors import RELOAD_STEP, load_step
from tabwire.install import extension_files, installed_extension
from tabwire.wire.keys import KeyStore

_DONE = {
    "new": "The extension is in {folder}, version {version}.",
    "update": "The extension in {folder} is now version {version} (was {before}); its key {key}.",
    "pair": "The extension in {folder} is up to date and has a new key.",
    "ports": "The extension in {folder} now looks for programs at the ports of your configuration.",
    "same": "The extension in {folder} is already version {version}.",
}
_WOULD = {
    "new": "Would copy the extension, version {version}, to {folder}.",
    "update": "Would replace the extension in {folder} (version {before}) by version {version}; its key {key}.",
    "pair": "Would give the extension in {folder}, which is up to date, a new key.",
    "ports": "Would have the extension in {folder} look for programs at the ports of your configuration.",
    "same": _DONE["same"],
}


def key_store(settings: config.Config) -> KeyStore:
    """The keys of this user's bridges."""
    return KeyStore(settings.home_dir() / "keys.json")


def folder_of(chosen: str | None, settings: config.Config) -> Path:
    """The folder that Chrome loads the extension from."""
    folder = Path(chosen).expanduser().absolute() if chosen else installed_extension.usual_folder(settings.home_dir())
    # A link stays: what it leads to is replaced.
    return folder.resolve() if folder.is_symlink() else folder


def put(folder: Path, settings: config.Config, *, only_print: bool = False) -> installed_extension.State:
    """Install the extension, or only say what would be done; told on stdout."""
    keys = key_store(settings)
    if not installed_extension.is_checkout(folder):
        installed_extension.check_folder(folder)
    before, kept = installed_extension.version_of(folder), installed_extension.paired_key(folder, keys)
    find = installed_extension.state_of if only_print else installed_extension.install
    state = find(folder, keys, settings.ports())
    key = "stays" if kept else "is new"
    line = (_WOULD if only_print else _DONE)[state]
    print(line.format(folder=folder, version=extension_files.version(), before=before or "unknown", key=key))
    return state


def is_loaded(folder: Path, settings: config.Config) -> bool:
    """Whether a browser has connected with the key of this folder."""
    keys = key_store(settings)
    key = installed_extension.paired_key(folder, keys)
    return key is not None and keys.last_used(key.id) is not None


def has_own_key(settings: config.Config) -> bool:
    """Whether a browser was given a key by a person's click, so that it does not need the folder."""
    return any(key.browser_id for key in key_store(settings).all())


def tell_next_step(folder: Path, settings: config.Config, state: installed_extension.State) -> None:
    """Print what is left to the person, who has to do it in the browser."""
    if is_loaded(folder, settings):
        if state != "same":
            print(f"Next: {RELOAD_STEP}.")
    elif not has_own_key(settings):
        reload = f" If it is loaded already, {RELOAD_STEP}." if state != "new" else ""
        print(f"Next: {load_step(folder)}.{reload}")


@failing
def run(options: argparse.Namespace) -> int:
    """Run one of the actions; the exit code."""
    return {"path": _path, "install": _install, "pack": _pack}[options.action](options)


def _path(options: argparse.Namespace) -> int:
    print(extension_files.source())
    return 0


def _install(options: argparse.Namespace) -> int:
    settings = config.load({})
    folder = folder_of(options.dir, settings)
    state = put(folder, settings)
    tell_next_step(folder, settings, state)
    return 0


def _pack(options: argparse.Namespace) -> int:
    target = Path(options.out or f"tabwire-extension-{extension_files.version()}.zip").expanduser().absolute()
    try:
        count = extension_files.pack(target, keep_key=options.keep_key)
    except OSError as error:
        sys.stderr.write(f"tabwire: {target} cannot be written ({error.strerror})\n")
        return 2
    print(f"{target}: {count} files")
    return 0
