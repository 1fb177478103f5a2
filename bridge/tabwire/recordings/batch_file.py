"""Acts of the log, and steps that were recorded, as a file for `tabwire batch`."""

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from tabwire.commands.line_spelling import SHORT_NAMES, Field, command_of, declared, fields_of, positions_of
from tabwire.commands.replay import Act, Secret, comment
from tabwire.recordings.tool_calls import Called, calls_of

HEADING = "# Recorded by Tabwire. Run it with: tabwire batch FILE"
OTHER_TAB = "the step below was done in another tab, which a batch cannot name: run it by hand, or record as pytest or selenium"
OTHER_LINES = "the text below has several lines, which a batch cannot hold: run the step by hand, or record as pytest or selenium"
VARIABLE = "the text below would be taken for a variable of the environment: record as pytest or selenium"


def batch_of(acts: Iterable[Act]) -> str:
    """The file."""
    lines, secrets, tab = [], [], None
    for call in calls_of(acts):
        if isinstance(call, str):
            lines.append(f"# {call}")
            continue
        tab = call.tab if tab is None else tab
        line = shlex.join(words_of(call.command.tool, call.arguments))
        if problem := _problem(call, line, tab):
            lines += [f"# {problem}", f"# {comment(line)}"]
            continue
        lines.append(line)
        secrets += [str(value) for value in call.arguments.values() if isinstance(value, Secret)]
        if call.arrived and call.command.method != "navigation.navigate":
            lines.append(shlex.join(["wait", "url", call.arrived]))
    needs = (
        [f"# Values that were not recorded are taken from the environment: {', '.join(dict.fromkeys(secrets))}"]
        if secrets
        else []
    )
    return "".join(f"{line}\n" for line in [HEADING, *needs, *lines])


def _problem(call: Called, line: str, tab: int | None) -> str:
    """Reason for which a batch cannot have the line; "" where it can."""
    if call.tab not in (None, tab):
        return OTHER_TAB
    if "\n" in line:
        return OTHER_LINES
    # A page chooses the values of its options: none of them may stand for what the environment holds.
    texts = [one for value in call.arguments.values() for one in (value if isinstance(value, list) else [value])]
    return VARIABLE if any("${" in str(one) for one in texts if not isinstance(one, Secret)) else ""


def words_of(name: str, arguments: Mapping[str, Any]) -> list[str]:
    """The command line of a call: what `parse` makes these arguments of."""
    tool = declared(name)
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
