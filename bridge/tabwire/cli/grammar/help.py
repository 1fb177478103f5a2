"""Help for commands, from the declarations of their tools."""

import textwrap

from tabwire.cli.grammar.fields import tools
from tabwire.cli.grammar.parsing import synopsis
from tabwire.commands.line_spelling import FOLLOWED, SAVED_TO, SHORT_NAMES, Field, command_of, fields_of, positions_of
from tabwire.commands.wait import CONDITION_FIELDS
from tabwire.surfaces.tool import Tool, load_toolset

_WIDTH = 100
_INDENT = 26
SESSION_OPTIONS = (
    ("-s, --session NAME", "the session to use (default: default)"),
    ("--launch", "for the first command: a browser of the session's own, not yours"),
    ("--headless", "the same without a window"),
    ("--json", "print the reply as JSON"),
)
"""Options of every command, with what they are for."""


_ABOUT_FOLLOWING = "print what is new, a line each (with --json: JSON), until Ctrl-C; with the options that choose"


def help_of(tool: Tool, command: str) -> str:
    """The long form of a command."""
    fields = {each.name: each for each in fields_of(tool)}
    positions = positions_of(tool)
    lines = [f"Usage: {synopsis(tool, command)}", "", *textwrap.wrap(tool.description, _WIDTH)]
    names = [short for short, meant in SHORT_NAMES.items() if meant == tool.name]
    others = [name for name in (command_of(tool.name), *names) if name != command]
    if others:
        lines += ["", f"Also: {', '.join(others)}"]
    if positions:
        lines += ["", "Words:", *(line for name in positions for line in _position(fields, name))]
    options = [line for each in fields.values() for line in _entry(_flag_shown(each), _about(each))]
    if command in FOLLOWED:
        options = [*_entry("--follow", _ABOUT_FOLLOWING), *options]
    if tool.name in SAVED_TO:
        options = [*_entry("-o, --output FILE", "where to put a copy of the file that is saved"), *options]
    lines += ["", "Options:", *options, "", "Of every command:"]
    lines += [line for flag, what in SESSION_OPTIONS for line in _entry(flag, what)]
    return "\n".join(lines)


ABOUT_SESSIONS = (
    ("batch FILE|-", "run the commands of a file, or of standard input, one in a line without `tabwire`, until one fails"),
    (
        "codegen [URL] [-o FILE] [--language pytest|selenium|batch|steps] [--overwrite]",
        "record what you do in the browser as a test, until you press Enter or Ctrl-C or close the tab; "
        "a FILE that ends in .steps.json is for `tabwire replay`",
    ),
    (
        "replay FILE [--repair] [--timeout MS]",
        "run the steps of a .steps.json file; where an element is no longer found, propose the nearest, and with --repair go on "
        "with the one that is clearly meant and write it into the file",
    ),
    ("shell", "type one command after another, with history and completion of commands, references and names"),
    ("sessions", "list the sessions that run"),
    ("close [-s NAME] [--all]", "end a session, and the browser that it has launched"),
    ("completion SHELL", "print the completion of commands for bash, zsh or fish"),
)
"""Commands about sessions, with what they do."""


def help_of_session_command(command: str) -> str:
    """The long form of one of them, or "" where it is none."""
    for spelled, what in ABOUT_SESSIONS:
        if spelled.split()[0] == command:
            return f"Usage: tabwire {spelled}\n\n{what[0].upper()}{what[1:]}."
    return ""


def overview() -> str:
    """All tools by group, for the list of commands."""
    lines = ["in the browser, through a session that the first command starts:"]
    by_group: dict[str, list[Tool]] = {}
    own = {command.split()[0] for command, _ in ABOUT_SESSIONS}
    for tool in (tool for tool in tools().values() if command_of(tool.name) not in own):
        by_group.setdefault(tool.group, []).append(tool)
    lines += ["", *(line for command, what in ABOUT_SESSIONS for line in _entry(command, what))]
    for group, purpose in load_toolset("agent").purposes.items():
        lines += ["", f"  {purpose}"]
        lines += [line for tool in by_group.get(group, ()) for line in _entry(_names(tool), tool.title)]
    return "\n".join(lines)


def _names(tool: Tool) -> str:
    return ", ".join([command_of(tool.name), *(short for short, meant in SHORT_NAMES.items() if meant == tool.name)])


def _position(fields: dict[str, Field], name: str) -> list[str]:
    if name == "~":
        return _entry("WHAT", f"by what it waits for: {', '.join(dict.fromkeys(CONDITION_FIELDS.values()))}")
    return _entry(name.upper(), _about(fields[name]))


def _flag_shown(field: Field) -> str:
    if field.is_switch:
        return field.usual_flag
    return f"{field.flag} {'|'.join(field.choices) if 0 < len(field.choices) <= 4 else _PLACEHOLDERS.get(field.kinds[0], 'TEXT')}"


_PLACEHOLDERS = {"number": "N", "object": "JSON", "array": "ITEM"}


def _about(field: Field) -> str:
    """A field in words: its description, choices and default."""
    said: list[str] = [str(field.schema["description"])] if "description" in field.schema else []
    if len(field.choices) > 4:
        said.append(f"one of {', '.join(field.choices)}")
    if "array" in field.kinds:
        said.append("repeatable")
    if (default := field.schema.get("default")) not in (None, False, True):
        said.append(f"default: {default}")
    return "; ".join(said)


def _entry(left: str, right: str) -> list[str]:
    """Two columns."""
    first, *rest = textwrap.wrap(right, _WIDTH - _INDENT) or [""]
    lines = [f"  {left:<{_INDENT - 2}}{first}".rstrip()] if len(left) < _INDENT - 2 else [f"  {left}", f"{'':{_INDENT}}{first}"]
    return [line for line in [*lines, *(f"{'':{_INDENT}}{line}" for line in rest)] if line.strip()]
