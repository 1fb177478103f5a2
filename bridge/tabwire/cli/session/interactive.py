"""`tabwire shell`: commands typed one after another for the same session."""

import shlex
import sys
from collections.abc import Callable

from tabwire.cli.grammar.help import overview
from tabwire.cli.grammar.suggestions import Elements
from tabwire.cli.session import calls, frames
from tabwire.cli.session.batch import command_in
from tabwire.cli.session.connection import tell
from tabwire.cli.session.options import Asked, asked_in, spelled_out

LEAVE = ("exit", "quit")
IN_SHELL = ("help", "sessions", "close", *LEAVE)
"""Commands here that are no tools."""
Ask = Callable[[], str]
"""The next line. It raises EOFError at the end, and KeyboardInterrupt for a line that is given up."""
RunOwn = Callable[[Asked], int]
"""Runs help or a command about sessions; the exit code."""


def run(asked: Asked, cwd: str, run_own: RunOwn) -> int:
    """Run what is typed until the end of the input; the exit code of the last command."""
    if not sys.stdin.isatty():
        tell("shell needs a terminal; tabwire batch - runs the lines of its standard input")
        return frames.USAGE
    elements = Elements()
    ask, advice = _asking(elements)
    sys.stdout.write(f"Commands as `tabwire help` lists them, without `tabwire`; Ctrl-D leaves.{advice}\n")
    return follow(ask, asked, cwd, elements, run_own)


def follow(ask: Ask, asked: Asked, cwd: str, elements: Elements, run_own: RunOwn) -> int:
    """Run line after line; the exit code of the last command.

    Args:
        ask: where the lines come from.
        asked: the command line of the shell itself, with its session.
        cwd: the folder in which it was typed.
        elements: takes the elements that replies name.
        run_own: runs what is for no browser.
    """
    code = frames.DONE
    while True:
        try:
            line = ask().strip()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return code
        if line in LEAVE:
            return code
        if line and not line.startswith("#"):
            code = _run(line, asked, cwd, elements, run_own)


def _run(line: str, asked: Asked, cwd: str, elements: Elements, run_own: RunOwn) -> int:
    try:
        about_sessions = _about_sessions(line)
        if about_sessions is None:
            one = command_in(line, cwd)
    except ValueError as error:
        tell(str(error))
        return frames.USAGE
    try:
        if about_sessions is not None:
            return _own(about_sessions, asked, run_own)
        one.session, one.options = asked.session, asked.options
        return calls.run(one, cwd, elements.read)
    except KeyboardInterrupt:
        return frames.INTERRUPTED


def _about_sessions(line: str) -> Asked | None:
    """The command of a line that asks for help or is about sessions; None for one that is for the browser.

    Raises:
        ValueError: a quote is left open.
    """
    found = asked_in(spelled_out(shlex.split(line)))
    return found if found.wants_help or found.words[:1] in (["sessions"], ["close"]) else None


def _own(found: Asked, asked: Asked, run_own: RunOwn) -> int:
    if found.words == ["--help"]:
        sys.stdout.write(f"{overview()}\n")
        return frames.DONE
    if not found.is_named:
        found.session = asked.session
    return run_own(found)


def _asking(elements: Elements) -> tuple[Ask, str]:
    """The way to ask for a line, and advice about a better one."""
    try:
        from tabwire.cli.session.prompt import asking
    except ImportError:
        return lambda: input(PROMPT), " For history and completion: pip install 'tabwire[shell]'"
    return asking(PROMPT, elements, IN_SHELL), ""


PROMPT = "tabwire> "
