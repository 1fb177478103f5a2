"""Programs of this checkout in processes of their own, and commands that need none."""

import contextlib
import io
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tabwire.__main__ import main

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


def ran_here(*words: str, env: dict[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """A ``tabwire`` command run by this process as one of its own would: with nothing but ``env`` and an empty stdin.

    What a process imports for a command takes ten times as long as the command.
    """
    said, disabled = (io.BytesIO(), io.BytesIO()), logging.root.manager.disable
    out, err = (io.TextIOWrapper(stream, "utf-8", write_through=True) for stream in said)
    with (
        open(os.devnull, encoding="utf-8") as nothing,
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        for name in os.environ.keys() - env.keys():
            patch.delenv(name)
        for name, value in env.items():
            patch.setenv(name, value)
        patch.chdir(cwd)
        patch.setattr(sys, "stdin", nothing)
        patch.setattr(sys, "argv", [str(ROOT / "bridge/tabwire/__main__.py"), *words])
        try:
            code: Any = main()
        except SystemExit as ended:
            code = ended.code
            if isinstance(code, str):
                err.write(f"{code}\n")
                code = 1
        finally:
            # Some commands silence all logs, for as long as their process lives.
            logging.disable(disabled)
    return subprocess.CompletedProcess(words, code or 0, *(stream.getvalue().decode() for stream in said))
