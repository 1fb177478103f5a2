"""Find a Chromium that can load an unpacked extension, and the arguments to start it with."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from tabwire.errors import UnsupportedOperation

NAMES = ("chromium", "chromium-browser", "chrome-for-testing", "google-chrome-for-testing")
"""On PATH. Branded Chrome ignores --load-extension since version 137."""

INSTALLED = {
    "darwin": ("/Applications/Chromium.app/Contents/MacOS/Chromium",),
    "win32": (r"C:\Program Files\Chromium\Application\chrome.exe",),
}

FLAGS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-quic",
    "--password-store=basic",
    "--use-mock-keychain",
    "--window-size=1280,800",
    # No "is debugging this browser" bar: nobody is surprised in a browser we started, and the bar moves the page.
    "--silent-debugger-extension-api",
    # After trusted input Chromium holds the tasks of the page back until the next frame: 12 ms an act; hidden tabs have none.
    "--disable-features=DeferRendererTasksAfterInput",
)


def find(chosen: Path | None) -> Path:
    """The Chromium to start.

    Args:
        chosen: what the user asked for, if anything (`--chromium`, `TABWIRE_CHROMIUM`).

    Raises:
        UnsupportedOperation: there is none, with how to get one.
    """
    if chosen is not None:
        found = shutil.which(str(chosen))
        if found is None:
            raise UnsupportedOperation(
                f"no Chromium at {chosen}; give the path of its executable in --chromium or TABWIRE_CHROMIUM"
            )
        return Path(found)
    candidates = [shutil.which(name) for name in NAMES] + [
        path for path in INSTALLED.get(sys.platform, ()) if Path(path).exists()
    ]
    for candidate in candidates:
        if candidate:
            return Path(candidate)
    raise UnsupportedOperation(
        f"no Chromium found (looked for {', '.join(NAMES)} on PATH); install Chromium or Chrome for Testing, "
        "or name one in --chromium or TABWIRE_CHROMIUM"
    )


def arguments(*, profile: Path, extension: Path, headless: bool, extra: Sequence[str]) -> list[str]:
    """Command-line arguments. `--no-sandbox` only for root, where Chromium refuses to start without it."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [
        f"--user-data-dir={profile}",
        f"--load-extension={extension}",
        *FLAGS,
        *(["--headless=new", "--disable-gpu"] if headless else []),
        *(["--no-sandbox"] if root else []),
        *extra,
        "about:blank",
    ]
