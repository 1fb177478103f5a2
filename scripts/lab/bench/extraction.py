"""Text that the reader keeps of real documentation, and text that it takes for documentation but is not.

For each page somebody has looked up which element holds the content. Runs of four words of that element that are missing in the
lines count as lost, runs in the lines that the element does not have as noise; lines of examples must be kept as they are, and
links to other pages must be there.
"""

import collections
import re
import time
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin

from pages.real_pages import RealPages, _file
from row import Row

from tabwire.surfaces.reader.loading.document import Document
from tabwire.surfaces.reader.loading.extracting import extract
from tabwire.surfaces.reader.loading.time_limit import TimeLimit
from tabwire.surfaces.reader.page import PageSnapshot

CONTENT = {
    "doc/python3.11/html/library/functions.html": "[role=main]",
    "doc/python3.11/html/library/json.html": "[role=main]",
    "doc/python3.11/html/tutorial/index.html": "[role=main]",
    "doc/python3.11/html/tutorial/classes.html": "[role=main]",
    "doc/git-doc/git-merge.html": "#content",
    "doc/git-doc/gitglossary.html": "#content",
    "doc/postgresql-doc-15/html/sql-select.html": "div.refentry",
    "doc/postgresql-doc-15/html/datatype-numeric.html": "div.sect1",
    "doc/debian-handbook/html/en-US/sect.network-config.html": "body > div.section",
    "doc/debian-handbook/html/en-US/index.html": "body > div.book",
    "doc/apache2-doc/manual/en/mod/core.html": "#page-content",
    "doc/apache2-doc/manual/en/mod/directives.html": "body",
    "doc/sqlite3/datatype3.html": "body",
    "doc/sqlite3/lang_expr.html": "body",
    "doc/bash/bashref.html": "body",
}
AROUND = (
    "script, style, svg, nav, .headerlink, [hidden], .menu, .searchmenu, .logo, .toplang, .bottomlang, .navheader, .navfooter"
)
PDFS = ("doc/bash/bash.pdf", "doc/bash/bashref.pdf")
RUN = 4
LEAST_KEPT, MOST_NOISE = 0.97, 0.05
LIMIT_S = 60.0


@dataclass(frozen=True)
class Quality:
    """Shares, 0 to 1."""

    kept: float
    noise: float
    examples: float
    links: float


def measure() -> list[Row]:
    """Prints a table of pages; the rows are the worst of them."""
    pages = RealPages()
    try:
        found = {path: _page(pages, path) for path in pages.existing(tuple(CONTENT))}
        for path in pages.existing(PDFS):
            _pdf(pages, path)
    finally:
        pages.close()
    kept, noise = min(one.kept for one in found.values()), max(one.noise for one in found.values())
    return [
        Row(f"extraction: words of {len(found)} pages, worst kept", 100, 100 * kept, "%", 1 / LEAST_KEPT),
        Row(f"extraction: lines of {len(found)} pages, worst noise", 100 * (1 + noise), 100, "%", 1 + MOST_NOISE),
    ]


def _page(pages: RealPages, path: str) -> Quality:
    file = _file(path)
    assert file is not None
    document = Document(pages.url(path), "text/html", file.read_bytes(), "utf-8")
    began = time.perf_counter()
    page = extract(document, TimeLimit(LIMIT_S)).page
    took_ms = 1000 * (time.perf_counter() - began)
    quality = _quality(document, CONTENT[path], page)
    print(
        f"  {path.removeprefix('doc/'):<52} {len(document.body) / 1000:5.0f} kB {took_ms:5.0f} ms {len(page.lines):5} lines  "
        f"kept {quality.kept:6.1%}  noise {quality.noise:5.1%}  examples {quality.examples:6.1%}  links {quality.links:6.1%}"
    )
    return quality


def _quality(document: Document, selector: str, page: PageSnapshot) -> Quality:
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(document.text())
    content = tree.css_first(selector)
    for node in content.css(AROUND):
        node.decompose()
    meant, got = _runs(content.text(separator=" ")), _runs(" ".join(map(_unmarked, page.lines)))
    common = (meant & got).total()
    examples = [line.rstrip() for node in content.css("pre") for line in node.text().expandtabs(8).splitlines() if line.strip()]
    lines = {line.strip() for line in page.lines}
    shown = [line for line in examples if line.strip() in lines]
    own = urldefrag(document.url)[0]
    targets = {urljoin(document.url, node.attributes.get("href") or "") for node in content.css("a[href]") if node.text().strip()}
    wanted = {url for url in targets if url.startswith("http") and urldefrag(url)[0] != own}
    present = wanted & {link.url for link in page.links}
    return Quality(
        common / max(1, meant.total()), 1 - common / max(1, got.total()), _share(shown, examples), _share(present, wanted)
    )


def _share(some: collections.abc.Sized, of: collections.abc.Sized) -> float:
    return len(some) / len(of) if len(of) else 1.0


def _unmarked(line: str) -> str:
    return re.sub(r"^\s*(- |#+ )", "", line).replace(" | ", " ")


def _runs(text: str) -> collections.Counter[tuple[str, ...]]:
    # Tags within a word divide it in one text and not in the other.
    words = re.findall(r"\w+", text)
    return collections.Counter(tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def _pdf(pages: RealPages, path: str) -> None:
    file = _file(path)
    assert file is not None
    body = file.read_bytes()
    began = time.perf_counter()
    page = extract(Document(pages.url(path), "application/pdf", body), TimeLimit(LIMIT_S)).page
    took_ms = 1000 * (time.perf_counter() - began)
    count = sum(line.startswith("[Page ") for line in page.lines)
    print(
        f"  {path.removeprefix('doc/'):<52} {len(body) / 1000:5.0f} kB {took_ms:5.0f} ms {len(page.lines):5} lines  {count} pages"
    )
