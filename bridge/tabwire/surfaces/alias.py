"""Tools under their old names: which calls of the new ones mean the same."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tabwire.commands.privacy import Kept
from tabwire.surfaces.context import Context
from tabwire.surfaces.tool import Tool

Arguments: TypeAlias = Mapping[str, Any]
LookUp: TypeAlias = Callable[[Context, dict[str, Any]], Awaitable[dict[str, Any]]]


@dataclass(frozen=True)
class Step:
    """A call of a tool under its new name."""

    tool: str
    arguments: dict[str, Any]
    instead: Step | None = None
    """Step for an element that turns out to be of another kind: it has the tool for that kind."""
    look_up: LookUp | None = None
    """Completes the arguments from what the browser says."""


@dataclass(frozen=True)
class Translation:
    """Meaning of an old call in terms of the new tools."""

    steps: tuple[Step, ...]
    left_out: tuple[str, ...] = ()
    """Old arguments without a counterpart."""


@dataclass(frozen=True)
class Alias(Tool):
    """A tool under its old name."""

    translate: Callable[[Arguments], Translation] = field(kw_only=True, repr=False)
    old_kept: Mapping[str, Kept] = field(kw_only=True, repr=False)

    @property
    def kept(self) -> Mapping[str, Kept]:
        """The privacy of its old arguments."""
        return self.old_kept
