"""Lines of the log: an event, and the hash that ties it to all lines before it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

GENESIS = "0" * 64
"""Previous hash in the first line of a file."""


class Malformed(ValueError):
    """A line is not an entry."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that was read: whether its hash is right is the chain's question."""

    seq: int
    """Place in its file, from 0."""
    event: dict[str, Any]
    prev: str
    """Hash of the line before."""
    hash: str
    """SHA-256 of everything else in the line, as hexadecimal digits."""

    @property
    def is_sound(self) -> bool:
        """Whether the line is as it was written."""
        return _digest(self.seq, self.prev, self.event) == self.hash


def seal(seq: int, prev: str, event: Mapping[str, Any]) -> tuple[str, str]:
    """An event as the line at its place, with its line break, and the line's hash."""
    digest = _digest(seq, prev, event)
    return _canonical({"seq": seq, **event, "prev": prev, "hash": digest}) + "\n", digest


def unseal(line: str) -> Entry:
    """Read a line.

    Raises:
        Malformed: it is not one of ours.
    """
    try:
        fields = json.loads(line)
        seq, prev, digest = fields.pop("seq"), fields.pop("prev"), fields.pop("hash")
    except (ValueError, AttributeError, KeyError, TypeError):
        raise Malformed("not an entry of the log") from None
    if type(seq) is not int or not isinstance(prev, str) or not isinstance(digest, str):
        raise Malformed("not an entry of the log")
    return Entry(seq, fields, prev, digest)


def _digest(seq: int, prev: str, event: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical({"seq": seq, **event, "prev": prev}).encode()).hexdigest()


def _canonical(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))
