"""Acts of the log, and steps that were recorded, as calls of tools: for tests with the pytest plugin and for batches."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from pydantic_core import PydanticUndefined

from tabwire.commands import COMMANDS
from tabwire.commands.declaration import Command
from tabwire.commands.replay import Act, Secret, acts_of_form
from tabwire.recordings.actions import Action, is_withheld

_TOOLS = frozenset(COMMANDS)
_LEFT_OUT = frozenset({"tabId", "frameId", "timeout", "diff", "reason", "coordinates", "no_wait_after", "input"})
"""Parameters that mean something in one session only, or are no part of what was done."""
_REF = re.compile(r"@e?\d+")


@dataclass(frozen=True)
class Called:
    """A call of a tool."""

    command: type[Command]
    arguments: Mapping[str, Any]
    """Text that was not recorded is a `Secret`."""
    tab: int | None = None
    opened: tuple[int, ...] = ()
    """Tabs that it has opened, by their numbers in the recorded session."""
    arrived: str = ""
    """Address at which the tab was afterwards."""


def calls_of(acts: Iterable[Act]) -> Iterator[Called | str]:
    """The calls, in order. A text stands for a comment: a reason, or an act that cannot be repeated so."""
    names = count(1)
    for act in acts:
        action = Action(act)
        if action.reason:
            yield action.reason
        for one in acts_of_form(act) if action.method == "forms.fill_form" else (act,):
            yield _call(Action({**act, **one}), names)


def _call(action: Action, names: Iterator[int]) -> Called | str:
    command = action.command
    if command is None or command not in _TOOLS or _needs_a_point(action):
        return action.lost
    fields = command.model_fields
    arguments = {
        name: Secret.named(f"VALUE_{next(names)}") if is_withheld(value) and not isinstance(value, Secret) else value
        for name, value in action.params.items()
        if name not in _LEFT_OUT and value != _default_of(fields, name)
    }
    if "selector" in fields:
        found = selector_of(action.target)
        if found is None and _REF.fullmatch(str(arguments.get("selector", ""))):
            return f"{action.method}: its element is not known"
        # What was asked for comes first in a call, as it does in its declaration.
        arguments = {
            **({} if found is None else {"selector": found}),
            **{k: v for k, v in arguments.items() if k != "selector" or found is None},
        }
    return Called(command, arguments, action.tab, action.opened, action.arrived)


def _needs_a_point(action: Action) -> bool:
    return bool(action.params.get("coordinates")) and not action.target


def _default_of(fields: Mapping[str, Any], name: str) -> Any:
    """The default of a parameter as it travels."""
    found = next((info for own, info in fields.items() if name in (own, info.alias)), None)
    return PydanticUndefined if found is None else found.default


def selector_of(target: Mapping[str, Any] | None) -> str | None:
    """The selector that finds the element of an act again; None where it has none."""
    if not target:
        return None
    if target.get("selector"):
        return str(target["selector"])
    if target.get("test_id"):
        return f"[{target['test_id']['attribute']}={json.dumps(target['test_id']['value'], ensure_ascii=False)}]"
    if target.get("role") and target.get("name"):
        return f"role:{target['role']}[name={_quoted(target['name'])}]"
    return " >>> ".join(target.get("css") or ()) or None


def _quoted(text: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
