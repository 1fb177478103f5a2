"""`tabwire uninstall`: out of the clients' configuration; the extension's copy and its keys go, the user's files stay."""

import argparse
import shutil
from pathlib import Path

from tabwire import config
from tabwire.cli import skill_command
from tabwire.cli.client_changes import asks_for_list, carry_out, chosen
from tabwire.cli.extension_command import folder_of, key_store
from tabwire.cli.reporting import failing, printed_at_the_end
from tabwire.cli.session import frames, own_commands, places
from tabwire.errors import EXTENSIONS_PAGE, system_failure_told
from tabwire.install import installed_extension
from tabwire.install.clients.changes import removal
from tabwire.wire import ports
from tabwire.wire.keys import KeyStore

_DATA = (
    *("artifacts", "auth", "config.toml", "events", "events.count", "extension.lock", "http-token"),
    *("keys.json", "keys.json.lock", "last_used", "listen.pem", "profiles", "sessions", "shell", "written"),
)
"""Ours in the home folder besides the extension and the run files. What else is there stays."""


@failing
def run(options: argparse.Namespace) -> int:
    """Undo an installation; exit code 1 when a client's configuration could not be changed."""
    if options.skill:
        return skill_command.remove(options)
    if asks_for_list(options):
        return 0
    settings = config.load({})
    folder = folder_of(options.dir, settings)
    with_extension = not (options.keep_data or options.project)
    if with_extension:
        installed_extension.check_folder(folder)
    targets = chosen(options, lambda client, machine: client.present(machine))
    with printed_at_the_end():
        outcomes = carry_out([removal(*target) for target in targets], only_print=options.only_print)
        if with_extension:
            _end_sessions(only_print=options.only_print)
            skill_command.remove(options)
            _remove_extension(folder, settings, only_print=options.only_print)
            _remove_data(settings.home_dir(), everything=options.all_data, only_print=options.only_print)
    if with_extension:
        _tell_what_is_left(settings, only_print=options.only_print)
    return 1 if outcomes["failed"] or outcomes["absent"] else 0


def _end_sessions(*, only_print: bool) -> None:
    """End the sessions of shells: without the extension they have no browser, and without their socket nobody could."""
    for name in places.sessions():
        if only_print:
            print(f"Would end the shell session {name}.")
        elif own_commands.close(name) == frames.DONE:
            print(f"Ended the shell session {name}.")
        else:
            print(f"The shell session {name} could not be ended: it {own_commands.about(name)}.")


def _remove_extension(folder: Path, settings: config.Config, *, only_print: bool) -> None:
    keys = key_store(settings)
    _revoke_own_keys(keys, only_print=only_print)
    if not folder.exists():
        print(f"No extension in {folder}.")
        return
    if only_print:
        print(f"Would delete {folder} and revoke its key.")
        return
    revoked = installed_extension.remove(folder, keys)
    print(
        f"Deleted {folder}" + (f" and revoked its key {', '.join(key.id for key in revoked)}." if revoked else "; it had no key.")
    )
    print(f"Next: remove Tabwire's card in {EXTENSIONS_PAGE}; no program may do that for you.")


def _revoke_own_keys(keys: KeyStore, *, only_print: bool) -> None:
    """Take back the keys that browsers were given by a click."""
    for key in (key for key in keys.all() if key.browser_id):
        if not only_print:
            keys.remove(key.id)
        print(f"{'Would revoke' if only_print else 'Revoked'} the key {key.id} of {key.label}.")


def _remove_data(home: Path, *, everything: bool, only_print: bool) -> None:
    """Notes of bridges that are gone always, the user's data only when asked."""
    if not only_print:
        ports.forget_dead(home / "run")
    doomed = [path for name in _DATA if everything and (path := home / name).exists()]
    for path in doomed:
        print(f"{'Would delete' if only_print else 'Deleted'} {path}")
        if not only_print:
            _delete(path)


def _delete(path: Path) -> None:
    with system_failure_told(f"{path} cannot be deleted", "Delete it by hand."):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _tell_what_is_left(settings: config.Config, *, only_print: bool) -> None:
    home = settings.home_dir()
    for holder in ports.holders(home / "run"):
        print(f"A bridge of {holder.client or 'a client'} still runs (process {holder.pid}); it ends with its client.")
    if only_print:
        return
    others = key_store(settings).all()
    for key in others:
        print(f"Key {key.id} of {key.label or 'another copy'} is still valid; `tabwire pair --revoke {key.id}` takes it back.")
    if not others:
        (home / "keys.json").unlink(missing_ok=True)
    for empty in (home / "run", home / "last_used", home):
        if empty.is_dir() and not any(empty.iterdir()):
            empty.rmdir()
    if home.exists():
        left = sorted(path.name for path in home.iterdir())
        print(f"Left in {home}: {', '.join(left)}. `tabwire uninstall --all-data` deletes what Tabwire has put there.")
