"""Authority of the clients of a bridge that starts by observing only."""

from collections.abc import Collection
from typing import Literal

from tabwire.errors import PermissionDenied, TabwireError
from tabwire.surfaces.tool import ToolCall

Who = Literal["client", "user"]
"""Party that may escalate: the client, or only the user."""

ESCALATE = "escalate"
"""The tool by which a client does."""

_WAY_OUT = {
    "client": f"Call {ESCALATE} with a reason first; with an origin, to act only there.",
    "user": "Only the user can allow it: ask them to restart this server without --observe-only.",
}


class Observing:
    """An authority that begins with nothing. It belongs to the bridge: over HTTP it is that of all clients.

    Args:
        who: who may escalate.
    """

    def __init__(self, who: Who) -> None:
        self._who = who
        self._origins: set[str] | None = set()
        self.reason: str | None = None
        """See `Authority`: that of the last escalation."""

    @property
    def origins(self) -> Collection[str] | None:
        """See `Authority`."""
        return None if self._origins is None else sorted(self._origins)

    def escalate(self, origin: str | None, reason: str | None = None) -> None:
        """Acts are allowed from now on, at an origin or everywhere. A switch of the user's calls this, too."""
        self.reason = reason
        if origin is None:
            self._origins = None
        elif self._origins is not None:
            self._origins.add(origin)

    def refusal(self, call: ToolCall) -> TabwireError:
        """See `Authority`."""
        return PermissionDenied(
            f"{call.tool.name} acts, and this server only observes so far; nothing was done.",
            {"reason": "observe_only"},
            _WAY_OUT[self._who],
        )
