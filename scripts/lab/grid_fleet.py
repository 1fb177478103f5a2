"""Browsers on a Selenium Grid of this computer each do the demo's main job; what became of each is in the report."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import anyio

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bridge")]

from mcp import Client  # noqa: E402
from mcp.shared.exceptions import MCPError  # noqa: E402

from e2e.browsers.selenium_grid import NotReady, SeleniumGrid, Server  # noqa: E402
from tabwire.app import rules  # noqa: E402
from tabwire.browsers.instance import Instance  # noqa: E402
from tabwire.browsers.launcher import Launcher  # noqa: E402
from tabwire.browsers.running import LaunchOptions  # noqa: E402
from tabwire.demo.app import DemoApp  # noqa: E402
from tabwire.demo.story import EXPECTED, STEPS  # noqa: E402
from tabwire.demo.transcript import DemoFailed, Transcript  # noqa: E402
from tabwire.engine.engine import Engine  # noqa: E402
from tabwire.errors import TabwireError  # noqa: E402
from tabwire.install import extension_files  # noqa: E402
from tabwire.middleware import chain  # noqa: E402
from tabwire.server.mcp import build  # noqa: E402
from tabwire.surfaces.context import Context  # noqa: E402
from tabwire.surfaces.shared.files import Files  # noqa: E402
from tabwire.surfaces.shared.snapshots import Snapshots  # noqa: E402
from tabwire.surfaces.tool import load_toolset  # noqa: E402
from tabwire.wire.keys import MemoryKeys  # noqa: E402
from tabwire.wire.transport import Transport  # noqa: E402

KILL_AFTER = 2
"""Steps that the first browser of the node has done when it is killed."""
REPORT_SECONDS = 30.0
"""Seconds after the end of its node within which a browser must be reported."""


@dataclass
class Outcome:
    """Outcome of one browser."""

    number: int
    where: str = "-"
    node: Server | None = None
    steps: int = 0
    calls: int = 0
    seconds: float = 0.0
    is_right: bool = False
    failure: str = ""
    """Failure of the call that failed."""
    ended: str = ""
    """End of the browser as the launcher told it; empty while it runs."""
    reported_after: float = 0.0
    """Seconds from the node's death until then."""


class Telling(Transcript):
    """The demo's calls, for one browser of many, without printing them."""

    def __init__(self, client: Client, browser: str, outcome: Outcome) -> None:
        super().__init__(client)
        self._browser = browser
        self._outcome = outcome

    async def call(self, tool: str, /, show: int = 3, expect_error: bool = False, on: str = "", **arguments: Any) -> str:
        """Call a tool of this browser."""
        self._outcome.calls += 1
        try:
            result = await self.client.call_tool(tool, {**arguments, "browser": self._browser})
        except MCPError as error:
            raise DemoFailed(f"{tool}: {error.error.message}") from error
        text = "\n".join(part.text for part in result.content if part.type == "text")
        if bool(result.is_error) is not expect_error:
            raise DemoFailed(f"{tool}: {text}")
        return text

    def expect(self, text: str) -> None:
        """The last snapshot must contain it."""
        if text not in self.last_snapshot:
            raise DemoFailed(f"the snapshot does not show {text!r}")


@dataclass
class Fleet:
    """All browsers of one run.

    Args:
        kill: which node dies in the middle; None for none.
    """

    grid: SeleniumGrid
    launcher: Launcher
    client: Client
    headless: bool
    kill: Server | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    killed_at: float | None = None

    async def launch(self, count: int) -> list[tuple[Outcome, Instance]]:
        """Start them, all at once. One that fails is in the outcomes."""
        launched: list[tuple[Outcome, Instance]] = []

        async def one(outcome: Outcome) -> None:
            try:
                instance = await self.launcher.launch(LaunchOptions(headless=self.headless, grid=self.grid.url, use_pool=False))
            except TabwireError as error:
                outcome.failure = f"not launched: {error}"
                return
            outcome.where, outcome.node = instance.where, self.grid.node_of(instance.where)
            launched.append((outcome, instance))

        async with anyio.create_task_group() as tasks:
            for number in range(1, count + 1):
                self.outcomes.append(Outcome(number))
                tasks.start_soon(one, self.outcomes[-1])
        return launched

    async def work(self, outcome: Outcome, instance: Instance) -> None:
        """The whole job in one browser."""
        started = time.monotonic()
        telling = Telling(self.client, instance.id, outcome)
        with DemoApp() as app:
            try:
                for step in STEPS:
                    await step(telling, app)
                    outcome.steps += 1
                    self._step_done(outcome)
                outcome.is_right = all(getattr(app.state, name) == value for name, value in EXPECTED.items())
                outcome.failure = "" if outcome.is_right else "the app's state is not what the job should have made it"
            except DemoFailed as failed:
                outcome.failure = str(failed)
        outcome.seconds = time.monotonic() - started
        if outcome.failure and self.kill is not None:
            with anyio.move_on_after(REPORT_SECONDS):
                outcome.ended = await instance.wait_ended()
                outcome.reported_after = time.monotonic() - (self.killed_at or started)

    def _step_done(self, outcome: Outcome) -> None:
        if self.kill is not None and self.killed_at is None and outcome.node is self.kill and outcome.steps == KILL_AFTER:
            self.killed_at = time.monotonic()
            print(
                f"browser {outcome.number} has done {KILL_AFTER} of {len(STEPS)} steps: SIGKILL to {self.kill.name}", flush=True
            )
            self.kill.kill()


def as_expected(outcome: Outcome, killed: Server | None) -> bool:
    """Whether what became of a browser is what should have."""
    if killed is None or outcome.node is not killed:
        return outcome.is_right
    return not outcome.is_right and bool(outcome.failure) and killed.url in outcome.ended


def report(outcomes: Sequence[Outcome], killed: Server | None, total: float) -> bool:
    """Print what became of each browser; whether all of it is as it should be."""
    print(f"\n{'browser':<8} {'node':<7} {'steps':<6} {'calls':<6} {'seconds':<8} result")
    for outcome in outcomes:
        node = outcome.node.name if outcome.node else "-"
        result = "did the job" if outcome.is_right else "LOST" if outcome.ended else "FAILED"
        mark = "" if as_expected(outcome, killed) else "   <- not as expected"
        steps = f"{outcome.steps}/{len(STEPS)}"
        print(f"{outcome.number:<8} {node:<7} {steps:<6} {outcome.calls:<6} {outcome.seconds:<8.1f} {result}{mark}")
        if outcome.failure:
            print(f"         its call:  {_short(outcome.failure)}")
        if outcome.ended:
            print(f"         reported after {outcome.reported_after:.1f} s: {_short(outcome.ended)}")
    done = sum(outcome.is_right for outcome in outcomes)
    lost = sum(bool(outcome.ended) for outcome in outcomes)
    passed = all(as_expected(outcome, killed) for outcome in outcomes)
    if killed is not None:
        # Without a victim nothing was shown.
        passed = passed and 0 < lost < len(outcomes)
    print(f"\n{done} of {len(outcomes)} browsers did the job, {lost} were lost with their node; {total:.1f} s in all")
    print("PASSED" if passed else "FAILED")
    return passed


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 300 else f"{flat[:299]}…"


async def run(options: argparse.Namespace, grid: SeleniumGrid) -> bool:
    """Launch, work, report."""
    started = time.monotonic()
    async with AsyncExitStack() as stack:
        home = grid.folder / "bridge"
        keys = MemoryKeys()
        transport = await stack.enter_async_context(_transport(keys, home))
        engine = Engine(transport, extension_dir=extension_files.source())
        launcher = await stack.enter_async_context(Launcher(engine, transport, keys, home, end_seconds=10.0))
        client = await stack.enter_async_context(_client(engine, home))
        fleet = Fleet(grid, launcher, client, not options.headed, grid.nodes[-1] if options.kill_node else None)
        launched = await fleet.launch(options.browsers)
        print(f"{len(launched)} of {options.browsers} browsers have joined in {time.monotonic() - started:.1f} s", flush=True)
        for node in grid.nodes:
            print(f"  {node.name} {node.url}: {sum(outcome.node is node for outcome, _ in launched)} browsers")
        async with anyio.create_task_group() as tasks:
            for outcome, instance in launched:
                tasks.start_soon(fleet.work, outcome, instance)
        return report(fleet.outcomes, fleet.kill, time.monotonic() - started)


def _transport(keys: MemoryKeys, home: Path) -> Transport:
    return Transport(
        ports=(0,),
        keys=keys,
        run_dir=home / "run",
        extension_id=extension_files.identity(),
        server_version=extension_files.version(),
    )


def _client(engine: Engine, home: Path) -> Client:
    context = Context(engine, Files(home / "artifacts", []), Snapshots())
    server = build(
        load_toolset("agent"),
        chain(rules(load_toolset("agent"))),
        context,
        extension_files.version(),
        on_client=engine.set_client_info,
    )
    return Client(server)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts/lab/grid", description=__doc__)
    parser.add_argument("--browsers", type=int, default=8, metavar="N")
    parser.add_argument("--nodes", type=int, default=2, metavar="N")
    parser.add_argument("--kill-node", action="store_true", help="kill one node in the middle")
    parser.add_argument("--headed", action="store_true", help="with windows")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code."""
    options = parse(arguments)
    # Both end everything, also where a shell has this run in the background, which ignores Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    slots = -(-options.browsers // options.nodes)
    try:
        with ExitStack() as stack:
            print(f"starting a Selenium Grid: a hub and {options.nodes} nodes for {slots} browsers each", flush=True)
            grid = stack.enter_context(SeleniumGrid(options.nodes, slots))
            print(f"the Grid is at {grid.url}", flush=True)
            return 0 if anyio.run(partial(run, options, grid)) else 1
    except NotReady as error:
        print(f"FAILED: {error}")
        return 1
    except KeyboardInterrupt:
        print("ended; browsers and Grid too", flush=True)
        return 130


if __name__ == "__main__":
    sys.exit(main())
