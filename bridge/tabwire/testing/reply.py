"""Reply of a tool."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwire.surfaces.tool import ToolResult


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a reply."""

    content: bytes = field(repr=False)
    mime_type: str

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it to a file; returns the path."""
        target = Path(path)
        target.write_bytes(self.content)
        return target


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply of a tool. `"Saved" in reply` looks into its text."""

    text: str
    """Text that a model reads: a snapshot, or one line on what was done and one on what was observed."""
    data: Any = None
    """The same as plain values, without a page's tree or a picture; which ones depends on the tool."""
    images: tuple[Picture, ...] = ()

    @property
    def image(self) -> Picture:
        """The one picture of a screenshot.

        Raises:
            ValueError: there is none.
        """
        if not self.images:
            raise ValueError(f"there is no picture in this reply: {self.text:.200}")
        return self.images[0]

    @property
    def effects(self) -> dict[str, Any]:
        """Observed effects of an act, by name (url, new_tabs, dialog, downloads …); empty when nothing changed."""
        found = self.data.get("effects") if isinstance(self.data, dict) else None
        return dict(found or {})

    def __contains__(self, text: str) -> bool:
        return text in self.text

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of(cls, result: ToolResult) -> Reply:
        """The reply that is this result."""
        pictures = tuple(Picture(base64.b64decode(image.data), image.mime_type) for image in result.images)
        return cls(str(result.text), (result.structured or result.facts or {}).get("data"), pictures)
