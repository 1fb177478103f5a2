"""Performance of a live tab. Ours: the agent spec has no such tool."""

from typing import Annotated, NotRequired

from pydantic import Field

from tabwire.commands import profiles
from tabwire.commands.declaration import Command, PageReading, Returns
from tabwire.commands.results import Closed, Placed, TabResult

Rectangle = list[float]
"""Left, top, width and height in pixels of the viewport."""


class LargestContent(Closed):
    """The largest image or text of the first screen, and the parts of the time until it was painted."""

    at: float
    element: NotRequired[str]
    url: NotRequired[str]
    parts: dict[str, float]


class ShiftedElement(Closed):
    """An element that moved or changed its size without the person's doing."""

    element: NotRequired[str]
    before: Rectangle
    after: Rectangle


class ShiftCause(Closed):
    """An element whose height accounts for a shift: it came in, or grew from nothing."""

    element: str
    height: float


class LayoutShift(Closed):
    """A layout shift; `score` is the part of the viewport times the distance."""

    at: float
    score: float
    moved: list[ShiftedElement]
    causes: NotRequired[list[ShiftCause]]


class LayoutShifts(Closed):
    """The shifts; `score` is that of the worst five seconds (CLS)."""

    score: float
    count: int
    worst: list[LayoutShift]


class Interaction(Closed):
    """A slow interaction; `parts`: waiting for the thread, its listeners, until the next paint."""

    type: str
    at: float
    ms: float
    parts: dict[str, float]
    element: NotRequired[str]
    frameId: NotRequired[int]


class BlamedScript(Placed):
    """A script within a long frame."""

    invoker: str
    ms: float
    layout_ms: NotRequired[float]
    name: NotRequired[str]


class LongFrame(Closed):
    """A frame that took long; `blocked_ms`: the part of it in which the page answered nothing."""

    at: float
    ms: float
    blocked_ms: float
    rendering_ms: NotRequired[float]
    scripts: list[BlamedScript]
    frameId: NotRequired[int]


class LongFrames(Closed):
    """The long frames; `by_site` is the script time in them."""

    count: int
    blocked_ms: float
    worst: list[LongFrame]
    by_site: dict[str, float]


class BlockingResource(Closed):
    """A request that the first paint had to wait for. Times in milliseconds, sizes in bytes."""

    url: str
    started: float
    ms: float
    size: NotRequired[float]


class InsightsResult(TabResult):
    """Measurements since the navigation, or since the last call. Times in milliseconds after the navigation began."""

    url: str
    since: NotRequired[float]
    load: NotRequired[dict[str, float]]
    largest: NotRequired[LargestContent]
    blocking: NotRequired[list[BlockingResource]]
    shifts: LayoutShifts
    interactions: list[Interaction]
    frames: LongFrames
    barred: NotRequired[int]
    notes: NotRequired[list[str]]


class Insights(
    PageReading,
    Returns[InsightsResult],
    method="performance.insights",
    tool="performance_insights",
    title="Performance insights",
    past="Looked at the performance",
):
    """Causes of a slow page: largest content, layout shifts, slow interactions and long frames, with what is to blame.

    Chrome measures all the time; nothing needs to be prepared.
    """

    since_last: Annotated[bool, Field(description="Only what came after the last call: to measure an act")] = False
    sources: Annotated[bool, Field(description="Functions by their places in the sources (attaches the debugger)")] = False


PURPOSE = "why a page is slow or grows: load, layout shifts, interactions, long frames, time and use of code, memory"

COMMANDS: tuple[type[Command], ...] = (Insights, *profiles.COMMANDS)
"""The group `performance`, in the order of the list of tools."""
