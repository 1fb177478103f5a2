"""Servers that begin as forks of one process that has imported what they need: ``tabwire serve`` without 0.8 s of imports.

Where no descriptor tells of the end of a process (all systems but Linux), servers are started as users start them.
"""

import atexit
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import programs

PROGRAM = str(Path(__file__).with_name("origin.py"))


def _python_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """What changes how Python itself starts, which a fork cannot do again."""
    return {name: value for name, value in environment.items() if name.startswith("PYTHON")}


class Origin:
    """The process that forks, for the servers of this test process."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.place = f"tabwire-tests-{os.getpid()}"
        self.variables = _python_variables(environment)
        # The end of its stdin tells it that this process has ended.
        self._process = subprocess.Popen(
            [sys.executable, PROGRAM, "origin", self.place],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(environment), start_new_session=True,
        )  # fmt: skip
        assert self._process.stdout and self._process.stdout.readline() == b"ready\n"
        atexit.register(self._process.communicate)


_origins: list[Origin] = []
_beginning = threading.Lock()


def command(environment: Mapping[str, str], pid_file: Path) -> list[str] | None:
    """The start of a command line for a forked server; None where it must be started."""
    if not hasattr(os, "pidfd_open"):
        return None
    with _beginning:
        if not _origins:
            _origins.append(Origin(environment))
    (origin,) = _origins
    if _python_variables(environment) != origin.variables:
        return None
    return [sys.executable, "-I", "-S", PROGRAM, "stand-in", origin.place, str(pid_file)]


def serve(environment: Mapping[str, str], pid_file: Path) -> list[str]:
    """The start of a command line for ``tabwire serve``: a fork where that can be."""
    return command(environment, pid_file) or programs.command("serve")
