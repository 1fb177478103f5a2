"""Consoles."""

from __future__ import annotations

import ctypes
import msvcrt
import sys
from ctypes import wintypes

assert sys.platform == "win32"

_kernel = ctypes.WinDLL("kernel32")
_kernel.GetConsoleMode.argtypes = [wintypes.HANDLE, ctypes.POINTER(wintypes.DWORD)]


def is_console(descriptor: int) -> bool:
    """Whether an open file is a console. `isatty` says so of the null device, too."""
    mode = wintypes.DWORD()
    return bool(_kernel.GetConsoleMode(msvcrt.get_osfhandle(descriptor), ctypes.byref(mode)))
