"""What a surface lists and runs: Tool, Toolset, ToolCall, ToolResult."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tabwire.commands.declaration import Command, Effect, Intent
from tabwire.errors import InvalidArgument, TabwireError
from tabwire.wire.text_provenance import received

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

    from tabwire.browsers.launcher import Launcher
    from tabwire.config import Config
    from tabwire.engine.engine import Engine
    from tabwire.eventlog.writer import EventLog
    from tabwire.middleware.escalation import Authority
    from tabwire.surfaces.shared.artifacts import Artifact
    from tabwire.surfaces.shared.files import Files
    from tabwire.surfaces.shared.snapshots import Snapshots
    from tabwire.wire.messages import Browser


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
    """`Words`, where a page speaks in it and the surface's replies are fenced."""
    structured: dict[str, Any] | None = None
    images: tuple[Image, ...] = ()
    is_error: bool = False
    saved: tuple[Artifact, ...] = ()
    """Files this call has saved where the client can read them as resources."""
    rpc_code: int | None = None
    """The surface says this failure as a JSON-RPC error of this code, with `text` as its message and `structured` as its data."""


@dataclass
class Target:
    """The browser of one call. It is looked for once: a call of several messages must not wander from one to another."""

    named: str | None = None
    """Name or id, if the client gave one."""
    browser: Browser | None = None
    """Once it is known."""


_SENTENCES = ("done", "note")
"""Fields of results in which the extension may quote a page."""


@dataclass
class Sent:
    """One message to a browser, and what is known of it, for the log."""

    command: Command
    browser: str
    about: Mapping[str, Any] = field(default_factory=dict)
    """Its tab, and the element of an act (`Success.about`)."""
    result: Mapping[str, Any] = field(default_factory=dict)

    def note(self, about: Mapping[str, Any]) -> None:
        """Take what the browser says it was about."""
        self.about = about

    @property
    def is_plain(self) -> bool:
        """Whether its element is known to hold no secret."""
        return self.about.get("target", {}).get("secret") is False


@dataclass(frozen=True)
class Context:
    """What tools may use of the running bridge."""

    engine: Engine
    files: Files
    snapshots: Snapshots
    target: Target = field(default_factory=Target)
    opened: dict[str, int] = field(default_factory=dict)
    """Browser → the tab that a surface without tools for tabs has opened there and goes on in."""
    launcher: Launcher | None = None
    """Starts browsers of our own; only where the surface launches some (`Toolset.launches`) or the bridge was told to."""
    surface: Any = None
    """What the surface keeps for as long as it is served; its `opened` made it."""
    sent: list[Sent] = field(default_factory=list)
    """What was sent so far."""
    visited: list[str] = field(default_factory=list)
    """Addresses that the call was about, where nothing was sent for it."""
    unlogged: str | None = None
    """Why this call is not in the event log, where it should be."""
    events: EventLog | None = None
    """Where it is written down what is done; None: it is not."""
    only_origins: tuple[str, ...] | None = None
    """Where this call may act; None: everywhere."""
    reason: str | None = None
    """Why the client wants it, in its own words: shown to the person in the browser."""
    shows_secrets: bool = False
    """Whether results come as they are: for programs, whose documents say what they get."""

    def for_call(self) -> Context:
        """The context of one call: what is noted there is the call's."""
        return replace(self, sent=[], visited=[])

    def naming(self, browser: str | None) -> Context:
        """The context of one call, for a browser of that name or id; None leaves the choice to the engine."""
        return replace(self, target=Target(browser))

    async def browser(self) -> Browser:
        """The browser of this call.

        Raises:
            TabwireError: there is none, or several and none was named.
        """
        if self.target.browser is None:
            self.target.browser = await self.engine.find(self.target.named)
        return self.target.browser

    def answering(self) -> str | None:
        """What to call the browser that was asked, where there are several; None where it goes without saying."""
        browser = self.target.browser
        return self.engine.label(browser) if browser is not None and self.engine.has_several else None

    async def send(self, command: Command, **replaced: Any) -> dict[str, Any]:
        """Run a command in the browser; `replaced` overrides wire parameters.

        `described` among them says in the client's words what an act is done to: the browser keeps it with the act, for people.
        """
        browser = await self.browser()
        sent = Sent(command, browser.name)
        self.sent.append(sent)
        result = await self.engine.send(
            command.method,
            {**command.params(), **replaced, **self._secrets(command), **({"reason": self.reason} if self.reason else {})},
            effect=command.effect,
            timeout_ms=command.deadline_ms(),
            browser=browser.id,
            told=sent.note,
            only_origins=None if command.intends() == "read" else self.only_origins,
        )
        result |= {name: received(result[name]) for name in _SENTENCES if name in result}
        sent.result = result
        if "tabId" in result:
            self.snapshots.current[browser.id] = result["tabId"]
        return result

    def _secrets(self, command: Command) -> dict[str, str]:
        """The extension masks secrets unless it is told."""
        return {"secrets": "shown"} if self.shows_secrets or command.asks_for_secrets() else {}


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
    client: str = ""
    """What the client calls itself, where it says so with the call."""
    beside: tuple[str, ...] = ()
    """Arguments that every tool takes now, taken off already."""
    noted: dict[str, Any] = field(default_factory=dict)
    """What the surface adds to the call's entry in the event log."""

    @property
    def intent(self) -> Intent:
        """What this call is to one who only observes; its arguments may say, once they are validated."""
        said = self.parameters.intends() if isinstance(self.parameters, Intending) else None
        return said or self.tool.intent or self.tool.effect


@runtime_checkable
class Reasoned(Protocol):
    """Arguments with which a client says why."""

    reason: str


@runtime_checkable
class Intending(Protocol):
    """Arguments that know what they are for."""

    def intends(self) -> Intent | None:
        """The intent of a call with them; None: that of its tool."""


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
    intent: Intent | None = None
    """What it is to one who only observes, where the arguments do not say (`Intending`); None: its effect."""
    idempotent: bool = False
    destructive: bool = True
    """Whether it may change or remove what is already there. Means something for acts alone."""
    open_world: bool = True
    """Whether it deals with pages, not only with the browser itself."""
    group: str = ""
    """Category by which a user chooses tools."""
    output_schema: dict[str, Any] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Identity:
    """What a server of a surface calls itself."""

    name: str = "tabwire"
    version: str | None = None
    """Default: that of the package."""
    description: str | None = None
    protocol: str | None = None
    """The one version of MCP that the handshake ends in; None: what the client asks for, if it is known."""


def _nothing_noted(call: ToolCall) -> Mapping[str, Any]:
    return {}


@asynccontextmanager
async def _nothing_kept(config: Config, context: Context) -> AsyncIterator[Context]:
    yield context


@dataclass(frozen=True)
class Toolset:
    """A surface: its tools and how it words results and errors."""

    name: str
    instructions: str
    tools: tuple[Tool, ...]
    respond: Callable[[ToolCall, Any], ToolResult] = field(repr=False)
    fail: Callable[[ToolCall, TabwireError], ToolResult] = field(repr=False)
    identity: Identity = Identity()
    saves: bool = True
    """Whether its tools save files, which clients can list and read."""
    core: frozenset[str] = frozenset()
    """Names of the tools that are enough for most work."""
    old_names: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Names of former times → what to use now, for errors."""
    describe: Callable[[Tool, ValidationError, Sequence[str]], str] | None = field(default=None, repr=False)
    """How it words bad arguments, given those that every tool takes besides; None: as the others do."""
    fences: bool = False
    """Whether its replies mark what comes from a page (`middleware/fence.py`). Not where a document fixes every word."""
    masks: bool = True
    """Whether secrets in its results are masked. Not where a program is promised values."""
    takes_browser: bool = True
    """Whether calls may say which browser, while there are several. Not where a document closes its schemas."""
    launches: bool = False
    """Whether its tools start browsers, beside the user's own."""
    about: Callable[[ToolCall], Mapping[str, Any]] = field(default=_nothing_noted, repr=False)
    """What it adds to the entries of a call in the event log from the beginning (`ToolCall.noted`)."""
    rules: tuple[Middleware, ...] = field(default=(), repr=False)
    """Rules of its own, within that of errors and outside all others."""
    authority_of: Callable[[ToolCall], Authority | None] | None = field(default=None, repr=False)
    """Whose authority an act needs (`middleware.escalation`); None: clients may act."""
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

    def only(self, wanted: Collection[str]) -> Toolset:
        """The tools of these groups, where `core` and `all` are groups too, in the order of the list.

        Raises:
            InvalidArgument: no such group; the message lists them.
        """
        groups = dict.fromkeys(tool.group for tool in self.tools if tool.group)
        known = [*(["core"] if self.core else []), "all", *groups]
        unknown = [name for name in wanted if name not in known]
        if unknown:
            raise InvalidArgument(
                f"--tools: no group {', '.join(unknown)} in the {self.name} toolset; groups: {', '.join(known)}"
            )
        if "all" in wanted:
            return self
        kept = [tool for tool in self.tools if tool.group in wanted or ("core" in wanted and tool.name in self.core)]
        return replace(self, tools=tuple(kept))
