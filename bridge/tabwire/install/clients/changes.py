"""Changes to a client's configuration: found out first, without changing anything, then made."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from tabwire.disk import plain_files
from tabwire.errors import TabwireError, UnsupportedOperation
from tabwire.install.clients import claude_code, config_file, json_text
from tabwire.install.clients.config_file import ConfigFile
from tabwire.install.clients.entry import entry, is_ours
from tabwire.install.clients.table import SERVER_NAME, Client

Action = Literal["add", "update", "keep", "remove", "absent", "foreign", "unclear"]
"""`keep`: it is as it should be. `absent`: there is nothing to take out. `foreign`: the entry is another program's.
`unclear`: the file is not understood, so it is not touched."""


@dataclass(frozen=True, slots=True)
class Change:
    """A configuration file and the change to it.

    Args:
        entry: What belongs, or what is, under our name.
        previous: What is there now.
        text: The whole new text, when this program writes it.
        reason: Why nothing is done.
        program: The client's own program, when that has to make the change; "" when it is not to be found.
    """

    client: Client
    path: Path
    action: Action
    entry: dict[str, Any]
    previous: dict[str, Any] | None = None
    file: ConfigFile | None = None
    text: str | None = None
    reason: str = ""
    program: str | None = None

    @property
    def is_needed(self) -> bool:
        """Whether there is something to do."""
        return self.action in ("add", "update", "remove")

    @property
    def commands(self) -> list[list[str]]:
        """Commands for the client's own program, in order."""
        if self.program is None or not self.is_needed:
            return []
        program = self.program or self.client.program or ""
        steps = [] if self.action == "add" else [claude_code.removal(program)]
        return steps if self.action == "remove" else [*steps, claude_code.addition(program, self.entry)]


def addition(client: Client, path: Path, command: Sequence[str], options: Sequence[str], program: str | None = None) -> Change:
    """Work out the change after which the client starts this program.

    Args:
        path: Its configuration file.
        command: The words that start this program.
        options: Options of `serve`.
        program: See `Change`.
    """
    wanted = entry(client, command, options)
    found = _look(client, path, wanted)
    if isinstance(found, Change):
        return found
    file, previous = found
    if previous is not None and not is_ours(previous):
        reason = f'"{SERVER_NAME}" is the name of another program there'
        return Change(client, path, "foreign", wanted, reason=reason)
    wanted = entry(client, command, options, previous)
    if previous is None or previous != wanted:
        action: Action = "add" if previous is None else "update"
        return _changing(Change(client, path, action, wanted, previous, file, program=program))
    return Change(client, path, "keep", wanted, previous)


def removal(client: Client, path: Path, program: str | None = None) -> Change:
    """Work out the change after which the client no longer starts this program."""
    found = _look(client, path, {})
    if isinstance(found, Change):
        return found if _mentions_us(path) else Change(client, path, "absent", {})
    file, previous = found
    if previous is None:
        return Change(client, path, "absent", {})
    if not is_ours(previous):
        reason = f'"{SERVER_NAME}" is the name of another program there'
        return Change(client, path, "foreign", previous if isinstance(previous, dict) else {}, reason=reason)
    return _changing(Change(client, path, "remove", previous, previous, file, program=program))


def apply(change: Change, now: datetime) -> Path | None:
    """Do it.

    Returns:
        The backup, if a file was replaced by this program.

    Raises:
        TabwireError: It could not be done.
    """
    if change.program is not None:
        for words in change.commands:
            claude_code.run(words)
        _see(change)
        return None
    assert change.file is not None and change.text is not None
    return change.file.write(change.text, now)


def _look(client: Client, path: Path, wanted: dict[str, Any]) -> tuple[ConfigFile, Any] | Change:
    """The file and the value under our name; a change that does nothing if the file is not understood."""
    try:
        file = config_file.read(path)
        servers = json_text.parse(file.text).get(client.key, {})
    except TabwireError as error:
        return Change(client, path, "unclear", wanted, reason=str(error))
    except UnicodeDecodeError:
        return Change(client, path, "unclear", wanted, reason="it is not UTF-8 text")
    except json_text.NotPlainJson as error:
        return Change(client, path, "unclear", wanted, reason=f"it is not plain JSON ({error})")
    if not isinstance(servers, dict):
        return Change(client, path, "unclear", wanted, reason=f'"{client.key}" in it is not an object')
    return file, servers.get(SERVER_NAME)


def _mentions_us(path: Path) -> bool:
    """Whether a file that is not understood may hold an entry of ours; in doubt it may."""
    try:
        return f'"{SERVER_NAME}"'.encode() in plain_files.read(path)
    except OSError:
        return True


def _changing(change: Change) -> Change:
    """Return the change with the new text of the file."""
    if change.program is not None:
        return change
    assert change.file is not None
    key = change.client.key
    try:
        if change.action == "remove":
            text = json_text.without_member(change.file.text, key, SERVER_NAME)
        else:
            text = json_text.with_member(change.file.text, key, SERVER_NAME, change.entry)
    except json_text.NotPlainJson as error:
        return Change(change.client, change.path, "unclear", change.entry, reason=str(error))
    return Change(change.client, change.path, change.action, change.entry, change.previous, change.file, text)


def _see(change: Change) -> None:
    """Check the file after the client's program has changed it: its own report does not count."""
    found = _look(change.client, change.path, change.entry)
    there = None if isinstance(found, Change) else found[1]
    if change.action == "remove":
        done = there is None and not isinstance(found, Change)
    else:
        done = isinstance(there, dict) and all(there.get(name) == change.entry[name] for name in ("command", "args"))
    if not done:
        raise UnsupportedOperation(
            f"{change.client.title} was asked to change its configuration, but {change.path} does not show it.",
            next_step="Look at `claude mcp list`.",
        )
