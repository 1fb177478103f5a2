"""Runs the measurements that are named, or all of them, and prints one table."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))
sys.path.append(str(Path(__file__).resolve().parents[3] / "scripts" / "lab" / "apps"))

import agreement
import event_log
import extraction
import launches
import memory
import page_tokens
import peers
import round_trip
import snapshot
import startup
import stop
import tokens
from bugs import command as bugs_command
from hops import hop_trace
from overhead import request_list
from row import Row
from servers import call_costs, command, shells, task_tokens
from sessions import application_snapshots, session_tokens

MEASUREMENTS: dict[str, Callable[[], list[Row]]] = {
    "snapshot": snapshot.measure,
    "round_trip": round_trip.measure,
    "memory": memory.measure,
    "startup": startup.measure,
    "shell": startup.measure_shell,
    "event_log": event_log.measure,
    "stop": stop.measure,
    "launches": launches.measure,
}
ON_REQUEST: dict[str, Callable[[], list[Row]]] = {
    "peers": peers.measure,
    "agreement": agreement.measure,
    "tokens": tokens.measure,
    "page_tokens": page_tokens.measure,
    "extraction": extraction.measure,
    "request_list": request_list.measure,
    "call_costs": call_costs.measure,
    "application_snapshots": application_snapshots.measure,
}
"""Fetch packages, take minutes or have no goal: run only when named."""
PROGRAMS: dict[str, Callable[[list[str]], int]] = {
    "servers": command.main,
    "bugs": bugs_command.main,
    "shells": shells.main,
    "task_tokens": task_tokens.main,
}
"""Print tables of their own, and have options of their own."""


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/lab/bench/run", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="MEASUREMENT", help="those to do, in place of the goals for speed and memory")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="for session_tokens and hops: the other version")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    if arguments and (program := PROGRAMS.get(arguments[0])):
        return program(arguments[1:])
    chosen = options(arguments)
    names: list[str] = chosen.names
    compared = {
        "session_tokens": partial(session_tokens.measure, chosen.before),
        "hops": partial(hop_trace.measure, chosen.before),
    }
    known = MEASUREMENTS | ON_REQUEST | compared
    unknown = set(names) - known.keys()
    if unknown:
        print(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    print(f"{'':<44} {'measured':>9}     {'floor':>9}      ratio")
    for name in names or MEASUREMENTS:
        for row in known[name]():
            print(row, flush=True)
            rows.append(row)
    missed = [row.what for row in rows if not row.is_met]
    print(f"over the goal: {'; '.join(missed)}" if missed else "every goal is met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
