"""Commands of a file, one in a line, until one fails."""

import os
import re
import shlex

from tabwire import RECORDED_PREFIX
from tabwire.cli.grammar.parsing import UsageError, parse
from tabwire.cli.session import calls, frames
from tabwire.cli.session.connection import tell
from tabwire.cli.session.options import COMMANDS, Asked, asked_in


def run(asked: Asked, cwd: str) -> int:
    """Run the lines; the exit code of the last one that ran."""
    name = asked.words[1]
    try:
        lines = _lines(name, cwd)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        tell(f"{name} cannot be run: {error}")
        return frames.USAGE
    for position, (number, one) in enumerate(lines, 1):
        one.session, one.options = asked.session, asked.options
        code = calls.run(one, cwd)
        if code != frames.DONE:
            left = len(lines) - position
            tell(f"line {number} failed: {shlex.join(one.typed)}. {f'Not run: {left} more' if left else 'It was the last one'}")
            return code
    return frames.DONE


def _lines(name: str, cwd: str) -> list[tuple[int, Asked]]:
    """Number and command of each line that is neither empty nor a comment. Nothing runs when one is wrong.

    Raises:
        ValueError: a line has no command for a browser, or a quote that is left open.
    """
    with open(0 if name == "-" else os.path.join(cwd, name), "rb", closefd=name != "-") as file:
        text = file.read().decode("utf-8-sig")
    found = []
    # Not splitlines: it takes characters that text may have, such as U+2028, for the end of a line.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            found.append((number, command_in(line, cwd)))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
    return found


def command_in(line: str, cwd: str) -> Asked:
    """The command of a line, for a browser.

    Raises:
        ValueError: it is none that a batch can run.
    """
    if "\0" in line:
        raise ValueError("a NUL character cannot be part of a command")
    # A `#` within the line is part of an address or a selector.
    asked = asked_in(shlex.split(line))
    if asked.problem:
        raise ValueError(asked.problem)
    if asked.is_named or asked.options:
        raise ValueError("-s, --launch and --headless are options of batch and shell themselves: tabwire -s NAME batch FILE")
    if asked.wants_help:
        raise ValueError("a batch runs commands; tabwire COMMAND --help says what they take")
    if not asked.words[0]:
        raise ValueError("the name of the command is empty")
    if asked.words[0] in COMMANDS:
        raise ValueError(f"{asked.words[0]} is no command for a browser")
    try:
        parse(asked.words, cwd, COMMANDS)
    except UsageError as error:
        raise ValueError(str(error)) from None
    asked.typed, asked.words = asked.words, [_filled_in(word) for word in asked.words]
    return asked


_VARIABLE = re.compile(r"((?:--[a-z-]+=)?)\$\{(TABWIRE_[A-Z0-9_]+)\}")
"""A word, or the value of a flag, that stands for what a file should not hold, such as a password."""


def _filled_in(word: str) -> str:
    """A word with the variable of the environment for which it stands.

    Raises:
        ValueError: there is no such variable, or it is a setting.
    """
    found = _VARIABLE.fullmatch(word)
    if found is None:
        return word
    if not found[2].startswith(RECORDED_PREFIX):
        instead = RECORDED_PREFIX + found[2].removeprefix("TABWIRE_")
        raise ValueError(f"variables of a batch begin with {RECORDED_PREFIX}: write ${{{instead}}} in place of {word}")
    value = os.environ.get(found[2])
    if value is None:
        raise ValueError(f"the environment has no {found[2]}; set it to the value that was not recorded")
    return f"{found[1]}{value}"
