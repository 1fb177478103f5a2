"""Claude Code keeps its servers in a large file that it rewrites while it runs. So its own program is asked to change it."""

import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from tabwire.errors import UnsupportedOperation, system_failure_told
from tabwire.install.clients.table import SERVER_NAME

PATIENCE_S = 60.0
_SCOPE = ("--scope", "user")


def addition(program: str, entry: Mapping[str, Any]) -> list[str]:
    """The command that adds an entry."""
    env = entry.get("env")
    variables = [word for name, value in (env or {}).items() for word in ("--env", f"{name}={value}")]
    return [program, "mcp", "add", SERVER_NAME, *_SCOPE, *variables, "--", entry["command"], *entry["args"]]


def removal(program: str) -> list[str]:
    """The command that takes our entry out."""
    return [program, "mcp", "remove", SERVER_NAME, *_SCOPE]


def run(words: Sequence[str]) -> None:
    """Run such a command.

    Raises:
        UnsupportedOperation: It could not be run or did not succeed.
    """
    try:
        with system_failure_told(f"{words[0]} cannot be run", "Run it by hand, or install it again."):
            # It writes UTF-8 on every system.
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=PATIENCE_S,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise UnsupportedOperation(
            f"{words[0]} did not end within {PATIENCE_S:.0f} s.", next_step="Run it by hand to see where it waits."
        ) from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        raise UnsupportedOperation(f"`{words[0]} {' '.join(words[1:3])}` failed and said: {said}", next_step="Run it by hand.")
