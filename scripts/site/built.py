"""Checks of the built site: every link and anchor in it leads somewhere, and no Markdown is left unrendered."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LEFT_OVER = re.compile(r"^\s*\|.*\|\s*$|^\s*(?:```|~~~|(?:#{1,6}|[-*+]|\d+\.) )|\]\(|\*\*", re.MULTILINE)
"""Patterns of Markdown that no reader should see: rows of tables, fences, headings, items of lists, links, bold text."""
NO_PROSE = {"code", "pre", "script", "style", "td"}
"""Elements whose text may have such signs for another reason."""
FOREIGN = {"link", "script", "img", "iframe", "source"}
"""Elements that fetch their address while the page loads."""


class Page(HTMLParser):
    """Facts about a built page: its anchors, addresses, headings and prose."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.headings = 0
        self.prose = ""
        self._other = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self._other += tag in NO_PROSE
        self.headings += tag == "h1"
        self.anchors |= {value for name in ("id", "name") if (value := told.get(name))}
        for address in filter(None, (told.get("href"), told.get("src"))):
            self.links.append(address)
            if tag in FOREIGN and told.get("rel") != "canonical":
                self.fetched.append(address)

    def handle_endtag(self, tag: str) -> None:
        self._other -= tag in NO_PROSE

    def handle_data(self, data: str) -> None:
        if not self._other:
            self.prose += data


def damage(site: Path) -> list[str]:
    """A sentence for everything that is wrong with a built site."""
    texts = {path.relative_to(site).as_posix(): path.read_text() for path in sorted(site.rglob("*.html"))}
    pages = {name: Page(text) for name, text in texts.items()}
    return [f"{name}: {problem}" for name, page in pages.items() for problem in _problems(site, pages, name, page)]


def _problems(site: Path, pages: dict[str, Page], name: str, page: Page) -> Iterator[str]:
    # The page for missing addresses has no heading of its own kind, and links from the root of a server.
    if name == "404.html":
        return
    if page.headings != 1:
        yield f"{page.headings} first headings"
    yield from (f"unrendered Markdown: {found[0].strip()[:80]!r}" for found in LEFT_OVER.finditer(page.prose))
    yield from (f"fetches {address} from elsewhere" for address in page.fetched if urlsplit(address).netloc)
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
        if not (site / target).exists():
            yield f"{link} leads nowhere"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"{link}: no such heading"
