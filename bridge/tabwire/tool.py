"""What a surface lists and runs: Tool, Toolset, ToolCall, ToolResult."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tabwire.errors import TabwireError
from tabwire.protocol.command import Command, Effect

if TYPE_CHECKING:
    from pydantic import BaseModel

    from tabwire.engine import Engine
    from tabwire.files import Files
    from tabwire.state.snapshots import Snapshots


@dataclass(frozen=True)
class Image:
    """A picture in a reply."""

    data: str
    """base64"""
    mime_type: str

    @cached_property
    def size(self) -> int:
        """Decoded size in bytes."""
        return len(base64.b64decode(self.data))


@dataclass(frozen=True)
class ToolResult:
    """What goes back to the client, before MCP types."""

    text: str
    structured: dict[str, Any] | None = None
    images: tuple[Image, ...] = ()
    is_error: bool = False


@dataclass(frozen=True)
class Context:
    """What tools may use of the running bridge."""

    engine: Engine
    files: Files
    snapshots: Snapshots

    async def send(self, command: Command, **replaced: Any) -> dict[str, Any]:
        """Run a command in the browser; `replaced` overrides wire parameters."""
        result = await self.engine.send(
            command.method, {**command.params(), **replaced}, effect=command.effect, timeout_ms=command.deadline_ms()
        )
        self.snapshots.current = result.get("tabId", self.snapshots.current)
        return result


@dataclass
class ToolCall:
    """One call on its way through the chain."""

    tool: Tool
    arguments: dict[str, Any]
    """As the client sent them."""
    toolset: Toolset
    context: Context
    parameters: Any = None
    """The validated model, once the `arguments` rule has run."""


Run = Callable[[ToolCall], Awaitable[Any]]
Middleware = Callable[[ToolCall, Callable[[], Awaitable[ToolResult]]], Awaitable[ToolResult]]


@dataclass(frozen=True)
class Tool:
    """One tool of a surface."""

    name: str
    title: str
    description: str
    model: type[BaseModel]
    input_schema: dict[str, Any] = field(repr=False)
    run: Run = field(repr=False)
    effect: Effect = "act"
    idempotent: bool = False


@dataclass(frozen=True)
class Toolset:
    """A surface: its tools and how it words results and errors."""

    name: str
    instructions: str
    tools: tuple[Tool, ...]
    respond: Callable[[ToolCall, Any], ToolResult] = field(repr=False)
    fail: Callable[[TabwireError], ToolResult] = field(repr=False)

    def __post_init__(self) -> None:
        """Raises: ValueError when two tools share a name."""
        names = [tool.name for tool in self.tools]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"toolset {self.name}: duplicate tools {', '.join(twice)}")

    @cached_property
    def by_name(self) -> dict[str, Tool]:
        """Tools by name."""
        return {tool.name: tool for tool in self.tools}
