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
        self._program = agent_browser_program()

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
        command = [str(self._program), "--session", "tabwire-bench", *words]
        done = subprocess.run(
            command, capture_output=True, text=True, env=agent_browser_environment(), timeout=TIMEOUT_S, check=True
        )
        return done.stdout


def agent_browser_environment() -> dict[str, str]:
    return {**os.environ, "AGENT_BROWSER_EXECUTABLE_PATH": chromium(), "AGENT_BROWSER_ARGS": "--no-sandbox"}


def agent_browser_program() -> Path:
    """Path of the program for this machine, fetched where it is missing."""
    machine = "arm64" if platform.machine() in ("aarch64", "arm64") else "x64"
    program = HOME / "node_modules" / "agent-browser" / "bin" / f"agent-browser-{platform.system().lower()}-{machine}"
    fetch_package(PACKAGE, HOME, program)
    program.chmod(0o755)
    return program


def fetch_package(package: str, folder: Path, program: Path) -> None:
    """Installs an npm package into a folder of its own, if the program that it brings is not there."""
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund", package]
        subprocess.run(command, check=True, timeout=300, stdout=subprocess.DEVNULL)
