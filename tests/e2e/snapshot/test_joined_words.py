"""Words with joiners, and quotation marks: read as they are written, and found as they are typed."""

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

PERSIAN = "می\u200cخواهم"
HINDI = "क्\u200dष"
FAMILY = "👩\u200d👧"
MARKED = "\u201cDon\u2019t stop\u201d"


def test_joiners_stay_in_words_that_need_them(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(f"<h1>{PERSIAN}</h1><button>{HINDI}</button><button>{FAMILY}</button><p>pay\u200cment \u200dx</p>"))
    text = tabwire.ok("snapshot").text
    for word in (PERSIAN, HINDI, FAMILY):
        assert f'"{word}"' in text, word
    assert "payment x" in text


def test_words_are_found_with_and_without_marks(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    script = "<script>globalThis.hits = 0; addEventListener('click', () => { hits += 1 })</script>"
    tabwire.open(site.page(f"<button>{MARKED}</button><button>{PERSIAN}</button>{script}"))
    tabwire.ok("click", selector="text:Don't stop")
    tabwire.ok("click", selector="text:Don\u2019t stop")
    tabwire.ok("click", selector="role:button[name=Don't stop]")
    tabwire.ok("click", selector=f"text:{PERSIAN}")
    tabwire.ok("click", selector=f"text:{PERSIAN.replace(chr(0x200C), '')}")
    assert page.evaluate("hits") == 5
