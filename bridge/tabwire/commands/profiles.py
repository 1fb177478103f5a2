"""Profiles of a live tab: its memory; over a time, each function's time and the style rules in use. Ours; of `performance`."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from tabwire.commands.declaration import Command, PageReading, Returns
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Closed, Placed, TabResult
from tabwire.commands.types import Count, Milliseconds, Natural

MAX_TIME_S = 120
MAX_NAME = 60
"""Characters of the name of a kept run."""

Measure = Literal["time", "styles"]


class TimedFunction(Placed):
    """A function with the time in itself, and with all that it called."""

    name: str
    library: NotRequired[bool]
    self_ms: float
    total_ms: float


class TimeShare(Closed):
    """The time of all functions of a file or of a site."""

    name: str
    ms: float


class TimeProfile(Closed):
    """Times of a run, in milliseconds; of all threads together. `browser_ms`: work of Chrome's own, as layout.

    `functions` are those with most time in themselves, `callers` those with most together with what they call.
    """

    seconds: float
    interval_us: float
    samples: int
    functions_ms: float
    collection_ms: float
    browser_ms: float
    idle_ms: float
    extensions_ms: NotRequired[float]
    gone_ms: NotRequired[float]
    """Time of scripts that the page does not have any more, or of another tab with the same process."""
    functions: list[TimedFunction]
    callers: list[TimedFunction]
    files: list[TimeShare]
    sites: list[TimeShare]


class ChangedFunction(Closed):
    """A function whose own time differs from that of earlier runs by more than `noise_ms`."""

    name: str
    source: NotRequired[str]
    before_ms: float
    now_ms: float
    noise_ms: float


class TimeComparison(Closed):
    """The functions that are slower or faster than in kept runs; `runs`: how many these were. Totals of all functions."""

    name: str
    runs: int
    before_ms: float
    now_ms: float
    noise_ms: float
    slower: list[ChangedFunction]
    faster: list[ChangedFunction]
    more: NotRequired[int]


class UsedFile(Closed):
    """The rules of a style sheet that were used, in characters of what the page has; `built`: the file that holds them."""

    source: str
    used: int
    total: int
    built: NotRequired[str]


class UnusedRule(Closed):
    """A rule that matched nothing; `chars`: its length in what the page has."""

    selector: str
    place: str
    built: NotRequired[str]
    chars: int


class StyleUse(Closed):
    """Rules that were used, in characters of what the page has. `rules`: the largest that were not."""

    used: int
    total: int
    files: list[UsedFile]
    more_files: NotRequired[int]
    rules: list[UnusedRule]
    more_rules: NotRequired[int]


class CodeProfileResult(TabResult):
    """The state of a run, or with `time` or `styles` its result; `ended`: the reason why it ended by itself.

    `seconds`: its length so far; `kept`: names of kept runs.
    """

    url: str
    running: bool
    measure: NotRequired[Measure]
    seconds: NotRequired[float]
    max_time: NotRequired[float]
    ended: NotRequired[str]
    time: NotRequired[TimeProfile]
    styles: NotRequired[StyleUse]
    comparison: NotRequired[TimeComparison]
    kept: NotRequired[list[str]]
    barred: NotRequired[int]
    notes: NotRequired[list[str]]


class CodeProfile(
    PageReading,
    Returns[CodeProfileResult],
    method="profiles.code_profile",
    group="performance",
    tool="code_profile",
    title="Code profile",
    past="Profiled the code of the page",
    page="document",
    silence="wait",
    shows=("action", "measure"),
):
    """Measure over an act or a time: the time of each function, or the CSS rules that were used.

    start, act, stop. To compare two runs: stop with keep, change the code, repeat, stop with compare.
    """

    action: Literal["start", "stop", "status"]
    measure: Annotated[Measure, Field(description="styles: which CSS rules match anything")] = "time"
    max_time: Annotated[Natural, Field(ge=1, le=MAX_TIME_S, description="Seconds until it ends by itself")] = 60
    keep: Annotated[
        Fact | None,
        Field(min_length=1, max_length=MAX_NAME, description="Name to keep these times under; the mean of several of one name"),
    ] = None
    compare: Annotated[Fact | None, Field(min_length=1, max_length=MAX_NAME, description="Name of kept times")] = None
    max_rows: Annotated[Count, Field(description="Functions, files and rules in each list")] = 10
    timeout: Milliseconds = 60_000

    def check(self) -> None:
        if self.action != "stop" and (self.keep is not None or self.compare is not None):
            raise ValueError(f"keep and compare go with action stop, not with {self.action}")


class MemoryUse(Closed):
    """Memory after a garbage collection: `heap` in bytes of JavaScript, the rest in numbers of things."""

    heap: float
    objects: int
    documents: int
    nodes: int
    listeners: int
    detached: int


class KeptBy(Closed):
    """The way from a global to some objects of a group, with names of properties and variables."""

    path: str
    count: int


class HeapGroup(Closed):
    """The objects of one constructor, or the functions of one name (with brackets)."""

    name: str
    count: int
    added: NotRequired[int]
    kept: NotRequired[list[KeptBy]]


class DetachedElements(Closed):
    """Trees in no document that something keeps: `count` of them, with `elements` in all; no path: nothing readable does."""

    element: str
    count: int
    elements: int
    path: str


class MemoryResult(TabResult):
    """Memory of a page; `before`: at the last call, which the groups are then compared with."""

    url: str
    use: MemoryUse
    before: NotRequired[MemoryUse]
    groups: list[HeapGroup]
    detached: list[DetachedElements]
    notes: NotRequired[list[str]]


class Memory(
    PageReading,
    Returns[MemoryResult],
    method="profiles.memory",
    group="performance",
    tool="memory",
    title="Memory",
    past="Looked at the memory",
    silence="wait",
):
    """Count objects by constructor, and detached elements with what keeps them.

    For a leak: call it, act, and call it with since_last.
    """

    since_last: Annotated[bool, Field(description="Growth since the last call, with the paths that keep it")] = False
    max_groups: Count = 10
    timeout: Milliseconds = 60_000


COMMANDS: tuple[type[Command], ...] = (Memory, CodeProfile)
