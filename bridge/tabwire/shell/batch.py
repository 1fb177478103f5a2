"""Commands of a file, one in a line, until one fails."""

from __future__ import annotations

import os
import shlex
import sys

from tabwire.shell import calls, frames
from tabwire.shell.connection import tell
from tabwire.shell.options import COMMANDS, Asked, asked_in


def run(asked: Asked, cwd: str) -> int:
    """Run the lines; the exit code of the last one that ran."""
    name = asked.words[1]
    try:
        lines = _lines(name, cwd)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        tell(f"{name} cannot be run: {error}")
        return frames.USAGE
    for position, (number, words) in enumerate(lines, 1):
        one = asked_in(words)
        one.session, one.options = asked.session, asked.options
        code = calls.run(one, cwd)
        if code != frames.DONE:
            left = len(lines) - position
            tell(f"line {number} failed: {shlex.join(words)}. {f'Not run: {left} more' if left else 'It was the last one'}")
            return code
    return frames.DONE


def _lines(name: str, cwd: str) -> list[tuple[int, list[str]]]:
    """Number and words of each line that is no comment. Nothing runs when one is wrong.

    Raises:
        ValueError: a line has no command for a browser, or a quote that is left open.
    """
    if name == "-":
        text = sys.stdin.read()
    else:
        with open(os.path.join(cwd, name), encoding="utf-8") as file:
            text = file.read()
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if words and words[0] in COMMANDS:
            raise ValueError(f"line {number}: {words[0]} is no command for a browser")
        if words:
            found.append((number, words))
    return found
