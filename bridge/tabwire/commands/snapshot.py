"""Snapshot & Query (agent spec)."""

from typing import Annotated, Any, ClassVar, Literal, NotRequired, get_args

from pydantic import Field

from tabwire.commands.declaration import DEADLINE_GRACE_MS, DEFAULT_DEADLINE_MS, MAX_TOLD, Intent, PageReading, Reading, Returns
from tabwire.commands.input import FrameAct
from tabwire.commands.privacy import Fact, Like, Typed
from tabwire.commands.results import ActResult, Box, Closed, Result, TabResult
from tabwire.commands.types import CallTimeout, Count, FrameId, Milliseconds, Natural, Parameters, TabId, Whole

PICK_TIMEOUT_MS = 120_000
DEFAULT_HITS = 20

Strategy = Literal["role", "text", "label", "placeholder", "alt", "title", "testid"]


class SnapshotResult(TabResult):
    """The page as text."""

    snapshot: str
    seen: NotRequired[list[int]]
    """Some lines of the tree that are in view."""
    version: NotRequired[str]
    """Name of this text, for a call that names the version it has."""
    is_known: NotRequired[bool]
    """Whether the text is that version: it is left out then."""
    pdf: NotRequired[str]
    """Name of the document that shows a PDF, in place of a page."""


class Capture(
    Reading,
    Returns[SnapshotResult],
    method="snapshot.capture",
    tool="snapshot",
    core=("mode", "selector", "depth", "diff", "max_chars", "cursor", "tabId"),
    title="Page snapshot",
    past="Read the page",
    page="scripts",
    reply="snapshot",
):
    """Read the page as a tree with @eN references to act on, all frames and shadow roots included. Before acting, and after
    what an act did not tell. A screenshot only for what is drawn.
    """

    masked: ClassVar = False
    on_wire: ClassVar = {"known": str}
    """known: the version of the snapshot that the bridge has of the tab; "" for none."""

    mode: Annotated[
        Literal["full", "interactive", "focused"],
        Field(description="interactive: only what can be acted on; focused: subtree of the focused element"),
    ] = "full"
    depth: Annotated[Natural | None, Field(description="Maximum tree depth")] = None
    selector: Annotated[str | None, Field(description="Only this element's subtree: @ref or selector")] = None
    compact: Annotated[bool, Field(description="Leave out unnamed containers")] = False
    include_text: bool = True
    include_bounds: Annotated[bool, Field(description="Add [box=x,y,width,height]")] = False
    tabId: TabId = None
    frameId: FrameId = None
    diff: Annotated[bool, Field(exclude=True, description="Only what changed since the last snapshot of the tab")] = False
    max_chars: Annotated[Natural | None, Field(exclude=True, ge=1000, description="Budget in characters; else 8,000 tokens")] = (
        None
    )
    cursor: Annotated[str | None, Field(exclude=True, description="What an earlier snapshot left out")] = None
    refs: Annotated[Literal["full", "short"] | None, Field(exclude=True, description="short: @e1 in place of [ref=@e1]")] = None
    timeout: CallTimeout = DEFAULT_DEADLINE_MS

    def is_whole(self) -> bool:
        """Say whether it is a snapshot of the whole page with all its parts: only such snapshots can be compared."""
        return self.params() == Capture(tabId=self.tabId).params()

    def check(self) -> None:
        if self.diff and not self.is_whole():
            raise ValueError("diff compares snapshots of the whole page: leave it out, or mode, depth, selector and the like")


class PdfFileResult(Result):
    """The file, and whether secrets in its text must be masked."""

    base64: str
    is_masked: bool


class PdfFile(
    PageReading,
    Returns[PdfFileResult],
    method="snapshot.pdf_file",
    title="PDF of a tab",
    past="Read the PDF",
):
    """The file of the PDF that a tab shows."""

    masked: ClassVar = False
    struck: ClassVar = False

    timeout: Milliseconds = DEFAULT_DEADLINE_MS


class QueryOptions(Parameters):
    """Filters of a query."""

    exact: bool = False
    name: Annotated[Fact | None, Field(description="Accessible name, for role")] = None
    level: Annotated[Whole | None, Field(description="Heading level")] = None
    checked: bool | None = None
    pressed: bool | None = None
    expanded: bool | None = None
    include_hidden: bool = False


class Match(Closed):
    """An element that was found, in short."""

    ref: str
    role: str
    name: NotRequired[str]
    text: NotRequired[str]


class ElementFacts(Closed):
    """All that is told of an element."""

    ref: str
    role: str
    name: str
    description: NotRequired[str]
    states: dict[str, str | int | bool]
    tag: str
    text: str
    value: NotRequired[str]
    attributes: dict[str, str]
    bounds: Box
    visible: bool


Answer = Match | ElementFacts | Box | str | int | None


class QueryResult(Result):
    """The requested fact of each element, of the one that `nth` or `all` names, or the number of elements."""

    value: Answer | list[Answer]


class Query(
    Reading,
    Returns[QueryResult],
    method="snapshot.query",
    bound=50 * MAX_TOLD,
    tool="query",
    title="Find elements",
    past="Looked for elements",
    page="scripts",
    shows=("by", "value"),
):
    """Find elements whose role, text or label you know, without reading the page: {"by": "role", "value": "button", "options":
    {"name": "Buy"}}.
    """

    on_wire: ClassVar = {"pick": bool, "timeout": float}

    by: Strategy
    value: str
    options: QueryOptions | None = None
    nth: Annotated[Whole | None, Field(description="Index of the match, 0 first, -1 last")] = None
    return_: Annotated[
        Literal["ref", "count", "text", "attribute", "bounds", "all"], Field(alias="return", description="What to answer")
    ] = "ref"
    attribute: Annotated[str | None, Field(description="Attribute name, for return: attribute")] = None
    tabId: TabId = None
    frameId: FrameId = None
    pick: Annotated[bool, Field(description="Ask the person at the screen to click it; value says what")] = False
    timeout: Annotated[Milliseconds, Field(description="For pick, ms")] = PICK_TIMEOUT_MS

    def check(self) -> None:
        if self.return_ == "attribute" and not self.attribute:
            raise ValueError('return "attribute" needs the argument attribute')
        if "timeout" in self.model_fields_set and not self.pick:
            raise ValueError("timeout goes with pick: true")
        if self.pick and not self.value.strip():
            raise ValueError("value is empty; with pick it says what the person is to point at")

    def params(self) -> dict[str, Any]:
        """Leave out what is about the pick where there is none."""
        every = super().params()
        return every if self.pick else {name: value for name, value in every.items() if name not in ("pick", "timeout")}

    def deadline_ms(self) -> int:
        """People take longer than pages."""
        return int(self.timeout) + DEADLINE_GRACE_MS if self.pick else DEFAULT_DEADLINE_MS


_FILTERS = ("hasText", "hasNotText", "has")
_STATES = (*QueryOptions.model_fields, "selected", "disabled")


class LocatorStep(Parameters):
    """One step of a locator chain."""

    method: Literal["role", "text", "label", "placeholder", "testid", "css", "xpath", "nth", "first", "last", "filter", "within"]
    value: Typed | None = None
    options: Annotated[dict[str, Any] | None, Like(QueryOptions)] = None

    def check(self) -> None:
        known = _FILTERS if self.method == "filter" else _STATES if self.method in get_args(Strategy) else ()
        for name in self.options or ():
            if name not in known:
                takes = f"it takes {', '.join(known)}" if known else "it takes none"
                raise ValueError(f"{self.method} has no option {name!r}; {takes}")


class LocatorResult(ActResult, total=False):
    """The element, and what the act on it says."""

    value: str
    checked: bool
    changed: bool
    selected: list[str]


class Locate(
    FrameAct,
    Returns[LocatorResult],
    method="snapshot.locate",
    tool="locator",
    title="Chained locator",
    shows=("action",),
):
    """Find an element by steps, where no single selector does: [{"method": "role", "value": "row", "options": {"name":
    "Ann"}}, {"method": "role", "value": "button"}]. Acts on it if asked.
    """

    chain: Annotated[list[LocatorStep], Field(min_length=1)]
    action: Literal["get_ref", "click", "fill", "check", "hover"] | None = None
    fill_value: Annotated[Typed | None, Field(description="Value for fill")] = None
    timeout: CallTimeout = DEFAULT_DEADLINE_MS

    def check(self) -> None:
        if self.action == "fill" and self.fill_value is None:
            raise ValueError('action "fill" needs the argument fill_value')

    def intends(self) -> Intent:
        """Finding it is no act."""
        return "read" if self.action in (None, "get_ref") else self.intent


class Find(
    PageReading,
    method="snapshot.find",
    tool="find",
    title="Find in the page",
    past="Looked for text",
    shows=("text", "regex"),
    core=("text", "regex", "tabId"),
):
    """Find text or a regular expression in the page's tree, frames included: each hit with its @eN and what it is in."""

    in_browser: ClassVar = False

    text: Annotated[Fact | None, Field(min_length=1, description="Part of a role, name or text, in any case")] = None
    regex: Annotated[Fact | None, Field(min_length=1, description="Python syntax, per line: (?i)^button.*delete")] = None
    limit: Annotated[Count, Field(description="Most hits that are listed")] = DEFAULT_HITS
    timeout: CallTimeout = DEFAULT_DEADLINE_MS

    def check(self) -> None:
        self.need_one("text", "regex")
        if self.text is not None and not self.text.strip():
            raise ValueError("text is blank; say what to find")


PURPOSE = "read pages, find elements"

COMMANDS = (Capture, Query, Locate, Find)
WIRE_ONLY = (PdfFile,)
"""Commands that our tools send beside their own."""
