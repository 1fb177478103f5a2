"""Tabs that show a PDF: the text of its pages in `snapshot` and `find`, and what is said where there is none."""

import io

import pypdf
import pytest

from bridge.pdf_files import pdf
from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

PAGES = [f"Line of page {number}" for number in range(1, 41)]


def encrypted() -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(["Words"])))
    writer.encrypt("secret", algorithm="AES-256")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_the_pages_of_a_pdf_are_read_and_found(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.serve("/a.pdf", pdf(PAGES, title="Annual report"), "application/pdf"))
    text = tabwire.snapshot()
    assert '- document "Annual report" [type=application/pdf] [pages=40]' in text
    for number in range(1, 41):
        assert f'  - group "Page {number}": "Line of page {number}"' in text
    assert 'text: Line of page 40 in group "Page 40"' in tabwire.ok("find", text="page 40").text
    assert "No line of the page's tree matches" in tabwire.ok("find", text="not in it").text


def test_a_cursor_names_a_page(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.serve("/a.pdf", pdf([f"{line} {'word ' * 100}" for line in PAGES]), "application/pdf"))
    reply = tabwire.ok("snapshot", max_chars=3_000)
    texts = [reply.text]
    while "cursor" in reply.data:
        reply = tabwire.ok("snapshot", max_chars=3_000, cursor=reply.data["cursor"])
        texts.append(reply.text)
        assert len(reply.text) < 3_000
    assert [sum(f'"Page {number}"' in text for text in texts) for number in range(1, 41)] == [1] * 40
    name = texts[0].rsplit('"cursor": "', 1)[1].split(".")[0]
    assert 'group "Page 33": "Line of page 33' in tabwire.ok("snapshot", cursor=f"{name}.33").text
    assert "there is no page 41" in tabwire.fails("snapshot", cursor=f"{name}.41").text


def test_a_page_that_does_not_fit_is_continued(tabwire: Tabwire, site: Site) -> None:
    words = " ".join(f"w{at}" for at in range(2_000))
    tabwire.open(site.serve("/a.pdf", pdf([words]), "application/pdf"))
    reply = tabwire.ok("snapshot", max_chars=3_000)
    found = reply.text.split('"Page 1": "')[1].split('…"')[0]
    while "cursor" in reply.data:
        reply = tabwire.ok("snapshot", max_chars=3_000, cursor=reply.data["cursor"])
        found += reply.text.split('"Page 1": "')[1].removesuffix('"').split('…"')[0]
    assert found == words


def test_a_pdf_is_loaded_as_the_user(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<script>document.cookie = 'visit=7; path=/'</script>"))
    tabwire.open(site.serve("/a.pdf", pdf(["Words"]), "application/pdf"))
    assert '"Words"' in tabwire.snapshot()
    loads = [hit for hit in site.hits if hit.path == "/a.pdf"]
    assert len(loads) > 1 and "visit=7" in loads[-1].headers.get("Cookie", loads[-1].headers.get("cookie", ""))
    assert '"Words"' in tabwire.snapshot()
    assert [hit for hit in site.hits if hit.path == "/a.pdf"] == loads


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (encrypted(), "Not shown: the text of this PDF, which is protected by a password (use screenshot)"),
        (pdf(["", ""]), "Not shown: text of this PDF: its pages are pictures without any (use screenshot)"),
        (b"%PDF-1.4\nnothing of the kind", "Not shown: the text of this PDF, which cannot be read"),
    ],
    ids=["encrypted", "scanned", "broken"],
)
def test_a_pdf_without_text_says_why(tabwire: Tabwire, site: Site, body: bytes, said: str) -> None:
    tabwire.open(site.serve("/a.pdf", body, "application/pdf"))
    assert "- document [type=application/pdf]" in tabwire.snapshot()
    assert said in tabwire.snapshot()
    assert said in tabwire.ok("find", text="Words").text


def test_a_pdf_that_the_server_does_not_give_again_says_so(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.serve("/a.pdf", pdf(["Words"]), "application/pdf"))
    site.serve("/a.pdf", "<h1>Please log in</h1>")
    assert "its server now gives something else" in tabwire.snapshot()


def test_a_pdf_in_a_frame_is_said_to_be_one(tabwire: Tabwire, site: Site) -> None:
    site.serve("/a.pdf", pdf(["Words"]), "application/pdf")
    tabwire.open(site.page("<iframe title=Report src=/a.pdf width=500 height=500></iframe>"))
    assert "- text: a PDF (to read it, open its address in a tab)" in tabwire.snapshot()
    assert "cannot be read" not in tabwire.snapshot()
