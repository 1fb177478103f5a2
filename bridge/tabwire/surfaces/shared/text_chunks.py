"""Texts in parts of some bytes: cut between characters, and told apart by checksums."""

import hashlib
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from tabwire.errors import InvalidArgument, TabwireError
from tabwire.surfaces import recent

MAX_KEPT = 8
MAX_KEPT_BYTES = 64 * 1024 * 1024


class ContentChanged(TabwireError):
    """The text of a chunk is not that of the chunks before it."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a text; positions are bytes of its UTF-8."""

    text: str
    start: int
    end: int
    total: int
    checksum: str
    """Checksum of the whole text."""

    def facts(self) -> dict[str, Any]:
        """Facts that the next call needs."""
        left = self.total - self.end
        return {
            "chunk_start": self.start,
            "chunk_end": self.end,
            "next_offset": self.end if left else None,
            "remaining_bytes": left,
            "snapshot_checksum": self.checksum,
        }


def utf8(text: str) -> bytes:
    """Bytes of a text in UTF-8; half of a surrogate pair, which pages may hold, becomes a replacement character."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def checksum(data: bytes) -> str:
    """Tells texts apart."""
    return hashlib.sha256(data).hexdigest()


def head(data: bytes, limit: int) -> str:
    """Text of the first bytes up to `limit`, whole characters only."""
    return data[: _boundary(data, limit)].decode()


def chunk(data: bytes, offset: int, length: int, expected: str | None) -> Chunk:
    """The part of a text that begins at an offset.

    An offset within a character begins with that character; a part is never empty while something is left.

    Args:
        expected: the checksum that the chunks before gave, if there were any.

    Raises:
        ContentChanged: the text is another one now.
        InvalidArgument: the offset is behind its end.
    """
    now = checksum(data)
    if expected is not None and expected != now:
        raise ContentChanged(
            "The content has changed since the chunk that gave this snapshot_checksum, so the chunks would not fit together.",
            {"expected_checksum": expected, "snapshot_checksum": now, "total_bytes": len(data)},
            "Start again at offset 0, without snapshot_checksum.",
        )
    if offset > len(data):
        raise InvalidArgument(f"offset {offset:,} is behind the end: the content has {len(data):,} bytes")
    start = _boundary(data, offset)
    end = _boundary(data, min(start + length, len(data)))
    if end == start and start < len(data):
        end = _next_boundary(data, start)
    return Chunk(data[start:end].decode(), start, end, len(data), now)


def _is_inside(data: bytes, at: int) -> bool:
    return at < len(data) and data[at] & 0xC0 == 0x80


def _boundary(data: bytes, at: int) -> int:
    """The start of the character that is at a place."""
    at = min(at, len(data))
    while at > 0 and _is_inside(data, at):
        at -= 1
    return at


def _next_boundary(data: bytes, at: int) -> int:
    at += 1
    while _is_inside(data, at):
        at += 1
    return at


class Snapshots:
    """Texts that are read from a page in parts, under the names the page knows them by. Bounded as `KeptTexts` are."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, tuple[str, bytes]] = OrderedDict()

    def of(self, what: str) -> tuple[str, bytes]:
        """Name and text of what was read; a new name and nothing when it was not."""
        return self._texts.get(what) or (secrets.token_hex(8), b"")

    def keep(self, what: str, name: str, data: bytes) -> None:
        """Remember it."""
        recent.keep(self._texts, what, (name, data), MAX_KEPT)


class KeptTexts:
    """Results that must not be made again to be read further. Bounded; the least recently used goes first."""

    def __init__(self) -> None:
        self._texts: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def keep(self, of: str, data: bytes) -> None:
        """Remember the result of a script."""
        recent.keep(self._texts, (of, checksum(data)), data, MAX_KEPT)
        while len(self._texts) > 1 and sum(map(len, self._texts.values())) > MAX_KEPT_BYTES:
            self._texts.popitem(last=False)

    def find(self, of: str, wanted: str) -> bytes | None:
        """The result of that script with that checksum."""
        found = self._texts.get((of, wanted))
        if found is not None:
            self._texts.move_to_end((of, wanted))
        return found
