"""Commands with an `action`: which arguments each action needs and which it takes besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from pydantic import model_validator

from tabwire.protocol.command import Command

__all__ = ["ActionCommand", "Takes"]


@dataclass(frozen=True, slots=True)
class Takes:
    """The arguments of one action, by field name."""

    needs: tuple[str, ...] = ()
    may: frozenset[str] = frozenset()


class ActionCommand(Command, method="", tool="", effect="act", reply="data"):
    """Base of the commands with an `action`: an argument that would be ignored is refused, as is a missing one.

    Fields that no action names belong to all of them.
    """

    action: str
    actions: ClassVar[Mapping[str, Takes]]

    @model_validator(mode="after")
    def _fits_its_action(self) -> Self:
        wanted = self.actions[self.action]
        missing = [name for name in wanted.needs if getattr(self, name) is None]
        if missing:
            raise ValueError(f'action "{self.action}" needs {" and ".join(map(self._argument, missing))}')
        taken = {*wanted.needs, *wanted.may}
        special = {name for takes in self.actions.values() for name in (*takes.needs, *takes.may)} - taken
        stray = [name for name in self.model_fields_set if name in special and getattr(self, name) is not None]
        if stray:
            refused = " and no ".join(sorted(map(self._argument, stray)))
            takes_what = f"; it takes {', '.join(sorted(map(self._argument, taken)))}" if taken else ""
            raise ValueError(f'action "{self.action}" takes no {refused}{takes_what}')
        return self

    @classmethod
    def _argument(cls, field: str) -> str:
        return cls.model_fields[field].alias or field
