"""Media (document 002)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from tabwire.commands.types import Number, Parameters, Positive, TabId, Whole
from tabwire.protocol.command import Command


class Clip(Parameters):
    """A rectangle in CSS pixels of the page."""

    x: Number | None = None
    y: Number | None = None
    width: Positive | None = None
    height: Positive | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> Clip:
        if None in (self.x, self.y, self.width, self.height):
            raise ValueError("clip needs x, y, width and height")
        return self


class Screenshot(
    Command, method="media.screenshot", tool="screenshot", title="Screenshot", effect="read", page="document", reply="image"
):
    """Picture of the viewport, the whole page or an element."""

    selector: Annotated[str | None, Field(description="Only this element")] = None
    full_page: bool = False
    format: Literal["png", "jpeg", "webp"] = "png"
    quality: Annotated[Annotated[Whole, Field(ge=0, le=100)] | None, Field(description="jpeg and webp, 0-100")] = None
    omit_background: Annotated[bool, Field(description="Transparent background (png)")] = False
    clip: Annotated[Clip | None, Field(description="Only this region")] = None
    scale: Annotated[Positive, Field(le=4)] = 1
    save_path: Annotated[str | None, Field(description="Save to this file instead of returning it")] = None
    tabId: TabId = None

    @model_validator(mode="after")
    def _has_one_region(self) -> Screenshot:
        regions = [name for name in ("selector", "full_page", "clip") if getattr(self, name)]
        if len(regions) > 1:
            raise ValueError(f"{' and '.join(regions)} exclude each other")
        return self


COMMANDS = (Screenshot,)
