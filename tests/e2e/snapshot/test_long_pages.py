"""Long pages within the default budget: controls and headings everywhere, text where the view is, everything once by the cursors."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

MARK = re.compile(r"\b[a-z]+\d+q\b")
"""Words of which a page has each one once."""
WHOLE = 470_000


def many(count: int, row: str) -> str:
    """Rows of HTML with their number."""
    return "".join(row.replace("#", str(number)) for number in range(count))


WORDS = "and so on with more of the same words until the line is long "
PAGES = {
    "paragraphs": many(2600, f"<p>text#q {WORDS}</p>"),
    "one paragraph of 9,000 words": "<h1>one1q</h1><p>" + many(9000, "word#q "),
    "a field with a megabyte": many(400, "<button>button#q</button><p>text#q</p>")
    + "<textarea aria-label=field1q></textarea><script>document.querySelector('textarea').value = 'v '.repeat(5e5)</script>",
    "an article": "".join(
        f"<h2>head{part}q</h2>"
        + "".join(f"<p>text{part}0{row}q {WORDS}<a href=#>link{part}0{row}q</a> {WORDS} end{part}0{row}q</p>" for row in range(8))
        for part in range(60)
    ),
    "a table": "<table>"
    + many(700, "<tr><td>cell#q<td>other#q<td><a href=#>link#q</a><td><button>button#q</button>")
    + "</table>",
    "controls": many(1500, "<label>label#q <input value=value#q></label>"),
    "links": many(3500, "<a href=#>link#q</a> "),
    "nested lists": many(150, "<ul><li>item#q<ul><li><b>bold#q</b> rest#q<ul><li><a href=#>link#q</a> deep#q</ul></ul></ul>"),
    "selects and boxes": many(
        200, "<div onclick=1>box#q</div><select aria-label=select#q><option>first#q<option>last#q</select>"
    ),
    "other scripts": many(
        500, "<p>字#q 日本語の文章はここに続きます。これは長い段落です。Ελληνικά и по-русски 🎉</p>".replace("字", "text")
    ),
}


def parts(tabwire: Tabwire) -> Iterator[str]:
    reply = tabwire.ok("snapshot")
    yield reply.text
    while "cursor" in reply.data:
        reply = tabwire.ok("snapshot", cursor=reply.data["cursor"])
        yield reply.text


def test_the_cursors_give_everything_once(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    for name, html in PAGES.items():
        tabwire.open(site.page(html))
        told = list(parts(tabwire))
        assert len(told) > 1, name
        found = Counter(MARK.findall("\n".join(told)))
        fields = "Array.from(document.querySelectorAll('input,textarea,select'), (e) => e.ariaLabel + ' ' + e.value).join(' ')"
        options = "Array.from(document.querySelectorAll('option'), (e) => e.text).join(' ')"
        shown = set(MARK.findall(str(page.evaluate(f"document.body.innerText + ' ' + {fields} + ' ' + {options}"))))
        assert set(found) == shown, name
        assert found == Counter(MARK.findall(tabwire.snapshot(max_chars=WHOLE))), name
        refs = Counter(re.findall(r"\[ref=(@e\d+)\]", "\n".join(told)))
        assert set(refs.values()) <= {1}, name


def test_the_text_in_view_comes_first_also_in_a_scrolled_frame_and_after_scrolling(tabwire: Tabwire, site: Site) -> None:
    rows = many(900, f"<p id=p#>text#q {WORDS}</p>")
    frame = f"<iframe title=Frame style='width:90%;height:200px' srcdoc=\"{rows}\"></iframe>"
    tabwire.open(site.page(f"{frame}<main style='height:200px;overflow:auto'>{rows.replace('text', 'main')}</main>"))
    for number in (0, 450, 880):
        tabwire.ok(
            "evaluate",
            expression=f"frames[0].document.getElementById('p{number}').scrollIntoView();"
            f"document.getElementById('p{number}').scrollIntoView(); scrollTo(0, 0)",
        )
        first = tabwire.snapshot()
        assert f"text{number}q" in first
        assert f"main{number}q" in first
        assert "text200q" not in first
        assert "main700q" not in first
