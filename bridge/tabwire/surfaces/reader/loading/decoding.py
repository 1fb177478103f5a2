"""Compressed bodies: of an answer never more is held than is allowed, once as it was sent and once decoded."""

import zlib

from tabwire.surfaces.reader.errors import FetchFailed

ACCEPTED = "gzip, deflate"
_PLAIN = frozenset({"", "identity"})


def checked_encoding(header: str) -> str:
    """The encoding that a Content-Encoding header names; empty where the body is not encoded.

    Raises:
        FetchFailed: the encoding is not one that was asked for.
    """
    encoding = header.strip().lower()
    if encoding in _PLAIN:
        return ""
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise FetchFailed(f"The answer is encoded as {header[:60]!r}, which was not asked for.", {"encoding": header[:60]})
    return encoding


def decoded(body: bytes, encoding: str, max_bytes: int) -> bytes:
    """A body without its encoding.

    Args:
        body: All of it, as it was sent.
        encoding: From `checked_encoding`.
        max_bytes: Of the decoded body.

    Raises:
        FetchFailed: it is too large, or its encoding is broken or cut off.
    """
    if not body or not encoding:
        return body
    # Some servers leave the zlib header of "deflate" out.
    has_header = len(body) > 1 and body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    window = zlib.MAX_WBITS | 16 if encoding != "deflate" else zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS
    inflater = zlib.decompressobj(window)
    try:
        # One more byte than is allowed tells what is too much from what just fits.
        whole = inflater.decompress(body, max_bytes + 1)
    except zlib.error as error:
        raise FetchFailed(f"The answer's {encoding} encoding is broken: {error}.") from None
    if len(whole) > max_bytes:
        raise too_large(max_bytes)
    if not inflater.eof:
        raise FetchFailed(f"The answer's {encoding} encoding ends too early.")
    return whole


def too_large(max_bytes: int) -> FetchFailed:
    """The error for a body beyond the limit."""
    return FetchFailed(
        f"The page is larger than {max_bytes / 1_000_000:g} MB.",
        {"max_bytes": max_bytes},
        next_step="Open a part of it (a chapter, a raw file), or raise max_bytes of the reader.",
    )
