"""Feeds: RSS, Atom and JSON Feed as a list of entries."""

import json
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from tabwire.surfaces.reader.loading.html.extraction import read_html
from tabwire.surfaces.reader.loading.lines import LineWriter
from tabwire.surfaces.reader.loading.references import joined
from tabwire.surfaces.reader.loading.time_limit import TimeLimit
from tabwire.surfaces.reader.page import Link, PageSnapshot


@dataclass(frozen=True, slots=True)
class _Entry:
    title: str
    url: str
    date: str
    content: str
    """HTML."""


_DATES = ("published", "pubDate", "date", "updated")
_CONTENTS = ("encoded", "content", "description", "summary")


def read_feed(text: str, url: str, limit: TimeLimit) -> PageSnapshot | None:
    """A feed as text; None when it is none.

    Raises:
        Timeout: the time was over.
    """
    text = text.lstrip("\ufeff \t\r\n")
    read = _json_feed(text) if text.startswith("{") else _xml_feed(text)
    if read is None:
        return None
    title, entries = read
    writer = LineWriter()
    for entry in entries:
        limit.check()
        _write(entry, url, writer, limit)
    lines, links = writer.finish()
    return PageSnapshot(url, title, lines, links)


def _write(entry: _Entry, url: str, writer: LineWriter, limit: TimeLimit) -> None:
    writer.end_block()
    writer.mark("## ")
    try:
        address = joined(url, entry.url)
    except ValueError:
        address = url
    if address.startswith(("http://", "https://")):
        writer.begin_link(address)
    writer.write(entry.title or address)
    writer.end_link()
    writer.end_line()
    writer.unmark()
    writer.write(entry.date)
    writer.end_line()
    if not entry.content.strip():
        return
    content = read_html(entry.content, address, limit)
    first = len(writer.lines)
    writer.lines += content.lines
    writer.links += [Link(len(writer.links) + at, it.url, it.title, first + it.line) for at, it in enumerate(content.links, 1)]


def _xml_feed(text: str) -> tuple[str, list[_Entry]] | None:
    # Entities of its own are no part of any feed, but a way to make a small file large.
    if "<!ENTITY" in text:
        return None
    try:
        # The encoding that the document declares was that of its bytes; text is parsed as such whatever it declares.
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        return None
    if root.tag.rpartition("}")[2] not in ("rss", "feed", "RDF"):
        return None
    channel = root.find("{*}channel")
    entries = [_xml_entry(node) for node in root.iter() if node.tag.rpartition("}")[2] in ("item", "entry")]
    return _first(root if channel is None else channel, "title"), entries


def _xml_entry(node: ElementTree.Element) -> _Entry:
    # Alternatives of an Atom entry; those of RSS have no address but their text.
    links = (link.get("href") for link in node.iterfind("{*}link") if link.get("rel", "alternate") == "alternate")
    url = next(filter(None, links), None) or _first(node, "link", "guid", "id")
    return _Entry(_first(node, "title"), url, _first(node, *_DATES), _first(node, *_CONTENTS))


def _first(node: ElementTree.Element, *names: str) -> str:
    texts = ("".join(child.itertext()).strip() for name in names for child in node.iterfind(f"{{*}}{name}"))
    return next(filter(None, texts), "")


def _json_feed(text: str) -> tuple[str, list[_Entry]] | None:
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    items = feed.get("items") if isinstance(feed, dict) else None
    if not isinstance(items, list):
        return None
    return _text(feed, "title"), [_json_entry(item) for item in items if isinstance(item, dict)]


def _json_entry(item: dict[str, Any]) -> _Entry:
    content = _text(item, "content_html") or _text(item, "content_text") or _text(item, "summary")
    return _Entry(_text(item, "title"), _text(item, "url"), _text(item, "date_published"), content)


def _text(item: dict[str, Any], name: str) -> str:
    found = item.get(name)
    return found if isinstance(found, str) else ""
