"""The group `debug`, whose commands are of several domains, and its report for a person. Ours."""

from typing import Annotated, ClassVar

from pydantic import Field

from tabwire.commands import breakpoints, console, elements, network, sources
from tabwire.commands.declaration import Command, PageReading
from tabwire.commands.privacy import Fact
from tabwire.commands.types import CallTimeout

REPORT_TIMEOUT_MS = 60_000
"""Time for some thirty reads of a busy page."""
MAX_NOTE = 20_000


class Report(
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


PURPOSE = (
    "why something fails or looks wrong: console messages with values and places in the sources, requests of a tab, styles and "
    "listeners of an element, its components, sources, breakpoints, an audit of the page, a report for people"
)

COMMANDS: tuple[type[Command], ...] = (
    *console.COMMANDS,
    network.Requests,
    network.RequestDetails,
    elements.Styles,
    elements.EventListeners,
    *sources.COMMANDS,
    elements.Audit,
    *breakpoints.COMMANDS,
    elements.Components,
    Report,
)
"""The group `debug`, in the order of the list of tools."""
