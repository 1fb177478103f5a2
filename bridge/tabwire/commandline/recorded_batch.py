"""Acts of the log, and steps that were recorded, as a file for `tabwire batch`."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from tabwire.commandline.fields import Field, command_of, fields_of, positions_of, tools
from tabwire.commandline.lines import SHORT_NAMES
from tabwire.commands.replay import Act, Secret, comment
from tabwire.eventlog.tool_calls import Called, calls_of

HEADING = "# Recorded by Tabwire. Run it with: tabwire batch FILE"
OTHER_TAB = "the step below was done in another tab, which a batch cannot name: run it by hand, or record as pytest or selenium"

OTHER_LINES = "the text below has several lines, which a batch cannot hold: run the step by hand, or record as pytest or selenium"


def batch_of(acts: Iterable[Act]) -> str:
    """The file."""
    lines, secrets, tab = [], [], None
    for call in calls_of(acts):
        if isinstance(call, str):
            lines.append(f"# {call}")
            continue
        tab = call.tab if tab is None else tab
        if call.tab is not None and call.tab != tab:
            lines += [f"# {OTHER_TAB}", f"# {_line(call)}"]
            continue
        if any(isinstance(value, str) and "\n" in value for value in call.arguments.values()):
            lines += [f"# {OTHER_LINES}", f"# {_line(call)}"]
            continue
        lines.append(_line(call))
        secrets += [str(value) for value in call.arguments.values() if isinstance(value, Secret)]
        if call.arrived and call.command.method != "navigation.navigate":
            lines.append(_joined(["wait", "url", call.arrived]))
    needs = (
        [f"# Values that were not recorded are taken from the environment: {', '.join(dict.fromkeys(secrets))}"]
        if secrets
        else []
    )
    return "".join(f"{line}\n" for line in [HEADING, *needs, *lines])


def _line(call: Called) -> str:
    return comment(_joined(words_of(call.command.tool, call.arguments)))


def words_of(name: str, arguments: Mapping[str, Any]) -> list[str]:
    """The command line of a call: what `parse` makes these arguments of."""
    tool = tools()[name]
    fields = {each.name: each for each in fields_of(tool)}
    short = {meant: spelled for spelled, meant in reversed([*SHORT_NAMES.items()])}
    positions = [one for one in positions_of(tool) if one in fields]
    words, flags, places = [short.get(name, command_of(name))], [], [one for one in positions if one in arguments]
    plain = [one for one in places if _is_plain(fields[one], arguments[one])]
    # A word without a flag stands where the ones before it are given too.
    is_whole = plain == places and places == [one for one in positions if one in arguments or fields[one].is_required]
    for one, value in arguments.items():
        if not (is_whole and one in places):
            flags += _flags(fields[one], value)
    for one in places if is_whole else ():
        value = arguments[one]
        words += [_word(each) for each in value] if isinstance(value, list) else [_word(value)]
    return [*words, *flags]


def _is_plain(field: Field, value: Any) -> bool:
    """Whether a value can be said without a flag."""
    values = value if isinstance(value, list) else [value]
    is_text = all(isinstance(one, str) and one and not one.startswith(("-", "[", "{")) for one in values)
    return is_text and (not isinstance(value, list) or field.is_required)


def _flags(field: Field, value: Any) -> list[str]:
    if field.is_switch:
        return [field.flag if value else f"--no-{field.flag[2:]}"]
    values = value if isinstance(value, list) else [value]
    return [f"{field.flag}={_word(one)}" for one in values]


def _word(value: Any) -> str:
    if isinstance(value, Secret):
        return f"${{{value}}}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _joined(words: Iterable[str]) -> str:
    return " ".join(word if word.startswith("${") else shlex.quote(word) for word in words)
