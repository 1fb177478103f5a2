"""Command lines beside each other: `scripts/lab/bench/run shells` times each command as a process, from start to end."""

import argparse
import contextlib
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from agent_browser import PACKAGE as AGENT_BROWSER_PACKAGE
from agent_browser import agent_browser_environment, agent_browser_program, fetch_package
from pages.real_pages import FOLDER
from playwright_peers import chromium

from e2e.ports import own_window
from e2e.site import Site
from servers.table import Cell

PLAYWRIGHT_PACKAGE = "@playwright/cli@0.1.22"
TABWIRE = str(Path(sys.executable).with_name("tabwire"))
SESSION = f"bench-{os.getpid()}"
TIMEOUT_S = 90
PNG = b"\x89PNG"
PAGE = """<h1>Shop</h1><label>E-mail <input id=mail></label><button onclick="count++">Press</button>
<script>count = 0; seen = []; mail.addEventListener("input", () => seen.push(mail.value))</script>"""
SEEN = "JSON.stringify([document.title, count, seen.at(-1) ?? null])"
"""Expression for all that the page has seen."""
ACTS = {
    "start": "the first command: it starts session and browser and opens a page",
    "navigate": "navigate",
    "snapshot": "snapshot",
    "click": "click",
    "fill": "fill",
    "evaluate": "evaluate",
    "title": "title",
    "screenshot": "screenshot",
}


@dataclass
class Tool:
    """A command line.

    Attributes:
        program: The words before each command.
        ref: Pattern of a line of its snapshot with {role} and {name}; its first group is the ref.
        prefix: Stands before a ref in a command.
        title: None stands where it has no command for the title.
    """

    name: str
    program: list[str]
    start: Callable[[str], list[str]]
    navigate: Callable[[str], list[str]]
    evaluate: Callable[[str], list[str]]
    screenshot: Callable[[Path], list[str]]
    ref: str
    close: list[str]
    title: list[str] | None = None
    prefix: str = ""
    environment: dict[str, str] = field(default_factory=dict)


class Shell:
    """A folder in which the commands of one tool are typed."""

    def __init__(self, tool: Tool, work: Path) -> None:
        self.tool = tool
        self.work = work
        self.is_open = False

    def run(self, words: list[str]) -> tuple[str, float]:
        """Output of a command, and the milliseconds from its start to its end."""
        began = time.perf_counter()
        done = subprocess.run(
            [*self.tool.program, *words],
            cwd=self.work, env={**os.environ, **self.tool.environment}, capture_output=True, text=True, timeout=TIMEOUT_S,
        )  # fmt: skip
        elapsed_ms = (time.perf_counter() - began) * 1000
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}: {done.stdout}{done.stderr}"[:300])
        return done.stdout, elapsed_ms

    def seen(self) -> list[object]:
        """Title, number of clicks and last text, as the page has them."""
        text, _ = self.run(self.tool.evaluate(SEEN))
        found = re.search(r'\[\\*".*\]', text)
        if found is None:
            raise RuntimeError(f"the page's state is not in the reply: {text[:200]}")
        state: list[object] = json.loads(found.group().replace("\\", ""))
        return state

    def close(self) -> None:
        """Ends the session, if one was started."""
        if self.is_open:
            self.is_open = False
            self.run(self.tool.close)


def tools(work: Path) -> list[Tool]:
    """The tools, fetched where they are missing."""
    home = FOLDER / "playwright-cli"
    playwright = home / "node_modules" / "@playwright" / "cli" / "playwright-cli.js"
    fetch_package(PLAYWRIGHT_PACKAGE, home, playwright)
    launched = {"executablePath": chromium(), "chromiumSandbox": False, "headless": True}
    config = work / "playwright-cli.json"
    config.write_text(json.dumps({"browser": {"browserName": "chromium", "isolated": True, "launchOptions": launched}}))
    return [
        Tool(
            "Tabwire", [TABWIRE],
            start=lambda url: ["--headless", "open", url],
            navigate=lambda url: ["open", url],
            evaluate=lambda expression: ["evaluate", expression],
            screenshot=lambda file: ["screenshot", "-o", str(file)],
            ref=r'{role} "{name}".*?(@e\d+)', close=["close"], title=["title"],
            environment={"TABWIRE_HOME": str(work / "home")},
        ),
        Tool(
            "agent-browser", [str(agent_browser_program()), "--session", SESSION],
            start=lambda url: ["open", url],
            navigate=lambda url: ["open", url],
            evaluate=lambda expression: ["eval", expression],
            screenshot=lambda file: ["screenshot", str(file)],
            ref=r'{role} "{name}".*?ref=(e\d+)', prefix="@", close=["close"], title=["get", "title"],
            environment=agent_browser_environment(),
        ),
        Tool(
            "Playwright CLI", ["node", str(playwright), f"-s={SESSION}"],
            start=lambda url: ["open", url, "--config", str(config)],
            navigate=lambda url: ["goto", url],
            evaluate=lambda expression: ["eval", f"() => {expression}"],
            screenshot=lambda file: ["screenshot", "--filename", str(file)],
            ref=r'{role} "{name}".*?\[ref=(\w+)\]', close=["close"],
        ),
    ]  # fmt: skip


class Run:
    """Rounds in which the tools take turns on the same page; each begins another round."""

    def __init__(self, tools: list[Tool], work: Path) -> None:
        self.shells = [Shell(tool, work) for tool in tools]
        self.cells = {act: {tool.name: Cell() for tool in tools} for act in ACTS}
        self._turn = 0
        self._site = Site()
        self._work = work

    def measure(self, starts: int, rounds: int) -> None:
        """Starts each session several times; the last ones stay for the rounds."""
        with contextlib.ExitStack() as left:
            left.callback(self._site.close)
            for shell in self.shells:
                left.callback(shell.close)
            for _ in range(starts):
                self._each(self._started)
            for _ in range(rounds):
                self._each(self._done)

    def _each(self, work: Callable[[Shell, int, str], None]) -> None:
        """Does work with each tool, on one page."""
        number = time.monotonic_ns()
        url = self._site.page(PAGE, title=f"Round {number}")
        first = self._turn % len(self.shells)
        self._turn += 1
        for shell in self.shells[first:] + self.shells[:first]:
            work(shell, number, url)

    def _started(self, shell: Shell, number: int, url: str) -> None:
        shell.close()
        shell.is_open = True
        self._timed("start", shell, shell.tool.start(url))
        _expect(shell.seen() == [f"Round {number}", 0, None], "the page was not opened")

    def _done(self, shell: Shell, number: int, url: str) -> None:
        """Does each act once; what came of it is read in the page or in the reply."""
        tool, title, text = shell.tool, f"Round {number}", f"text {number}"
        self._timed("navigate", shell, tool.navigate(url))
        _expect(shell.seen() == [title, 0, None], "the page was not opened anew")
        tree = self._timed("snapshot", shell, ["snapshot"])
        button, entry = ref_in(tool, tree, "button", "Press"), ref_in(tool, tree, "textbox", "E-mail")
        self._timed("click", shell, ["click", button])
        _expect(shell.seen()[1] == 1, "the page saw no click, or several")
        self._timed("fill", shell, ["fill", entry, text])
        _expect(shell.seen()[2] == text, "the page did not see the text")
        value = self._timed("evaluate", shell, tool.evaluate(f"{number} + count"))
        _expect(str(number + 1) in value, f"the reply lacks the value: {value[:100]}")
        if tool.title is not None:
            told = self._timed("title", shell, tool.title)
            _expect(title in told, f"the reply lacks the title: {told[:100]}")
        picture = self._work / f"{number}-{tool.name.split()[0]}.png"
        self._timed("screenshot", shell, tool.screenshot(picture))
        _expect(picture.read_bytes().startswith(PNG), "the file is no picture")
        picture.unlink()

    def _timed(self, act: str, shell: Shell, words: list[str]) -> str:
        text, elapsed_ms = shell.run(words)
        self.cells[act][shell.tool.name].samples.append(elapsed_ms)
        return text

    def table(self) -> str:
        """Markdown: each cell is median / minimum."""
        head = ["command, ms", *(shell.tool.name for shell in self.shells)]
        lines = [head, ["---"] * len(head), *([ACTS[act], *map(str, cells.values())] for act, cells in self.cells.items())]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def ref_in(tool: Tool, tree: str, role: str, name: str) -> str:
    """The ref of an element in a snapshot, as commands take it."""
    found = re.search(tool.ref.format(role=role, name=name), tree)
    if found is None:
        raise RuntimeError(f"{tool.name}: no {role} {name} in the snapshot: {tree[:300]}")
    return tool.prefix + found.group(1)


def _expect(condition: bool, says: str) -> None:
    if not condition:
        raise RuntimeError(says)


def main(arguments: list[str]) -> int:
    """Measures, prints, and keeps the table in build/bench; an act that does not happen ends the run with an error."""
    parser = argparse.ArgumentParser(prog="scripts/lab/bench/run shells", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50, help="each with every command once (default: %(default)s)")
    parser.add_argument(
        "--starts", type=int, choices=range(1, 51), default=5, metavar="N", help="of each session (default: %(default)s)"
    )
    chosen = parser.parse_args(arguments)
    # The sessions end with the run, also where it is ended from outside.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    os.environ["TABWIRE_FIRST_PORT"] = str(own_window())
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        run = Run(tools(Path(folder)), Path(folder))
        run.measure(chosen.starts, chosen.rounds)
    heading = (
        f"Median / minimum of {chosen.rounds} rounds ({chosen.starts} starts). {time.strftime('%Y-%m-%d')}, "
        f"{AGENT_BROWSER_PACKAGE}, {PLAYWRIGHT_PACKAGE}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, load {before:.1f} before the run and {os.getloadavg()[0]:.1f} after it.\n\n"
    )
    text = heading + run.table()
    print(text)
    (FOLDER / "shells.md").write_text(text)
    return 0
