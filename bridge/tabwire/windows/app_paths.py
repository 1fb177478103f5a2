"""Programs as Windows knows them by name: the registry's *App Paths*, of this user and of all.

https://learn.microsoft.com/windows/win32/shell/app-registration
"""

from __future__ import annotations

import sys
import winreg
from pathlib import Path

assert sys.platform == "win32"

_KEY = r"Software\Microsoft\Windows\CurrentVersion\App Paths"


def path_of(program: str) -> Path | None:
    r"""The file of a program such as `chrome.exe`; None where it is not registered, or not there.

    Source: `HKEY_CURRENT_USER` before `HKEY_LOCAL_MACHINE`, as the shell looks.
    """
    for root in (winreg.HKEY_CURRENT_USER, winreg.HKEY_LOCAL_MACHINE):
        try:
            with winreg.OpenKey(root, rf"{_KEY}\{program}") as key:
                text, kind = winreg.QueryValueEx(key, "")
        except OSError:
            continue
        written = winreg.ExpandEnvironmentStrings(text) if kind == winreg.REG_EXPAND_SZ else str(text)
        path = Path(written.strip('"'))
        if path.is_file():
            return path
    return None
