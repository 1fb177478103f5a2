"""A call of the event log as one line for people: when, which client and tool, on what, and what came of it."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from tabwire.commands import WIRE, times
from tabwire.commands.privacy import logged_of
from tabwire.commands.results import Effects
from tabwire.errors import InvalidArgument

MAX_SHOWN = 120
"""Characters of one argument."""

_COMMANDS = {command.method: command for command in WIRE}

Parameters = Callable[[str, str], type[BaseModel] | None]
"""Surface and tool → the model of its arguments, if there is such a tool."""


def since(text: str) -> datetime:
    """The moment that `--since` names.

    Raises:
        InvalidArgument: It cannot be read.
    """
    try:
        return times.parse(text)
    except ValueError as error:
        raise InvalidArgument(f"--since {text!r}: {error}.") from None


def moment(event: Mapping[str, Any]) -> datetime | None:
    """The time of an event; None if it does not say."""
    try:
        return datetime.fromisoformat(str(event.get("time")))
    except ValueError:
        return None


def line(event: Mapping[str, Any], parameters: Parameters) -> str:
    """The line of a call, in local time as in the extension's panel."""
    at = moment(event)
    acts = event.get("acts") or []
    target = (acts[-1].get("target") or {}) if acts else {}
    element = f" {target.get('role', '')} {_quoted(target.get('name', ''))}" if target else ""
    shown = "".join(f" {value}" for value in _shown(event, acts, parameters))
    reason = f" because {event['reason']!r}" if event.get("reason") else ""
    where = f" at {event['url']}" if event.get("url") else ""
    when = f"{at.astimezone():%Y-%m-%d %H:%M:%S}" if at else "?"
    return f"{when} {event.get('client') or '?'}: {event.get('tool')}{element}{shown}{where}{reason} → {_outcome(event, acts)}"


def _shown(event: Mapping[str, Any], acts: list[Mapping[str, Any]], parameters: Parameters) -> list[str]:
    """The arguments that the command, or the tool that has sent none, declares as worth telling."""
    model: type[BaseModel] | None
    if acts:
        model, given = _COMMANDS.get(str(acts[-1].get("method"))), acts[-1].get("params") or {}
    else:
        model, given = parameters(str(event.get("surface")), str(event.get("tool"))), event.get("arguments") or {}
    names: tuple[str, ...] = getattr(model, "shows", ())
    if model is None or not isinstance(given, Mapping):
        return []
    return [_text(given[name]) for name in names if given.get(name) not in (None, _default(model, name))]


def _default(model: type[BaseModel], name: str) -> Any:
    """The value that says nothing new. An argument without a default is always told."""
    field = next(field for own, field in model.model_fields.items() if (field.alias or own) == name)
    return None if field.default is PydanticUndefined else field.default


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    return _quoted(text) if isinstance(value, str) and (text == "" or " " in text and not text.startswith("[")) else text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _outcome(event: Mapping[str, Any], acts: list[Mapping[str, Any]]) -> str:
    if event.get("outcome") != "done":
        return f"{'refused: ' if event.get('decision') == 'refused' else ''}{event.get('outcome', '')}"
    observed = (acts[-1].get("observed") or {}) if acts else {}
    marks = logged_of(Effects)
    told = [
        mark.told(value) if (mark := marks.get(name)) and mark.told and value else name.replace("_", " ")
        for name, value in observed.items()
    ]
    return ", ".join(told) or "done"
