"""The end of another process, as an event of the system."""

import asyncio
import os
import sys
from contextlib import suppress

import anyio


async def end_of(pid: int) -> bool:
    """Wait until a process has ended; False at once where there is no such process, or no event for it (macOS has none)."""
    if sys.platform == "win32":
        return await _end_on_windows(pid)
    if not hasattr(os, "pidfd_open"):
        return False
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        await anyio.wait_readable(descriptor)
    finally:
        os.close(descriptor)
    return True


async def _end_on_windows(pid: int) -> bool:
    if sys.platform != "win32":
        return False
    from tabwire.windows import processes

    loop, over = asyncio.get_running_loop(), anyio.Event()

    def ended() -> None:
        # With the loop closed there is no waiter left.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(over.set)

    if not processes.on_end(pid, ended):
        return False
    await over.wait()
    return True
