"""pdf: the paper, the margins and the content that were asked for, in the file that was asked for."""

from pathlib import Path
from typing import Any

import pytest
from pypdf import PageObject, PdfReader

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

MM = 72 / 25.4
PAPERS = {
    "Letter": (612, 792),
    "Legal": (612, 1008),
    "Tabloid": (792, 1224),
    "Ledger": (1224, 792),
    "A0": (841 * MM, 1189 * MM),
    "A1": (594 * MM, 841 * MM),
    "A2": (420 * MM, 594 * MM),
    "A3": (297 * MM, 420 * MM),
    "A4": (210 * MM, 297 * MM),
    "A5": (148 * MM, 210 * MM),
    "A6": (105 * MM, 148 * MM),
}
CORNERS = """<style>body { margin: 0; font: 10px/10px monospace } p { margin: 0 }</style>
<p>Start</p><p style="text-align: right">Right</p><p style="position: fixed; bottom: 0; margin: 0">Bottom</p>"""
LONG = "<style>p { margin: 0; font: 20px/20px serif }</style>" + "<p>Line</p>" * 120


class Document:
    """A printed file."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.path = Path(data["path"])
        content = self.path.read_bytes()
        assert content.startswith(b"%PDF-")
        assert data["bytes"] == len(content)
        self.pages = list(PdfReader(self.path).pages)
        assert data["pages"] == len(self.pages)

    @property
    def size(self) -> tuple[float, float]:
        box = self.pages[0].mediabox
        return float(box.width), float(box.height)

    @property
    def text(self) -> str:
        return "\n".join(page.extract_text() for page in self.pages)

    def place(self, word: str) -> tuple[float, float]:
        """Where a word starts: points from the left and from the top."""
        return _places(self.pages[0])[word]


def _places(page: PageObject) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}

    def note(text: str, cm: Any, tm: Any, *_: Any) -> None:
        x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
        y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        for word in text.split():
            found.setdefault(word, (x, float(page.mediabox.height) - y))

    page.extract_text(visitor_text=note)
    return found


def printed(tabwire: Tabwire, path: Path, **arguments: object) -> Document:
    return Document(tabwire.ok("pdf", save_path=str(path), **arguments).data)


def test_every_paper_has_its_size(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(CORNERS))
    for name, size in PAPERS.items():
        assert printed(tabwire, tmp_path / "a.pdf", format=name).size == pytest.approx(size, abs=1), name
    assert printed(tabwire, tmp_path / "a.pdf").size == PAPERS["Letter"]


def test_landscape_turns_the_paper(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(CORNERS))
    assert printed(tabwire, tmp_path / "a.pdf", landscape=True).size == (792, 612)


def test_scale_changes_how_much_fits_on_a_page(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(LONG))
    counts = [len(printed(tabwire, tmp_path / "a.pdf", scale=scale).pages) for scale in (0.5, 1, 2)]
    assert counts[0] < counts[1] < counts[2]
    for scale in (0.05, 2.5):
        assert tabwire.fails("pdf", save_path="a.pdf", scale=scale).is_error


def test_a_margin_is_as_wide_as_it_says(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(CORNERS))
    bare = printed(tabwire, tmp_path / "bare.pdf", margin=dict.fromkeys(("top", "bottom", "left", "right"), "0"))
    for inch in ("1in", "96px", "96", "2.54cm", " 25.4 mm "):
        wide = printed(tabwire, tmp_path / "b.pdf", margin=dict.fromkeys(("top", "bottom", "left", "right"), inch))
        for word, moved in {"Start": (72, 72), "Right": (-72, 72), "Bottom": (72, -72)}.items():
            before, after = bare.place(word), wide.place(word)
            assert (after[0] - before[0], after[1] - before[1]) == pytest.approx(moved, abs=2), (inch, word)


def test_one_margin_leaves_the_others_as_they_were(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(CORNERS))
    plain, wide = printed(tabwire, tmp_path / "a.pdf"), printed(tabwire, tmp_path / "b.pdf", margin={"left": "2in"})
    (left, top), (moved_left, same) = plain.place("Start"), wide.place("Start")
    assert moved_left - left == pytest.approx(144 - 0.4 * 72, abs=2)
    assert same == pytest.approx(top, abs=1)


def test_a_margin_that_is_none_is_refused(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(CORNERS))
    for wrong in ("wide", "1pt", "-1cm", "1 2", ""):
        assert "is not a length" in tabwire.fails("pdf", save_path="a.pdf", margin={"top": wrong}).text, wrong
    reply = tabwire.fails("pdf", save_path="a.pdf", margin={"left": "5in", "right": "5in"})
    assert reply.code == "invalid_argument"
    assert "no room" in reply.text


def test_headers_and_footers(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(LONG))
    assert "Over" not in printed(tabwire, tmp_path / "a.pdf").text
    assert "Test page" in printed(tabwire, tmp_path / "a.pdf", display_header_footer=True).text
    style = "style='font-size: 10px; margin-left: 30px'"
    text = printed(
        tabwire,
        tmp_path / "a.pdf",
        display_header_footer=True,
        header_template=f"<span {style}>Over</span>",
        footer_template=f"<span {style}>Under <span class=pageNumber></span> of <span class=totalPages></span></span>",
        margin={"top": "2cm", "bottom": "2cm"},
    ).text
    assert "Over" in text
    assert "Under 2 of 3" in text
    only = printed(tabwire, tmp_path / "a.pdf", display_header_footer=True, footer_template=f"<span {style}>Under</span>").text
    assert "Under" in only
    assert "Test page" not in only, "the browser's own header is printed beside a footer that was given"
    assert "display_header_footer" in tabwire.fails("pdf", save_path="a.pdf", header_template="x").text


def test_backgrounds_are_printed_unless_told_otherwise(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page("<body style='background: #0000ff'>Text"))

    def is_blue(document: Document) -> bool:
        contents = document.pages[0].get_contents()
        return contents is not None and b"0 0 1 rg" in contents.get_data()

    assert is_blue(printed(tabwire, tmp_path / "a.pdf"))
    assert not is_blue(printed(tabwire, tmp_path / "a.pdf", print_background=False))


def test_the_page_may_choose_its_paper(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page("<style>@page { size: 4in 5in }</style>Text"))
    assert printed(tabwire, tmp_path / "a.pdf", prefer_css_page_size=True).size == (288, 360)
    assert printed(tabwire, tmp_path / "a.pdf").size == PAPERS["Letter"]


def test_a_large_document_arrives_whole(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    noise = """<canvas id=c width=1400 height=1400></canvas><script>const context = c.getContext("2d");
    const data = context.createImageData(1400, 1400), words = new Uint32Array(data.data.buffer);
    for (let at = 0; at < words.length; at += 1) words[at] = Math.random() * 0xffffff | 0xff000000;
    context.putImageData(data, 0, 0);</script>"""
    tabwire.open(site.page(noise))
    document = printed(tabwire, tmp_path / "a.pdf", scale=0.4)
    assert document.path.stat().st_size > 4_500_000
    assert document.path.read_bytes().rstrip().endswith(b"%%EOF")


def test_a_hidden_tab_is_printed_where_it_is(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    hidden = tabwire.ok("tab_new", url=site.page("Hidden words")).data["tabId"]
    inner = site.cross_page("In a frame")
    front = site.page(f"<iframe src='{inner}'></iframe>")
    tabwire.ok("tab_new", url=front)
    assert "Hidden words" in printed(tabwire, tmp_path / "a.pdf", tabId=hidden).text
    assert page.url == front
    tabwire.ok("wait", **{"for": "text", "text": "In a frame"})
    assert "In a frame" in printed(tabwire, tmp_path / "a.pdf").text


def test_a_path_is_checked_before_anything_is_printed(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page("<script>addEventListener('beforeprint', () => { document.title = 'printed' })</script>"))
    assert tabwire.fails("pdf", save_path="/etc/a.pdf").code == "permission_denied"
    assert "end in .pdf" in tabwire.fails("pdf", save_path="a.png").text
    (tmp_path / "theirs.pdf").write_text("theirs")
    assert "overwrite: true" in tabwire.fails("pdf", save_path=str(tmp_path / "theirs.pdf")).text
    assert page.evaluate("document.title") == "Test page"
    path = Path(tabwire.ok("pdf", save_path="folder/named").data["path"])
    assert path.parts[-3:] == ("artifacts", "folder", "named.pdf")
    assert path.is_file()
    assert page.evaluate("document.title") == "printed"


def test_what_cannot_be_printed_is_an_error(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button onclick='alert(1)'>Ask</button>"))
    tabwire.ok("click", selector="role:button")
    assert tabwire.fails("pdf", save_path="a.pdf").code == "dialog_pending"
    tabwire.ok("tab_new", url="chrome://version")
    assert tabwire.fails("pdf", save_path="a.pdf").code == "restricted_page"
