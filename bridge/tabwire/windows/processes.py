"""Other processes: whether one runs, and its end as an event."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import wintypes

assert sys.platform == "win32"

QUERY_LIMITED_INFORMATION, SYNCHRONIZE = 0x1000, 0x100000
"""Rights that a handle can have."""

_TIMEOUT, _FOREVER = 0x102, 0xFFFFFFFF
_ACCESS_DENIED = 5
_MAX_PID = 0xFFFFFFFF

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_kernel.OpenProcess.restype = wintypes.HANDLE
_kernel.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
_kernel.WaitForSingleObject.argtypes = [wintypes.HANDLE, wintypes.DWORD]
_kernel.WaitForSingleObject.restype = wintypes.DWORD
_kernel.CloseHandle.argtypes = [wintypes.HANDLE]


def handle_of(pid: int, rights: int) -> int | None:
    """A handle of a process, for the caller to close; None where there is no such process, or none to be had."""
    return _kernel.OpenProcess(rights, False, pid) or None if 0 < pid <= _MAX_PID else None


def close(handle: int) -> None:
    """Close a handle."""
    _kernel.CloseHandle(handle)


@contextmanager
def opened(pid: int, rights: int) -> Iterator[int | None]:
    """`handle_of`, closed at the end of the block."""
    handle = handle_of(pid, rights)
    try:
        yield handle
    finally:
        if handle:
            close(handle)


def is_alive(pid: int) -> bool:
    """Whether a process of this number runs. `os.kill(pid, 0)`, which asks elsewhere, sends Ctrl-C on Windows."""
    if not 0 < pid <= _MAX_PID:
        return False
    with opened(pid, SYNCHRONIZE | QUERY_LIMITED_INFORMATION) as process:
        if process is None:
            # A process of another user exists but cannot be opened.
            return ctypes.get_last_error() == _ACCESS_DENIED
        # The number of a process that has ended is kept while another program holds a handle of it.
        return bool(_kernel.WaitForSingleObject(process, 0) == _TIMEOUT)


def on_end(pid: int, ended: Callable[[], None]) -> bool:
    """Have a function called when a process has ended, in a thread that does not keep this process alive.

    Returns:
        False where there is no such process, or none that may be waited for.
    """
    process = handle_of(pid, SYNCHRONIZE)
    if process is None:
        return False

    def wait() -> None:
        _kernel.WaitForSingleObject(process, _FOREVER)
        close(process)
        ended()

    threading.Thread(target=wait, name=f"end of process {pid}", daemon=True).start()
    return True
