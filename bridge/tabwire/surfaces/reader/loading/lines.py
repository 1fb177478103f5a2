"""Text as it is found, written into stable lines, with the links in it.

One block of a page (a paragraph, a list item, a row of a table) is one line, so that a phrase is found whatever the width of a
window; only what is longer than `LINE_LIMIT` is divided, after a sentence where there is one.
"""

import re
from dataclasses import dataclass

from tabwire.surfaces.reader.page import Link

LINE_LIMIT = 1000
"""Characters."""
_EARLIEST_CUT = LINE_LIMIT // 2
_SENTENCE_END = re.compile(r"[.!?…:;]['\")\]’”]*\s|[。！？]")
# Break no line in sight, but in a terminal or a regular expression; and what nobody sees.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1b\x7f\x80-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff]")
_OTHER_BREAKS = re.compile("[\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029]")
MAX_TITLE = 200


def clean(text: str) -> str:
    """Text without characters that cannot be seen."""
    return _INVISIBLE.sub("", text)


def fold(line: str) -> list[str]:
    """A line in pieces of at most `LINE_LIMIT` characters."""
    pieces = []
    start = 0
    while len(line) - start > LINE_LIMIT:
        end = _cut(line, start)
        pieces.append(line[start:end])
        start = end
    return [*pieces, line[start:]]


def _cut(line: str, start: int) -> int:
    window = line[start : start + LINE_LIMIT]
    ends = [found.end() for found in _SENTENCE_END.finditer(window, _EARLIEST_CUT)]
    if ends:
        return start + ends[-1]
    space = window.rfind(" ", _EARLIEST_CUT)
    return start + (space + 1 if space > 0 else LINE_LIMIT)


def split_lines(text: str) -> list[str]:
    """Plain text as lines, folded."""
    whole = _OTHER_BREAKS.sub("\n", clean(text).replace("\r\n", "\n"))
    return [piece.rstrip() for line in whole.split("\n") for piece in fold(line.expandtabs(8).rstrip())]


@dataclass(slots=True)
class _Anchor:
    """A link whose text is being written."""

    url: str
    start: int | None = None
    """Position of its text in the current line; None before there is any."""


class LineWriter:
    """Writes running text, verbatim text and links into lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.links: list[Link] = []
        self._parts: list[str] = []
        self._length = 0
        self._has_space = False
        self._indent = ""
        self._markers: list[str] = []
        """Markers of the open blocks that have no text yet, the innermost last."""
        self._anchor: _Anchor | None = None
        self._ended: list[tuple[int, str, str]] = []
        """Offset, address and title of the links of the current line."""
        self._joint: str | None = None
        """Separator between blocks while a row of a table is written."""

    def write(self, text: str) -> None:
        """Running text: white space is one space."""
        text = clean(text)
        words = text.split()
        if not words:
            self._has_space = self._has_space or bool(text)
            return
        if (self._has_space or text[0].isspace()) and self._length:
            self._put(" ")
        self._begin_anchor()
        self._put(" ".join(words))
        self._has_space = text[-1].isspace()

    def write_joined(self, mark: str) -> None:
        """Write a mark right after the text before it; "" for none."""
        if mark:
            self._begin_anchor()
            self._put(mark)

    @property
    def last_character(self) -> str:
        """The character right before what is written next; "" at the begin of a line, and " " after a space."""
        return " " if self._has_space else self._parts[-1][-1:] if self._parts else ""

    def write_verbatim(self, text: str) -> None:
        """Text whose white space means something."""
        first, *others = _OTHER_BREAKS.sub(" ", clean(text).replace("\r\n", "\n")).split("\n")
        self._put_verbatim(first)
        for line in others:
            self._flush(keep_empty=True)
            self._put_verbatim(line)

    def _put_verbatim(self, text: str) -> None:
        if text:
            self._begin_anchor()
            self._put(text.expandtabs(8))

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def end_line(self) -> None:
        """The next text begins a line, if this one has any."""
        if self._joint is None:
            self._flush()
        elif self._length:
            self._has_space = True

    def end_block(self) -> None:
        """End the line as `end_line` does, with an empty line after it."""
        self.end_line()
        if self._joint is None and self.lines and self.lines[-1]:
            self.lines.append("")

    def begin_row(self) -> None:
        """Begin a row: all up to `end_row` is one line."""
        self.end_line()
        self._joint = ""

    def begin_cell(self) -> None:
        """Begin another cell of the row."""
        if self._joint is None:
            return self.end_line()
        if self._joint:
            self._has_space = False
            self._put(" | " if self._length and not self._parts[-1].endswith("| ") else "| ")
        self._joint = "|"

    def end_row(self) -> None:
        """The row is over."""
        self._joint = None
        self._flush()

    @property
    def is_in_row(self) -> bool:
        """Whether a row of a table is being written."""
        return self._joint is not None

    def mark(self, marker: str) -> None:
        """Begin the next line with this, for example a list's bullet. At the end of its block comes `unmark`."""
        self._markers.append(self._indent + marker)

    def unmark(self) -> None:
        """End the innermost marked block. Its marker, if it had no text, is not that of the next line."""
        if self._markers:
            self._markers.pop()

    def indent(self, by: int) -> None:
        """Move the following lines to the right, or back with a negative number."""
        self._indent = " " * max(0, len(self._indent) + by)

    def begin_link(self, url: str) -> None:
        """Begin a link: the text that follows is its text."""
        self.end_link()
        self._anchor = _Anchor(url)

    def end_link(self, title: str = "") -> None:
        """End the text of a link; `title` replaces it where there is none."""
        anchor, self._anchor = self._anchor, None
        if anchor is None:
            return
        if anchor.start is not None:
            self._note(anchor)
        elif title.strip():
            # Pictures are apart from the words around them.
            self._has_space = True
            self._anchor = anchor
            self.write(title)
            self.end_link()
            self._has_space = True

    def _begin_anchor(self) -> None:
        if self._anchor is not None and self._anchor.start is None:
            self._anchor.start = self._length

    def _note(self, anchor: _Anchor) -> None:
        if anchor.start is not None:
            title = " ".join("".join(self._parts)[anchor.start :].split())[:MAX_TITLE]
            if title:
                self._ended.append((anchor.start, anchor.url, title))

    def _flush(self, keep_empty: bool = False) -> None:
        if self._anchor is not None and self._anchor.start is not None:
            # A link over several blocks is told of once, where it begins.
            self._note(self._anchor)
            self._anchor = None
        text = "".join(self._parts).rstrip()
        ended, self._parts, self._length, self._has_space, self._ended = self._ended, [], 0, False, []
        if not text.strip():
            if keep_empty and self.lines and self.lines[-1]:
                self.lines.append("")
            return
        self._append(text, ended)

    def _append(self, text: str, ended: list[tuple[int, str, str]]) -> None:
        at = 0
        marker = self._markers[-1] if self._markers else None
        self._markers.clear()
        for piece in fold(text):
            lead = self._indent if marker is None else marker
            for offset, url, title in ended:
                if at <= offset < at + len(piece):
                    self.links.append(Link(len(self.links) + 1, url, title, len(self.lines)))
            at += len(piece)
            self.lines.append((lead + piece).rstrip())
            marker = None

    def finish(self) -> tuple[tuple[str, ...], tuple[Link, ...]]:
        """The lines and links, without empty lines at the ends."""
        self.end_link()
        self.end_row()
        while self.lines and not self.lines[-1]:
            self.lines.pop()
        return tuple(self.lines), tuple(self.links)
