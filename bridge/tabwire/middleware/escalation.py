"""Rule: who only observes does not act, until escalated. One rule for every surface; it looks at effects, never at names."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Protocol

from tabwire.errors import TabwireError
from tabwire.surfaces.tool import Middleware, Next, ToolCall, ToolResult


class Authority(Protocol):
    """Permissions of a client at the moment: those of a session, or of a whole bridge."""

    @property
    def origins(self) -> Collection[str] | None:
        """Allowed origins for acts: none (empty), these, or every one (None)."""

    @property
    def reason(self) -> str | None:
        """Reason for acting, in the client's words; None where nobody gave one."""

    def refusal(self, call: ToolCall) -> TabwireError:
        """The error of an act that it may not do: what is missing, and the way to it."""


def escalation(authority_of: Callable[[ToolCall], Authority | None]) -> Middleware:
    """The rule. It belongs behind that of the arguments: some calls of act tools only read, and the arguments say which.

    Args:
        authority_of: whose authority counts for a call; None where none is asked for.
    """

    async def rule(call: ToolCall, call_next: Next) -> ToolResult:
        """Raises: TabwireError: the refusal of the authority; nothing was done."""
        authority = authority_of(call) if call.intent != "read" else None
        if authority is None:
            return await call_next()
        if not call.context.reason and authority.reason:
            call.context = replace(call.context, reason=authority.reason)
        origins = authority.origins
        if origins is not None:
            if not origins and call.intent == "act":
                raise authority.refusal(call)
            # Where an act would happen only the browser knows, and only when it happens.
            call.context = replace(call.context, only_origins=tuple(origins))
        return await call_next()

    return rule
