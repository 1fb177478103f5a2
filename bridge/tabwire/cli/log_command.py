"""`tabwire log`: show the event log, prove that it is as it was written, give it away."""

from __future__ import annotations

import argparse
import json
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def add(parser: argparse.ArgumentParser) -> None:
    """The sub-commands and their options."""
    parser.add_argument("--home", metavar="DIR", help="where the log is (default: ~/.tabwire)")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="a line for each call")
    export = actions.add_parser("export", help="the events as JSON, a line each")
    for command in (show, export):
        command.add_argument("--client", metavar="NAME", help="only calls of clients with this in their name")
        command.add_argument("--tool", metavar="NAME", help="only calls of this tool")
        command.add_argument("--session", metavar="NAME", help="only calls in this session")
        command.add_argument("--since", metavar="TIME", help="only what came later, as 2026-11-20 or 2026-11-20T08:30")
    export.add_argument("--selenium", action="store_true", help="the acts as a Selenium script in Python instead")
    show.add_argument("--last", type=int, default=50, metavar="N", help="how many at the most (default: 50)")
    verify = actions.add_parser("verify", help="find lines that were changed, removed, moved or cut off")
    verify.add_argument("file", nargs="?", type=Path, help="one file (default: all)")
    verify.add_argument("--head", metavar="HASH", help="a hash noted earlier, which has to be in there")


def run(options: argparse.Namespace) -> int:
    """Carry out the sub-command; the exit code: 1 when the log is not as it was written."""
    from tabwire import config

    folder = config.load({"home": options.home}).events_dir()
    return {"show": _show, "export": _export, "verify": _verify}[options.action](folder, options)


def _events(folder: Path, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    from tabwire.eventlog import reader

    for path in reader.files(folder):
        for entry in reader.entries(path):
            if _is_wanted(entry.event, options):
                yield entry.event


def _is_wanted(event: dict[str, Any], options: argparse.Namespace) -> bool:
    return (
        (options.client is None or options.client.casefold() in str(event.get("client", "")).casefold())
        and (options.tool is None or event.get("tool") == options.tool)
        and (options.session is None or event.get("session") == options.session)
        and (options.since is None or str(event.get("time", "")) >= options.since)
    )


def _show(folder: Path, options: argparse.Namespace) -> int:
    calls = deque((event for event in _events(folder, options) if event.get("event") == "call"), maxlen=max(options.last, 0))
    for event in calls:
        print(_line(event))
    if not calls:
        print(f"No calls in {folder}.")
    return 0


def _line(event: dict[str, Any]) -> str:
    acts = event.get("acts") or [{}]
    target, observed = acts[-1].get("target") or {}, acts[-1].get("observed") or {}
    what = f" {target.get('role', '')} {json.dumps(target.get('name', ''), ensure_ascii=False)}" if target else ""
    reason = f" because {event['reason']!r}" if event.get("reason") else ""
    where = f" at {event['url']}" if event.get("url") else ""
    outcome = event.get("outcome", "") if event.get("outcome") != "done" else ", ".join(observed) or "done"
    refused = "refused: " if event.get("decision") == "refused" else ""
    return f"{event.get('time', '')} {event.get('client') or '?'}: {event.get('tool')}{what}{where}{reason} → {refused}{outcome}"


def _export(folder: Path, options: argparse.Namespace) -> int:
    if options.selenium:
        from tabwire.eventlog.selenium_script import script

        print(script(_events(folder, options)), end="")
        return 0
    for event in _events(folder, options):
        print(json.dumps(event, ensure_ascii=False))
    return 0


def _verify(folder: Path, options: argparse.Namespace) -> int:
    from tabwire.eventlog import reader

    paths = [options.file] if options.file else reader.files(folder)
    if missing := [path for path in paths if not path.is_file()]:
        print(f"There is no file {missing[0]}.")
        return 1
    verdicts = [*([] if options.file else reader.deleted(folder)), *reader.verify_all(paths)]
    for verdict in verdicts:
        said = "; ".join((*verdict.faults, *verdict.notes)) or "as it was written"
        print(f"{verdict.path.name}: {verdict.lines} lines, head {verdict.head}: {said}")
    if options.head and not any(options.head in verdict.hashes for verdict in verdicts):
        print(f"No line has the hash {options.head}: what it belonged to was changed or removed.")
        return 1
    if not verdicts:
        print(f"No log in {folder}.")
    return int(any(verdict.faults for verdict in verdicts))
