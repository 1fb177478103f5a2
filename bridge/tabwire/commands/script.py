"""Execution (agent spec)."""

from typing import Annotated, Any, ClassVar, Literal, NotRequired

from pydantic import Field

from tabwire.commands import replay
from tabwire.commands.declaration import Doing, Reading, Returns
from tabwire.commands.privacy import Script
from tabwire.commands.results import Closed, ObservedResult, Result
from tabwire.commands.types import Count, FrameId, Milliseconds, Natural, TabId


class EvaluationResult(ObservedResult, total=False):
    """The value, as JSON."""

    value: Any
    type: str
    truncated: bool
    thrown: str
    """The error that the script threw, where the caller asked for it."""


class Evaluate(
    Doing,
    Returns[EvaluationResult],
    method="script.evaluate",
    tool="evaluate",
    core=("expression", "args", "tabId"),
    title="Run JavaScript",
    sensitive="evaluate",
    caption="Run a script",
    past="Ran a script",
    replay=replay.evaluate,
    shows=("expression",),
):
    """Run JavaScript in the page and return its value, for what no other tool reads or does. It makes no trusted input."""

    on_wire: ClassVar = {"observed": bool}
    """An error becomes part of the result, so that the effects before it are reported as well."""

    masked: ClassVar = False

    expression: Annotated[Script, Field(description="Expression, function, or function body with return")]
    args: Annotated[list[Any] | None, Field(description="Arguments of the function")] = None
    await_promise: bool = True
    return_by_value: Annotated[bool, Field(description="false: describe the object instead")] = True
    timeout: Milliseconds = 30_000
    max_output_size: Annotated[Natural, Field(description="Bytes")] = 51_200
    sanitize: Annotated[bool, Field(description="Redact secrets")] = True
    tabId: TabId = None
    frameId: FrameId = None


class ConsoleMessage(Closed):
    """A message, or an exception that nobody caught; `repeated`: how often it came in a row."""

    level: Literal["log", "info", "warn", "error", "debug"]
    kind: NotRequired[Literal["exception"]]
    text: str
    source: NotRequired[str]
    stack: NotRequired[list[str]]
    time: str
    repeated: NotRequired[int]


class ConsoleResult(Result):
    """The messages, or what became of the buffer. `last`: number of the newest one that was looked at, for `after`."""

    tabId: NotRequired[int]
    last: NotRequired[int]
    messages: NotRequired[list[ConsoleMessage]]
    left_out: NotRequired[int]
    barred: NotRequired[int]
    dropped: NotRequired[int]
    cleared: NotRequired[bool]
    buffering: bool
    since: NotRequired[str]
    collected: NotRequired[int]
    held_by: NotRequired[str]
    note: NotRequired[str]


class Console(
    Reading,
    Returns[ConsoleResult],
    method="script.console",
    tool="console",
    is_brief=True,
    title="Console",
    past="Read the console",
    page="document",
    shows=("action", "pattern"),
):
    """Console messages and exceptions of all frames and workers of the page."""

    masked: ClassVar = False

    action: Annotated[
        Literal["get", "clear", "start_buffer", "stop_buffer"],
        Field(description="get: also what was logged before; start_buffer: keep across navigations, until stop_buffer"),
    ] = "get"
    level: list[Literal["log", "info", "warn", "error", "debug"]] | None = None
    pattern: Annotated[str | None, Field(description="Regular expression")] = None
    include_exceptions: bool = True
    max_messages: Annotated[Count, Field(description="The newest")] = 100
    clear_after_read: bool = False
    tabId: TabId = None
    after: Annotated[Natural | None, Field(description="Of a buffer: what comes after `last`")] = None
    timeout: Milliseconds | None = None
    """Longest wait for a message after `after`."""


PURPOSE = "JavaScript, console messages"

COMMANDS = (Evaluate, Console)
