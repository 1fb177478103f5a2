"""Commands with an `action`: which arguments each action needs and which it takes besides."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from tabwire.commands.declaration import Doing, Intent


@dataclass(frozen=True, slots=True)
class Takes:
    """The arguments of one action, by field name."""

    needs: tuple[str, ...] = ()
    may: frozenset[str] = frozenset()
    intent: Intent | None = None
    """The intent of the action; None: that of its tool."""


class ActionCommand(Doing, method="", tool="", reply="data"):
    """Base of the commands with an `action`: an argument that would be ignored is refused, as is a missing one.

    Fields that no action names belong to all of them.
    """

    action: str
    actions: ClassVar[Mapping[str, Takes]]

    def check(self) -> None:
        check_action(self, self.actions)

    def intends(self) -> Intent:
        """The intent of the action."""
        return self.actions[self.action].intent or self.intent


def check_action(model: BaseModel, actions: Mapping[str, Takes], *, are_defaults_ignored: bool = False) -> None:
    """Whether the arguments of a model with an `action` fit it.

    Args:
        are_defaults_ignored: whether an argument that would be ignored may be given with its default: some clients send all.

    Raises:
        ValueError: one is missing, or would be ignored.
    """
    fields = type(model).model_fields
    action: str = getattr(model, "action")  # noqa: B009 - models with an action have no common base
    wanted = actions[action]
    missing = [name for name in wanted.needs if getattr(model, name) is None]
    if missing:
        raise ValueError(f'action "{action}" needs {" and ".join(_argument(fields, name) for name in missing)}')
    taken = {*wanted.needs, *wanted.may}
    special = {name for takes in actions.values() for name in (*takes.needs, *takes.may)} - taken
    ignored = [name for name in model.model_fields_set if name in special and getattr(model, name) is not None]
    stray = [name for name in ignored if not (are_defaults_ignored and getattr(model, name) == fields[name].default)]
    if stray:
        refused = " and no ".join(sorted(_argument(fields, name) for name in stray))
        takes_what = f"; it takes {', '.join(sorted(_argument(fields, name) for name in taken))}" if taken else ""
        raise ValueError(f'action "{action}" takes no {refused}{takes_what}')


def _argument(fields: Mapping[str, FieldInfo], name: str) -> str:
    return fields[name].alias or name
