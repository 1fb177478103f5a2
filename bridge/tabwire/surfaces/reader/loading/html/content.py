"""Separation of the content of an HTML document from what is around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from tabwire.surfaces.reader.loading.time_limit import TimeLimit

_NO_TEXT = frozenset(
    "applet audio canvas datalist embed head iframe input link meta noframes object option progress "
    "rp script select style svg template textarea title video".split()
)
_EMPTY = ", ".join(sorted(_NO_TEXT - {"head", "title"}))
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_AROUND = "nav, [role=navigation], [role=search], [role=banner], [role=contentinfo], [role=complementary]"
"""Elements that say themselves that they are not the content."""
_CONTENT = "main, article, [role=main]"
_SECTIONS = "main, article, section, aside, blockquote, [role=main], [role=article]"
"""Elements whose header and footer are theirs: a byline, a date, a source. Only those of the page are around its content."""
_AROUND_WORDS = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|subnav|navigation|navheader|navfooter|docnav|sidebar|sphinxsidebar|related|breadcrumbs?|menu|menubar|"
    r"footer|masthead|skip|cookies?|banner|advert|ads?|pager|pagination|social|share|sharing|toolbar|topbar|catlinks|newsletter|"
    r"recommend(?:ed|ations?)|widget|taboola|outbrain)(?:$|[\s_-])",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"(?:cookie|consent|gdpr)[\w-]*(?:banner|bar|box|consent|dialog|info|message|modal|notice|overlay|popup)", re.IGNORECASE
)
"""Names of questions about cookies, whatever these say."""
_MOST_AROUND = 0.5
"""Share of the page's text that an element around the content holds at most; one with more is the page itself."""
_LINKED = 0.3
"""Share of the text that is links where an element leads elsewhere; boxes of the content are called sidebar, too."""
_CONTENT_INSIDE = f"h1, {_CONTENT}"
_PERMALINKS = frozenset({"headerlink", "anchor-link", "hash-link", "anchorjs-link", "header-anchor", "permalink"})


def keep_content(body: LexborNode, limit: TimeLimit) -> None:
    """Remove from a document what is not its content.

    All of the page is content, except what its elements, roles or names mark as something else. An element called content or
    article says nothing about what is beside it: posts of a forum, the comments, the heading.

    Args:
        body: The body of a page, or a part of one.
        limit: Its time.

    Raises:
        Timeout: the time was over.
    """
    for node in body.css(_EMPTY):
        node.decompose()
    most = len(body.text()) * _MOST_AROUND
    named = [node for node in _each(body.css("[class], [id]"), limit) if _is_named_around(node)]
    for node in _each([*body.css(_AROUND), *_frame_of_page(body), *named], limit):
        if node.mem_id == body.mem_id or node.tag in ("body", "html", "table", "td", "tr", "tbody"):
            continue
        if len(node.text()) <= most and node.css_first(_CONTENT_INSIDE) is None:
            node.decompose()


def _frame_of_page(body: LexborNode) -> list[LexborNode]:
    """The header and footer of the page, and what is beside its content."""
    has_content = body.css_first(_CONTENT) is not None
    found = _outside_sections(body, "footer", ".footer", "#footer")[-1:]
    for header in _outside_sections(body, "header")[:1]:
        if has_content or _is_of_links(header):
            found.append(header)
    # Without a marked content, a box aside may be a note in it.
    return [*found, *(_outside_sections(body, "aside") if has_content else [])]


def _outside_sections(body: LexborNode, *queries: str) -> list[LexborNode]:
    inside = ", ".join(f"{section} {query}" for section in _SECTIONS.split(", ") for query in queries)
    left = {node.mem_id for node in body.css(inside)}
    return [node for node in body.css(", ".join(queries)) if node.mem_id not in left]


def _each(nodes: Iterable[LexborNode], limit: TimeLimit) -> Iterator[LexborNode]:
    """Yield the nodes while there is time: in nested elements each has all the text of the next, so that all may take long."""
    for node in nodes:
        limit.check()
        yield node


def _is_named_around(node: LexborNode) -> bool:
    """Whether an element is named and made like what is around a content. A name alone says little: a banner may be a warning."""
    attributes = node.attributes
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    return bool(_CONSENT.search(names) or (_AROUND_WORDS.search(names) and _is_of_links(node)))


def _is_of_links(node: LexborNode) -> bool:
    return sum(len(link.text()) for link in node.css("a")) >= len(node.text()) * _LINKED


def is_left_out(node: LexborNode, tag: str) -> bool:
    """Whether an element shows no text to a reader."""
    if tag in _NO_TEXT:
        return True
    attributes = node.attributes
    if not attributes:
        return tag == "dialog"
    if tag == "dialog" and "open" not in attributes:
        return True
    if "hidden" in attributes or "popover" in attributes or attributes.get("aria-hidden") == "true":
        return True
    if tag == "a" and not _PERMALINKS.isdisjoint((attributes.get("class") or "").split()):
        return True
    style = attributes.get("style")
    return bool(style and _HIDDEN_STYLE.search(style))
