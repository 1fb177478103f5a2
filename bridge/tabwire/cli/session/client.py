"""Commands of people and programs at a shell."""

import os

from tabwire.cli.session import calls, frames, places
from tabwire.cli.session.connection import tell
from tabwire.cli.session.options import ABOUT_SESSIONS, FOLLOW, asked_in


def main(words: list[str]) -> int:
    """Run a command line; the exit code."""
    asked = asked_in(words)
    if not places.is_name(asked.session):
        asked.problem = f"{asked.session!r} is no name of a session: use up to {places.MAX_NAME} letters, digits, - and _"
    if not asked.problem and not asked.words:
        asked.problem = "no command is given; tabwire --help lists them"
    if asked.problem:
        tell(asked.problem)
        return frames.USAGE
    try:
        cwd = os.getcwd()
    except FileNotFoundError:
        tell("the current folder is gone; change to another one")
        return frames.FAILED
    try:
        if asked.wants_help or asked.words[0] in ABOUT_SESSIONS:
            from tabwire.cli.session import own_commands

            return own_commands.run(asked)
        if FOLLOW in asked.words and not asked.wants_help:
            from tabwire.cli.session import follow

            return follow.run(asked, cwd)
        return calls.run(asked, cwd)
    except KeyboardInterrupt:
        return frames.INTERRUPTED
