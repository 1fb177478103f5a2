"""`tabwire install`: the extension in a stable folder, paired, and MCP clients that start this program."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tabwire import config
from tabwire.cli import extension_command, first_run, skill_command
from tabwire.cli.client_changes import asks_for_list, carry_out, chosen, sum_up
from tabwire.cli.reporting import failing, printed_at_the_end, shell_line
from tabwire.install.clients import CLIENTS
from tabwire.install.clients.changes import addition
from tabwire.install.clients.entry import TOOLS
from tabwire.install.clients.executable import Running, start_words
from tabwire.install.clients.table import LIST_FOR_ANY_CLIENT
from tabwire.install.desktop import Desktop
from tabwire.install.installed_extension import State


@failing
def run(options: argparse.Namespace) -> int:
    """Install; exit code 1 when a client that is there, or was named, could not be configured."""
    if options.skill:
        return skill_command.put(options)
    if asks_for_list(options):
        return 0
    settings = config.load({})
    command, serve_options = start_words(Running.this()), _serve_options(options, settings)
    targets = chosen(options, lambda client, machine: client.installed(machine))
    # Everything is looked at before anything is changed.
    changes = [addition(client, path, command, serve_options, program) for client, path, program in targets]
    with printed_at_the_end():
        folder, state = _extension(options, settings)
        outcomes = carry_out(changes, only_print=options.only_print)
    sum_up(outcomes)
    if not changes:
        _say_none_found(command, serve_options)
    elif options.project:
        print("The path in it is one of this computer: leave the file out of version control.")
    has_changed = any(change.is_needed for change in changes) and not options.only_print
    is_asked_for = outcomes["absent"] and options.clients
    code = 1 if outcomes["failed"] or is_asked_for else 0
    if folder is not None and state and _waits(options):
        client = outcomes["done"][0].title if outcomes["done"] else "your MCP client"
        return max(
            code, _finish(options, settings, folder, state, f"Restart {client}, then ask it" if has_changed else f"Ask {client}")
        )
    if has_changed:
        print("Clients read their configuration when they start: restart those that run.")
    if folder is not None and state:
        extension_command.tell_next_step(folder, settings, state)
    return code


def _waits(options: argparse.Namespace) -> bool:
    """Whether there is a person to wait for; `--wait` and `--no-wait` say it outright."""
    if options.only_print or options.project:
        return False
    return bool(sys.stdin.isatty() and sys.stdout.isatty()) if options.wait is None else bool(options.wait)


def _finish(options: argparse.Namespace, settings: config.Config, folder: Path, state: State, ask: str) -> int:
    if extension_command.is_loaded(folder, settings):
        if state == "update":
            first_run.tell_reload()
    elif not extension_command.has_own_key(settings):
        first_run.tell_steps(folder, Desktop.this(), opens=options.open)
    return first_run.wait(settings, ask)


def _serve_options(options: argparse.Namespace, settings: config.Config) -> list[str]:
    """Options of `serve` that clients need, as they will not have this shell's variables."""
    default = config.Config().home_dir()
    home = [] if settings.home_dir() == default else ["--home", str(settings.home_dir())]
    return [*home, *(["--launch"] if options.launch else [])]


def _extension(options: argparse.Namespace, settings: config.Config) -> tuple[Path | None, State | None]:
    """Put the extension in place; its folder and what was done there."""
    if options.launch and not options.dir:
        # A launched browser gets a copy of its own.
        return None, None
    folder = extension_command.folder_of(options.dir, settings)
    return folder, extension_command.put(folder, settings, only_print=options.only_print)


def _say_none_found(command: Sequence[str], serve_options: Sequence[str]) -> None:
    print(f"No MCP client was found (looked for {', '.join(client.title for client in CLIENTS)}).")
    words = [*command, "serve", TOOLS, LIST_FOR_ANY_CLIENT, *serve_options]
    print(f"Name one with --client, or have your client start: {shell_line(words)}")
