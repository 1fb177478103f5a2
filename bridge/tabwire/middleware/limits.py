"""Rule: a reply stays under what the strictest client accepts (1,048,576 bytes for a whole result).

A read whose reply is larger fails and says how to ask for less. An act has happened by then: its reply is cut and says so. As an
error it would be made again.
"""

from tabwire.errors import ResultTooLarge
from tabwire.surfaces.reply_size import MAX_RESULT_BYTES, shortened, size_of
from tabwire.surfaces.tool import Next, ToolCall, ToolResult


async def limits(call: ToolCall, call_next: Next) -> ToolResult:
    """Let through what fits.

    Raises:
        ResultTooLarge: how large it was and how to ask for less. Nothing was done.
    """
    result = await call_next()
    size = size_of(result)
    if size <= MAX_RESULT_BYTES:
        return result
    if call.intent == "read":
        raise ResultTooLarge(
            f"the reply of {call.tool.name} would be {size:,} bytes, over the limit of {MAX_RESULT_BYTES:,}; ask for less: "
            "a selector, a depth or mode interactive for a snapshot, save_path for a picture"
        )
    return shortened(result, MAX_RESULT_BYTES)
