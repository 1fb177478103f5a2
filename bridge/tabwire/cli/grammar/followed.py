"""Command lines of `--follow`: the calls that wait for news, and what is printed of each."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from tabwire.cli.grammar.parsing import JSON_FLAG, UsageError, parse
from tabwire.commands.line_spelling import FOLLOWED, command_of

_CHOOSING = frozenset({"level", "pattern", "include_exceptions", "url_pattern", "types", "failed", "tabId", "browser"})
"""Fields that choose what is told, and where."""
_WAIT_MS = 20_000
_MOST = 500
"""News of one call."""
_KB = 1000


def lines_for(words: Sequence[str], flag: str, cwd: str) -> tuple[str, list[str], bool]:
    """The tool that is asked, the words of a call of it, and whether JSON is wanted.

    Raises:
        UsageError: the command cannot be followed, or with one of its options.
    """
    command, *options = (word for word in words if word != flag)
    tool = FOLLOWED.get(command)
    if tool is None:
        raise UsageError(f"{command} has no option {flag}; these have it: {', '.join(FOLLOWED)}")
    line = parse([command_of(tool), *options], cwd)
    if others := sorted(line.arguments.keys() - _CHOOSING):
        raise UsageError(f"{command} {flag} does not take {others[0]}; it prints what is new until Ctrl-C")
    return tool, [command_of(tool), *(word for word in options if word != JSON_FLAG)], line.as_json


def polling(words: Sequence[str], after: int, tab: int | None) -> list[str]:
    """The words of the call that waits for what is newer than a number; 0: that only asks for the newest number."""
    own = [] if tab is None or any(word.startswith("--tab-id") for word in words) else [f"--tab-id={tab}"]
    most = f"--max-{'messages' if words[0] == 'console' else 'requests'}={_MOST}"
    return [*words, *own, most, f"--after={after}", f"--timeout={_WAIT_MS}", JSON_FLAG]


def news(data: Mapping[str, Any], *, as_json: bool) -> list[str]:
    """A line for each message or request of a reply."""
    found = [*data.get("messages", ()), *data.get("requests", ())]
    if as_json:
        return [json.dumps(one, ensure_ascii=False) for one in found]
    return [_message(one) if "text" in one else _request(one) for one in found]


def _message(one: Mapping[str, Any]) -> str:
    place = f" ({one['source']})" if one.get("source") else ""
    text = str(one["text"]).replace("\r\n", "\n").replace("\n", "\\n")
    return f"{one['time'][11:23]} {one['level']:<5} {text}{place}"


def _request(one: Mapping[str, Any]) -> str:
    clock = f"{datetime.fromtimestamp(one['started'] / 1000, UTC):%H:%M:%S.%f}"[:12]
    outcome = one.get("error") or one.get("status") or "ended"
    size = [f"{one['size'] / _KB:.1f} kB"] if "size" in one else []
    took = [f"{one['duration_ms']:.0f} ms"] if "duration_ms" in one else []
    cached = ["from cache"] if one.get("cached") else []
    facts = ", ".join([str(one["type"]), *size, *took, *cached])
    return f"{clock} {outcome} {one['method']} {one['url']} ({facts})"
