"""Other processes: whether one runs, and its end as an event."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from ctypes import wintypes

assert sys.platform == "win32"

_QUERY_LIMITED_INFORMATION, _SYNCHRONIZE = 0x1000, 0x100000
_TIMEOUT, _FOREVER = 0x102, 0xFFFFFFFF
_ACCESS_DENIED = 5
_MAX_PID = 0xFFFFFFFF

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_kernel.OpenProcess.restype = wintypes.HANDLE
_kernel.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
_kernel.WaitForSingleObject.argtypes = [wintypes.HANDLE, wintypes.DWORD]
_kernel.WaitForSingleObject.restype = wintypes.DWORD
_kernel.CloseHandle.argtypes = [wintypes.HANDLE]


def is_alive(pid: int) -> bool:
    """Whether a process of this number runs. `os.kill(pid, 0)`, which asks elsewhere, sends Ctrl-C on Windows."""
    if not 0 < pid <= _MAX_PID:
        return False
    process = _kernel.OpenProcess(_SYNCHRONIZE | _QUERY_LIMITED_INFORMATION, False, pid)
    if not process:
        # A process of another user exists but cannot be opened.
        return ctypes.get_last_error() == _ACCESS_DENIED
    # The number of a process that has ended is kept while somebody holds a handle of it.
    runs = _kernel.WaitForSingleObject(process, 0) == _TIMEOUT
    _kernel.CloseHandle(process)
    return bool(runs)


def on_end(pid: int, ended: Callable[[], None]) -> bool:
    """Have a function called when a process has ended, in a thread that does not keep this process alive.

    Returns:
        False where there is no such process, or none that may be waited for.
    """
    process = _kernel.OpenProcess(_SYNCHRONIZE, False, pid) if 0 < pid <= _MAX_PID else None
    if not process:
        return False

    def wait() -> None:
        _kernel.WaitForSingleObject(process, _FOREVER)
        _kernel.CloseHandle(process)
        ended()

    threading.Thread(target=wait, name=f"end of process {pid}", daemon=True).start()
    return True
