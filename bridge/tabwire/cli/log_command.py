"""`tabwire log`: show the event log, prove that it is as it was written, give it away."""

from __future__ import annotations

import argparse
import json
from collections import deque
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabwire.cli.commands import Commands

if TYPE_CHECKING:
    from pydantic import BaseModel


def add(commands: Commands) -> None:
    """The sub-commands and their options."""
    parser = commands.add("log", "show, verify or export the event log", "tabwire log show --last 20")
    parser.add_argument("--home", metavar="DIR", help="where the log is (default: ~/.tabwire)")
    actions = Commands(parser.add_subparsers(dest="action", metavar="ACTION", required=True))
    show = actions.add("show", "a line for each call", "tabwire log show --client claude --since '2 hours ago'")
    export = actions.add("export", "the events as JSON, a line each", "tabwire log export --since today > today.jsonl")
    for command in (show, export):
        command.add_argument("--client", metavar="NAME", help="only calls of clients with this in their name")
        command.add_argument("--tool", metavar="NAME", help="only calls of this tool")
        command.add_argument("--session", metavar="NAME", help="only calls in this session")
        command.add_argument(
            "--since", metavar="TIME", help="only what came later: 2026-11-20, 2026-11-20T08:30, '2 hours ago', today"
        )
    export.add_argument("--selenium", action="store_true", help="the acts as a Selenium script in Python instead")
    show.add_argument("--last", type=int, default=50, metavar="N", help="how many at the most (default: 50)")
    verify = actions.add("verify", "find lines that were changed, removed, moved or cut off", "tabwire log verify")
    verify.add_argument("file", nargs="?", type=Path, help="one file (default: all)")
    verify.add_argument("--head", metavar="HASH", help="a hash noted earlier, which has to be in there")


def run(options: argparse.Namespace) -> int:
    """Carry out the sub-command; the exit code: 1 when the log is not as it was written, 2 for wrong options."""
    from tabwire import config
    from tabwire.cli.reporting import failing

    def carry_out(options: argparse.Namespace) -> int:
        folder = config.load({"home": options.home}).events_dir()
        return {"show": _show, "export": _export, "verify": _verify}[options.action](folder, options)

    return failing(carry_out)(options)


class _Wanted:
    """The calls that the options ask for.

    Raises:
        InvalidArgument: A time that cannot be read; or, once all events were looked at, a name that none of them has.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        from tabwire.eventlog.call_line import since

        self._since = None if options.since is None else since(options.since)
        self._names = {name: value for name in ("client", "tool", "session") if (value := getattr(options, name)) is not None}
        self._known: dict[str, set[str]] = {name: set() for name in self._names}
        self._found: set[str] = set()

    def events(self, folder: Path) -> Iterator[dict[str, Any]]:
        """The events, the oldest first."""
        from tabwire.eventlog import reader

        for path in reader.files(folder):
            for entry in reader.entries(path):
                if self._takes(entry.event):
                    yield entry.event
        self._refuse_unknown()

    def _takes(self, event: dict[str, Any]) -> bool:
        fits = {name: self._is_named(name, wanted, event) for name, wanted in self._names.items()}
        self._found |= {name for name, is_so in fits.items() if is_so}
        return all(fits.values()) and self._is_late_enough(event)

    def _is_named(self, name: str, wanted: str, event: dict[str, Any]) -> bool:
        said = str(event.get(name) or "")
        if said:
            self._known[name].add(said)
        return wanted.casefold() in said.casefold() if name == "client" else wanted == said

    def _is_late_enough(self, event: dict[str, Any]) -> bool:
        from tabwire.eventlog.call_line import moment

        if self._since is None:
            return True
        at = moment(event)
        return at is not None and at >= self._since

    def _refuse_unknown(self) -> None:
        from tabwire.errors import InvalidArgument

        for name, wanted in self._names.items():
            if name not in self._found and (known := sorted(self._known[name])):
                raise InvalidArgument(f"No call in the log is of the {name} {wanted!r}; --{name} takes {', '.join(known)}.")


def _show(folder: Path, options: argparse.Namespace) -> int:
    from tabwire.eventlog.call_line import line

    events = _Wanted(options).events(folder)
    calls = deque((event for event in events if event.get("event") == "call"), maxlen=max(options.last, 0))
    for event in calls:
        print(line(event, parameters))
    if not calls:
        filters = [f"--{name}" for name in ("client", "tool", "session", "since") if getattr(options, name) is not None]
        print(f"No calls in {folder}{' that fit ' + ' and '.join(filters) if filters else ''}.")
    return 0


@cache
def parameters(surface: str, tool: str) -> type[BaseModel] | None:
    from tabwire.settings import TOOLSETS
    from tabwire.surfaces.tool import load_toolset

    found = load_toolset(surface).by_name.get(tool) if surface in TOOLSETS else None
    return found.model if found else None


def _export(folder: Path, options: argparse.Namespace) -> int:
    if options.selenium:
        from tabwire.recordings.selenium_script import script

        print(script(_Wanted(options).events(folder)), end="")
        return 0
    for event in _Wanted(options).events(folder):
        print(json.dumps(event, ensure_ascii=False))
    return 0


def _verify(folder: Path, options: argparse.Namespace) -> int:
    from tabwire.eventlog import reader

    paths = [options.file] if options.file else reader.files(folder)
    if absent := [path for path in paths if not path.is_file()]:
        print(f"There is no file {absent[0]}.")
        return 1
    verdicts = [*([] if options.file else reader.deleted(folder)), *reader.verify_all(paths)]
    for verdict in verdicts:
        said = "; ".join((*verdict.faults, *verdict.gaps, *verdict.notes)) or "as it was written"
        print(f"{verdict.path.name}: {verdict.lines} lines, head {verdict.head}: {said}")
    if options.head and not any(options.head in verdict.hashes for verdict in verdicts):
        print(f"No line has the hash {options.head}: what it belonged to was changed or removed.")
        return 1
    missing = [] if options.file else reader.missing(folder, verdicts)
    for fault in missing:
        print(fault)
    if not verdicts:
        print(f"No log in {folder}.")
    return int(bool(missing) or any(verdict.faults or verdict.gaps for verdict in verdicts))
