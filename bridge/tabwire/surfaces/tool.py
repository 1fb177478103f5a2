"""A surface: its tools, the rules of its own, and the wording of its replies. What a call may use is in `context`."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tabwire.commands.declaration import Command, Effect, Intent
from tabwire.commands.privacy import Kept, fields_of
from tabwire.errors import InvalidArgument, TabwireError
from tabwire.settings import TOOLSETS
from tabwire.surfaces.offered_tools import OfferedTools
from tabwire.surfaces.prompts import Prompt
from tabwire.text.provenance import Words

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

    from tabwire.config import Config
    from tabwire.surfaces.context import Context
    from tabwire.surfaces.shared.artifacts import Artifact


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
    """A reply to the client, before MCP types."""

    text: str
    """`Words`, where a page speaks in it and the surface's replies are fenced."""
    structured: dict[str, Any] | None = None
    """Present only where it says all that the text says: Claude Code, Codex and VS Code show it in place of the text."""
    facts: dict[str, Any] | None = None
    """The same for programs, beside a text that no client may replace. It is sent as `_meta`, which no model sees."""
    images: tuple[Image, ...] = ()
    is_error: bool = False
    saved: tuple[Artifact, ...] = ()
    """Files this call has saved where the client can read them as resources."""
    rpc_code: int | None = None
    """The surface says this failure as a JSON-RPC error of this code, with `text` as its message and `structured` as its data."""


def with_note(result: ToolResult, note: str) -> ToolResult:
    """A reply with a sentence of ours at the end of its text, and in its facts."""
    structured, facts = (
        None if members is None else {**members, "note": _added(members.get("note"), note)}
        for members in (result.structured, result.facts)
    )
    return replace(result, text=Words(result.text, f"\nNote: {note}"), structured=structured, facts=facts)


def _added(known: Any, note: str) -> str:
    return Words(known, f"; {note}") if isinstance(known, str) else note


@dataclass
class ToolCall:
    """A call on its way through the chain."""

    tool: Tool
    arguments: dict[str, Any]
    """Arguments as the client sent them."""
    toolset: Toolset
    context: Context
    parameters: Any = None
    """The validated model, once the `arguments` rule has run."""
    client: str = ""
    """Name that the client gives itself, where it sends one with the call."""
    beside: tuple[str, ...] = ()
    """Arguments that every tool takes now, taken off already."""
    noted: dict[str, Any] = field(default_factory=dict)
    """Additions of the surface to the call's entry in the event log."""

    @property
    def intent(self) -> Intent:
        """Intent of this call for a client that only observes; its arguments may say, once they are validated."""
        said = self.parameters.intends() if isinstance(self.parameters, Intending) else None
        return said or self.tool.intent or self.tool.effect


@runtime_checkable
class Reasoned(Protocol):
    """Arguments with which a client says why."""

    reason: str | None


@runtime_checkable
class Intending(Protocol):
    """Arguments that know what they are for."""

    def intends(self) -> Intent | None:
        """The intent of a call with them; None: that of its tool."""


Answer = Mapping[str, object]
"""The answer of a tool before its surface words it: the result of a command, or a mapping made of several."""


def text_in(answer: Answer, name: str) -> str:
    """A text of an answer, knowing who says what; empty where it has none."""
    text = answer.get(name)
    return text if isinstance(text, str) else ""


def kept(answer: Answer, *names: str) -> dict[str, object]:
    """The named fields that an answer has, in the order of the names."""
    return {name: answer[name] for name in names if name in answer}


Run = Callable[[ToolCall], Awaitable[Any]]
Runs = dict[type[Command], Run]
"""Command → its tool, where that is more than one message to the browser."""
Next = Callable[[], Awaitable[ToolResult]]
"""The rest of the chain, seen from a rule."""
Middleware = Callable[[ToolCall, Next], Awaitable[ToolResult]]


@dataclass(frozen=True)
class Tool:
    """Tool of a surface."""

    name: str
    title: str
    description: str
    model: type[BaseModel]
    input_schema: dict[str, Any] = field(repr=False)
    run: Run = field(repr=False)
    effect: Effect = "act"
    intent: Intent | None = None
    """Intent for a client that only observes, where the arguments do not say (`Intending`); None: its effect."""
    idempotent: bool = False
    destructive: bool = True
    """Whether it may change or remove what is already there. Means something for acts alone."""
    open_world: bool = True
    """Whether it deals with pages, not only with the browser itself."""
    group: str = ""
    """Category by which a user chooses tools."""
    output_schema: dict[str, Any] | None = field(default=None, repr=False)
    short_schema: dict[str, Any] | None = field(default=None, repr=False)
    """The input schema of its entry in the short list of tools, where it is in that."""

    @property
    def kept(self) -> Mapping[str, Kept]:
        """The privacy of its arguments in the event log."""
        return fields_of(self.model)


@dataclass(frozen=True)
class Identity:
    """Identity that a server of a surface gives itself."""

    name: str = "tabwire"
    version: str | None = None
    """Default: that of the package."""
    description: str | None = None
    protocol: str | None = None
    """The one version of MCP that the handshake ends in; None: what the client asks for, if it is known."""


@asynccontextmanager
async def _nothing_kept(config: Config, context: Context) -> AsyncIterator[Context]:
    yield context


@dataclass(frozen=True)
class Replies:
    """The wording of a surface: how results, failures and bad arguments read."""

    respond: Callable[[ToolCall, Any], ToolResult]
    fail: Callable[[ToolCall, TabwireError], ToolResult]
    describe: Callable[[Tool, ValidationError, Sequence[str]], str] | None = None
    """Words bad arguments, given the arguments that every tool takes besides; None: as the other surfaces do."""
    note: Callable[[ToolResult, str], ToolResult] = with_note
    """Adds a sentence of ours to a reply."""

    def passing_results(self) -> Replies:
        """The same wording for tools of which some give their whole result."""
        respond = self.respond
        return replace(self, respond=lambda call, result: result if isinstance(result, ToolResult) else respond(call, result))


class Authority(Protocol):
    """Permissions of a client at the moment: those of a session, or of a whole bridge."""

    @property
    def origins(self) -> Collection[str] | None:
        """Allowed origins for acts: none (empty), these, or every one (None)."""

    @property
    def reason(self) -> str | None:
        """Reason for acting, in the client's words; None if none was given."""

    def refusal(self, call: ToolCall) -> TabwireError:
        """The error of an act that it may not do: what is missing, and the way to it."""


@dataclass(frozen=True)
class Rules:
    """The rules that only one surface has, and their places in the chain (`app.rules`)."""

    outermost: tuple[Middleware, ...] = ()
    """Outside all others: they see the finished reply, failures included."""
    before_arguments: tuple[Middleware, ...] = ()
    """Inside the rule of errors and outside the checks of arguments."""
    is_fenced: bool = False
    """Whether page text in the finished reply is put between marks: for surfaces whose specification leaves the wording open."""
    authority_of: Callable[[ToolCall], Authority | None] | None = None
    """Authority that counts for a call, checked behind the arguments; None where none is asked for."""


SHORT_LISTS = ("core", "everyday")
"""Lists that are not whole: `enable_tools` adds groups to them."""


@dataclass(frozen=True)
class Toolset:
    """A surface."""

    name: str
    instructions: str
    tools: tuple[Tool, ...]
    replies: Replies = field(repr=False)
    rules: Rules = field(default=Rules(), repr=False)
    identity: Identity = Identity()
    decodes_arguments: bool = False
    """Whether a string of JSON is understood where an argument takes no string: some clients write all values so."""
    saves: bool = True
    """Whether its tools save files, which clients can list and read."""
    logs: bool = False
    """Whether clients hear our warnings as log messages: not where a document lists what the server can do."""
    core: frozenset[str] = frozenset()
    """Names of the tools that are enough for most work."""
    everyday: frozenset[str] = frozenset()
    """Names of the core tools and of those that are missed most, for clients that never look at a list again."""
    on_request: frozenset[str] = frozenset()
    """Groups for special work, which `all` does not mean: they are named, or enabled."""
    prompts: tuple[Prompt, ...] = ()
    """Tasks that people pick by name in their client."""
    purposes: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Group → its purpose, for a client that chooses groups."""
    offered: OfferedTools | None = field(default=None, repr=False)
    """Names of the tools that are listed and can be called now; None: all of them, for good."""
    old_names: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Names of former times → what to use now, for errors."""
    takes_browser: bool = True
    """Whether calls may say which browser, while there are several. Not where the specification closes its schemas."""
    launches: bool = False
    """Whether its tools start browsers, beside the user's own."""
    opened: Callable[[Config, Context], AbstractAsyncContextManager[Context]] = field(default=_nothing_kept, repr=False)
    """Makes what the surface keeps (`Context.surface`) and ends it with the server."""

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

    def tool(self, name: str) -> Tool | None:
        """The tool of that name, if it is offered now."""
        is_offered = self.offered is None or name in self.offered
        return self.by_name.get(name) if is_offered else None

    def only(self, wanted: Collection[str]) -> Toolset:
        """The tools of these groups, where `core`, `everyday` and `all` are groups too, in the order of the list.

        A surface that names no core is small: its core is all of it, so that one configuration serves every surface. Groups on
        request are listed only where they are named.

        Raises:
            InvalidArgument: no such group; the message lists them.
        """
        groups = dict.fromkeys(tool.group for tool in self.tools if tool.group)
        short = dict(zip(SHORT_LISTS, (self.core, self.everyday), strict=True))
        known = [*short, "all", *groups]
        unknown = [name for name in wanted if name not in known]
        if unknown:
            raise InvalidArgument(
                f"--tools: no group {', '.join(unknown)} in the {self.name} toolset; groups: {', '.join(known)}"
            )
        is_all = "all" in wanted or (not self.core and not short.keys().isdisjoint(wanted))
        usual = self.by_name.keys() if is_all else frozenset[str]().union(*(short[name] for name in wanted if name in short))
        kept = [tool for tool in self.tools if tool.group in wanted or (tool.name in usual and tool.group not in self.on_request)]
        if len(kept) == len(self.tools):
            return self
        return replace(self, tools=tuple(kept))


def load_toolset(name: str) -> Toolset:
    """The toolset of that name.

    Raises:
        KeyError: no such toolset.
    """
    if name not in TOOLSETS:
        raise KeyError(name)
    toolset: Toolset = import_module(f"tabwire.surfaces.{name}.toolset").TOOLSET
    return toolset
