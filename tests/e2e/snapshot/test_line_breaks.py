"""Line breaks and indentation in snapshots, `find`, queries and the effects of acts: one form for all of them."""

import pytest

from e2e.client import Tabwire
from e2e.site import Site

pytestmark = pytest.mark.same_tab

PAGE = """<pre id=code>a:
  - b</pre><textarea aria-label=Script>x:
  y</textarea><button onclick="code.textContent = 'c:\\n  - d'">Next</button>"""


def test_a_break_element_is_a_line_break_where_line_breaks_are_kept(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<pre>one<br>  two</pre><p>three<br>four</p>"))
    text = tabwire.snapshot()
    assert r'"one\n  two"' in text and '"three four"' in text
    assert r"one\n  two" in tabwire.ok("query", by="text", value="two", **{"return": "text"}).text


def test_one_form_of_line_breaks_for_all_replies(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(PAGE))
    text = tabwire.snapshot()
    assert r'text: "a:\n  - b"' in text
    assert r': "x:\n  y"' in text
    assert r'"a:\n  - b"' in tabwire.ok("find", text="a: - b").text
    assert r"a:\n  - b" in tabwire.ok("query", by="text", value="- b", **{"return": "text"}).text
    assert r"c:\n  - d" in tabwire.ok("click", selector="text:Next").text
    filled = tabwire.ok("fill", selector="label:Script", value="p:\n  q").text
    assert "p:\n" not in filled
    assert r'"p:\n  q"' in tabwire.snapshot()
