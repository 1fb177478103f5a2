"""`tabwire pair`: give a copy of the extension a key; list keys, replace one, take one back."""

import argparse
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from tabwire import INSTALL_COMMAND, config
from tabwire.cli.extension_command import folder_of, key_store
from tabwire.cli.reporting import failing
from tabwire.errors import (
    INSTALL_STEP,
    RELOAD_STEP,
    InvalidArgument,
    TabwireError,
    UnsupportedOperation,
    capitalized,
    system_failure_told,
)
from tabwire.install import extension_files, installed_extension
from tabwire.rules.grants import Grants
from tabwire.wire.keys import Key, KeyStore, kept_permissions, write_pairing


@failing
def run(options: argparse.Namespace) -> int:
    """Pair, list, rotate or revoke; the exit code."""
    settings = config.load({})
    keys = key_store(settings)
    if options.list_keys:
        _list(keys)
    elif options.revoke is not None:
        _revoke(keys, options.revoke)
    elif options.rotate:
        _rotate(keys, settings, options.extension)
    else:
        folder = Path(options.extension).expanduser().absolute() if options.extension else _usual_folder(settings)
        _give_key(keys, settings, folder, _grants(options.allow))
        print(f"Paired {folder}. If it is loaded already, {RELOAD_STEP}.")
    return 0


def _usual_folder(settings: config.Config) -> Path:
    """The checkout, or the installed copy: an installed package's own files are not what Chrome loads."""
    if extension_files.is_checkout():
        return extension_files.source()
    folder = folder_of(None, settings)
    if not (folder / extension_files.MANIFEST).is_file():
        raise UnsupportedOperation("The extension is not installed yet.", next_step=f"{capitalized(INSTALL_STEP)}.")
    return folder


def _grants(allow: list[str]) -> Grants:
    try:
        return Grants.allowing(allow) if allow else Grants()
    except ValidationError as error:
        raise InvalidArgument(f"--allow: {error.errors(include_url=False)[0]['msg']}") from None


def _give_key(keys: KeyStore, settings: config.Config, folder: Path, grants: Grants) -> Key:
    if not (folder / extension_files.MANIFEST).is_file():
        raise InvalidArgument(f"{folder} has no {extension_files.MANIFEST}; name the folder Chrome loads the extension from.")
    key = keys.create(label=str(folder))
    next_step = "Make the folder writable and pair again, or name another one."
    try:
        with system_failure_told(f"{folder} cannot be written", next_step, after="; it is not paired"):
            kept = Grants.kept(kept_permissions(folder))
            permissions = grants.over(settings.permissions).over(kept).written()
            write_pairing(folder, key, ports=settings.ports(), permissions=permissions)
    except TabwireError:
        keys.remove(key.id)
        raise
    return key


def _list(keys: KeyStore) -> None:
    known = keys.all()
    if not known:
        print(f"No browser is paired. `{INSTALL_COMMAND}` pairs one.")
    for key in known:
        moment = keys.last_used(key.id)
        used = f"last used {_shown(moment)}" if moment else "not used yet"
        print(f"{key.id}  created {_local(key.created)}  {used}  {key.label or '-'}")


def _local(stamp: str) -> str:
    try:
        return _shown(datetime.fromisoformat(stamp))
    except ValueError:
        return "at an unknown time"


def _shown(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"


def _rotate(keys: KeyStore, settings: config.Config, chosen: str | None) -> None:
    folder = Path(chosen).expanduser().absolute() if chosen else _paired_folder(keys, settings)
    old = installed_extension.paired_key(folder, keys)
    if old is None:
        raise InvalidArgument(f"{folder} is not paired; `tabwire pair --extension {folder}` pairs it.")
    new = _give_key(keys, settings, folder, Grants())
    # Its label is another one if the folder was moved.
    keys.remove(old.id)
    print(f"{folder} has the new key {new.id}; {old.id} no longer works. A browser that has it loaded connects again by itself.")


def _paired_folder(keys: KeyStore, settings: config.Config) -> Path:
    candidates = dict.fromkeys((folder_of(None, settings), extension_files.source()))
    paired = [folder for folder in candidates if installed_extension.paired_key(folder, keys)]
    if not paired:
        raise InvalidArgument(
            "Neither the installed copy nor this checkout is paired; name the folder with --extension. A browser that was "
            "connected by its page gets a new key there, once its old one is taken back with --revoke."
        )
    if len(paired) > 1:
        raise InvalidArgument(f"Several folders are paired; name one with --extension: {', '.join(map(str, paired))}.")
    return paired[0]


def _revoke(keys: KeyStore, name: str) -> None:
    known = keys.all()
    found = [key for key in known if key.id == name] or [key for key in known if key.label and key.label == name]
    if not found:
        there = ", ".join(f"{key.id} ({key.label or '-'})" for key in known) or "none"
        raise InvalidArgument(f"There is no key {name!r}. Keys: {there}.")
    for key in found:
        keys.remove(key.id)
        print(f"Revoked {key.id} ({key.label or '-'}): no browser can use it any more, and one that does is disconnected.")
