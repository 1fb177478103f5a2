"""Wait (agent spec)."""

from typing import Annotated, Any, ClassVar, Literal, NotRequired

from pydantic import Field

from tabwire.commands import replay
from tabwire.commands.declaration import DEADLINE_GRACE_MS, Intent, Reading, Returns
from tabwire.commands.privacy import Script, Typed
from tabwire.commands.results import Closed, Result
from tabwire.commands.types import FrameId, LoadState, Milliseconds, TabId

CONDITION_FIELDS = {
    "selector": "selector",
    "selector_hidden": "selector",
    "text": "text",
    "text_hidden": "text",
    "url": "url",
    "load_state": "load_state",
    "function": "function",
    "timeout": "duration",
}
"""Value of `for` → the field with what is waited for."""


class DownloadFacts(Closed, total=False):
    """A download of the tab; `path` is there when it is complete."""

    path: str
    url: str
    size: int
    mime: str
    state: str
    danger: str
    deleted: bool


class WaitResult(DownloadFacts, Result):
    """The event that ended the wait, and the time it took."""

    waited_for: str
    waited_ms: int
    value: NotRequired[Any]
    """The value of the function."""
    others: NotRequired[list[DownloadFacts]]
    """Downloads that came besides."""


class Until(
    Reading,
    Returns[WaitResult],
    method="wait.until",
    tool="wait",
    core=("for", "selector", "text", "url", "load_state", "function", "duration", "timeout", "download", "tabId"),
    title="Wait",
    past="Waited",
    sensitive=("evaluate", "downloads"),
    silence="wait",
    bound=100_000,
    replay=replay.wait,
    shows=("for", "selector", "text", "url", "load_state", "function", "duration"),
):
    """Wait until something is there, in place of repeated snapshots: {"for": "text", "text": "Saved"}. Acts have waited
    already for what they set off. A plain time only where nothing can be named.
    """

    on_wire: ClassVar = {"download": bool}
    own_fields: ClassVar = ("waited_for", "waited_ms")

    for_: Annotated[
        Literal["selector", "selector_hidden", "text", "text_hidden", "url", "load_state", "function", "timeout"],
        Field(alias="for", description="What to wait for"),
    ]
    selector: str | None = None
    state: Annotated[Literal["attached", "detached", "visible", "hidden"], Field(description="For selector")] = "visible"
    text: Annotated[str | None, Field(description="Text, or /regex/; with selector the element's whole text")] = None
    url: Annotated[str | None, Field(description="URL with * wildcards, or /regex/")] = None
    load_state: LoadState | None = None
    function: Annotated[Script | None, Field(description="JavaScript function body; ends the wait when truthy")] = None
    polling: Annotated[Milliseconds, Field(description="For function, milliseconds")] = 100
    duration: Annotated[Milliseconds | None, Field(description="For timeout, milliseconds")] = None
    timeout: Annotated[Milliseconds, Field(description="Longest wait in milliseconds")] = 30_000
    tabId: TabId = None
    frameId: FrameId = None
    value: Annotated[Typed | None, Field(description="For selector: the value of the field")] = None
    download: Annotated[
        bool, Field(description="For url, which may be left out or a file name: until a download is complete")
    ] = False

    def check(self) -> None:
        if self.download and self.for_ != "url":
            raise ValueError(f'download goes with for "url", not with "{self.for_}"')
        if self.value is not None and self.for_ != "selector":
            raise ValueError(f'value goes with for "selector", not with "{self.for_}"')
        needed = CONDITION_FIELDS[self.for_]
        if not self.download and getattr(self, needed) is None:
            raise ValueError(f'for "{self.for_}" needs the argument {needed}')

    def params(self) -> dict[str, Any]:
        """A wait for something else says nothing of downloads."""
        every = super().params()
        return every if self.download else {name: value for name, value in every.items() if name != "download"}

    def intends(self) -> Intent:
        """A script may do anything."""
        return "act" if self.for_ == "function" else self.intent

    def deadline_ms(self) -> int:
        """A plain delay is as long as it says."""
        return int(max(self.timeout, self.duration or 0)) + DEADLINE_GRACE_MS


PURPOSE = "wait for what a page does"

COMMANDS = (Until,)
