"""The right to lead the one pairing desk of a home: a browser that finds two desks asks at neither."""

import logging
import os
import time
from pathlib import Path

from tabwire.disk import plain_files
from tabwire.errors import WRITABLE_STEP, TabwireError, system_failure_told
from tabwire.wire.keys import locked, write_private
from tabwire.wire.ports import is_alive

_NAME = "pairing-desk"

logger = logging.getLogger(__name__)


class DeskClaim:
    """A note of the process that leads the desk, and until when; that of one that has ended counts for nothing.

    Args:
        run_dir: The folder of the notes of this home's bridges.
    """

    def __init__(self, run_dir: Path) -> None:
        self._path = run_dir / _NAME

    def take(self, lasts_s: float, *, from_others: bool = False) -> bool:
        """Claim the desk; whether it is this process's now, and not another living one's.

        Args:
            lasts_s: Time for which the claim counts, unless it is taken again.
            from_others: Also where another process leads it: a person has just asked for this one.

        Raises:
            TabwireError: The claim cannot be written.
        """
        with (
            system_failure_told(f"No browser can be connected: {self._path.parent} cannot be written", WRITABLE_STEP),
            locked(self._path),
        ):
            if not from_others and self._holder() not in (None, os.getpid()):
                return False
            write_private(self._path, f"{os.getpid()} {time.time() + lasts_s:.0f}\n")
        return True

    def is_held(self) -> bool:
        """Whether this process leads the desk."""
        return self._holder() == os.getpid()

    def release(self) -> None:
        """Leave the desk to others; nothing happens where it is not this process's."""
        try:
            with locked(self._path):
                if self.is_held():
                    self._path.unlink(missing_ok=True)
        except (OSError, TabwireError) as error:
            logger.warning("the claim of the pairing desk in %s is left: %s", self._path, error)

    def _holder(self) -> int | None:
        """The living process that leads the desk."""
        try:
            pid, until = map(int, plain_files.read_text(self._path).split())
        except (OSError, ValueError):
            return None
        return pid if time.time() < until and is_alive(pid) else None
