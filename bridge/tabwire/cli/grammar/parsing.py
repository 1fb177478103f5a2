"""The words of a command as a call of its tool."""

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabwire.cli.grammar.fields import commands, placed, tool_of
from tabwire.cli.grammar.values import is_number, value_of
from tabwire.commands.line_spelling import READ_FILES, SAVED_TO, SAVING_ACTION, Field, fields_of, positions_of
from tabwire.surfaces.tool import Tool

OUTPUT_FLAGS = ("-o", "--output")
JSON_FLAG = "--json"


class UsageError(Exception):
    """A command line that is wrong; the text says what is, and what to type."""


@dataclass(frozen=True)
class Line:
    """A command line that was understood."""

    tool: Tool
    arguments: dict[str, Any]
    output: str | None = None
    """The file for which -o asks."""
    as_json: bool = False


@dataclass
class _Given:
    """The words of a line, sorted."""

    positions: list[str] = field(default_factory=list)
    flags: dict[str, list[str]] = field(default_factory=dict)
    output: str | None = None
    as_json: bool = False


def parse(words: Sequence[str], cwd: str, more_commands: Sequence[str] = (), served: Mapping[str, Tool] | None = None) -> Line:
    """The call that a line asks for.

    Args:
        words: the command and what follows it.
        cwd: the folder in which it was typed.
        more_commands: commands that are no tools, for the hint at the nearest ones.
        served: the tools; default: those that are served without further settings.

    Raises:
        UsageError: it is wrong.
    """
    command, *rest = words
    tool = tool_of(command, served)
    if tool is None:
        raise UsageError(unknown(command, more_commands))
    given = _sorted(tool, command, rest)
    fields = {each.name: each for each in fields_of(tool)}
    try:
        said = [*placed(tool, given.positions, given.flags), *given.flags.items()]
    except ValueError as error:
        raise UsageError(f"{command} {error}; {usage(tool, command)}") from None
    arguments: dict[str, Any] = {}
    for name, texts in said:
        if name not in fields or name in arguments:
            raise UsageError(f"{command}: {name} is given twice or not known; {usage(tool, command)}")
        arguments[name] = _value(command, fields[name], texts, cwd)
    missing = [each.name for each in fields.values() if each.is_required and each.name not in arguments]
    if missing:
        raise UsageError(f"{command} needs {' and '.join(missing)}; {usage(tool, command)}")
    action, saving = arguments.get("action"), SAVING_ACTION.get(tool.name)
    if given.output is not None and action != saving:
        raise UsageError(f"{command} {action} saves no file; give -o to: tabwire {command} {saving}")
    return Line(tool, arguments, given.output, given.as_json)


def usage(tool: Tool, command: str) -> str:
    """The short form of a command, and where the long one is."""
    return f"usage: {synopsis(tool, command)} (tabwire {command} --help lists the options)"


def synopsis(tool: Tool, command: str) -> str:
    """A command with the words that it takes without a flag."""
    required = tool.input_schema.get("required", ())
    words = [_shown(tool, name, is_required=name in required) for name in positions_of(tool)]
    return " ".join(["tabwire", command, *words, *(["[-o FILE]"] if tool.name in SAVED_TO else []), "[options]"])


def _shown(tool: Tool, name: str, *, is_required: bool) -> str:
    spelled = "WHAT" if name == "~" else name.upper()
    properties = tool.input_schema["properties"]
    dots = "…" if name in properties and properties[name].get("type") == "array" else ""
    return f"{spelled}{dots}" if is_required else f"[{spelled}{dots}]"


def unknown(command: str, more_commands: Sequence[str] = ()) -> str:
    """Message for an unknown command, with the nearest ones."""
    known = [*more_commands, *commands()]
    near = difflib.get_close_matches(command, known, 3)
    hint = f"Did you mean {' or '.join(near)}?" if near else "tabwire --help lists the commands."
    return f"there is no command {command!r}. {hint}"


def _sorted(tool: Tool, command: str, words: Sequence[str]) -> _Given:
    """Flags and other words apart."""
    by_flag = {each.flag: each for each in fields_of(tool)}
    given, left = _Given(), list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            given.positions += left
            break
        if not word.startswith("-") or word == "-" or is_number(word):
            given.positions.append(word)
            continue
        flag, equals, value = word.partition("=")
        if flag == JSON_FLAG and not equals:
            given.as_json = True
        elif flag in OUTPUT_FLAGS and tool.name in SAVED_TO:
            given.output = value if equals else _next(command, flag, left)
        else:
            name, texts = _flag(command, by_flag, flag, value if equals else None, left)
            given.flags.setdefault(name, []).extend(texts)
    return given


def _flag(command: str, by_flag: dict[str, Field], flag: str, value: str | None, left: list[str]) -> tuple[str, list[str]]:
    """The field of a flag and what it is given."""
    found = by_flag.get(flag)
    if found is not None and found.is_switch:
        return found.name, ["true" if value is None else value]
    if found is not None:
        return found.name, [_next(command, flag, left) if value is None else value]
    negated = by_flag.get(f"--{flag.removeprefix('--no-')}") if flag.startswith("--no-") and value is None else None
    if negated is not None and negated.is_switch:
        return negated.name, ["false"]
    near = difflib.get_close_matches(flag, by_flag, 1)
    hint = f"did you mean {near[0]}?" if near else f"tabwire {command} --help lists the options."
    raise UsageError(f"{command} has no option {flag}; {hint}")


def _next(command: str, flag: str, left: list[str]) -> str:
    if not left:
        raise UsageError(f"{command}: {flag} needs a value")
    return left.pop(0)


def _value(command: str, found: Field, texts: Sequence[str], cwd: str) -> Any:
    try:
        value = value_of(found, texts)
    except ValueError as error:
        raise UsageError(f"{command}: {found.name} {error}") from None
    if found.name in READ_FILES and isinstance(value, list):
        return [_placed_below(cwd, item) for item in value]
    return value


def _placed_below(cwd: str, item: Any) -> Any:
    """A path in the folder of the command; files that are given otherwise are as they are."""
    if isinstance(item, str):
        return os.path.join(cwd, os.path.expanduser(item))
    return {**item, "path": os.path.join(cwd, item["path"])} if isinstance(item, dict) and "path" in item else item
