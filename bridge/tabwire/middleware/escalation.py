"""Rule: who only observes does not act, until escalated. One rule for every surface; it looks at effects, never at names."""

from collections.abc import Callable
from dataclasses import replace

from tabwire.surfaces.tool import Authority, Middleware, Next, ToolCall, ToolResult


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
