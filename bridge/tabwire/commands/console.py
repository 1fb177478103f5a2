"""Console messages of a tab in detail. Ours: the agent spec has `console` alone. Of the group `debug`."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from tabwire.commands.declaration import Command, PageReading, Returns
from tabwire.commands.results import Closed, Placed, Result, TabResult
from tabwire.commands.sources import SourceLine
from tabwire.commands.types import Count, Id, Natural

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


class Messages(
    PageReading,
    Returns[ConsoleMessagesResult],
    method="console.messages",
    group="debug",
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


class Message(
    PageReading,
    Returns[ConsoleMessageResult],
    method="console.message",
    group="debug",
    tool="console_message",
    title="Console message",
    past="Read a console message",
    shows=("id",),
):
    """A console message: values expanded, elements with their @eN, errors with causes, the stack in the sources."""

    id: Annotated[Id, Field(description="From console_messages")]
    depth: Annotated[Annotated[Natural, Field(le=6)], Field(description="Levels of members")] = 2


COMMANDS: tuple[type[Command], ...] = (Messages, Message)
