"""The page as HTML and what its references mean: what surfaces that name elements by CSS selectors are made of."""

from tabwire.commands.declaration import PageReading, Returns, TabReading
from tabwire.commands.input import ACT_TIMEOUT_MS
from tabwire.commands.results import TabResult
from tabwire.commands.types import Milliseconds


class OutlineResult(TabResult):
    """The outline, and what it leaves out in one line."""

    outline: str
    title: str
    url: str
    left_out: str


class Capture(
    PageReading,
    Returns[OutlineResult],
    method="outline.capture",
    title="Outline",
    past="Read the outline",
):
    """The page (all frames and shadow roots) as an outline of HTML, with a selector on each element worth acting on."""


class ResolveResult(TabResult):
    """The reference of the element."""

    ref: str


class Resolve(
    TabReading,
    Returns[ResolveResult],
    method="outline.resolve",
    title="Resolve",
    page="scripts",
):
    """The @eN of the element that a selector of an outline, or any other selector, means."""

    ref: str
    timeout: Milliseconds = ACT_TIMEOUT_MS


WIRE_ONLY = (Capture, Resolve)
"""Commands for our own tools; no tool by itself."""
