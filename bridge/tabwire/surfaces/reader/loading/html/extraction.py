"""HTML to readable lines: the content of the page without its navigation, every word of the content, links by line.

Extraction libraries that guess the content by the density of its text lose whole chapters of documentation (lists of links,
tables, long examples). Here a page's own landmarks decide, and what is left out is only what is marked as something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tabwire.surfaces.reader.loading.addresses import canonical
from tabwire.surfaces.reader.loading.html.content import is_left_out, keep_content
from tabwire.surfaces.reader.loading.html.tables import Columns, ItemNumbers, number_of
from tabwire.surfaces.reader.loading.lines import LineWriter, clean
from tabwire.surfaces.reader.loading.references import joined
from tabwire.surfaces.reader.loading.requirements import required

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from tabwire.surfaces.reader.loading.time_limit import TimeLimit
    from tabwire.surfaces.reader.page import Link

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form "
    "header hgroup hr html legend li main menu nav ol p pre search section summary table tbody tfoot thead tr ul".split()
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_INDENTED = {"dd": 4, "blockquote": 4}
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_APART = frozenset({"p", "pre", "table", "ul", "ol", "dl", "blockquote", "figure"})
"""An empty line follows these, outside of lists and tables."""
_OWN_LINES = "table, pre, h1, h2, h3, h4, h5, h6"
_LONGEST_CELL = 600
_SIGNS = frozenset("¶#§🔗⚓¤")
"""Links to the heading they stand at."""
_CHECK_EVERY = 32
_ROWS = frozenset({"tr", "thead", "tbody", "tfoot", "table"})
_MAY_BE_HEADINGS = frozenset("div p span section header b strong em i summary dt font label".split())
_LONGEST_HEADING = 300
"""Characters of a heading whose line breaks are spaces. A longer one is an element that was not closed."""
_EXPONENT = re.compile(r"[+−–-]?(?:\d[\w.,/+−–-]*|[nmkxyzijpqtNMKTX])")
THIN = 500
"""Characters; a page with scripts and less text than this is probably not written yet."""
_WRITTEN_BY_SCRIPTS = "main, [role=main], #root, #app, #__next, #__nuxt, #___gatsby, app-root, [ng-app], [data-reactroot]"
"""Elements which scripts fill, where they are empty."""


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """Content of an HTML document."""

    title: str
    lines: tuple[str, ...]
    links: tuple[Link, ...]
    is_indexable: bool
    """False where a meta element says noindex."""
    refresh: str | None
    """Address to which the document itself sends its reader at once."""
    has_scripts: bool
    looks_unwritten: bool
    """Whether scripts probably have yet to write what the page says."""


def read_html(text: str, url: str, limit: TimeLimit) -> HtmlPage:
    """Read a document.

    Args:
        text: HTML.
        url: Of the document.
        limit: Its time.

    Raises:
        Timeout: the time was over.
        UnsupportedOperation: the library for it is not installed.
    """
    tree: LexborHTMLParser = required("selectolax.lexbor", "Reading HTML").LexborHTMLParser(text)
    base = tree.css_first("base[href]")
    address = joined(url, base.attributes.get("href") or "") if base is not None else url
    reading = _Reading(address, url, limit)
    # Reading takes away what shows no text.
    has_scripts = any(_is_program(script) for script in tree.css("script"))
    has_gap = any(not node.text().strip() for node in tree.css(_WRITTEN_BY_SCRIPTS))
    root = tree.body or tree.root
    if root is not None:
        keep_content(root, limit)
        reading.read(root)
    lines, links = reading.writer.finish()
    looks_unwritten = has_scripts and (has_gap or sum(map(len, lines)) < THIN)
    return HtmlPage(_title(tree), lines, links, not _says_noindex(tree), _refresh(tree, address), has_scripts, looks_unwritten)


def _is_program(script: LexborNode) -> bool:
    """Whether a script element has a program, and not data."""
    kind = (script.attributes.get("type") or "").strip().lower()
    return kind in ("", "module") or "javascript" in kind or "ecmascript" in kind


def _title(tree: LexborHTMLParser) -> str:
    for query in ("head > title", "title", "h1"):
        node = tree.css_first(query)
        if node is not None and (words := clean(node.text()).replace("¶", "").split()):
            return " ".join(words)
    return ""


def _metas(tree: LexborHTMLParser, attribute: str, *values: str) -> list[str]:
    nodes = [node.attributes for node in tree.css(f"meta[{attribute}]")]
    return [each.get("content") or "" for each in nodes if (each.get(attribute) or "").strip().lower() in values]


def _says_noindex(tree: LexborHTMLParser) -> bool:
    return any("noindex" in content.lower() or content.strip().lower() == "none" for content in _metas(tree, "name", "robots"))


def _refresh(tree: LexborHTMLParser, base: str) -> str | None:
    for content in _metas(tree, "http-equiv", "refresh"):
        delay, _, target = content.partition(";")
        name, _, address = target.strip().partition("=")
        if name.strip().lower() == "url" and delay.strip().replace(".", "").isdecimal() and float(delay.strip(" .")) <= 1:
            return joined(base, address.strip().strip("'\""))
    return None


class _Reading:
    """Walk over a document. Not recursive: pages nest as deep as they like."""

    def __init__(self, base: str, url: str, limit: TimeLimit) -> None:
        self.writer = LineWriter()
        self._base = base
        self._page = canonical(url)
        self._limit = limit
        self._verbatim = 0
        self._lists: list[ItemNumbers | None] = []
        """Numbers of the items of each open list; None where they have bullets."""
        self._tables: list[Columns] = []
        self._headings = 0

    def read(self, root: LexborNode) -> None:
        """Read everything in this element."""
        node: LexborNode | None = root
        seen = 0
        while node is not None:
            seen += 1
            if seen % _CHECK_EVERY == 0:
                self._limit.check()
            inner = self._enter(node)
            child = node.child if inner else None
            if child is not None:
                node = child
                continue
            if inner:
                self._leave(node)
            node = self._next(node, root)

    def _next(self, node: LexborNode, root: LexborNode) -> LexborNode | None:
        end = root.mem_id
        current: LexborNode | None = node
        while current is not None and current.mem_id != end:
            if (sibling := current.next) is not None:
                return sibling
            current = current.parent
            if current is not None:
                self._leave(current)
        return None

    def _enter(self, node: LexborNode) -> bool:
        """Whether to go into it."""
        if node.is_text_node:
            text = node.text_content or ""
            (self.writer.write_verbatim if self._verbatim else self.writer.write)(text)
            return False
        tag = node.tag or ""
        if not node.is_element_node or is_left_out(node, tag):
            return False
        tag = _read_as(node, tag)
        if tag in _BLOCKS or tag in _HEADINGS:
            self._enter_block(node, tag)
        elif tag == "br":
            self._break_line()
        elif tag == "a":
            return self._enter_link(node)
        elif tag in ("td", "th"):
            self._enter_cell(node)
        elif tag in ("sup", "sub"):
            self.writer.write_joined(_script_mark(node, tag, self.writer.last_character))
        elif tag == "frame":
            self._write_frame(node)
        return True

    def _break_line(self) -> None:
        if self._headings:
            self.writer.write(" ")
        else:
            self.writer.end_line()

    def _enter_cell(self, node: LexborNode) -> None:
        empty = self._tables[-1].begin_cell(node) if self._tables else 0
        if self.writer.is_in_row:
            for _ in range(empty):
                self.writer.begin_cell()
        self.writer.begin_cell()

    def _write_frame(self, node: LexborNode) -> None:
        source = (node.attributes.get("src") or "").strip()
        address = _absolute(self._base, source) if source else None
        if address is None:
            return
        self.writer.end_line()
        self.writer.begin_link(address)
        self.writer.write(f"[Frame] {node.attributes.get('title') or node.attributes.get('name') or address}")
        self.writer.end_link()
        self.writer.end_line()

    def _enter_block(self, node: LexborNode, tag: str) -> None:
        writer = self.writer
        writer.end_line()
        if tag in _HEADINGS and not writer.is_in_row:
            writer.end_block()
            writer.mark(_HEADINGS[tag])
            self._headings += len(node.text()) <= _LONGEST_HEADING
        elif tag == "pre":
            self._verbatim += 1
        elif tag in _LISTS:
            self._lists.append(ItemNumbers(node) if tag == "ol" else None)
        elif tag == "li":
            self._mark_item(node)
        elif tag == "table":
            self._tables.append(Columns())
        elif tag == "tr":
            if self._tables:
                self._tables[-1].begin_row()
            if _is_one_line(node) and not writer.is_in_row:
                writer.begin_row()
        if tag in _INDENTED and not writer.is_in_row:
            writer.indent(_INDENTED[tag])

    def _mark_item(self, node: LexborNode) -> None:
        if self.writer.is_in_row or not self._lists:
            return
        numbers = self._lists[-1]
        marker = "- " if numbers is None else f"{numbers.take(node)}. "
        self.writer.mark("  " * (len(self._lists) - 1) + marker)

    def _enter_link(self, node: LexborNode) -> bool:
        href = (node.attributes.get("href") or "").strip()
        if href.startswith("#") and clean(node.text()).strip() in _SIGNS | {""}:
            return False
        address = _absolute(self._base, href) if href else None
        if address is not None and canonical(address) != self._page:
            self.writer.begin_link(address)
        return True

    def _leave(self, node: LexborNode) -> None:
        tag = _read_as(node, node.tag or "")
        writer = self.writer
        if tag == "a":
            writer.end_link(_alternative(node))
        elif tag in _BLOCKS or tag in _HEADINGS:
            self._leave_block(node, tag)

    def _leave_block(self, node: LexborNode, tag: str) -> None:
        writer = self.writer
        if tag == "tr" and writer.is_in_row:
            writer.end_row()
        writer.end_line()
        if not writer.is_in_row and (tag in _HEADINGS or (tag == "li" and self._lists)):
            writer.unmark()
        if tag in _HEADINGS and not writer.is_in_row:
            self._headings -= len(node.text()) <= _LONGEST_HEADING
        if tag in _ROWS and self._tables:
            self._leave_rows(tag)
        if tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
        elif tag in _LISTS and self._lists:
            self._lists.pop()
        if tag in _INDENTED and not writer.is_in_row:
            writer.indent(-_INDENTED[tag])
        if tag in _APART and not self._lists:
            writer.end_block()

    def _leave_rows(self, tag: str) -> None:
        if tag == "table":
            self._tables.pop()
        elif tag == "tr":
            self._tables[-1].end_row()
        else:
            self._tables[-1].end_section()


def _read_as(node: LexborNode, tag: str) -> str:
    """The tag of an element, or that of the heading that it says to be."""
    if tag not in _MAY_BE_HEADINGS or node.attributes.get("role") != "heading":
        return tag
    return f"h{max(1, min(number_of(node, 'aria-level') or 2, 6))}"


def _script_mark(node: LexborNode, tag: str, before: str) -> str:
    """The mark of raised or lowered text that reads as another number or word without it: 10^24, x_i, but H2O, 1st, word[1]."""
    text = node.text().strip()
    if not before.strip() or not text:
        return ""
    if tag == "sup":
        return "^" if _EXPONENT.fullmatch(text) and (before.isalnum() or before in ")]") else ""
    return "_" if text[0].isalnum() and (before.isdecimal() or (before.isalpha() and text[0].isalpha())) else ""


def _is_one_line(row: LexborNode) -> bool:
    """Tables hold data, or, in old pages, everything."""
    if row.css_first(_OWN_LINES) is not None:
        return False
    return all(len(cell.text()) <= _LONGEST_CELL for cell in row.css("td, th"))


def _absolute(base: str, href: str) -> str | None:
    try:
        address = joined(base, href)
        return address if urlsplit(address).scheme in ("http", "https") else None
    except ValueError:
        return None


def _alternative(node: LexborNode) -> str:
    """Name of a link without text; "" if it has none."""
    own = node.attributes.get("aria-label") or node.attributes.get("title")
    if own:
        return own
    image = node.css_first("img[alt]")
    return (image.attributes.get("alt") or "") if image is not None else ""
