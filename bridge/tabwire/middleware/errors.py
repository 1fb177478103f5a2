"""Rule: every failure becomes an error reply with its cause and the next step; nothing else escapes."""

import logging

from tabwire.errors import TabwireError, UnknownError
from tabwire.surfaces.tool import Next, ToolCall, ToolResult

log = logging.getLogger(__name__)


async def errors(call: ToolCall, call_next: Next) -> ToolResult:
    """The one error boundary of the bridge."""
    try:
        return await call_next()
    except TabwireError as error:
        return call.toolset.replies.fail(call, error)
    except Exception as error:  # a defect of ours must not end the session
        log.exception("tool %s failed", call.tool.name)
        return call.toolset.replies.fail(
            call,
            UnknownError(
                f"{call.tool.name} failed inside tabwire ({type(error).__name__}: {error}); the log on stderr has the details"
            ),
        )
