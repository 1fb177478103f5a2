"""Failures that only this surface knows."""

from tabwire.errors import TabwireError


class NoSuchSession(TabwireError):
    """No session of this bridge has that name."""


class SessionClosed(TabwireError):
    """The session has ended; its events can still be read."""
