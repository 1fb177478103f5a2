"""The text layer of a PDF."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING, Any

from tabwire.reader.errors import FetchFailed, UnsupportedMime
from tabwire.reader.loading.lines import MAX_TITLE, split_lines
from tabwire.reader.loading.requirements import required
from tabwire.reader.page import Link, PageSnapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabwire.reader.loading.time_limit import TimeLimit

_MIME = {"mime_type": "application/pdf"}

# Says with each odd file how odd it is, to users who cannot mend it.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def read_pdf(body: bytes, url: str, limit: TimeLimit) -> PageSnapshot:
    """Read every page, each after a line with its number.

    Raises:
        UnsupportedMime: it has no text layer, or needs a password.
        FetchFailed: it is broken.
        Timeout: the time was over.
        UnsupportedOperation: the library for it is not installed.
    """
    pypdf = required("pypdf", "Reading PDF")
    try:
        reader = pypdf.PdfReader(io.BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnsupportedMime("The PDF is protected by a password.", _MIME, next_step="Open another version of it.")
        return _read(reader, url, limit)
    except (UnsupportedMime, limit.exceeded().__class__):
        raise
    # Broken files break in ways of every kind.
    except Exception as error:
        raise FetchFailed(f"The PDF cannot be read: {type(error).__name__}: {error}"[:300] + ".", {"url": url}) from None


def _read(reader: Any, url: str, limit: TimeLimit) -> PageSnapshot:
    lines: list[str] = []
    links: list[Link] = []
    has_text = False
    for number, page in enumerate(reader.pages, 1):
        limit.check()
        text = split_lines(page.extract_text())
        has_text = has_text or any(text)
        for address in dict.fromkeys(_addresses(page)):
            links.append(Link(len(links) + 1, address, address[:MAX_TITLE], len(lines)))
        lines += [f"[Page {number}]", *_without_empty(text)]
    if not has_text:
        raise UnsupportedMime(
            "The PDF has no text layer: its pages are pictures.", _MIME, next_step="Look for another version of the document."
        )
    title = str(reader.metadata.title or "") if reader.metadata else ""
    return PageSnapshot(url, " ".join(title.split()), tuple(lines), tuple(links))


def _without_empty(lines: list[str]) -> list[str]:
    """Of several empty lines one, none at the ends."""
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
