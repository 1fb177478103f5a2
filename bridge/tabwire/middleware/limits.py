"""Rule: a reply stays under what the strictest client accepts (1,048,576 bytes for a whole result)."""

from pydantic_core import to_json

from tabwire.errors import ResultTooLarge
from tabwire.surfaces.tool import Next, ToolCall, ToolResult

MAX_RESULT_BYTES = 1_000_000


async def limits(call: ToolCall, call_next: Next) -> ToolResult:
    """Let through what fits.

    Raises:
        ResultTooLarge: how large it was and how to ask for less.
    """
    result = await call_next()
    size = size_of(result)
    if size > MAX_RESULT_BYTES:
        raise ResultTooLarge(
            f"the reply of {call.tool.name} would be {size:,} bytes, over the limit of {MAX_RESULT_BYTES:,}; ask for less: "
            "a selector, a depth or mode interactive for a snapshot, save_path for a picture"
        )
    return result


def size_of(result: ToolResult) -> int:
    """Bytes of the reply on the wire, near enough: JSON escapes included."""
    written = [part for part in (result.text, result.structured, result.facts) if part is not None]
    return sum(len(to_json(part)) for part in written) + sum(len(image.data) for image in result.images)
