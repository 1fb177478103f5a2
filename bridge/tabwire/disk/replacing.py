"""Replacing one file by another."""

import sys
import time
from pathlib import Path

_PATIENCE_S = 1.0
_LOOK_S = 0.01


def replace(new: Path, old: Path) -> None:
    """Replace a file by another one.

    Windows refuses that while another program has the old one open, if only to read it for a moment, or a virus scanner has the
    new one. It has no event for the end of that.

    Raises:
        OSError: it cannot be; both are as they were.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            new.replace(old)
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() > deadline:
                raise
            time.sleep(_LOOK_S)
        else:
            return
