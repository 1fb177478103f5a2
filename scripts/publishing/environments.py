"""Empty environments: a new virtual environment and an empty home, where nothing of this checkout is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from failures import CheckFailed

INSTALL_S = 600
COMMAND_S = 60
KEPT = ("PIP_", "UV_", "SSL_", "REQUESTS_CA", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "LANG", "LC_", "TMPDIR")
"""Beginnings of the variables that say how to reach a package index; all others stay outside."""
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "release", "version": "0"}},
}


@dataclass(frozen=True)
class Environment:
    """A virtual environment without pip, beside an empty home."""

    folder: Path

    @classmethod
    def new(cls, folder: Path) -> Environment:
        """Make one."""
        (folder / "home").mkdir(parents=True)
        venv.create(folder / "venv", with_pip=False, symlinks=True)
        return cls(folder)

    @property
    def home(self) -> Path:
        """The home of whoever works there."""
        return self.folder / "home"

    @property
    def python(self) -> Path:
        """Python of the virtual environment."""
        return self.folder / "venv/bin/python"

    def install(self, what: str) -> None:
        """Install a distribution with the newest packages that fit it, as a user would.

        Raises:
            CheckFailed: pip refuses.
        """
        # The environment itself has no pip, so that it holds only what was installed.
        self.run(sys.executable, "-m", "pip", "--python", str(self.python), "install", "--quiet", what, seconds=INSTALL_S)

    def tabwire(self, *words: str, stdin: str = "") -> str:
        """Run the installed command.

        Raises:
            CheckFailed: it fails.
        """
        return self.run(str(self.python.with_name("tabwire")), *words, stdin=stdin)

    def initialize(self) -> dict[str, Any]:
        """The server's reply to a client's first message.

        Raises:
            CheckFailed: it does not start, or answers something else.
        """
        answer = self.tabwire("serve", stdin=json.dumps(INITIALIZE) + "\n")
        try:
            info: dict[str, Any] = json.loads(answer)["result"]["serverInfo"]
            return info
        except (ValueError, KeyError):
            raise CheckFailed(f"`tabwire serve` answered {answer[:500]!r} to initialize", "run it by hand") from None

    def run(self, *words: str, stdin: str = "", seconds: float = COMMAND_S) -> str:
        """Run a command there, and give what it prints.

        Raises:
            CheckFailed: it fails, or takes too long.
        """
        kept = {name: value for name, value in os.environ.items() if name.upper().startswith(KEPT)}
        variables = {**kept, "HOME": str(self.home), "PATH": f"{self.python.parent}{os.pathsep}{os.defpath}"}
        try:
            run = subprocess.run(
                words, cwd=self.home, env=variables, input=stdin, capture_output=True, text=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            raise CheckFailed(
                f"`{' '.join(words)}` takes more than {seconds:.0f} s", "run it by hand and see where it waits"
            ) from None
        if run.returncode:
            raise CheckFailed(
                f"`{' '.join(words)}` ended with code {run.returncode}:\n{run.stdout[-2000:]}{run.stderr[-2000:]}",
                "run the command above by hand in a new virtual environment",
            )
        return run.stdout
