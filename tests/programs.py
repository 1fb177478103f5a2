"""Programs of this checkout in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def environment(home: Path | None = None, **more: str) -> dict[str, str]:
    """The environment of a process that imports Tabwire from this checkout.

    Args:
        home: ``TABWIRE_HOME``.
        more: Further variables.
    """
    own = {"TABWIRE_HOME": str(home)} if home else {}
    return {**os.environ, "PYTHONPATH": str(ROOT / "bridge"), **own, **more}


def command(*words: str) -> list[str]:
    """A command line of ``tabwire``."""
    return [sys.executable, "-m", "tabwire", *words]


def ran(*words: str, home: Path | None = None, timeout: float = 60, **options: Any) -> subprocess.CompletedProcess[str]:
    """A ``tabwire`` command that has ended."""
    options = {"env": environment(home), "stdin": subprocess.DEVNULL, "check": False, **options}
    return subprocess.run(command(*words), capture_output=True, text=True, timeout=timeout, **options)
