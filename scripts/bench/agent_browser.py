"""agent-browser as a peer: its command line, with a browser of its own."""

import os
import platform
import subprocess
from pathlib import Path

from pages.page_state import AT_REST
from pages.real_pages import FOLDER
from playwright_peers import chromium

PACKAGE = "agent-browser@0.41.2"
HOME = FOLDER / "agent-browser"
TIMEOUT_S = 60


class AgentBrowser:
    """Session of it; ``close`` ends the browser."""

    def __init__(self) -> None:
        machine = "arm64" if platform.machine() in ("aarch64", "arm64") else "x64"
        self._program = HOME / "node_modules" / "agent-browser" / "bin" / f"agent-browser-{platform.system().lower()}-{machine}"
        _fetch(self._program)

    def open(self, url: str) -> None:
        """Navigates and waits until the page is at rest."""
        self._run("open", url)
        self._run("eval", AT_REST)

    def snapshot(self, *options: str) -> str:
        """The text of `snapshot`."""
        return self._run("snapshot", *options)

    def close(self) -> None:
        self._run("close")

    def _run(self, *words: str) -> str:
        environment = {**os.environ, "AGENT_BROWSER_EXECUTABLE_PATH": chromium(), "AGENT_BROWSER_ARGS": "--no-sandbox"}
        command = [str(self._program), "--session", "tabwire-bench", *words]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=TIMEOUT_S, check=True)
        return done.stdout


def _fetch(program: Path) -> None:
    if not program.exists():
        HOME.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--prefix", str(HOME), "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE]
        subprocess.run(command, check=True, timeout=300, stdout=subprocess.DEVNULL)
    program.chmod(0o755)
