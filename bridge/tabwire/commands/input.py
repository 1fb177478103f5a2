"""Interaction (agent spec): pointer, keyboard, scrolling, files."""

from typing import Annotated, ClassVar, Literal, NotRequired, Required

from pydantic import AfterValidator, Field

from tabwire.commands import replay
from tabwire.commands.declaration import DEADLINE_GRACE_MS, DEFAULT_DEADLINE_MS, Act, Returns
from tabwire.commands.privacy import Fact, KeyName, Typed
from tabwire.commands.results import ActResult, Closed, Position
from tabwire.commands.types import Addition, CallTimeout, Count, FrameId, Milliseconds, Modifier, Parameters, Pixels, Point, TabId

ACT_TIMEOUT_MS = 5_000

MAX_HOLD_MS = 5_000


def _held(ms: float) -> float:
    """Refuse a time for which a page would not be guarded.

    Raises:
        ValueError: with the limit.
    """
    if ms > MAX_HOLD_MS:
        raise ValueError(f"holds for {MAX_HOLD_MS} ms at most")
    return ms


Hold = Annotated[Milliseconds, AfterValidator(_held), Addition()]

MAX_PATH_MS = 20_000
MAX_POINTS = 50
PASS_MS = 100
"""Time for the moves to one point of a path."""


class PathPoint(Parameters):
    """A point that the pointer passes, and the time that it rests there."""

    x: Pixels
    y: Pixels
    pause: Hold | None = None


class PassedPoint(Position):
    """Such a point as it travels."""

    pause: NotRequired[float]


def _path(points: list[PathPoint]) -> list[PathPoint]:
    """Refuse a path that takes longer than an act may.

    Raises:
        ValueError: with the limit.
    """
    if len(points) > MAX_POINTS:
        raise ValueError(f"has {MAX_POINTS} points at most")
    if sum(point.pause or 0 for point in points) > MAX_PATH_MS:
        raise ValueError(f"pauses for {MAX_PATH_MS} ms in all at most")
    return points


Path = Annotated[
    list[PathPoint],
    AfterValidator(_path),
    Field(description="On the way; pause in ms"),
]

_FORMS = "@e5, role:button[name=Buy], text:Submit, label:Email, CSS or xpath=…"
Element = Annotated[Fact, Field(description=_FORMS)]
OptionalElement = Annotated[Fact | None, Field(description=_FORMS)]


def exactly_one(selector: str | None, coordinates: Point | None, names: str = "selector or coordinates") -> None:
    """Refuse a target given twice or not at all.

    Raises:
        ValueError: with what to pass.
    """
    if (selector is None) == (coordinates is None):
        raise ValueError(f"needs exactly one of {names}")
    if coordinates is not None and (coordinates.x is None or coordinates.y is None):
        raise ValueError("coordinates need both x and y")


def path_ms(points: list[PathPoint] | None) -> int:
    """Time that a path takes: its moves, and what it rests."""
    return int(sum((point.pause or 0) + PASS_MS for point in points or ()))


class FrameAct(Act, method="", page="scripts"):
    """Base of the acts in a tab or one of its frames."""

    tabId: TabId = None
    frameId: FrameId = None


class ElementAct(FrameAct, method=""):
    """Base of the acts that wait until their element is ready."""

    timeout: Milliseconds = ACT_TIMEOUT_MS


class TargetAct(ElementAct, method=""):
    """Base of the acts on an element or at a point."""

    on_wire: ClassVar = {"coordinates": Position}

    selector: OptionalElement = None
    coordinates: Point | None = None

    def check(self) -> None:
        exactly_one(self.selector, self.coordinates)


class ClickResult(ActResult, total=False):
    """`selected`: the values of a closed list of which an option was clicked."""

    selected: list[str]


class Click(
    TargetAct,
    Returns[ClickResult],
    method="input.click",
    tool="click",
    core=("selector", "coordinates", "button", "click_count", "modifiers", "diff", "tabId"),
    title="Click",
    caption="Click {target}",
    past="Clicked {target}",
    input="press",
    lasts="click_count|hold",
    gesture=True,
    replay=replay.click(1),
):
    """Click an element, or a point of a picture or canvas. Options of a closed list: select. Boxes: check."""

    selector: OptionalElement = None
    coordinates: Annotated[Point | None, Field(description="Viewport point in CSS pixels")] = None
    button: Literal["left", "right", "middle"] = "left"
    click_count: Count = 1
    hold: Annotated[Hold, Field(description="ms the button stays down")] = 0
    modifiers: list[Modifier] | None = None
    force: Annotated[bool, Field(description="Skip the actionability checks")] = False
    no_wait_after: Annotated[bool, Field(description="Do not wait for a navigation it starts")] = False

    def deadline_ms(self) -> int:
        """The time that the button stays down comes on top."""
        return super().deadline_ms() + int(self.hold * self.click_count)


class Dblclick(
    TargetAct,
    Returns[ClickResult],
    method="input.dblclick",
    tool="dblclick",
    title="Double-click",
    caption="Double-click {target}",
    past="Double-clicked {target}",
    input="press",
    lasts="always",
    gesture=True,
    replay=replay.click(2),
):
    """Double-click an element or a point."""

    selector: Fact | None = None
    coordinates: Point | None = None
    modifiers: list[Modifier] | None = None


class Type(
    FrameAct,
    Returns[ActResult],
    method="input.type",
    tool="type",
    core=("selector", "text", "tabId"),
    title="Type text",
    caption="Type into {target}|Type",
    past="Typed into {target}|Typed",
    input="keys",
    lasts="always",
    replay=replay.typed("type", "text"),
    shows=("text",),
):
    """Type key by key where a page listens to keys, or where the focus is. Else fill, which is faster and replaces what is
    there.
    """

    selector: Annotated[Fact | None, Field(description="Default: the focused element")] = None
    text: Typed
    delay: Annotated[Milliseconds, Field(description="ms between keys")] = 50
    timeout: CallTimeout = DEFAULT_DEADLINE_MS

    def deadline_ms(self) -> int:
        """Long texts take their typing time on top."""
        return int(self.timeout + len(self.text) * (self.delay + 20))


class Press(
    FrameAct,
    Returns[ActResult],
    method="input.press",
    tool="press",
    core=("selector", "key", "repeat", "diff", "tabId"),
    title="Press a key",
    sensitive="clipboard",
    caption="Press {key}",
    past="Pressed a key",
    input="keys",
    lasts="repeat|hold",
    replay=replay.press,
    shows=("key",),
):
    """Press a key or combination: Enter, Shift+Tab, Control+a."""

    selector: Annotated[Fact | None, Field(description="Default: the focused element")] = None
    key: KeyName
    repeat: Count = 1
    delay: Annotated[Milliseconds, Field(description="ms between repeats")] = 0
    hold: Annotated[Hold, Field(description="ms the key stays down")] = 0

    def deadline_ms(self) -> int:
        """Repeats take their time on top."""
        return int(DEFAULT_DEADLINE_MS + self.repeat * (self.delay + self.hold + 20))


class Hover(
    TargetAct,
    Returns[ActResult],
    method="input.hover",
    tool="hover",
    core=("selector", "tabId"),
    title="Hover",
    destructive=False,
    caption="Hover over {target}",
    past="Pointed at {target}",
    input="move",
    replay=replay.on_element("run.hover({element})"),
):
    """Move the pointer over an element: for menus and tips that open under it."""

    on_wire: ClassVar = {"coordinates": Position, "path": list[PassedPoint]}

    path: Annotated[Path | None, Addition()] = None

    def deadline_ms(self) -> int:
        """The time that it rests on the way comes on top."""
        return super().deadline_ms() + path_ms(self.path)


class DragResult(ActResult, total=False):
    """`target`: the reference of the element it was dragged to."""

    target: str


class Drag(
    ElementAct,
    Returns[DragResult],
    method="input.drag",
    tool="drag",
    title="Drag and drop",
    caption="Drag {source/source_coordinates} to {target/target_coordinates}",
    past="Dragged {target}|Dragged",
    input="press",
    lasts="always",
    shows=("source", "target"),
):
    """Drag an element or point to another."""

    on_wire: ClassVar = {"source_coordinates": Position, "target_coordinates": Position, "path": list[PassedPoint]}

    source: OptionalElement = None
    source_coordinates: Point | None = None
    target: Fact | None = None
    target_coordinates: Point | None = None
    steps: Annotated[Count, Field(description="Intermediate moves")] = 10
    hold: Annotated[Hold, Field(description="ms before it moves")] = 0
    hold_at_target: Annotated[Hold, Field(description="ms before the release")] = 0
    path: Annotated[Path | None, Addition()] = None

    def deadline_ms(self) -> int:
        """The time that it is held at both ends and on the way comes on top."""
        return super().deadline_ms() + int(self.hold + self.hold_at_target) + path_ms(self.path)

    def check(self) -> None:
        exactly_one(self.source, self.source_coordinates, "source or source_coordinates")
        exactly_one(self.target, self.target_coordinates, "target or target_coordinates")


class ScrollResult(ActResult, total=False):
    """The distance scrolled, and the position reached."""

    moved: Position
    position: Position


class Scroll(
    FrameAct,
    Returns[ScrollResult],
    method="input.scroll",
    tool="scroll",
    core=("selector", "direction", "amount", "into_view", "tabId"),
    title="Scroll",
    destructive=False,
    caption="Scroll {direction}|Scroll to {position}|Scroll to {target}",
    past="Scrolled",
    input="wheel",
    replay=replay.scroll,
    shows=("direction", "position"),
):
    """Scroll, for pages that load more when scrolled. Acts scroll to their element themselves, and snapshot reads beyond the
    viewport.
    """

    selector: Annotated[Fact | None, Field(description="Container, or the element to bring into view")] = None
    direction: Literal["up", "down", "left", "right"] | None = None
    amount: Annotated[Pixels | None, Field(description="Pixels")] = None
    position: Annotated[Point | None, Field(description="Absolute scroll position")] = None
    into_view: bool = False
    block: Literal["start", "center", "end", "nearest"] = "center"
    smooth: bool = False
    timeout: CallTimeout = DEFAULT_DEADLINE_MS

    def check(self) -> None:
        if self.into_view and not self.selector:
            raise ValueError("into_view needs a selector")
        if not (self.into_view or self.direction or self.position or self.selector):
            raise ValueError("needs a direction, a position, or a selector to bring into view")
        if self.direction and self.position:
            raise ValueError("direction and position exclude each other")


class TakenFile(Closed):
    """A file as the page has it."""

    name: str
    size: int
    type: str


class UploadResult(ActResult, total=False):
    """The files that the page took."""

    files: list[TakenFile]


class FileContent(Closed, total=False):
    """A file as it travels: its content, or the address that the extension fetches it from. A folder is read by the browser."""

    name: Required[str]
    mime_type: Required[str]
    base64: str
    url: str
    folder: str


class UploadFile(Parameters):
    """A file given by path, URL or content."""

    path: Fact | None = None
    url: Fact | None = None
    base64: str | None = None
    name: Fact | None = None
    mime_type: Fact | None = None

    def check(self) -> None:
        self.need_one("path", "url", "base64", what="a file needs")


class Upload(
    ElementAct,
    Returns[UploadResult],
    method="input.upload",
    tool="upload",
    core=("selector", "files", "tabId"),
    title="Upload files",
    sensitive="uploads",
    caption="Upload to {target}",
    past="Uploaded to {target}|Uploaded files",
    input="press",
    replay=replay.upload,
):
    """Put files or a folder into a file input or drop zone."""

    on_wire: ClassVar = {"files": list[FileContent]}

    selector: Element
    files: Annotated[list[Fact | UploadFile], Field(description="Paths, or objects with path, url or base64")]
    timeout: Milliseconds = 30_000

    def deadline_ms(self) -> int:
        """The transfer of the bytes is part of the call."""
        return int(self.timeout) + DEADLINE_GRACE_MS


PURPOSE = "mouse, keyboard, files"

COMMANDS = (Click, Dblclick, Type, Press, Hover, Drag, Scroll, Upload)
