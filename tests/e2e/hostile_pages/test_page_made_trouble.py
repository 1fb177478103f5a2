"""Pages of sizes that no honest page has: they cost a part of a reply, never the reply."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

WORDS = 4_000_000
"""Enough for one word after another to fill the stack of a regular expression that remembers each of them."""
LONG = f"'begins ' + 'a '.repeat({WORDS}) + 'ends'"
# The engine need not lay the text out, which takes it seconds.
FAR = "<style>p { margin-top: 3000px; content-visibility: auto; contain-intrinsic-size: 100px 100px }</style>"
CUT = "the end of 1 text of more than 1,000,000 characters"


@pytest.mark.parametrize("length", ["short", "long"])
def test_a_text_of_any_length_is_read(tabwire: Tabwire, site: Site, page: ShownPage, length: str) -> None:
    text = LONG if length == "long" else "'begins a ends'"
    tabwire.open(site.page(f"{FAR}<button>Save</button><p id=p></p><a href=#>Next</a><script>p.textContent = {text}</script>"))
    whole = tabwire.ok("snapshot").text
    assert 'paragraph: "begins a ' in whole and 'button "Save"' in whole and 'link "Next"' in whole
    found = tabwire.ok("find", text="begins a")
    assert found.text.startswith("1 line matches")
    # Text that is not in the tree is not said to be missing without a word of it.
    assert (CUT in whole, CUT in tabwire.ok("find", text="ends").text) == ((length == "long",) * 2)
    (hit,) = tabwire.ok("query", by="text", value="ends").data
    assert hit["role"] == "paragraph" and hit["text"].startswith("begins a ")
    # It is scrolled into view and laid out for that, which takes the engine seconds.
    tabwire.ok("click", selector="#p", timeout=30_000)


@pytest.mark.parametrize(
    "place", ["p.ariaLabel = text", "document.title = text", "s.textContent = `#p::before { content: '${text}' }`"]
)
def test_a_name_of_any_length_is_read(tabwire: Tabwire, site: Site, page: ShownPage, place: str) -> None:
    for text, told in ((LONG, "begins a a a"), ("'begins a ends'", 'begins a ends"')):
        tabwire.open(
            site.page(
                f"<style id=s></style><button id=p></button><a href=#>Next</a><script>const text = {text}; {place}</script>"
            )
        )
        shown = tabwire.ok("snapshot").text
        assert told in shown
        assert 'link "Next"' in shown
        assert tabwire.ok("find", text="Next").text.startswith("1 line matches")


def test_a_box_of_many_texts_is_read(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    fill = "for (let at = 0; at < 200_000; at += 1) box.append(new Text('a'))"
    tabwire.open(
        site.page(f"<div id=box role=slider aria-valuenow=3 style='width:100px;overflow:hidden'></div><script>{fill}</script>")
    )
    assert '"3"' in tabwire.ok("snapshot").text


# Comments count as nodes and cost no time; boxes out of view need no layout. The names of the links cost most of it.
ROWS = """<style>div { content-visibility: auto; contain-intrinsic-size: 10px 10px }</style><button>First</button>
<main id=main></main><button id=last>Last</button>
<script>const words = Array.from({ length: 20 }, (_, at) => `<i id=w${at}>w</i>`).join('');
const named = `<a href=# aria-labelledby="${Array.from({ length: 20 }, (_, at) => `w${at}`).join(' ')}"></a>`;
main.innerHTML = words + '<!---->'.repeat(THOUSANDS * 1500) + ('<div>' + named.repeat(1000) + '</div>').repeat(THOUSANDS)</script>"""


@pytest.mark.parametrize("thousands", [1, 70])
def test_a_page_of_very_many_elements_is_read_in_part(tabwire: Tabwire, site: Site, page: ShownPage, thousands: int) -> None:
    tabwire.open(site.page(ROWS.replace("THOUSANDS", str(thousands))))
    elements = page.evaluate("document.querySelectorAll('*').length")
    whole = tabwire.ok("snapshot", mode="interactive")
    is_partial = f"the rest of a page of {elements} elements, which takes too long to read" in whole.text
    assert 'button "First"' in whole.text and ('button "Last"' in whole.text, is_partial) == (thousands == 1, thousands > 1)
    # Each way that the reply names leads to the rest.
    assert 'button "Last"' in tabwire.ok("snapshot", selector="#last").text
    assert [one["name"] for one in tabwire.ok("query", by="role", value="button").data] == ["First", "Last"]
    tabwire.ok("click", selector="#last")
    assert page.evaluate("document.activeElement.id") == "last"
