"""The text of an answer: what a model reads and a person can paste. Compact, and the same for the same answer."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from tabwire.surfaces.reader.citation import Citation
from tabwire.surfaces.reader.find import Matches
from tabwire.surfaces.reader.page import Found, Link, PageSnapshot
from tabwire.surfaces.reader.viewport import View

MAX_LINKS = 100
"""Links listed under a viewport, except where one line has more: the viewport ends before them."""

_ALTERED = "What looks like a secret is replaced by [redacted], because this page was read with the user's login."


def results(cursor: str, query: str, found: Sequence[Found]) -> str:
    """A numbered list."""
    head = f"Results (cursor {cursor})"
    if not found:
        return f"{head}\nNothing was found for {query!r}."
    return "\n\n".join([f"{head}\n{_result(1, found[0])}", *(_result(number, one) for number, one in enumerate(found[1:], 2))])


def _result(number: int, found: Found) -> str:
    lines = [f"{number}) {one_line(found.title) or found.url} — {host(found.url)}", f"   URL: {found.url}"]
    if found.snippet:
        lines.append(f"   Snippet: {one_line(found.snippet)}")
    return "\n".join(lines)


def page(snapshot: PageSnapshot, view: View, citation: Citation) -> str:
    """A head, the numbered lines, and how to cite them and go on."""
    numbered = [f"L{number}: {line}".rstrip() for number, line in enumerate(view.lines, view.start)]
    links = [link for link in snapshot.links if view.start <= link.line <= view.end]
    parts = [
        f"Title: {one_line(snapshot.title) or '(none)'}\nURL: {snapshot.url}\nLines {view.start}–{view.end}:",
        "\n".join(numbered) if any(view.lines) or view.total > 1 else "(The page has no text.)",
        *([_links(links)] if links else []),
        *([f"Note: {snapshot.notice}"] if snapshot.notice else []),
        *([f"Note: {_ALTERED}"] if view.is_altered else []),
        f"Cite as {citation}. {_rest(view)}",
    ]
    return "\n\n".join(parts)


def _links(links: Sequence[Link]) -> str:
    return "\n".join(["Links:", *(f"[{link.id}] L{link.line} {one_line(link.title)}: {link.url}" for link in links)])


def _rest(view: View) -> str:
    left = view.total - 1 - view.end
    if not left:
        return "End of the page."
    more = f"{left} more {'line' if left == 1 else 'lines'}: scroll to loc {view.end + 1}."
    return f"Fewer lines than asked for, because their text or links are many. {more}" if view.is_short else more


def matches(cursor: str, pattern: str, found: Matches) -> str:
    """A table of lines."""
    head = f"Matches of {pattern!r} (cursor {cursor})"
    if not found.count:
        return f"{head}\nNo line matches."
    lines = [f"L{match.loc}: {match.preview}" for match in found.listed]
    listed = len(found.listed)
    if found.count > listed:
        lines.append(f"(the first {listed} of {found.count} lines that match)")
    first = found.listed[0].loc
    return "\n".join([head, *lines, "", f"Cite a line as {Citation(cursor, first, first)}; scroll to its loc to read around it."])


def host(url: str) -> str:
    """The host of an address, without `www.`."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


def one_line(text: str) -> str:
    """Text without line breaks and runs of spaces: what a page says must not look like a line of ours."""
    return " ".join(text.split())
