"""Processes on this computer, and what those of launched browsers leave behind."""

import os
from functools import partial
from pathlib import Path

from polling import until

until_ended = partial(until, within=30)
"""Like ``until``; the limits of the process that ends a browser add up to less."""


def processes_of(folder: Path) -> list[int]:
    """Processes whose command line names the folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except (OSError, IndexError):
            continue
        if str(folder).encode() in command and state != "Z" and int(entry.name) != os.getpid():
            found.append(int(entry.name))
    return found


def left(temp: Path) -> list[Path]:
    """Temporary folders that are there."""
    return list(temp.glob("tabwire-*"))


def until_gone(temp: Path) -> None:
    """Waits until all browser processes have ended and their temporary folders were deleted."""
    until_ended(lambda: (processes_of(temp), left(temp)), equals=([], []))
