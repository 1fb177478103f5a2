"""End of a command: an error becomes one line on stderr and exit code 2, never a traceback."""

import argparse
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence

from tabwire.errors import TabwireError, only_told

Command = Callable[[argparse.Namespace], int]


def failing(command: Command) -> Command:
    """The command, with its errors told."""

    def run(options: argparse.Namespace) -> int:
        try:
            return command(options)
        except (TabwireError, OSError) as error:
            shown = only_told(error)
            if shown is None:
                raise
            sys.stdout.flush()
            sys.stderr.write(f"tabwire: {shown}\n")
            return 2

    return run


def shell_line(words: Sequence[str]) -> str:
    """Words as a line to paste into a shell; values of variables, which may be secrets, are left out."""
    shown = [f"{word.split('=')[0]}=…" if before == "--env" else word for before, word in zip(["", *words], words, strict=False)]
    return subprocess.list2cmdline(shown) if sys.platform == "win32" else shlex.join(shown)
