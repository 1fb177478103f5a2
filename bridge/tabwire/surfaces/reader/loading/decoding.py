"""Compressed bodies, decoded without ever holding more than is allowed."""

from __future__ import annotations

import zlib
from typing import Protocol

from tabwire.surfaces.reader.errors import FetchFailed

ACCEPTED = "gzip, deflate"


class _Inflater(Protocol):
    @property
    def eof(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int = ..., /) -> bytes: ...


class Body:
    """Collects a body, chunk by chunk.

    Args:
        encoding: The Content-Encoding header.
        max_bytes: Of the body, compressed or not.

    Raises:
        FetchFailed: the encoding is not one that was asked for.
    """

    def __init__(self, encoding: str, max_bytes: int) -> None:
        self._room = max_bytes
        self._max_bytes = max_bytes
        self._chunks: list[bytes] = []
        self._encoding = encoding.strip().lower()
        if self._encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise FetchFailed(
                f"The answer is encoded as {encoding[:60]!r}, which was not asked for.", {"encoding": encoding[:60]}
            )
        self._inflater: _Inflater | None = None

    def add(self, chunk: bytes) -> None:
        """Raises: FetchFailed when the body is too large or its encoding is broken."""
        if not chunk:
            return
        if self._encoding in ("", "identity"):
            return self._keep(chunk)
        if self._inflater is None:
            self._inflater = self._inflater_for(chunk)
        try:
            # One more byte than there is room for tells what is too much from what just fits.
            self._keep(self._inflater.decompress(chunk, self._room + 1))
        except zlib.error as error:
            raise FetchFailed(f"The answer's {self._encoding} encoding is broken: {error}.") from None

    def _inflater_for(self, chunk: bytes) -> _Inflater:
        if self._encoding != "deflate":
            return zlib.decompressobj(zlib.MAX_WBITS | 16)
        # Some servers leave the zlib header out.
        has_header = len(chunk) > 1 and chunk[0] & 0x0F == 8 and int.from_bytes(chunk[:2], "big") % 31 == 0
        return zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)

    def _keep(self, data: bytes) -> None:
        self._room -= len(data)
        if self._room < 0:
            raise too_large(self._max_bytes)
        self._chunks.append(data)

    def whole(self) -> bytes:
        """What was collected. Raises: FetchFailed when the encoding was cut off."""
        if self._inflater is not None and not self._inflater.eof:
            raise FetchFailed(f"The answer's {self._encoding} encoding ends too early.")
        return b"".join(self._chunks)


def too_large(max_bytes: int) -> FetchFailed:
    """The error for a body beyond the limit."""
    return FetchFailed(
        f"The page is larger than {max_bytes / 1_000_000:g} MB.",
        {"max_bytes": max_bytes},
        next_step="Open a part of it (a chapter, a raw file), or raise max_bytes of the reader.",
    )
