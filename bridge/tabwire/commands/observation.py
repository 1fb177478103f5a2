"""What is seen around an act in a tab that is being observed: what surfaces that judge acts are made of (document 004)."""

from __future__ import annotations

from tabwire.commands.declaration import Command
from tabwire.commands.input import ACT_TIMEOUT_MS, Element
from tabwire.commands.types import Milliseconds, TabId


class Signals(Command, method="observation.signals", tool="", title="Signals", effect="read", page="none", reply="data"):
    """Address and title of a tab, and how many console messages and requests were recorded in it so far."""

    tabId: TabId = None


class Requests(Command, method="observation.requests", tool="", title="Requests", effect="read", page="none", reply="data"):
    """What the capture of a tab has recorded so far; it goes on."""

    tabId: TabId = None


class Facts(Command, method="observation.element", tool="", title="Element", effect="read", page="scripts", reply="data"):
    """The one element that a selector means, found as acts find it: its reference, and what an act may change of it."""

    selector: Element
    text: str | None = None
    """Whether it holds this text is told. What it holds is not."""
    timeout: Milliseconds = ACT_TIMEOUT_MS
    tabId: TabId = None


WIRE_ONLY = (Signals, Requests, Facts)
"""What our own tools ask for; no tools by themselves."""
