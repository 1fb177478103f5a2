"""Tabwire, its floor and its peers beside each other: `scripts/lab/bench/run servers` prints one table and keeps all samples."""

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import time

from agent_browser import PACKAGE
from pages.real_pages import FOLDER, NPM
from playwright_peers import chromium

from servers.rounds import KEYS, Run
from servers.starts import CHROME_DEVTOOLS_PACKAGE, PEERS, STARTS
from servers.table import TableRow, as_json, markdown


class Names:
    """Reads a list of names, parted by commas, for `argparse`."""

    def __init__(self, known: list[str]) -> None:
        self._known = known

    def __call__(self, text: str) -> list[str]:
        wanted = text.split(",")
        if unknown := [name for name in wanted if name not in self._known]:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; there are {', '.join(self._known)}")
        return [name for name in self._known if name in wanted]


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/lab/bench/run servers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="each with all servers started anew (default: %(default)s)")
    parser.add_argument("--only", type=Names(list(KEYS)), default=list(KEYS), metavar="ROW,…", help=f"of {', '.join(KEYS)}")
    parser.add_argument("--servers", type=Names(list(STARTS)), default=list(STARTS), metavar="SERVER,…", help=", ".join(STARTS))
    parser.add_argument("--times", type=int, default=15, help="repetitions in a round (default: %(default)s)")
    parser.add_argument("--idle-seconds", type=float, default=20.0, help="length of each idle window (default: %(default)s)")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Measures, prints, and keeps the results in build/bench; 1 if a goal is missed or a cell is an error."""
    chosen = options(arguments)
    # The servers end with the run, also where it is ended from outside.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    load = os.getloadavg()[0]
    run = Run(chosen.only, chosen.servers, chosen.rounds, chosen.times, chosen.idle_seconds)
    rows = run.measure()
    text = _heading(run, load) + markdown(rows, run.servers, PEERS)
    print(f"\n{text}")
    (FOLDER / "servers.md").write_text(text)
    (FOLDER / "servers.json").write_text(json.dumps({"about": _heading(run, load), "rows": as_json(rows)}, indent=1))
    print(f"kept in {FOLDER}/servers.md and servers.json")
    return 1 if _has_failed(rows) else 0


def _has_failed(rows: list[TableRow]) -> bool:
    is_over = any(not row.is_met for one in rows for row in one.against_goal())
    return is_over or any(cell.errors for row in rows for cell in row.cells.values())


def _heading(run: Run, load: float) -> str:
    """Heading of the table: what the figures are, and the versions and load that they come from."""
    browser = subprocess.run([chromium(), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    peers = f"@playwright/mcp@{NPM['@playwright/mcp']}, {CHROME_DEVTOOLS_PACKAGE}, {PACKAGE}"
    seconds = ", ".join(f"{one:.0f}" for one in run.seconds)
    return (
        f"Median / minimum of {run.rounds} rounds ({seconds} s), {run.times} repetitions each, slow work less often. "
        f"{time.strftime('%Y-%m-%d')}, {browser}, {peers}, Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"load {load:.1f} before the run.\n\n"
    )
