"""Debugging of a live tab. Ours: the agent spec has `console` and `capture` alone."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from tabwire.commands import audit, elements, sources
from tabwire.commands.declaration import Command, PageReading, Returns
from tabwire.commands.network import ObservedRequest, Redirect, RequestContent
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Closed, ListResult, Placed, Result, TabResult
from tabwire.commands.sources import SourceLine
from tabwire.commands.types import Count, Id, Milliseconds, Natural

Level = Literal["log", "info", "warn", "error", "debug"]


class StackFrame(Closed):
    """A place in a stack. `place` is in the source, where a map leads there; `built` is then that in the script that runs."""

    name: NotRequired[str]
    place: str
    built: NotRequired[str]
    library: NotRequired[bool]
    after: NotRequired[str]
    """The wait between this frame and the one before it."""


class SourceExcerpt(Closed):
    """The lines around a place; `line` is the one that is meant."""

    source: str
    line: int
    lines: list[SourceLine]


class MessageFacts(Result):
    """Facts about a group of equal console messages, said first at `time`."""

    id: int
    level: Level
    kind: NotRequired[Literal["exception"]]
    count: int
    time: str
    last: NotRequired[str]
    text: str


class ListedMessage(MessageFacts, Placed):
    """A group of equal messages on a line of the list."""

    name: NotRequired[str]


class ConsoleMessagesResult(TabResult):
    """A page of the list; `older`: those before it."""

    total: int
    errors: int
    messages: list[ListedMessage]
    older: NotRequired[int]
    barred: NotRequired[int]
    dropped: NotRequired[int]
    notes: NotRequired[list[str]]


class ConsoleMessages(
    PageReading,
    Returns[ConsoleMessagesResult],
    method="debug.messages",
    tool="console_messages",
    title="Console messages",
    past="Read the console",
    page="document",
    shows=("pattern",),
):
    """Console messages and exceptions since the navigation, a line each: places by source maps, equal ones counted."""

    level: list[Level] | None = None
    pattern: Annotated[str | None, Field(description="Regular expression")] = None
    max_messages: Annotated[Count, Field(description="The newest")] = 50
    before: Annotated[Id | None, Field(description="Those before this id: the next page")] = None
    all: Annotated[bool, Field(description="Also of earlier pages, where console collects them (start_buffer)")] = False


class ConsoleMessageResult(MessageFacts):
    """A message with its values expanded, and its stack."""

    tabId: int
    values: list[str]
    stack: list[StackFrame]
    excerpt: NotRequired[SourceExcerpt]
    notes: NotRequired[list[str]]


class ConsoleMessage(
    PageReading,
    Returns[ConsoleMessageResult],
    method="debug.message",
    tool="console_message",
    title="Console message",
    past="Read a console message",
    shows=("id",),
):
    """A console message: values expanded, elements with their @eN, errors with causes, the stack in the sources."""

    id: Annotated[Id, Field(description="From console_messages")]
    depth: Annotated[Annotated[Natural, Field(le=6)], Field(description="Levels of members")] = 2


RequestType = Literal["document", "stylesheet", "image", "media", "font", "script", "fetch", "websocket", "ping", "other"]


class RequestFacts(ObservedRequest, Result):
    """Facts about a request; a redirected one is at its last address. Times in milliseconds, sizes in bytes."""

    id: int
    cached: NotRequired[bool]
    redirects: NotRequired[int]
    frameId: NotRequired[int]


class NetworkRequestsResult(ListResult):
    """A page of the list; `more`: those after it; `last`: number of the newest end that was looked at, for `after`."""

    total: int
    failed: int
    requests: list[RequestFacts]
    last: NotRequired[int]
    barred: NotRequired[int]
    dropped: NotRequired[int]


class NetworkRequests(
    PageReading,
    Returns[NetworkRequestsResult],
    method="debug.requests",
    tool="network_requests",
    title="Network requests",
    past="Listed requests",
    page="document",
    shows=("url_pattern",),
):
    """Requests of the tab since its navigation, a line each, the failed ones first. Nothing needs to be prepared."""

    url_pattern: Annotated[Fact | None, Field(description="As in route")] = None
    types: Annotated[list[RequestType] | None, Field(description="fetch: XMLHttpRequest too")] = None
    failed: Annotated[bool, Field(description="Only failed ones")] = False
    max_requests: Count = 50
    offset: Annotated[Natural, Field(description="The next page begins here")] = 0
    after: Annotated[
        Natural | None,
        Field(description="Those that end after `last` of the reply before, waiting for one; 0: begins, gives none"),
    ] = None
    timeout: Annotated[Milliseconds | None, Field(description="Longest wait of after, ms; default: 20000")] = None


class RequestDetails(RequestFacts, RequestContent):
    """A request in detail; `phases` in milliseconds."""

    tabId: int
    steps: NotRequired[list[Redirect]]
    asked_by: NotRequired[str]
    phases: NotRequired[dict[str, float]]
    encoded: NotRequired[float]
    decoded: NotRequired[float]
    notes: NotRequired[list[str]]


class ReadRequest(
    PageReading,
    Returns[RequestDetails],
    method="debug.request",
    tool="request_details",
    title="Request details",
    past="Read a request",
    page="document",
    shows=("id",),
):
    """A request of the tab: headers without secrets, phases of its time, redirections, on demand its body."""

    id: Annotated[Id, Field(description="From network_requests")]
    body: Annotated[bool, Field(description="Also its body, where a capture has it; that of a script always")] = False


PURPOSE = (
    "why something fails or looks wrong: console messages with values and places in the sources, requests of a tab, styles and "
    "listeners of an element, its components, sources, breakpoints, an audit of the page, a report for people"
)

COMMANDS: tuple[type[Command], ...] = (
    ConsoleMessages,
    ConsoleMessage,
    NetworkRequests,
    ReadRequest,
    *elements.COMMANDS,
    *sources.COMMANDS,
    *audit.COMMANDS,
)
