"""Commands about the connection itself, and several calls in one. Ours: the agent spec has neither."""

from typing import Annotated, Any, ClassVar, Literal, NotRequired

from pydantic import Field

from tabwire.commands.declaration import MAX_TOLD, Command, Doing, Reading, Returns, TabReading
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Closed, Result
from tabwire.commands.types import Parameters

MAX_CALLS = 50


class EchoResult(Result):
    """The parameters."""

    payload: NotRequired[Any]


class Echo(
    Reading,
    Returns[EchoResult],
    method="session.echo",
    title="Echo",
    scope="browser",
    always=True,
):
    """Give the payload back: the bare round trip, for benchmarks and health checks."""

    masked: ClassVar = False
    struck: ClassVar = False

    payload: Annotated[Any, Field(description="Anything")] = None


class PageEcho(Closed):
    """Whether the page answers; `ok` is None where it was not tried, which is no fault."""

    kind: Literal["ok", "restricted", "dialog", "frozen", "discarded", "loading", "none", "paused"]
    ok: bool | None
    detail: str
    fix: NotRequired[str]
    tabId: NotRequired[int]
    ms: NotRequired[float]


class Pause(Closed):
    """The cause of a pause, and its start (epoch milliseconds)."""

    cause: Literal["stopped", "paused"]
    since: int


class StatusResult(Result):
    """The last hops of a call as the extension sees them, and how many tabs are open."""

    page: PageEcho
    tabs: int
    paused: NotRequired[Pause]


class Status(
    TabReading,
    Returns[StatusResult],
    method="session.status",
    bound=MAX_TOLD,
    tool="status",
    title="Connection status",
    scope="browser",
    open_world=False,
    always=True,
):
    """Test each hop to the page; names the one that fails and the fix."""

    own_fields: ClassVar = ("failed", "fix", "event_log")


class BatchCall(Parameters):
    """A call of a batch."""

    tool: Fact
    arguments: dict[str, Any] = {}


class Batch(
    Doing,
    method="session.batch",
    tool="batch",
    title="Several calls",
    scope="browser",
    page="none",
    reply="act",
    core=("calls",),
):
    """Make several calls in order with one reply; stops at the first that fails. Each is asked about and logged as alone."""

    in_browser: ClassVar = False

    calls: Annotated[
        list[BatchCall],
        Field(
            min_length=1,
            max_length=MAX_CALLS,
            description='[{"tool":"click","arguments":{"selector":"@e4"}},{"tool":"snapshot","arguments":{"diff":true}}]',
        ),
    ]


PURPOSE = "test the connection"

COMMANDS: tuple[type[Command], ...] = (Status, Batch)
WIRE_ONLY = (Echo,)
