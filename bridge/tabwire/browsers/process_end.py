"""The end of another process, as an event of the kernel."""

import os

import anyio


async def end_of(pid: int) -> bool:
    """Wait until a process has ended; False at once where there is no such process, or no event for it (only Linux has one)."""
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
