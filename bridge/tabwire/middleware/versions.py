"""Rule: a client hears once that extension and bridge are of different versions, and with each failure that this may explain."""

from tabwire.errors import TabwireError, UnknownCommand, UnknownError
from tabwire.surfaces.tool import Middleware, Next, ToolCall, ToolResult
from tabwire.wire.versions import VersionGap, version_gap

EXPLAINED = frozenset((UnknownCommand.code, UnknownError.code))
"""Codes of failures that a different version may be the cause of."""


def versions(own: str) -> Middleware:
    """The rule.

    Args:
        own: The version of this package, whose extension is of the same.
    """
    known: set[tuple[str, str]] = set()

    async def rule(call: ToolCall, call_next: Next) -> ToolResult:
        try:
            result = await call_next()
        except TabwireError as error:
            gap = _gap(call, own)
            if gap is not None and error.code in EXPLAINED:
                error.next_step = f"{gap.fact}: {gap.step}."
            raise
        browser, gap = call.context.target.browser, _gap(call, own)
        if browser is None or gap is None or (browser.id, gap.fact) in known:
            return result
        known.add((browser.id, gap.fact))
        return call.toolset.replies.note(result, f"{gap.fact}. Most calls still work. Tell the user: {gap.step}")

    return rule


def _gap(call: ToolCall, own: str) -> VersionGap | None:
    """The gap to the browser of a call, which may have been updated in the middle of it."""
    chosen = call.context.target.browser
    if chosen is None:
        return None
    now = next((browser for browser in call.context.engine.browsers if browser.id == chosen.id), chosen)
    return version_gap(now.extension_version, own) if now.extension_version else None
