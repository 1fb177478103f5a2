"""Failures of the reader surface alone. They never travel to the browser, so `tabwire.errors` does not list them."""

from tabwire.errors import TabwireError


class FetchFailed(TabwireError):
    """Network or HTTP error. `message` says the status code where there is one; `data["status"]` has it, too."""


class UnsupportedMime(TabwireError):
    """The document has no text that can be read; `data["mime_type"]` says what it is."""


class UnknownCursor(TabwireError):
    """The cursor was never issued, or is expired."""


class ResultOutOfRange(TabwireError):
    """The result set has no result of that number."""


class RateLimited(TabwireError):
    """More calls in a while than the configuration allows; `data["retry_after_s"]` says when there is room again."""
