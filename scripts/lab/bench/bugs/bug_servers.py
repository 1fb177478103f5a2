"""The servers of the comparison, each with a browser of its own and with the tools for debugging."""

import platform
import re
import subprocess
from dataclasses import replace
from pathlib import Path

from agent_browser import fetch_package
from pages.real_pages import FOLDER
from servers.starts import Start, chrome_devtools, launched

from bugs import devtools_sessions, tabwire_sessions

NODE_VERSION = "22.23.3"
NEEDED_MAJOR = 22
"""Tools of chrome-devtools-mcp for styles and heap snapshots call functions that older versions of Node lack."""


def tabwire(work: Path) -> Start:
    return _with(launched(work), tabwire_sessions.OPTIONS)


def devtools(work: Path) -> Start:
    """chrome-devtools-mcp with its tools for memory, under a version of Node that all its tools run in."""
    start = _with(chrome_devtools(work), devtools_sessions.OPTIONS)
    before = start.command
    return replace(start, command=lambda: [_node(), *before()[1:]])


def _with(start: Start, options: list[str]) -> Start:
    command = start.command
    start.command = lambda: [*command(), *options]
    return start


def _node() -> str:
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    major = re.match(r"v(\d+)", said)
    if major and int(major[1]) >= NEEDED_MAJOR:
        return "node"
    machine = "arm64" if platform.machine() in ("aarch64", "arm64") else "x64"
    home = FOLDER / "node22"
    program = home / f"node_modules/node-linux-{machine}/bin/node"
    fetch_package(f"node-linux-{machine}@{NODE_VERSION}", home, program)
    return str(program)
