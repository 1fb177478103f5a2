"""The pages on which servers are measured, the same for all, with what a whole snapshot of each must say."""

from dataclasses import dataclass

from pages.big_page import ELEMENTS_PER_ROW, big_page
from pages.real_pages import RealPages

from e2e.site import Site

CONTROLS = 2_000
NODES = 50_000
NODES_PER_ROW = 17
REAL = "doc/python3.11/html/library/functions.html"
"""A long article with a table of contents, code and some thousand links, as those of Wikipedia."""
FIELDS = 10
PRESSED = """<button aria-label=Press onclick="out.textContent = `clicked ${++count}`">Press</button><output id=out></output>
<script>count = 0</script>"""
FORM = f"""<form>{"".join(f"<p><input aria-label='Field {number}'></p>" for number in range(FIELDS))}</form>
<script>
  seen = [];
  addEventListener("input", (event) => seen.push(event.target.value));
</script>"""
SMALL = f"<h1>Small page</h1>{PRESSED}{FORM}" + "".join(f"<a href='#{number}'>Link {number}</a> " for number in range(9))
SHADOW = """<h1>Shadow page</h1><div id=hosts></div><script>
  for (let number = 0; number < 20; number++) {
    const root = hosts.appendChild(document.createElement("section")).attachShadow({ mode: "open" });
    root.innerHTML = `<p>Text ${number}</p><button>Inside ${number}</button><input aria-label="Entry ${number}">`;
  }
</script>"""


@dataclass(frozen=True)
class MeasuredPage:
    """The address of a page, and words that every whole snapshot of it has."""

    url: str
    words: tuple[str, ...]


class MeasuredPages:
    """Servers of all pages."""

    def __init__(self) -> None:
        self._site, self._real = Site(), RealPages()
        rows = CONTROLS // 2
        nodes = big_page(NODES // NODES_PER_ROW * ELEMENTS_PER_ROW)
        self.pressed = self._page(PRESSED, "Press")
        self.form = self._page(FORM, "Field 9")
        self.small = self._page(SMALL, "Small page", "Press", "Field 9", "Link 8")
        self.shadow = self._page(SHADOW, "Text 19", "Inside 0", "Inside 19")
        self.controls = self._page(big_page(rows * ELEMENTS_PER_ROW), "Buy 0", f"Buy {rows - 1}", f"a link {rows - 1}")
        self.nodes = self._page(PRESSED + nodes, "Press", "Buy 0")
        self.real = MeasuredPage(self._real.url(REAL), ("abs", "breakpoint", "__import__"))
        self.named = MeasuredPage(self._site.page("<h1>Named</h1>", title="Title of the measured page"), ("Named",))

    def _page(self, html: str, *words: str) -> MeasuredPage:
        return MeasuredPage(self._site.page(html), words)

    def close(self) -> None:
        self._site.close()
        self._real.close()
