"""Old names as tools: what a call of one means, by the table in `aliases`."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from tabwire.commands import COMMANDS
from tabwire.commands.privacy import Kept, Privacy, either, fields_of
from tabwire.errors import InvalidArgument
from tabwire.surfaces.agent.former import arguments as old
from tabwire.surfaces.agent.former.arguments import Arguments, New
from tabwire.surfaces.agent.former.names import ACTIONS, ANYWHERE, FACT, LEFT_OUT, NOTHING, OLD_NAMES, USED, OldName
from tabwire.surfaces.alias import Alias, Step, Translation
from tabwire.surfaces.tool import Tool, ToolCall, Toolset


@cache
def _fields(tool: str) -> dict[str, str]:
    """The arguments of a new tool, by their own names and by camelCase's."""
    names = _kept_of_new(tool)
    return {**{name: name for name in names}, **{_camel(name): name for name in names}}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.title() for part in others)


def _known(meant: OldName) -> dict[str, str | Kept]:
    """Argument → its new name or what becomes of it; what the old tool says of a name counts first."""
    of_new = {name: new for tool in reversed(meant.now) for name, new in _fields(tool).items()}
    elsewhere = {name: word for name, word in ANYWHERE.items() if name not in of_new}
    return {**of_new, **elsewhere, **meant.takes}


def translate(name: str, arguments: Arguments) -> Translation:
    """Meaning of a call of an old name.

    Raises:
        InvalidArgument: an unknown argument or action; the message names the valid ones.
    """
    given = {key: value for key, value in arguments.items() if value is not None}
    if name == "chrome_computer":
        return _translate_action(given)
    meant = OLD_NAMES[name]
    known = _known(meant)
    _refuse_unknown(name, given, known)
    return _translation(meant, known, given)


def _translate_action(given: New) -> Translation:
    action = given.pop("action", None)
    if action not in ACTIONS:
        raise InvalidArgument(f"chrome_computer: action {action!r} is unknown. Actions: {', '.join(ACTIONS)}")
    meant = ACTIONS[action]
    known = _known(meant)
    others = {key for other in ACTIONS.values() for key in other.takes if key not in known}
    _refuse_unknown(f"chrome_computer {action}", given, [*known, *others])
    return _translation(meant, {**known, **dict.fromkeys(others, LEFT_OUT)}, given)


def _refuse_unknown(name: str, given: Arguments, known: Iterable[str]) -> None:
    unknown = [key for key in given if key not in set(known)]
    if not unknown:
        return
    close = difflib.get_close_matches(unknown[0], known, 1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    raise InvalidArgument(f"{name}: unknown argument {unknown[0]!r}{hint}. Valid arguments: {', '.join(sorted(known))}")


def _translation(meant: OldName, known: Mapping[str, str | Kept], given: Arguments) -> Translation:
    left_out = tuple(key for key in given if known[key] == LEFT_OUT)
    words = (USED, NOTHING, LEFT_OUT)
    new = {name: value for key, value in given.items() if isinstance(name := known[key], str) and name not in words}
    steps = meant.steps(given, new) if meant.steps else [Step(meant.now[0], new)]
    return Translation(tuple(_in_window(step, given) for step in steps), left_out)


def _in_window(step: Step, given: Arguments) -> Step:
    """A window named to a tool that only knows tabs means its active tab."""
    fields = _fields(step.tool)
    if "windowId" not in given or "tabId" in given or "windowId" in fields or "tabId" not in fields or step.look_up:
        return step
    instead = _in_window(step.instead, given) if step.instead else None
    return replace(step, look_up=old.in_window(given["windowId"]), instead=instead)


async def _never(call: ToolCall) -> Any:
    raise NotImplementedError(f"the aliases rule has not translated {call.tool.name}")


def _kept_of(meanings: Iterable[OldName]) -> dict[str, Kept]:
    """The privacy of old arguments: that of the new argument of the same name; a renamed one is kept only if it is a script."""
    kept: dict[str, list[Kept]] = {}
    for meant in meanings:
        new = {name: one for tool in reversed(meant.now) for name, one in _kept_of_new(tool).items()}
        for name, said in _known(meant).items():
            becomes = said if isinstance(said, Kept) else new.get(name if said == USED else said, Kept())
            is_shown = isinstance(said, Kept) or said in (name, USED) or becomes.text is Privacy.SCRIPT
            kept.setdefault(name, []).append(becomes if is_shown else Kept())
    return {name: either(options) for name, options in kept.items()}


def _kept_of_new(tool: str) -> Mapping[str, Kept]:
    return next((fields_of(command) for command in COMMANDS if command.tool == tool), {})


def _alias(name: str, meant: OldName, served: Mapping[str, Tool]) -> Alias:
    actions = ACTIONS if name == "chrome_computer" else {}
    known = {key: USED for action in actions.values() for key in action.takes} if actions else _known(meant)
    properties: dict[str, Any] = {key: {} for key in known if meant.takes.get(key) != NOTHING}
    if actions:
        properties = {"action": {"type": "string", "enum": list(actions)}, **properties, "tabId": {}}
    new = [served[tool] for tool in meant.now if tool in served]
    return Alias(
        name=name,
        title=name,
        description=f"Old name of {', '.join(meant.now)}.",
        model=new[0].model,
        input_schema={"type": "object", "properties": properties, "additionalProperties": True},
        run=_never,
        effect="read" if all(tool.effect == "read" for tool in new) else "act",
        idempotent=all(tool.idempotent for tool in new),
        destructive=any(tool.destructive for tool in new),
        open_world=any(tool.open_world for tool in new),
        group="aliases",
        translate=lambda arguments: translate(name, arguments),
        old_kept={**({"action": FACT} if actions else {}), **_kept_of(actions.values() or [meant])},
    )


def with_aliases(toolset: Toolset) -> Toolset:
    """The toolset followed by the old names of its tools."""
    served = toolset.by_name
    old_tools = [_alias(name, meant, served) for name, meant in OLD_NAMES.items() if set(meant.now) & set(served)]
    return replace(toolset, tools=(*toolset.tools, *old_tools))
