"""Interfaces between the engine and a transport: what the engine needs, and what the transport tells it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, Self

from tabwire.wire.messages import Browser, Event, Failure, Success


class Disconnected(Exception):
    """Nothing was written: the browser has no open connection."""


class Refusal(str):
    """Reason why a peer was turned away and what to do about it: one text, whose two parts can be had."""

    why: str
    fix: str
    is_foreign: bool
    """Whether it most likely belongs to somebody else, so that nothing is to be done about it."""

    def __new__(cls, why: str, fix: str, *, is_foreign: bool = False) -> Self:
        text = super().__new__(cls, f"{why} {fix}")
        text.why, text.fix, text.is_foreign = why, fix, is_foreign
        return text


@dataclass(frozen=True, slots=True)
class Visit:
    """The last time that a browser of the user's own proved that it has a key of theirs."""

    at: datetime
    wake_s: int
    """See `Browser.wake_s`."""


@dataclass(frozen=True, slots=True)
class Reception:
    """State of a link and of the peers it has really seen, for those who ask whether all is well."""

    port: int | None
    """Port that the link listens on; None when it cannot."""
    client: str
    """The MCP client, as browsers are told; "" before it has said its name."""
    refusal: Refusal | None
    """Refusal of the last peer that tried; None when it got in, or none has tried."""
    probes: int
    """Number of times a browser looked whether a bridge is here."""


class Receiver(Protocol):
    """Receiver of a link's news, always on the event loop's thread."""

    def browser_connected(self, browser: Browser) -> None:
        """A browser proved itself. It may be one that was lost, with newer details."""

    def browser_lost(self, browser_id: str) -> None:
        """Note that a browser's connection is gone."""

    def browser_refused(self) -> None:
        """A browser that wanted in was turned away; `reception` says why."""

    def message_received(self, browser_id: str, message: Success | Failure | Event) -> None:
        """Receive a browser's message."""


class Link(Protocol):
    """The way to the connected browsers."""

    @property
    def problem(self) -> str | None:
        """Reason why no browser can ever connect, with what to do about it; None when all is well."""

    @property
    def last_refusal(self) -> Refusal | None:
        """Reason why the last peer that tried was turned away; None when none was."""

    @property
    def reception(self) -> Reception:
        """State of the link and the peers that were seen so far."""

    @property
    def last_visit(self) -> Visit | None:
        """The last visit of a browser to any bridge of this user; None when none has ever come."""

    @property
    def wake_left_s(self) -> float:
        """Time that a browser that was here lately may still take to join by itself; 0 when none is to be expected."""

    def attach(self, receiver: Receiver) -> None:
        """Name who is told. Once."""

    async def send(self, browser_id: str, text: str) -> None:
        """Write one frame.

        Raises:
            Disconnected: Nothing was written.
        """

    def set_client(self, name: str, version: str) -> None:
        """Name the MCP client to browsers that connect later, and by an event to those already here."""
