"""The document of a page as it stands: what surfaces that give HTML, attributes or tagged text are made of."""

from typing import ClassVar, NotRequired

from tabwire.commands.declaration import Reading, Returns
from tabwire.commands.results import Closed, TabResult
from tabwire.commands.types import Natural, TabId


class FieldState(Closed, total=False):
    """The current state of a field, which its attributes do not show."""

    value: str
    checked: bool
    selected: bool


class MarkupResult(TabResult):
    """`rows`: JSON text. Absent where nothing was found, or nothing has changed."""

    found: bool
    unchanged: NotRequired[bool]
    rows: NotRequired[str]
    state: NotRequired[FieldState]
    url: NotRequired[str]
    title: NotRequired[str]


class Read(
    Reading,
    Returns[MarkupResult],
    method="markup.read",
    title="Markup",
    past="Read the markup",
    page="scripts",
):
    """The first element that a selector matches, and what is in it, as rows in document order; see `surfaces.shared.markup`."""

    masked: ClassVar = False

    selector: str | None = None
    depth: Natural | None = None
    """Depth of the deepest elements; 0 is the first."""
    shown: bool = False
    """Only what is rendered, through shadow roots and slots."""
    tabId: TabId = None
    snapshot: str | None = None
    """A name for what is read: while it still is what was read under that name the last time, the answer is `unchanged`."""


WIRE_ONLY = (Read,)
"""Commands for our own tools; no tool by itself."""
