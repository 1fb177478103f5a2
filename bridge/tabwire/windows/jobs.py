"""Job objects: a group of processes that Windows ends when the last handle of the job is closed, however its holder has ended.

Imports nothing of tabwire: the reaper of a browser loads it beside itself.
https://learn.microsoft.com/windows/win32/procthread/job-objects
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from ctypes import wintypes

assert sys.platform == "win32"

CREATE_SUSPENDED = 0x4
"""Flag for `subprocess`: nothing of the program runs before `take` has let it."""

_KILL_ON_JOB_CLOSE = 0x2000
_EXTENDED_LIMITS, _ACCOUNTING = 9, 1
_SET_QUOTA, _TERMINATE, _SUSPEND_RESUME, _SYNCHRONIZE = 0x100, 0x1, 0x800, 0x100000
_WM_CLOSE = 0x10
_LOOK_S = 0.03

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_native = ctypes.WinDLL("ntdll")
_desktop = ctypes.WinDLL("user32")
_kernel.CreateJobObjectW.restype = _kernel.OpenProcess.restype = wintypes.HANDLE
_kernel.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
_kernel.SetInformationJobObject.argtypes = [wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD]
_kernel.QueryInformationJobObject.argtypes = [wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD, ctypes.c_void_p]
_kernel.AssignProcessToJobObject.argtypes = [wintypes.HANDLE, wintypes.HANDLE]
_kernel.TerminateJobObject.argtypes = [wintypes.HANDLE, wintypes.UINT]
_kernel.WaitForSingleObject.argtypes = [wintypes.HANDLE, wintypes.DWORD]
_kernel.CloseHandle.argtypes = [wintypes.HANDLE]
_native.NtResumeProcess.argtypes = [wintypes.HANDLE]
_desktop.GetWindowThreadProcessId.argtypes = [wintypes.HWND, ctypes.POINTER(wintypes.DWORD)]
_desktop.PostMessageW.argtypes = [wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM]


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("times", ctypes.c_int64 * 2),
        ("flags", wintypes.DWORD),
        ("sizes", ctypes.c_size_t * 2),
        ("active_limit", wintypes.DWORD),
        ("affinity", ctypes.c_size_t),
        ("classes", wintypes.DWORD * 2),
        ("io", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    )


class _Accounting(ctypes.Structure):
    """JOBOBJECT_BASIC_ACCOUNTING_INFORMATION."""

    _fields_ = (
        ("times", ctypes.c_int64 * 4),
        ("faults", wintypes.DWORD),
        ("total", wintypes.DWORD),
        ("active", wintypes.DWORD),
        ("terminated", wintypes.DWORD),
    )


def create() -> int:
    """Make a job whose processes end with its last handle; its handle, which children may inherit.

    Raises:
        OSError: there can be none.
    """
    job = _kernel.CreateJobObjectW(None, None)
    if not job:
        raise ctypes.WinError(ctypes.get_last_error())
    limits = _Limits(flags=_KILL_ON_JOB_CLOSE)
    if not _kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)):
        raise ctypes.WinError(ctypes.get_last_error())
    os.set_handle_inheritable(job, True)
    return int(job)


def close(job: int) -> None:
    """Close a handle of a job."""
    _kernel.CloseHandle(job)


def take(job: int, pid: int) -> None:
    """Put a process into a job, then let it run: it was started with `CREATE_SUSPENDED`. Its children will be of the job.

    Raises:
        OSError: it cannot be; it does not run then.
    """
    process = _kernel.OpenProcess(_SET_QUOTA | _TERMINATE | _SUSPEND_RESUME, False, pid)
    if not process:
        raise ctypes.WinError(ctypes.get_last_error())
    try:
        if not _kernel.AssignProcessToJobObject(job, process):
            raise ctypes.WinError(ctypes.get_last_error())
        _native.NtResumeProcess(process)
    finally:
        _kernel.CloseHandle(process)


def end(job: int, first: int, *, asked_s: float, gone_s: float) -> None:
    """Ask the windows of a process of the job to close, then end all processes of the job that are left.

    A browser that closes writes down what its pages and sites have left. One without windows cannot be asked.

    Args:
        first: the id of the process that is asked.
        asked_s: how long it may take.
        gone_s: how long to wait for the end of all.
    """
    if _asked_to_close(first):
        _wait(first, asked_s)
    _kernel.TerminateJobObject(job, 1)
    deadline = time.monotonic() + gone_s
    # A job has an event for a limit that was reached, and none for its last process.
    while active(job) and time.monotonic() < deadline:
        time.sleep(_LOOK_S)


def active(job: int) -> int:
    """Return the number of its processes that run."""
    counts = _Accounting()
    _kernel.QueryInformationJobObject(job, _ACCOUNTING, ctypes.byref(counts), ctypes.sizeof(counts), None)
    return int(counts.active)


def _asked_to_close(pid: int) -> bool:
    """Whether the process has a window that was sent the message."""
    asked = []

    def visit(window: int, _: int) -> bool:
        owner = wintypes.DWORD()
        _desktop.GetWindowThreadProcessId(window, ctypes.byref(owner))
        if owner.value == pid and _desktop.IsWindowVisible(window) and _desktop.PostMessageW(window, _WM_CLOSE, 0, 0):
            asked.append(window)
        return True

    _desktop.EnumWindows(ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)(visit), 0)
    return bool(asked)


def _wait(pid: int, seconds: float) -> None:
    process = _kernel.OpenProcess(_SYNCHRONIZE, False, pid)
    if process:
        _kernel.WaitForSingleObject(process, int(seconds * 1000))
        _kernel.CloseHandle(process)
