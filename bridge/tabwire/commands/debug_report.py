"""A report of what debugging has seen, for a person. Ours; of the group `debug`."""

from typing import Annotated, ClassVar

from pydantic import Field

from tabwire.commands.declaration import Command, PageReading
from tabwire.commands.privacy import Fact
from tabwire.commands.types import CallTimeout

REPORT_TIMEOUT_MS = 60_000
"""Time for some thirty reads of a busy page."""
MAX_NOTE = 20_000


class DebugReport(
    PageReading,
    method="debug.report",
    tool="debug_report",
    title="Debugging report",
    past="Saved a debugging report",
):
    """Save a page for a bug report: picture, errors with sources, failed requests, performance; console and HAR beside it."""

    in_browser: ClassVar = False

    note: Annotated[
        Fact | None, Field(max_length=MAX_NOTE, description="What is wrong, how to see it: for the reader, at the top")
    ] = None
    picture: Annotated[bool, Field(description="A screenshot shows whatever the page does")] = True
    timeout: CallTimeout = REPORT_TIMEOUT_MS


COMMANDS: tuple[type[Command], ...] = (DebugReport,)
