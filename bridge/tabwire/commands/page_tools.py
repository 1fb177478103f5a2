"""Tools that a page publishes (WebMCP: `document.modelContext`). Ours: the agent spec has none."""

from typing import Annotated, Any, NotRequired

from pydantic import Field

from tabwire.commands.declaration import Doing, Reading, Returns
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Closed, ObservedResult, TabResult
from tabwire.commands.types import FrameId, Milliseconds, TabId

ToolName = Annotated[Fact, Field(min_length=1, max_length=200)]


class PageTool(Closed):
    """A tool in a page's words. `read_only` is the page's claim; `input_schema` is absent where the page gives none."""

    name: str
    title: NotRequired[str]
    description: str
    input_schema: NotRequired[Any]
    read_only: NotRequired[bool]
    frameId: int
    origin: str


class PageToolsResult(TabResult):
    """The tools of all frames, top frame first; `left_out` are more than fit, `barred` frames the user does not allow."""

    tools: list[PageTool]
    left_out: NotRequired[int]
    barred: NotRequired[int]
    note: NotRequired[str]


class List(
    Reading,
    Returns[PageToolsResult],
    method="page_tools.list",
    tool="page_tools",
    title="Tools of the page",
    past="Read the tools of the page",
    page="scripts",
    shows=("name",),
):
    """Tools that the page itself publishes (WebMCP), per frame, with their input schemas."""

    name: Annotated[ToolName | None, Field(description="Only tools of this name")] = None
    tabId: TabId = None
    frameId: FrameId = None


class PageToolAnswer(ObservedResult, total=False):
    """The answer of a page's tool: JSON, or a text."""

    value: Any


class Call(
    Doing,
    Returns[PageToolAnswer],
    method="page_tools.call",
    tool="call_page_tool",
    title="Call a tool of the page",
    caption="Call {name}",
    past="Called a tool of the page",
    shows=("name",),
):
    """Call a tool that page_tools lists. The page's own code runs, and its answer is the page's words."""

    name: ToolName
    arguments: Annotated[dict[str, Any], Field(default_factory=dict, description="As its input schema says")]
    timeout: Milliseconds = 30_000
    tabId: TabId = None
    frameId: Annotated[FrameId, Field(description="Where several frames have a tool of this name")] = None


PURPOSE = "tools that a page publishes (WebMCP)"

COMMANDS = (List, Call)
