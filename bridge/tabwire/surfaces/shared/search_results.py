"""Results read from the page of a search engine: links that stand as titles, and the text beside them. No I/O."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qs, quote_plus, urljoin, urlsplit

from tabwire.surfaces.shared.markup import TEXTLESS, Element

QUERY = "{query}"
HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
FURNITURE = frozenset({"nav", "header", "footer", "form"})
TITLE_CLASS = re.compile(r"(?:^|[-_])(?:result__a|title|titlelink)(?:$|[-_])")
SNIPPET_CLASS = re.compile(r"snippet|descr|abstract|caption|excerpt")
ADVERTISING_CLASS = re.compile(r"(?:^|[-_])(?:ad|ads|advert|sponsored)(?:$|[-_])")
REDIRECT_PARAMETERS = ("uddg", "url", "u", "q")
"""Engines lead through an address of their own and have the target in one of these."""
ITEMS = frozenset({"li", "article"})


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of a search; `rank` counts from 1."""

    rank: int
    title: str
    url: str
    snippet: str | None


def request_url(template: str, query: str) -> str:
    """The address that asks an engine.

    Args:
        template: `{query}` stands for the words; without it they become the parameter `q`.

    Raises:
        ValueError: it is no web address.
    """
    parts = urlsplit(template)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"{template!r} is no http or https address")
    if QUERY in template:
        return template.replace(QUERY, quote_plus(query))
    return parts._replace(query=f"{parts.query}&q={quote_plus(query)}".lstrip("&")).geturl()


def results(page: Element, url: str, limit: int) -> list[SearchResult]:
    """The results of a page, the first first; each address once.

    Args:
        url: of the page.
    """
    parents = {id(child): element for element in page.walk() for child in element.children if isinstance(child, Element)}
    links = [element for element in page.walk() if element.tag == "a" and element.attributes.get("href")]
    usable = [link for link in links if _target(link, url) and not _is_aside(link, parents)]
    titles = [link for link in usable if _is_title(link, parents)] or [link for link in usable if _is_in(link, ITEMS, parents)]
    found: dict[str, SearchResult] = {}
    titles_left = {id(link) for link in titles}
    for link in titles:
        target, title = _target(link, url), _text(_heading_in(link) or link)
        if target and title and target not in found:
            snippet = _snippet(_container(link, parents, titles_left), link, title)
            found[target] = SearchResult(len(found) + 1, title, target, snippet)
        if len(found) == limit:
            break
    return list(found.values())


def _target(link: Element, page_url: str) -> str | None:
    """Final address of a link; None for places of the engine itself."""
    url = urljoin(page_url, link.attributes["href"].strip())
    parts, page = urlsplit(url), urlsplit(page_url)
    if parts.scheme not in ("http", "https"):
        return None
    if parts.netloc == page.netloc or parts.path.endswith(("/l/", "/url")):
        query = parse_qs(parts.query)
        inner = [value for name in REDIRECT_PARAMETERS for value in query.get(name, ()) if re.match(r"https?://", value)]
        if inner:
            return inner[0]
    return None if (parts.netloc, parts.path) == (page.netloc, page.path) else url


def _ancestors(element: Element, parents: dict[int, Element]) -> Iterable[Element]:
    while above := parents.get(id(element)):
        yield above
        element = above


def _has_class(element: Element, pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(name) for name in element.attributes.get("class", "").lower().split())


def _is_aside(link: Element, parents: dict[int, Element]) -> bool:
    return _is_in(link, FURNITURE, parents) or any(_has_class(above, ADVERTISING_CLASS) for above in _ancestors(link, parents))


def _heading_in(link: Element) -> Element | None:
    return next((element for element in link.walk() if element.tag in HEADINGS), None)


def _is_title(link: Element, parents: dict[int, Element]) -> bool:
    return _has_class(link, TITLE_CLASS) or _heading_in(link) is not None or _is_in(link, HEADINGS, parents)


def _is_in(link: Element, tags: frozenset[str], parents: dict[int, Element]) -> bool:
    return any(above.tag in tags for above in _ancestors(link, parents))


def _container(link: Element, parents: dict[int, Element], titles: set[int]) -> Element:
    """The largest element around a title that has no other title in it."""
    best = link
    for above in _ancestors(link, parents):
        if sum(id(element) in titles for element in above.walk()) > 1 or above.tag in ("body", "html"):
            break
        best = above
    return best


def _snippet(container: Element, link: Element, title: str) -> str | None:
    own = {id(element) for element in link.walk()}
    others = [element for element in container.walk() if id(element) not in own and element.tag not in TEXTLESS]
    marked = [element for element in others if _has_class(element, SNIPPET_CLASS) and link not in element.walk()]
    blocks = [element for element in others if element.tag in ("p", "div", "span", "dd", "td") and link not in element.walk()]
    texts = [text for element in marked or blocks for text in [_text(element)] if text and text != title]
    if texts:
        return max(texts, key=len) if not marked else texts[0]
    rest = _text(container).removeprefix(title).strip()
    return rest or None


def _text(element: Element) -> str:
    return " ".join(element.text(without=TEXTLESS).split())
