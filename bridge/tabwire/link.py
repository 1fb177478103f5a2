"""What the engine needs from a transport, and what it is told by it."""

from __future__ import annotations

from typing import Protocol

from tabwire.protocol.message import Browser, Event, Failure, Success

__all__ = ["Disconnected", "Link", "Receiver"]


class Disconnected(Exception):
    """Nothing was written: the browser has no open connection."""


class Receiver(Protocol):
    """What a link tells its user, always on the event loop's thread."""

    def browser_connected(self, browser: Browser) -> None:
        """A browser proved itself. It may be one that was lost, with newer details."""

    def browser_lost(self, browser_id: str) -> None:
        """Its connection is gone."""

    def message_received(self, browser_id: str, message: Success | Failure | Event) -> None:
        """It sent something."""


class Link(Protocol):
    """The way to the connected browsers."""

    @property
    def problem(self) -> str | None:
        """Why no browser can ever connect, with what to do about it; None when all is well."""

    @property
    def last_refusal(self) -> str | None:
        """Why the last peer that tried was turned away; None when none was."""

    def attach(self, receiver: Receiver) -> None:
        """Name who is told. Once."""

    async def send(self, browser_id: str, text: str) -> None:
        """Write one frame.

        Raises:
            Disconnected: Nothing was written.
        """

    def set_client(self, name: str, version: str) -> None:
        """Who the MCP client is: told to browsers that connect later, and by an event to those already here."""
