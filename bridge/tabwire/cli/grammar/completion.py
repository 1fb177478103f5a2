"""Completion of commands, options, choices and files for shells: scripts that shtab writes and that need nothing at run time."""

from argparse import Action, ArgumentParser
from collections.abc import Sequence
from typing import Any

import shtab

from tabwire.cli.grammar.fields import commands
from tabwire.cli.grammar.help import ABOUT_SESSIONS, SESSION_OPTIONS
from tabwire.commands.line_spelling import READ_FILES, SAVED_TO, Field, fields_of, positions_of
from tabwire.surfaces.tool import Tool

SHELLS = ("bash", "zsh", "fish")
FILE_COMMANDS = ("batch", "replay")
"""Commands that are no tools and take the name of a file."""
_ZSH_START = "(( $+functions[compdef] )) || { autoload -U compinit && compinit }"
"""Line for an `eval` in a file that is read before the completion of zsh is switched on."""


def script(shell: str, more_commands: Sequence[str]) -> str:
    """The script for a shell.

    Args:
        shell: one of `SHELLS`.
        more_commands: commands that are no tools.
    """
    if shell != "zsh":
        return shtab.complete(_parser(more_commands), shell) + "\n"
    text = shtab.complete(_parser(more_commands), shell, preamble=_ZSH_START)
    # The script is evaluated or sourced, too; shtab knows the first alone.
    return text.replace("$zsh_eval_context[-1] == eval", "$zsh_eval_context[-1] == (eval|file)") + "\n"


def _parser(more_commands: Sequence[str]) -> ArgumentParser:
    top = ArgumentParser(prog="tabwire", add_help=False)
    _add_session_options(top)
    subparsers = top.add_subparsers()
    purposes = {spelled.split()[0]: purpose for spelled, purpose in ABOUT_SESSIONS}
    for name in more_commands:
        # shtab leaves out what has no help.
        parser = subparsers.add_parser(name, help=_help(purposes.get(name, f"tabwire {name}")), add_help=False)
        if name in FILE_COMMANDS:
            _complete_files(parser.add_argument("file"))
        if name == "codegen":
            _complete_files(parser.add_argument("-o", "--output", help="where to put the test"))
    for name, tool in commands().items():
        if name not in more_commands:
            _add_options(subparsers.add_parser(name, help=_help(tool.title), add_help=False), tool)
    return top


def _add_options(parser: ArgumentParser, tool: Tool) -> None:
    for name in positions_of(tool):
        # zsh offers no options behind a word that it does not expect.
        if name != "~":
            word = parser.add_argument(name, nargs="*" if name in READ_FILES else "?")
            if name in READ_FILES:
                _complete_files(word)
    for field in fields_of(tool):
        option = parser.add_argument(field.usual_flag, help=_help(field.schema.get("description", "")), **_kind(field))
        if field.name in READ_FILES:
            _complete_files(option)
    if tool.name in SAVED_TO:
        _complete_files(parser.add_argument("-o", "--output", help="where to put a copy of the file"))
    _add_session_options(parser)


def _complete_files(argument: Action) -> None:
    argument.complete = shtab.FILE  # type: ignore[attr-defined]  # shtab reads it


def _kind(field: Field) -> dict[str, Any]:
    if field.is_switch:
        return {"action": "store_true"}
    return {"choices": field.choices} if field.choices else {}


def _add_session_options(parser: ArgumentParser) -> None:
    for spelled, purpose in SESSION_OPTIONS:
        flags = spelled.removesuffix(" NAME").split(", ")
        parser.add_argument(*flags, help=_help(purpose), action="store" if spelled.endswith(" NAME") else "store_true")


def _help(text: str) -> str:
    return text.replace("%", "%%")
