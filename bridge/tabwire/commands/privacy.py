"""Privacy of an argument: what of its value the event log may keep. Each field says so in its own annotation.

Numbers, booleans and values of a closed list are facts; JSON without a model is closed; any other text without a marker is
withheld.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel


class Privacy(Enum):
    """A marker for `Annotated`."""

    UNKNOWN = "unknown"
    """No field of this name is declared: only the length is kept."""
    WITHHELD = "withheld"
    """Only the length is kept, unless its tool only reads: that text is no page's secret."""
    FACT = "fact"
    """Text that says where or how, and is kept."""
    CALL_FACT = "call_fact"
    """A fact about the call itself: kept, and noted beside the arguments."""
    TYPED = "typed"
    """Text that is typed or chosen: kept when its element is known to hold no secret."""
    KEY = "key"
    """The same, but a name of more than one character is kept: Enter and Control+a are no characters of a text."""
    SCRIPT = "script"
    """JavaScript: kept without the texts in it."""
    CLOSED = "closed"
    """Data that is not looked into."""


Fact = Annotated[str, Privacy.FACT]
Typed = Annotated[str, Privacy.TYPED]
KeyName = Annotated[str, Privacy.KEY]
Script = Annotated[str, Privacy.SCRIPT]


@dataclass(frozen=True)
class Like:
    """A marker for JSON whose members mean what those of this model mean."""

    model: type[BaseModel]


@dataclass(frozen=True)
class Logged:
    """A marker for a field of an observed effect: the event log keeps it so. Of others it keeps nothing."""

    keep: Callable[[Any], Any]
    told: Callable[[Any], str] | None = None
    """The kept value in words, for `log show`; None: the name of the field says it."""


@dataclass(frozen=True)
class Kept:
    """The part of an argument that is kept; for a list, the part of each member."""

    text: Privacy = Privacy.WITHHELD
    values: frozenset[str] = frozenset()
    """The texts of a closed list."""
    fields: Mapping[str, Kept] = field(default_factory=dict)
    """The members, where it is an object."""


@cache
def fields_of(model: type[BaseModel]) -> Mapping[str, Kept]:
    """The arguments of a model by the names that they travel under."""
    return {info.alias or name: _marked(info.annotation, info.metadata) for name, info in model.model_fields.items()}


def _marked(annotation: Any, metadata: Any, outer: Privacy | None = None) -> Kept:
    own = [one for one in metadata if isinstance(one, Privacy)]
    like = [one.model for one in metadata if isinstance(one, Like)]
    return _kept(like[0] if like else annotation, own[-1] if own else outer)


def _kept(annotation: Any, privacy: Privacy | None) -> Kept:
    origin, members = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _marked(members[0], members[1:], privacy)
    if origin is Literal:
        return Kept(privacy or Privacy.WITHHELD, frozenset(str(value) for value in members))
    if origin in (Union, types.UnionType):
        return either([_kept(member, privacy) for member in members])
    if origin is list:
        return _kept(members[0], privacy)
    if annotation is Any or dict in (annotation, origin):
        return Kept(privacy or Privacy.CLOSED)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return Kept(privacy or Privacy.WITHHELD, fields=fields_of(annotation))
    return Kept(privacy or Privacy.WITHHELD)


def either(options: list[Kept]) -> Kept:
    """The privacy of an argument with alternatives; a marked alternative wins over an unmarked one."""
    marked = [option.text for option in options if option.text is not Privacy.WITHHELD]
    return Kept(
        marked[0] if marked else Privacy.WITHHELD,
        frozenset().union(*(option.values for option in options)),
        {name: kept for option in options for name, kept in option.fields.items()},
    )


@cache
def logged_of(shape: Any) -> Mapping[str, Logged]:
    """Markers of the result fields that the event log keeps, by field name."""
    marks = ((name, get_args(hint)) for name, hint in get_type_hints(shape, include_extras=True).items())
    return {name: mark for name, found in marks for mark in found if isinstance(mark, Logged)}
