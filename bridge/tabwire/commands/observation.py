"""Facts seen around an act in a tab that is being observed: what surfaces that judge acts are made of (instrument spec)."""

from typing import NotRequired

from tabwire.commands import input
from tabwire.commands.declaration import MAX_TOLD, Returns, TabReading
from tabwire.commands.input import ACT_TIMEOUT_MS
from tabwire.commands.results import Closed, TabResult
from tabwire.commands.traffic import CaptureState, RecordedRequest
from tabwire.commands.types import Milliseconds


class ConsoleCount(Closed):
    """The number of messages, and the number of errors among them."""

    count: int
    errors: int


class NetworkCount(Closed):
    """The number of requests, and whether recording goes on."""

    count: int
    recording: bool


class SignalsResult(TabResult):
    """None: nothing is recorded."""

    url: str
    title: str
    console: ConsoleCount | None
    network: NetworkCount | None


class Signals(
    TabReading,
    Returns[SignalsResult],
    method="observation.signals",
    bound=MAX_TOLD,
    title="Signals",
    page="none",
):
    """Address and title of a tab, and how many console messages and requests were recorded in it so far."""


class RequestsResult(CaptureState):
    """The recorded requests."""

    requests: list[RecordedRequest]
    barred: NotRequired[int]


class Requests(
    TabReading,
    Returns[RequestsResult],
    method="observation.requests",
    title="Requests",
    page="none",
):
    """What the capture of a tab has recorded so far; it goes on."""


class ElementResult(TabResult):
    """`href`: of the link it is in; `length`, `focused`, `holds`: of a field."""

    ref: str
    tag: str
    href: NotRequired[str]
    state: dict[str, str | bool]
    length: NotRequired[int]
    focused: NotRequired[bool]
    holds: NotRequired[bool]


class Element(
    TabReading,
    Returns[ElementResult],
    method="observation.element",
    bound=MAX_TOLD,
    title="Element",
    page="scripts",
):
    """The one element that a selector means, found as acts find it: its reference, and what an act may change of it."""

    selector: input.Element
    text: str | None = None
    """Whether it holds this text is told. What it holds is not."""
    timeout: Milliseconds = ACT_TIMEOUT_MS


WIRE_ONLY = (Signals, Requests, Element)
"""Commands for our own tools; no tools by themselves."""
