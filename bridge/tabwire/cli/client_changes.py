"""Choosing clients, and carrying out and telling what `install` and `uninstall` do to their configuration."""

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from tabwire.cli.reporting import shell_line
from tabwire.errors import InvalidArgument, TabwireError
from tabwire.install.clients import CLIENTS, SERVER_NAME, Client, Machine
from tabwire.install.clients.changes import Action, Change, apply

Target = tuple[Client, Path, str | None]
"""A client, its file, and its own program if that has to make the change ("" when it is not to be found)."""

Outcome = Literal["done", "absent", "failed"]
"""The state of a client afterwards: as it should be; left, as its own program is not there; left for another reason."""

_TOLD: Mapping[Action, str] = {
    "add": 'added "{name}" to {path}',
    "update": 'changed "{name}" in {path}',
    "remove": 'took "{name}" out of {path}',
    "keep": 'already has "{name}" in {path}',
    "absent": 'has no "{name}" in {path}',
    "foreign": "{path} is left as it is: {reason}",
    "unclear": "{path} is left as it is: {reason}",
}
_WOULD: Mapping[Action, str] = {
    **_TOLD,
    "add": 'would add to "{key}" in {path}:',
    "update": 'would change in "{key}" in {path}:',
    "remove": 'would take "{name}" out of {path}',
}


def chosen(options: argparse.Namespace, files: Callable[[Client, Machine], Sequence[Path]]) -> list[Target]:
    """Find the clients, files and programs that the command line asks for.

    Args:
        options: `clients`, `all` and `project`.
        files: A client's files when none is named.

    Raises:
        InvalidArgument: A client that is not known, or has no file in a project.
    """
    machine = Machine.this()
    named = _named(options.clients or [])
    if options.project:
        return _in_project(named or [client for client in CLIENTS if client.project and options.all])
    found: list[Target] = []
    for client in named or CLIENTS:
        program = (shutil.which(client.program) or "") if client.program else None
        present = [path for path in files(client, machine) if program is None or program or path.is_file()]
        wanted = present or ([client.usual(machine)] if named or options.all else [])
        found += [(client, path, program) for path in wanted]
    return found


def asks_for_list(options: argparse.Namespace) -> bool:
    """Whether `--client ?` was given; the list is then printed."""
    if "?" not in (options.clients or []):
        return False
    print(f"--client takes {_known()}.")
    return True


def _known() -> str:
    return ", ".join(f"{client.id} ({client.title})" for client in CLIENTS)


def _named(names: Sequence[str]) -> list[Client]:
    """The clients by id or by their name for people, however it is written."""
    known = {_plain(name): client for client in CLIENTS for name in (client.id, client.title)}
    unknown = [name for name in names if _plain(name) not in known]
    if unknown:
        raise InvalidArgument(f"There is no client {unknown[0]!r}; --client takes {_known()}.")
    return list({found.id: found for name in names if (found := known[_plain(name)])}.values())


def _plain(name: str) -> str:
    """Letters and digits of a name, in lower case: "VS Code", "vs-code" and "vscode" are one name."""
    return "".join(filter(str.isalnum, name)).casefold()


def _in_project(clients: Sequence[Client]) -> list[Target]:
    those = ", ".join(client.id for client in CLIENTS if client.project)
    if not clients:
        raise InvalidArgument(f"--project needs --client ({those}) or --all.")
    without = [client.title for client in clients if not client.project]
    if without:
        raise InvalidArgument(f"{without[0]} reads no file of a project; these do: {those}.")
    return [(client, Path.cwd() / str(client.project), None) for client in clients]


def carry_out(changes: Sequence[Change], *, only_print: bool) -> dict[Outcome, list[Client]]:
    """Make the changes one by one and tell each on stdout; the clients by what has become of them."""
    outcomes: dict[Outcome, list[Client]] = {"done": [], "absent": [], "failed": []}
    for change in changes:
        outcomes[_one(change, only_print)].append(change.client)
    return outcomes


def sum_up(outcomes: Mapping[Outcome, Sequence[Client]]) -> None:
    """Say how many are done, and why the rest is not."""
    count = sum(map(len, outcomes.values()))
    if count < 2 and not outcomes["absent"]:
        return
    why: Mapping[Outcome, str] = {"absent": "not installed on this computer", "failed": "left to you, see above"}
    rest = "; ".join(f"{', '.join(one.title for one in outcomes[how])}: {words}" for how, words in why.items() if outcomes[how])
    print(f"{len(outcomes['done'])} of {count} done{f'. {rest}' if rest else ''}.")


def _one(change: Change, only_print: bool) -> Outcome:
    if change.program == "" and change.is_needed:
        print(f"{change.client.title}: its program `{change.client.program}` is not on PATH. When it is installed, run:")
        _print_commands(change)
        return "done" if only_print else "absent"
    if only_print or not change.is_needed:
        _tell(change, _WOULD if only_print else _TOLD)
        if only_print and change.commands:
            print("  by running:")
            _print_commands(change)
        return "failed" if change.action in ("foreign", "unclear") else "done"
    try:
        backup = apply(change, datetime.now())
    except TabwireError as error:
        sys.stdout.flush()
        sys.stderr.write(f"tabwire: {change.client.title}: {error}\n")
        return "failed"
    _tell(change, _TOLD, f" (it was kept as {backup.name})" if backup else "")
    return "done"


def _tell(change: Change, lines: Mapping[Action, str], note: str = "") -> None:
    words = {"name": SERVER_NAME, "path": change.path, "key": change.client.key, "reason": change.reason}
    print(f"{change.client.title}: {lines[change.action].format(**words)}{note}")
    if change.action == "update":
        print(_indented(f"was {json.dumps(_shown(change.previous or {}), ensure_ascii=False)}"))
    wants_entry = change.action in ("foreign", "unclear") and change.entry and lines is _TOLD
    if lines is _WOULD and change.action in ("add", "update", "unclear") and change.entry or wants_entry:
        if change.action in ("foreign", "unclear"):
            print(_indented(f'To put it in yourself, in "{change.client.key}":'))
        print(_indented(f'"{SERVER_NAME}": {json.dumps(_shown(change.entry), indent=2, ensure_ascii=False)}'))


def _shown(entry: Mapping[str, object]) -> dict[str, object]:
    """An entry without the values of variables: they may be secrets."""
    env = entry.get("env")
    return {**entry, "env": dict.fromkeys(env, "…")} if isinstance(env, dict) and env else dict(entry)


def _print_commands(change: Change) -> None:
    for words in change.commands:
        print(_indented(shell_line(words)))


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
