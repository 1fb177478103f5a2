"""The desktop of the person who installs: its clipboard, and the browser's page of extensions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabwire.errors import EXTENSIONS_PAGE

PATIENCE_S = 5.0
_CLIPBOARDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "darwin": (("pbcopy",),),
    "linux": (("wl-copy",), ("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")),
}
_SCREENS = ("WAYLAND_DISPLAY", "DISPLAY")
_MAC_BROWSERS = ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser")


@dataclass(frozen=True, slots=True)
class Desktop:
    """The desktop of one computer.

    Args:
        platform: `sys.platform`.
        env: Environment variables.
        applications: Where macOS keeps programs.
    """

    platform: str
    env: Mapping[str, str]
    applications: Path = Path("/Applications")

    @classmethod
    def this(cls) -> Desktop:
        """Describe the desktop of this computer."""
        return cls(sys.platform, os.environ)

    def copy(self, text: str) -> bool:
        """Put text into the clipboard; whether a program for that has taken it."""
        has_screen = self.platform in ("darwin", "win32") or any(self.env.get(name) for name in _SCREENS)
        if not has_screen:
            return False
        if sys.platform == "win32":
            from tabwire.windows import clipboard

            return clipboard.put(text)
        commands = _CLIPBOARDS.get(self.platform, _CLIPBOARDS["linux"])
        return any(_ran(words, text.encode()) for words in commands)

    def open_extensions_page(self) -> bool:
        """Show the page in the browser; whether the system has taken it.

        Only macOS hands such an address to a running browser. Elsewhere there is the command line alone, where Chrome ignores it.
        """
        if self.platform != "darwin":
            return False
        present = [name for name in _MAC_BROWSERS if (self.applications / f"{name}.app").is_dir()]
        return any(_ran(("open", "-a", name, EXTENSIONS_PAGE)) for name in present)


def _ran(words: Sequence[str], text: bytes = b"") -> bool:
    program = shutil.which(words[0])
    if program is None:
        return False
    try:
        # Some of them stay in the background to keep the text, and would keep a pipe open.
        done = subprocess.run(
            [program, *words[1:]],
            input=text,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
