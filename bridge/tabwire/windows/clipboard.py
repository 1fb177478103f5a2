"""The clipboard. `clip.exe` keeps the mark of the byte order as a first character, which then is part of a pasted path."""

from __future__ import annotations

import ctypes
import sys
import time
from ctypes import wintypes

assert sys.platform == "win32"

_UNICODE_TEXT = 13
_MOVEABLE = 0x2
_OPEN_S = 1.0
_LOOK_S = 0.02

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_desktop = ctypes.WinDLL("user32", use_last_error=True)
_kernel.GlobalAlloc.restype = _kernel.GlobalLock.restype = ctypes.c_void_p
_kernel.GlobalAlloc.argtypes = [wintypes.UINT, ctypes.c_size_t]
_kernel.GlobalLock.argtypes = _kernel.GlobalUnlock.argtypes = _kernel.GlobalFree.argtypes = [ctypes.c_void_p]
_desktop.OpenClipboard.argtypes = [wintypes.HWND]
_desktop.SetClipboardData.restype = wintypes.HANDLE
_desktop.SetClipboardData.argtypes = [wintypes.UINT, ctypes.c_void_p]


def put(text: str) -> bool:
    """Put text into the clipboard; whether the system has taken it. Another program may have it open for a moment."""
    deadline = time.monotonic() + _OPEN_S
    while not _desktop.OpenClipboard(None):
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK_S)  # there is an event for new contents, and none for who has it open
    try:
        return bool(_desktop.EmptyClipboard()) and _given(text.encode("utf-16-le") + b"\0\0")
    finally:
        _desktop.CloseClipboard()


def _given(content: bytes) -> bool:
    block = _kernel.GlobalAlloc(_MOVEABLE, len(content))
    place = _kernel.GlobalLock(block) if block else None
    if not place:
        return False
    ctypes.memmove(place, content, len(content))
    _kernel.GlobalUnlock(block)
    # The system owns the block once it has taken it.
    if _desktop.SetClipboardData(_UNICODE_TEXT, block):
        return True
    _kernel.GlobalFree(block)
    return False
