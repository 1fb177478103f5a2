"""Breakpoints of a tab and its pauses. Ours; of the group `debug`."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from tabwire.commands.console import SourceExcerpt, StackFrame
from tabwire.commands.declaration import DEFAULT_DEADLINE_MS, Doing, Intent, Returns
from tabwire.commands.privacy import Fact, Script
from tabwire.commands.results import Closed, ObservedResult
from tabwire.commands.types import FrameId, Id, Natural, TabId

MAX_TEXT = 1_000
"""Characters of an address or a text to search for."""
MAX_SCRIPT = 10_000
"""Characters of an expression."""
MAX_PAUSE_S = 600
MAX_WAIT_S = 300


class ToldBreakpoint(Closed):
    """A breakpoint with how often it was hit, and what it has logged, the newest last."""

    id: int
    kind: Literal["line", "text", "event", "exceptions", "request", "element"]
    what: str
    built: NotRequired[str]
    line: NotRequired[str]
    """The line of the source at its place."""
    condition: NotRequired[str]
    log: NotRequired[str]
    hits: int
    logged: NotRequired[list[str]]
    logged_more: NotRequired[int]
    problem: NotRequired[str]


class BreakpointsResult(ObservedResult, total=False):
    """The breakpoints of a tab; `added` and `removed`: ids; `ended`: the reason why earlier ones are gone."""

    breakpoints: list[ToldBreakpoint]
    added: int
    removed: list[int]
    paused: str
    max_pause: int
    ended: str
    notes: list[str]


class Breakpoints(
    Doing,
    Returns[BreakpointsResult],
    method="breakpoints.breakpoints",
    group="debug",
    tool="breakpoints",
    title="Breakpoints",
    caption="Change breakpoints",
    past="Changed breakpoints",
    page="none",
    reply="snapshot",
    destructive=False,
    sensitive="evaluate",
    shows=("action", "source", "event", "exceptions", "request", "element"),
):
    """Pause the scripts of a tab at a line, a text, an event, an exception, a request or a change; or log there.

    Nothing runs in the page until paused resumes it.
    """

    action: Literal["set", "remove", "list"] = "list"
    source: Annotated[
        Fact | None,
        Field(min_length=1, max_length=MAX_TEXT, description="With line, or to limit text; as sources lists it"),
    ] = None
    line: Annotated[Natural | None, Field(ge=1)] = None
    column: Annotated[Natural | None, Field(ge=1, description="In a long line, as of a minified script")] = None
    text: Annotated[
        str | None, Field(min_length=1, max_length=MAX_TEXT, description="The first statement with this text in the sources")
    ] = None
    event: Annotated[Fact | None, Field(min_length=1, max_length=100, description="Such as click, in any listener")] = None
    exceptions: Literal["uncaught", "all"] | None = None
    request: Annotated[
        Fact | None, Field(max_length=MAX_TEXT, description="fetch or XMLHttpRequest with this text in the address")
    ] = None
    element: Annotated[Fact | None, Field(min_length=1, description="With change: @eN, semantic, CSS or XPath")] = None
    change: Annotated[Literal["subtree", "attributes", "removal"] | None, Field(description="Of the element, by a script")] = None
    condition: Annotated[
        Script | None, Field(min_length=1, max_length=MAX_SCRIPT, description="Expression: only where it is true")
    ] = None
    log: Annotated[
        Script | None,
        Field(min_length=1, max_length=MAX_SCRIPT, description="Expression: its value goes into the list, without a pause"),
    ] = None
    max_pause: Annotated[
        Natural,
        Field(ge=1, le=MAX_PAUSE_S, description="Seconds of a pause without a call of paused; then all breakpoints go"),
    ] = 60
    id: Annotated[Id | None, Field(description="To remove; default: all")] = None
    frameId: FrameId = None
    tabId: TabId = None

    def check(self) -> None:
        kinds = [self.line, self.text, self.event, self.exceptions, self.request, self.element]
        given = sum(value is not None for value in kinds)
        if self.action != "set":
            if given:
                raise ValueError(f"action {self.action} takes none of line, text, event, exceptions, request, element; set does")
            return
        if given != 1:
            raise ValueError("set needs one of source with line, text, event, exceptions, request, element with change")
        if self.line is not None and self.source is None:
            raise ValueError("line needs source")
        if self.source is not None and self.line is None and self.text is None:
            raise ValueError("source needs line, or text")
        if (self.element is None) != (self.change is None):
            raise ValueError("element and change go together")

    def intends(self) -> Intent:
        """Listing them is no act."""
        return "read" if self.action == "list" else self.intent


class ScopeVariable(Closed):
    """A variable with its value in words."""

    name: str
    value: str


class PausedScope(Closed):
    """A scope of the frame, the innermost first; `more`: variables that are not told."""

    type: str
    name: NotRequired[str]
    variables: list[ScopeVariable]
    more: NotRequired[int]


class PausedResult(ObservedResult, total=False):
    """The pause of a tab: its reason, the stack, and the scopes of one frame; with `evaluate` the value alone.

    `ended`: the reason why the last one ended by itself.
    """

    paused: bool
    reason: str
    breakpoint: int
    place: str
    within: str
    exception: str
    stack: list[StackFrame]
    frame: int
    scopes: list[PausedScope]
    excerpt: SourceExcerpt
    value: str
    thrown: bool
    left_s: int
    resumed: bool
    watched: int
    ended: str
    notes: list[str]


class Paused(
    Doing,
    Returns[PausedResult],
    method="breakpoints.paused",
    group="debug",
    tool="paused",
    title="Paused page",
    caption="Step through a paused page",
    past="Stepped through a paused page",
    page="none",
    reply="snapshot",
    destructive=False,
    resumes=True,
    sensitive="evaluate",
    shows=("action", "frame"),
):
    """State of a page paused at a breakpoint: reason, stack in the sources, scopes. Resume, step, evaluate in a frame."""

    action: Literal["state", "resume", "step_over", "step_into", "step_out", "evaluate"] = "state"
    frame: Annotated[Natural, Field(description="0: the innermost of the stack")] = 0
    expression: Annotated[
        Script | None, Field(min_length=1, max_length=MAX_SCRIPT, description="With evaluate: sees the variables of the frame")
    ] = None
    wait: Annotated[
        Natural | None, Field(le=MAX_WAIT_S, description="Seconds to wait for the next pause; after a step 2 by default")
    ] = None
    depth: Annotated[Annotated[Natural, Field(le=4)], Field(description="Levels of members of values")] = 1
    tabId: TabId = None

    def check(self) -> None:
        if (self.action == "evaluate") != (self.expression is not None):
            raise ValueError("expression and action evaluate go together")

    def intends(self) -> Intent:
        """Looking at the pause is no act."""
        return "read" if self.action == "state" else self.intent

    def deadline_ms(self) -> int:
        """The time of other calls, and the wait."""
        return DEFAULT_DEADLINE_MS + 1000 * (self.wait or 0)


COMMANDS = (Breakpoints, Paused)
