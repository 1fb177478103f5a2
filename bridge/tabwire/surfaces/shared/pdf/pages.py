"""A PDF as a snapshot: one line for each page, continued by cursors that name a page."""

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from tabwire.errors import InvalidArgument
from tabwire.surfaces import recent
from tabwire.surfaces.shared.pdf import PdfText
from tabwire.surfaces.shared.snapshot_parts import NOTE, Measure

MAX_KEPT = 4
_CURSOR = re.compile(r"(?P<name>pdf\d{1,9})\.(?P<page>\d{1,9})(?:\.(?P<start>\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class Pdf:
    """A PDF that a tab shows."""

    name: str
    head: str
    """First lines of the snapshot of its tab."""
    text: PdfText

    @property
    def foot(self) -> str:
        """The end of a snapshot, which says what is not shown."""
        return f"\n\nNot shown: {self.text.left_out}" if self.text.left_out else ""

    def lines(self) -> Iterator[str]:
        """Lines of a tree, one for each line of the text, to be searched."""
        yield self._document()
        for number, page in enumerate(self.text.pages, 1):
            yield f'  - group "Page {number}"'
            yield from (f"    - text: {line}" for line in page.splitlines() if line.strip())

    def part(self, page: int, start: int, budget: int, measure: Measure) -> tuple[str, str | None]:
        """The text from a place on that fits into a budget, whole pages where they do, and the cursor that continues it."""
        room = budget - measure(self.head) - measure(self.foot) - measure(NOTE)
        shown = [self._document()]
        for number in range(page, len(self.text.pages) + 1):
            text = self.text.pages[number - 1][start:]
            line = f'  - group "Page {number}": "{_escaped(text)}"'
            room -= measure(f"{line}\n")
            if room < 0 and len(shown) > 1:
                return self._written(shown), f"{self.name}.{number}"
            if room < 0:
                fitting = _fitting(text, budget // 2, measure)
                shown.append(f'  - group "Page {number}": "{_escaped(text[:fitting])}…"')
                return self._written(shown), f"{self.name}.{number}.{start + fitting}"
            shown.append(line)
            start = 0
        return self._written(shown), None

    def _document(self) -> str:
        title = f' "{_escaped(self.text.title)}"' if self.text.title else ""
        pages = f" [pages={self.text.count}]" if self.text.count else ""
        return f"- document{title} [type=application/pdf]{pages}"

    def _written(self, lines: Sequence[str]) -> str:
        return "\n".join([f"{self.head}\n", *lines]) + self.foot


class Pdfs:
    """The files that were read last, by the document that shows each."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Pdf] = OrderedDict()
        self._numbers = count(1)

    async def read(self, shown: str, head: str, load: Callable[[], Awaitable[PdfText]]) -> Pdf:
        """The PDF that a document shows, which is loaded where it is not kept. `head` is that of the tab's snapshot."""
        kept = self._kept.get(shown)
        if kept is None:
            kept = Pdf(f"pdf{next(self._numbers)}", head, await load())
        if kept.text.count:
            recent.keep(self._kept, shown, kept, MAX_KEPT)
        return kept

    def at(self, cursor: str) -> tuple[Pdf, int, int]:
        """The PDF, page and character that a cursor names.

        Raises:
            InvalidArgument: there is no such cursor (any more).
        """
        found = _CURSOR.fullmatch(cursor)
        pdf = next((one for one in self._kept.values() if found and one.name == found["name"]), None)
        if not found or pdf is None:
            raise InvalidArgument(
                f"no such cursor {cursor!r}: only those of the last {MAX_KEPT} PDFs are kept; take a new snapshot of the tab"
            )
        page = int(found["page"])
        if not 1 <= page <= len(pdf.text.pages):
            raise InvalidArgument(f"there is no page {page}; give one of the pages 1 to {len(pdf.text.pages)}")
        return pdf, page, int(found["start"] or 0)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


def _fitting(text: str, budget: int, measure: Measure) -> int:
    """The number of characters of a text that fit, at least one; up to the end of a line where there is one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(_escaped(text[:middle])) <= budget else (low, middle - 1)
    return text.rfind("\n", low // 2, low) + 1 or low
