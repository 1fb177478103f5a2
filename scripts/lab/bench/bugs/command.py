"""Planted bugs looked for by scripted sessions: `scripts/lab/bench/run bugs` prints one table and keeps the replies."""

import argparse
import contextlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from servers.measured_pages import MeasuredPage
from servers.server import Server
from servers.starts import CHROME_DEVTOOLS_PACKAGE, Start
from tokens import counted

from bugs import bug_servers, devtools_sessions, tabwire_sessions
from bugs.bug_site import BugSite
from bugs.build import HOME, NPM, built
from bugs.catalog import Bug, all_bugs
from bugs.picking import pick
from bugs.session import Heard, Step, run
from bugs.table import Outcome, markdown

Steps = Callable[[Bug, str], list[Step]]
SERVERS: dict[str, tuple[Callable[[Path], Start], Steps]] = {
    "Tabwire": (bug_servers.tabwire, tabwire_sessions.steps),
    "chrome-devtools-mcp": (bug_servers.devtools, devtools_sessions.steps),
}


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/lab/bench/run bugs", description=__doc__)
    parser.add_argument("--only", type=lambda text: text.split(","), metavar="BUG,…", help="ids or kinds of bugs.toml")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Runs the sessions; 0 whatever is found: a bug that is not found is a figure, not a failure."""
    only = options(arguments).only
    bugs = [bug for bug in all_bugs() if not only or bug.id in only or bug.kind in only]
    site = BugSite(built(), bugs)
    try:
        outcomes = [one for name in SERVERS for one in _outcomes(name, bugs, site)]
    finally:
        site.close()
    about = f"{time.strftime('%Y-%m-%d')}, {CHROME_DEVTOOLS_PACKAGE}, {', '.join(NPM)}, {os.cpu_count()} cores\n\n"
    text = about + markdown(outcomes)
    print(text)
    (HOME / "bugs.md").write_text(text)
    entries = [asdict(one) | {"found": one.is_found} for one in outcomes]
    (HOME / "bugs.json").write_text(json.dumps({"about": about.strip(), "sessions": entries}, indent=1))
    print(f"kept in {HOME}/bugs.md, bugs.json and replies")
    return 0


class Restarting:
    """A server that is started again after a call that it did not answer."""

    def __init__(self, start: Start, page: MeasuredPage) -> None:
        self._start, self._page = start, page
        self._server: Server | None = None

    def session(self, steps: list[Step]) -> Heard:
        """A session; one whose server does not answer has ended there."""
        if self._server is None:
            self._server = self._start.start(self._page).server
        try:
            return run(self._server.client, steps)
        except (TimeoutError, RuntimeError) as error:
            self.close()
            return Heard(ended_because=str(error).partition(";")[0])

    def close(self) -> None:
        if self._server:
            self._server.close()
            self._server = None


@contextlib.contextmanager
def _started(make: Callable[[Path], Start], site: BugSite) -> Iterator[Restarting]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = MeasuredPage(site.site.page("<h1>Ready</h1>"), ("Ready",))
        start = make(Path(folder))
        start.ready()
        server = Restarting(start, page)
        try:
            yield server
        finally:
            server.close()
            start.ended()


def _outcomes(name: str, bugs: list[Bug], site: BugSite) -> list[Outcome]:
    make, steps = SERVERS[name]
    outcomes = []
    with _started(make, site) as server:
        for bug in bugs:
            heard = server.session(steps(bug, site.url(bug)))
            _keep(name, bug, heard)
            outcomes.append(_outcome(name, bug, heard))
            print(f"{name:<20} {bug.id:<22} {'found' if outcomes[-1].is_found else 'not found'}", flush=True)
    return outcomes


def _outcome(name: str, bug: Bug, heard: Heard) -> Outcome:
    picked = None if heard.ended_because else pick(bug.kind, heard.texts)
    sent: list[Any] = [{"name": tool, "arguments": arguments} for tool, arguments, _ in heard.calls]
    tokens = sum(counted([*(json.dumps(one) for one in sent), *heard.texts])) if sent else 0
    return Outcome(bug.id, bug.kind, name, bug.answer, picked, heard.ended_because, len(heard.calls), tokens)


def _keep(name: str, bug: Bug, heard: Heard) -> None:
    folder = HOME / "replies" / name
    folder.mkdir(parents=True, exist_ok=True)
    parts = [f"→ {tool} {json.dumps(arguments)}\n{text}\n" for tool, arguments, text in heard.calls]
    (folder / f"{bug.id}.txt").write_text("\n".join([*parts, heard.ended_because]))
