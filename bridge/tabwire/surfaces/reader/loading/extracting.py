"""Extraction of text from an answer: one way for each kind of document."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from tabwire.surfaces.reader.errors import FetchFailed, UnsupportedMime
from tabwire.surfaces.reader.loading.charsets import known_charset
from tabwire.surfaces.reader.loading.document import Document
from tabwire.surfaces.reader.loading.feeds import read_feed
from tabwire.surfaces.reader.loading.html.extraction import read_html
from tabwire.surfaces.reader.loading.lines import split_lines
from tabwire.surfaces.reader.loading.pdf import read_pdf
from tabwire.surfaces.reader.loading.policy import ROBOTS_OFF
from tabwire.surfaces.reader.loading.time_limit import TimeLimit
from tabwire.surfaces.reader.page import PageSnapshot

HTML = "text/html"
PDF = "application/pdf"
JSON = "application/json"
PLAIN = "text/plain"
_UNSURE = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/x-download", PLAIN})
"""Types that servers name when they do not know the type."""
_SNIFFED = 1024
_HTML_START = re.compile(r"\s*(<!--.{0,500}?-->\s*)*<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL)
_FEED_START = re.compile(r"\s*(<\?xml[^>]*>\s*)?(<!--.{0,500}?-->\s*)*<(rss|feed|rdf:RDF)\b", re.DOTALL)
_TEXT_TYPES = re.compile(
    r"text/.+|application/(.+\+)?(json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-javascript|x-sh|sql|x-ndjson|x-tex|rtf|graphql)$"
)
_NO_TEXT = frozenset({"text/rtf", "application/rtf"})

_UNWRITTEN = (
    "Scripts seem to write this page, and they do not run here, so text may be missing. The loader of the browser "
    '([reader] loader = "browser") shows it.'
)


@dataclass(frozen=True, slots=True)
class Extract:
    """A page, and what it says about being read."""

    page: PageSnapshot
    is_indexable: bool = True
    refresh: str | None = None
    """Address to which the page itself sends its reader at once."""
    has_scripts: bool = False
    is_whole: bool = True
    """False where there was no time for all of it."""


def noted(found: Extract, notice: str) -> Extract:
    """The same with a notice for its reader."""
    return replace(found, page=replace(found.page, notice=notice))


def is_readable(mime_type: str) -> bool:
    """Whether it is worth the while to fetch a body of this type."""
    return mime_type in _UNSURE or mime_type == PDF or (bool(_TEXT_TYPES.match(mime_type)) and mime_type not in _NO_TEXT)


def unsupported(mime_type: str, what: str = "") -> UnsupportedMime:
    """The error for what has no text."""
    return UnsupportedMime(
        f"There is no text in {what or mime_type or 'an answer of an unknown type'} that can be read.",
        {"mime_type": mime_type},
        next_step="Open a page of HTML, text, JSON, a feed, or a PDF with a text layer.",
    )


def extract(document: Document, limit: TimeLimit) -> Extract:
    """Read what there is to read.

    Raises:
        UnsupportedMime: there is no text in it.
        Timeout: its time was over.
        UnsupportedOperation: the library for it is not installed.
    """
    found = _EXTRACTORS[kind_of(document)](document, limit)
    limit.check()
    return replace(found, page=replace(found.page, is_private=document.is_private))


def kind_of(document: Document) -> str:
    """The key of the extractor, by the server's word, and by a look into the body where that is none.

    Raises:
        UnsupportedMime: none fits.
    """
    mime_type, body = document.mime_type, document.body
    if body.startswith(b"%PDF-") or (mime_type == PDF and b"%PDF-" in body[:_SNIFFED]):
        return PDF
    if not is_readable(mime_type) or mime_type == PDF:
        raise unsupported(mime_type)
    if _is_binary(document):
        raise unsupported(mime_type, f"a binary file (sent as {mime_type})" if mime_type else "a binary file")
    if mime_type in (HTML, "application/xhtml+xml"):
        return HTML
    head = document.text()[:_SNIFFED] if mime_type in _UNSURE or "xml" in mime_type else ""
    if _FEED_START.match(head):
        return "feed"
    if _HTML_START.match(head) and mime_type != PLAIN:
        return HTML
    if mime_type == "application/feed+json":
        return "feed"
    return JSON if mime_type.endswith("json") else PLAIN


def _is_binary(document: Document) -> bool:
    is_utf_16 = document.body.startswith((b"\xff\xfe", b"\xfe\xff")) or (known_charset(document.charset) or "").startswith(
        "utf-16"
    )
    return not is_utf_16 and b"\0" in document.body[:_SNIFFED]


def _html(document: Document, limit: TimeLimit) -> Extract:
    read = read_html(document.text(), document.url, limit)
    notice = _UNWRITTEN if read.looks_unwritten else ""
    page = PageSnapshot(document.url, read.title, read.lines, read.links, notice=notice)
    return Extract(page, read.is_indexable, read.refresh, read.has_scripts)


def _pdf(document: Document, limit: TimeLimit) -> Extract:
    page, is_whole = read_pdf(document.body, document.url, limit)
    return Extract(page, is_whole=is_whole)


def _feed(document: Document, limit: TimeLimit) -> Extract:
    page = read_feed(document.text(), document.url, limit)
    return Extract(page) if page is not None else _plain(document, limit)


def _json(document: Document, limit: TimeLimit) -> Extract:
    text = document.text()
    # Whatever else it is, it is text.
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    return Extract(PageSnapshot(document.url, _name(document.url), tuple(split_lines(text))))


def _plain(document: Document, limit: TimeLimit) -> Extract:
    lines = split_lines(document.text())
    while lines and not lines[-1]:
        lines.pop()
    return Extract(PageSnapshot(document.url, _name(document.url), tuple(lines)))


def _name(url: str) -> str:
    return url.partition("?")[0].rstrip("/").rpartition("/")[2]


def refuse_unlisted(is_indexable: bool, url: str) -> None:
    """Raises: FetchFailed for a page that says noindex."""
    if not is_indexable:
        raise FetchFailed(
            f"{url} says noindex, and the reader is configured to respect that.",
            {"reason": "noindex"},
            next_step=f"Read something else, or {ROBOTS_OFF}.",
        )


_EXTRACTORS: dict[str, Callable[[Document, TimeLimit], Extract]] = {
    HTML: _html,
    PDF: _pdf,
    "feed": _feed,
    JSON: _json,
    PLAIN: _plain,
}
