"""Search for the part of an HTML document that is its content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from tabwire.surfaces.reader.loading.time_limit import TimeLimit

_NO_TEXT = frozenset(
    "applet audio button canvas datalist embed frame frameset head iframe input link meta noscript object option output progress "
    "rp script select style svg template textarea title video".split()
)
_EMPTY = ", ".join(sorted(_NO_TEXT - {"head", "title"}))
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CONTENT = ("main", "[role=main]", "#main-content", "#page-content", "#content", "#mw-content-text", ".markdown-body", "article")
"""Best first."""
_LEAST_SHARE = 0.4
"""Share of the page's text that the content holds at least; an element with less is not the content, whatever it is called."""
_AROUND = (
    "nav, footer, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=complementary], "
    "body > header, body > div > header"
)
_AROUND_WORDS = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|navheader|navfooter|docnav|sidebar|sphinxsidebar|related|breadcrumbs?|menu|footer|"
    r"masthead|skip|cookies?|banner|advert|ads|pager|pagination|social|share)(?:$|[\s_-])",
    re.IGNORECASE,
)
_MOST_AROUND = 0.5
"""Share of the page's text that an element around the content holds at most; one with more is the page itself."""
_LINKED = 0.3
"""Share of the text that is links where an element leads elsewhere; boxes of the content are called sidebar, too."""
_SHORT = 120
_CONTENT_INSIDE = "h1, main, article, [role=main]"
_PERMALINKS = frozenset({"headerlink", "anchor-link", "hash-link", "anchorjs-link", "header-anchor", "permalink"})


def content_of(body: LexborNode, limit: TimeLimit) -> LexborNode:
    """The element that holds a page's content; what stands around it inside is removed.

    Raises:
        Timeout: the time was over.
    """
    for node in body.css(_EMPTY):
        node.decompose()
    whole = len(body.text())
    for query in _CONTENT:
        longest, size = None, whole * _LEAST_SHARE
        for node in _each(body.css(query), limit):
            if (length := len(node.text())) >= size and length:
                longest, size = node, length + 1
        if longest is not None:
            _remove_around(longest, "nav, [role=navigation], [role=search]", limit)
            return longest
    _remove_around(body, _AROUND, limit)
    return body


def _each(nodes: Iterable[LexborNode], limit: TimeLimit) -> Iterator[LexborNode]:
    """Yield the nodes while there is time: in nested elements each has all the text of the next, so that all may take long."""
    for node in nodes:
        limit.check()
        yield node


def _remove_around(root: LexborNode, query: str, limit: TimeLimit) -> None:
    most = len(root.text()) * _MOST_AROUND
    named = [node for node in _each(root.css("[class], [id]"), limit) if _is_named_around(node) and _leads_elsewhere(node)]
    for node in _each([*root.css(query), *named], limit):
        if node.mem_id == root.mem_id or node.tag in ("body", "html", "table", "td", "tr", "tbody"):
            continue
        if len(node.text()) <= most and node.css_first(_CONTENT_INSIDE) is None:
            node.decompose()


def _is_named_around(node: LexborNode) -> bool:
    attributes = node.attributes
    return bool(_AROUND_WORDS.search(f"{attributes.get('class') or ''} {attributes.get('id') or ''}"))


def _leads_elsewhere(node: LexborNode) -> bool:
    size = len(node.text())
    return size <= _SHORT or sum(len(link.text()) for link in node.css("a")) >= size * _LINKED


def is_left_out(node: LexborNode, tag: str) -> bool:
    """Whether an element shows no text to a reader."""
    if tag in _NO_TEXT:
        return True
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if tag == "a" and not _PERMALINKS.isdisjoint((attributes.get("class") or "").split()):
        return True
    style = attributes.get("style")
    return bool(style and _HIDDEN_STYLE.search(style))
