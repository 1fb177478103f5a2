"""Starts of each server, with its browser or beside one that runs."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from agent_browser import agent_browser_environment, agent_browser_program, fetch_package
from pages.real_pages import FOLDER
from playwright_peers import chromium, playwright_command

from e2e.cdp import Browser
from e2e.plain import PlainChromium
from polling import until
from programs import environment
from servers.measured_pages import MeasuredPage
from servers.processes import MARK
from servers.server import Server, Unverified
from servers.stdio_client import StdioClient
from servers.tools import AGENT_BROWSER, CHROME_DEVTOOLS, FLOOR, PLAYWRIGHT, TABWIRE, Tools

JOIN_LIMIT_S = 30
SESSION = "AGENT_BROWSER_SESSION"
"""Names the daemon of agent-browser, which outlives its server: each server has a session of its own, closed with it."""
CHROME_DEVTOOLS_PACKAGE = "chrome-devtools-mcp@1.11.0"
CHROME_DEVTOOLS_HOME = FOLDER / "chrome-devtools-mcp"
CHROME_DEVTOOLS_PROGRAM = CHROME_DEVTOOLS_HOME / "node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"
SERVE = [sys.executable, "-m", "tabwire", "serve"]


@dataclass
class Started:
    """A running server and the milliseconds of its start, from the creation of its process."""

    server: Server
    initialized_ms: float
    listed_ms: float
    snapshot_ms: float


@dataclass
class Start:
    """A way to start one server, again and again.

    Attributes:
        browser: Gives the look into the browser, once there is one.
        at_end: A call that ends what outlives the server.
    """

    name: str
    work: Path
    command: Callable[[], list[str]]
    tools: Tools
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    browser: Callable[[], Browser] | None = None
    others: Callable[[], list[int]] = list
    ended: Callable[[], None] = lambda: None
    count: int = 0

    def start(self, page: MeasuredPage) -> Started:
        """Starts the server and leads it to its first snapshot of a page.

        Raises:
            Unverified: There is none, or not of this page.
        """
        self.count += 1
        folder = self.folder
        folder.mkdir(parents=True)
        mark = f"{self.name}-{os.getpid()}-{self.count}"
        own = {MARK: mark, SESSION: mark}
        client = StdioClient(self.command(), {**self.environment, **own}, folder, folder / "server.log")
        try:
            client.initialize()
            initialized_ms = client.since_spawn_ms()
            # Every client asks for the tools next.
            client.tools()
            listed_ms = client.since_spawn_ms()
            server = Server(mark, client, self.tools, others=self.others)
            until(lambda: server.call(self.tools.navigate(page.url)), within=JOIN_LIMIT_S, every=0.005, ignoring=Unverified)
            server.snapshot(page)
            snapshot_ms = client.since_spawn_ms()
            server = Server(mark, client, self.tools, self.browser and self.browser(), self.others)
            return Started(server, initialized_ms, listed_ms, snapshot_ms)
        except BaseException:
            client.close()
            raise

    @property
    def folder(self) -> Path:
        """The folder of the server that was started last."""
        return self.work / self.name / str(self.count)

    def ready(self) -> None:
        """Fetches what the command needs, so that no start pays for it."""
        self.command()


def launched(work: Path) -> Start:
    """Tabwire with a browser that it starts."""
    options = ["--launch", "--headless", "--browser-arg=--remote-debugging-port=0", "--profile"]
    start = Start(
        "launched",
        work,
        lambda: [*SERVE, *options, str(start.folder / "profile")],
        TABWIRE,
        environment(work / "launched" / "home"),
        lambda: Browser.of_profile(start.folder / "profile"),
    )
    return start


def own(work: Path) -> Start:
    """Tabwire in a browser that runs already and is paired, as the user's own does."""
    chromium = PlainChromium(work / "own", "about:blank")
    return Start(
        "own",
        work,
        lambda: SERVE,
        TABWIRE,
        environment(chromium.home),
        lambda: Browser.of_profile(chromium.profile),
        chromium.processes,
        chromium.close,
    )


def floor(work: Path) -> Start:
    program = Path(__file__).with_name("floor_server.py")
    start = Start("floor", work, lambda: [sys.executable, str(program), chromium(), str(start.folder / "profile")], FLOOR)
    return start


def playwright(work: Path) -> Start:
    return Start("playwright", work, playwright_command, PLAYWRIGHT)


def chrome_devtools(work: Path) -> Start:
    options = ["--headless", "--isolated", "--executablePath", chromium(), "--chromeArg=--no-sandbox"]
    private = ["--no-usage-statistics", "--no-performance-crux"]

    def command() -> list[str]:
        fetch_package(CHROME_DEVTOOLS_PACKAGE, CHROME_DEVTOOLS_HOME, CHROME_DEVTOOLS_PROGRAM)
        return ["node", str(CHROME_DEVTOOLS_PROGRAM), *options, *private]

    quiet = {**os.environ, "CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1"}
    return Start("chrome-devtools", work, command, CHROME_DEVTOOLS, quiet)


def agent_browser(work: Path) -> Start:
    return Start("agent-browser", work, lambda: [str(agent_browser_program()), "mcp"], AGENT_BROWSER, agent_browser_environment())


STARTS: dict[str, Callable[[Path], Start]] = {
    "launched": launched,
    "own": own,
    "floor": floor,
    "playwright": playwright,
    "chrome-devtools": chrome_devtools,
    "agent-browser": agent_browser,
}
PEERS = ("playwright", "chrome-devtools", "agent-browser")
