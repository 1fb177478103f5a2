"""The text layer of a PDF."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING, Any

from tabwire.errors import Timeout
from tabwire.surfaces.reader.errors import FetchFailed, UnsupportedMime
from tabwire.surfaces.reader.loading.lines import MAX_TITLE, split_lines
from tabwire.surfaces.reader.loading.requirements import required
from tabwire.surfaces.reader.page import Link, PageSnapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabwire.surfaces.reader.loading.time_limit import TimeLimit

_MIME = {"mime_type": "application/pdf"}
_SHARE_OF_TIME = 0.8
"""Share of the time left that reading may take, so that there is some for the rest of the answer."""

# Says with each odd file how odd it is, to users who cannot mend it.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def read_pdf(body: bytes, url: str, limit: TimeLimit) -> tuple[PageSnapshot, bool]:
    """Read the pages, each after a line with its number.

    Returns:
        The text, and whether it is that of all pages. Where the time is too short for that, the first line says which lack.

    Raises:
        UnsupportedMime: it has no text layer, or needs a password.
        FetchFailed: it is broken.
        Timeout: the time was over before anything was read.
        UnsupportedOperation: the library for it is not installed.
    """
    pypdf = required("pypdf", "Reading PDF")
    try:
        reader = pypdf.PdfReader(io.BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnsupportedMime("The PDF is protected by a password.", _MIME, next_step="Open another version of it.")
        return _read(reader, url, limit)
    except (UnsupportedMime, Timeout):
        raise
    # Broken files break in ways of every kind.
    except Exception as error:
        raise FetchFailed(f"The PDF cannot be read: {type(error).__name__}: {error}"[:300] + ".", {"url": url}) from None


def _read(reader: Any, url: str, limit: TimeLimit) -> tuple[PageSnapshot, bool]:
    lines: list[str] = []
    links: list[Link] = []
    count = len(reader.pages)
    spare_s = limit.remaining_s() * (1 - _SHARE_OF_TIME)
    read = 0
    while read < count and (limit.remaining_s() > spare_s or not read):
        limit.check()
        page = reader.pages[read]
        read += 1
        links += [Link(0, address, address[:MAX_TITLE], len(lines)) for address in dict.fromkeys(_addresses(page))]
        lines += [f"[Page {read}]", *_without_empty(split_lines(page.extract_text()))]
    if len(lines) == read:
        if read < count:
            raise limit.exceeded()
        raise UnsupportedMime(
            "The PDF has no text layer: its pages are pictures.", _MIME, next_step="Look for another version of the document."
        )
    note = [f"[Pages {read + 1} to {count} of {count} are missing here: there was no time to read them]"] if read < count else []
    title = str(reader.metadata.title or "") if reader.metadata else ""
    numbered = tuple(Link(at, it.url, it.title, it.line + len(note)) for at, it in enumerate(links, 1))
    return PageSnapshot(url, " ".join(title.split()), (*note, *lines), numbered), not note


def _without_empty(lines: list[str]) -> list[str]:
    """Lines with a single empty line for several, and none at the ends."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return kept[:-1] if kept and not kept[-1] else kept


def _addresses(page: Any) -> Iterator[str]:
    for annotation in page.get("/Annots") or ():
        action = annotation.get_object().get("/A")
        address = action.get_object().get("/URI") if action is not None else None
        if isinstance(address, str) and address.startswith(("http://", "https://")):
            yield address
