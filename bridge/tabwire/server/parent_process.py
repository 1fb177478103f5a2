"""The process that started this one, which is the MCP client or its launcher.

The end of stdin is the sign that a client is gone. It does not come while some other process holds the client's end of the pipe
open: a child of the client that inherited it, or a launcher (npx, a shell) that outlives the client's kill. So the parent is
watched, too.
"""

import os

import anyio

from tabwire.browsers import process_end

LAUNCHER_S = 2.0
"""A parent that ends within this has only started us for somebody else, and does not count."""
_LOOK_S = 1.0


async def parent_ended() -> None:
    """Wait until the parent is gone; for ever where it is that of all processes, which says nothing."""
    if (parent := os.getppid()) != 1:
        started = anyio.current_time()
        await _ended(parent)
        if anyio.current_time() - started >= LAUNCHER_S:
            return
    await anyio.sleep_forever()


async def _ended(parent: int) -> None:
    if await process_end.end_of(parent):
        return
    # Other systems have no event that a process may wait for without being its parent.
    while os.getppid() == parent:  # noqa: ASYNC110
        await anyio.sleep(_LOOK_S)
