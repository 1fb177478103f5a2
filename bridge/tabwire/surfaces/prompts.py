"""A prompt of a surface: a task that people pick by name in their client, which then sends its text."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from tabwire.surfaces.context import Context

Completed = Callable[[Context, str], Awaitable[list[str]]]
"""The values of an argument that go on with what has been typed."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a prompt."""

    name: str
    description: str
    required: bool = False
    completed: Completed | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt. `text` writes it, given the arguments that were sent."""

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...]
    text: Callable[[Mapping[str, str]], str]
