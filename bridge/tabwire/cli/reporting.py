"""End of a command: an error becomes one line on stderr and exit code 2, never a traceback."""

import argparse
import io
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout

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


@contextmanager
def printed_at_the_end() -> Iterator[None]:
    """Hold back what is printed until work of several steps is done, or has failed.

    A pipe may be closed, and a name may have letters that its encoding has not.
    """
    words = io.StringIO()
    try:
        with redirect_stdout(words):
            yield
    finally:
        sys.stdout.write(words.getvalue())


def shell_line(words: Sequence[str]) -> str:
    """Words as a line to paste into a shell; values of variables, which may be secrets, are left out."""
    shown = [f"{word.split('=')[0]}=…" if before == "--env" else word for before, word in zip(["", *words], words, strict=False)]
    return subprocess.list2cmdline(shown) if sys.platform == "win32" else shlex.join(shown)
