"""The sub-commands of a parser, each with an example in its help."""

import argparse
from typing import Any


class Commands:
    """A place to declare sub-commands.

    Args:
        actions: The result of `add_subparsers`.
    """

    def __init__(self, actions: Any) -> None:
        self._actions = actions

    def add(self, name: str, what: str, example: str, **options: Any) -> argparse.ArgumentParser:
        """Declares a sub-command.

        Args:
            what: Its purpose, for the list and for its own help.
            example: A line as it is typed.
            options: Of `ArgumentParser`.
        """
        described = f"{what[:1].upper()}{what[1:]}."
        parser: argparse.ArgumentParser = self._actions.add_parser(
            name, help=what, description=described, epilog=f"Example: {example}", **options
        )
        return parser
