"""Media (agent spec)."""

import re
from pathlib import PurePath
from typing import Annotated, ClassVar, Literal, NotRequired

from pydantic import AfterValidator, Field

from tabwire.commands.declaration import Command, Doing, Reading, Returns, TabReading
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Box, Closed, Result
from tabwire.commands.types import Natural, Number, Overwrite, Parameters, Pixels, Positive, TabId, Whole

PICTURE_SUFFIXES: dict[str, Literal["png", "jpeg", "webp"]] = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
RECORDING_SUFFIXES: dict[str, Literal["gif", "webm"]] = {".gif": "gif", ".webm": "webm"}
LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(?:px|in|cm|mm)?\s*", re.ASCII)
MAX_RECORDING_MS = 600_000


class Clip(Parameters):
    """A rectangle in CSS pixels of the page."""

    x: Pixels | None = None
    y: Pixels | None = None
    width: Positive | None = None
    height: Positive | None = None

    def check(self) -> None:
        if None in (self.x, self.y, self.width, self.height):
            raise ValueError("clip needs x, y, width and height")


class ScreenshotResult(Result):
    """The picture in base64."""

    data: str
    mime_type: str
    width: int
    height: int
    note: NotRequired[str]


class Screenshot(
    TabReading,
    Returns[ScreenshotResult],
    method="media.screenshot",
    tool="screenshot",
    core=("selector", "full_page", "save_path", "tabId"),
    title="Screenshot",
    past="Took a picture",
    page="document",
    reply="image",
    shows=("selector", "save_path"),
):
    """Picture of the viewport, the whole page or an element: for layout, drawings and canvases. Text and controls: snapshot."""

    on_wire: ClassVar = {"clip": Box}

    masked: ClassVar = False
    struck: ClassVar = False

    selector: Annotated[str | None, Field(description="Only this element")] = None
    full_page: bool = False
    format: Literal["png", "jpeg", "webp"] = "png"
    quality: Annotated[Annotated[Whole, Field(ge=0, le=100)] | None, Field(description="jpeg and webp, 0-100")] = None
    omit_background: Annotated[bool, Field(description="Transparent background (png)")] = False
    clip: Annotated[Clip | None, Field(description="Only this region")] = None
    scale: Annotated[Annotated[Positive, Field(le=4)], Field(description="Pixels per CSS pixel")] = 1
    save_path: Annotated[str | None, Field(description="Save to this file instead of returning it")] = None
    overwrite: Overwrite = False

    def check(self) -> None:
        regions = [name for name in ("selector", "full_page", "clip") if getattr(self, name)]
        if len(regions) > 1:
            raise ValueError(f"{' and '.join(regions)} exclude each other")
        suffix = "" if self.save_path is None else PurePath(self.save_path).suffix
        named = PICTURE_SUFFIXES.get(suffix.lower())
        if suffix and "format" not in self.model_fields_set and named is not None:
            self.format = named
        elif suffix and named != self.format:
            raise ValueError(f"save_path ends in {suffix} and the picture is a {self.format}; give format and suffix that agree")


def _length(text: str) -> str:
    if not LENGTH.fullmatch(text):
        raise ValueError(f'{text!r} is not a length; give a number with px, in, cm or mm, such as "1cm" (px if it has none)')
    return text


Length = Annotated[str, AfterValidator(_length)]


class Margin(Parameters):
    """The margins of a page of paper."""

    top: Length | None = None
    bottom: Length | None = None
    left: Length | None = None
    right: Length | None = None


class PdfResult(Result):
    """The document in base64."""

    data: str
    note: NotRequired[str]


class Pdf(
    TabReading,
    Returns[PdfResult],
    method="media.pdf",
    tool="pdf",
    title="PDF",
    past="Printed the page",
    shows=("save_path",),
):
    """Print the page to a PDF file."""

    masked: ClassVar = False
    struck: ClassVar = False
    own_words: ClassVar = True

    format: Literal["Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6"] = "Letter"
    landscape: bool = False
    scale: Annotated[Number, Field(ge=0.1, le=2)] = 1
    margin: Annotated[Margin | None, Field(description='Such as "1cm"; px, in, cm, mm')] = None
    display_header_footer: bool = False
    header_template: Annotated[str | None, Field(description="HTML; classes date, title, url, pageNumber, totalPages")] = None
    footer_template: str | None = None
    print_background: bool = True
    prefer_css_page_size: bool = False
    save_path: str
    overwrite: Overwrite = False

    def check(self) -> None:
        if not self.display_header_footer and (self.header_template or self.footer_template):
            raise ValueError("header_template and footer_template need display_header_footer: true")
        if PurePath(self.save_path).suffix.lower() not in ("", ".pdf"):
            raise ValueError("save_path needs to end in .pdf")


class Overlays(Parameters):
    """What is drawn on the frames."""

    click_indicators: bool = True
    drag_paths: bool = True
    action_labels: bool = True


class RecordingResult(Result):
    """The state of a recording, or the recording that was stopped."""

    recording: bool | str
    """Whether it goes on; of a stopped one its id."""
    tab: NotRequired[int]
    mode: NotRequired[Literal["fixed_fps", "auto_capture"]]
    format: NotRequired[Literal["gif", "webm"]]
    fps: NotRequired[float]
    frames: NotRequired[int]
    elapsed_ms: NotRequired[int]
    width: NotRequired[int]
    height: NotRequired[int]
    ended: NotRequired[str]
    """The reason why no more frames were taken."""
    next: NotRequired[str]
    save_path: NotRequired[str]
    note: NotRequired[str]


class Record(
    Doing,
    Returns[RecordingResult],
    method="media.record",
    tool="record",
    title="Record",
    intent="read",
    scope="browser",
    page="none",
    destructive=False,
    shows=("action", "save_path"),
):
    """Record a tab as GIF or WebM: start, act, stop."""

    own_words: ClassVar = True

    action: Literal["start", "stop", "capture_frame", "status"]
    mode: Annotated[Literal["fixed_fps", "auto_capture"], Field(description="auto_capture: after each act")] = "auto_capture"
    format: Literal["gif", "webm"] = "gif"
    fps: Annotated[Positive, Field(le=30)] = 5
    max_duration: Annotated[Annotated[Positive, Field(le=MAX_RECORDING_MS)], Field(description="ms")] = 30_000
    max_frames: Annotated[Whole, Field(ge=1, le=500)] = 100
    width: Annotated[Annotated[Whole, Field(ge=16, le=2000)], Field(description="The page is fitted into width x height")] = 800
    height: Annotated[Whole, Field(ge=16, le=2000)] = 600
    annotation: Annotated[str | None, Field(description="Text on the captured frame")] = None
    save_path: Annotated[Fact | None, Field(description="For stop")] = None
    overlays: Overlays | None = None
    tabId: TabId = None
    overwrite: Overwrite = False

    def check(self) -> None:
        suffix = "" if self.save_path is None else PurePath(self.save_path).suffix
        named = RECORDING_SUFFIXES.get(suffix.lower())
        if suffix and named is None:
            raise ValueError("save_path needs to end in .gif or .webm")
        if named and "format" not in self.model_fields_set:
            self.format = named
        elif named and named != self.format:
            raise ValueError(f"save_path ends in {suffix} and format is {self.format}; give two that agree")


class RecordedFrame(Closed):
    """A frame as PNG in base64, and when it was taken: milliseconds since the beginning."""

    at: int
    data: str


class FramesResult(Result):
    """The next frames."""

    frames: list[RecordedFrame]


class Frames(
    Reading,
    Returns[FramesResult],
    method="media.frames",
    title="Frames",
    scope="browser",
    page="none",
):
    """The frames of a stopped recording, as many as fit one message."""

    masked: ClassVar = False
    struck: ClassVar = False

    recording: str
    start: Natural = 0


class DiscardResult(Result):
    """Nothing is told."""


class Discard(
    Command,
    Returns[DiscardResult],
    method="media.discard",
    title="Discard",
    effect="act",
    intent="read",
    scope="browser",
    page="none",
    reply="data",
):
    """Forget a recording that has been saved."""

    recording: str


PURPOSE = "screenshots, PDF, recordings"

COMMANDS = (Screenshot, Pdf, Record)
WIRE_ONLY = (Frames, Discard)
"""Commands for our own tools in between; no tool by itself."""
