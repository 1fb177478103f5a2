"""The number of log files that were begun, and of lines that could not be written: a small file beside the folder of the log.

Who removes a log file with its head, or the folder, leaves this number. It has one size for good: a full disk still takes it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path

from tabwire.disk import locks, plain_files, private_files

_DIGITS = 20


@dataclass
class Counts:
    """The numbers in the file."""

    begun: int = 0
    """Files of the log that were begun."""
    lost_lines: int = 0
    """Lines that could not be written and that no file tells of yet."""
    lost_acts: int = 0
    """The number of these that begin an act."""

    def encoded(self) -> bytes:
        """The content of the file."""
        return " ".join(f"{number:0{_DIGITS}}" for number in astuple(self)).encode()


class LogCount:
    """The counts of a folder of logs.

    Args:
        folder: where the log is.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder.with_name(f"{folder.name}.count")

    def read(self) -> Counts:
        """The counts as they are now; none of anything where there is no such file."""
        try:
            return _decoded(plain_files.read(self.path))
        except FileNotFoundError:
            return Counts()

    @contextmanager
    def changing(self) -> Iterator[Counts]:
        """Change the counts: reading and writing them is one step for all processes. They stay as they were after an exception.

        Raises:
            OSError: they cannot be read or written.
        """
        private_files.make_folder(self.path.parent)
        descriptor = private_files.open_to_change(self.path)
        try:
            locks.wait(descriptor)
            before = os.read(descriptor, 1_000)
            counts = _decoded(before)
            yield counts
            if (content := counts.encoded()) != before:
                os.lseek(descriptor, 0, os.SEEK_SET)
                if os.write(descriptor, content) != len(content):
                    raise OSError("the disk took only a part of the counts of the log")
        finally:
            os.close(descriptor)


def _decoded(content: bytes) -> Counts:
    numbers = content.split()
    if len(numbers) != 3 or not all(number.isdigit() for number in numbers):
        return Counts()
    return Counts(*map(int, numbers))
