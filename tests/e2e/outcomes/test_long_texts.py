"""Texts of the page without measure: an act that happened is never an error because of them, and what is cut is said to be cut."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from e2e.cdp import Page
from e2e.client import Reply, Tabwire
from e2e.site import Site

MAX_REPLY = 250_000
MARK = re.compile(r"… \([\d,]+ characters\)")

READS: dict[str, dict[str, Any]] = {
    "tab_list": {},
    "title": {},
    "status": {},
    "snapshot": {},
    "query": {"by": "role", "value": "button"},
    "hover": {"selector": "#field"},
}

PAGE = """
<script>window.presses = 0; const press = (act) => { presses += 1; act(); }; const long = (size) => 'x'.repeat(size)</script>
<button id=title onclick="press(() => document.title = long(3e6))">Title</button>
<button id=address onclick="press(() => history.pushState(0, '', '#' + long(1e6)))">Address</button>
<button id=words onclick="press(() => document.title = 'word '.repeat(6e5))">Words</button>
<button id=named onclick="press(() => 0)">Named</button>
<button id=dialog onclick="press(() => { setTimeout(() => alert(long(1e6))) })">Dialog</button>
<input id=field><select id=list><option>a</select>
<a id=link onclick="presses += 1">Link</a>
<script>named.setAttribute('aria-label', long(3e6)); list.append(new Option(long(1e6), long(1e6)));
link.href = '#' + long(480_000)</script>
"""
SHORTEN = "history.replaceState(0, '', '#'); document.title = ''"


@pytest.fixture
def long_page(tabwire: Tabwire, page: Page, site: Site) -> Iterator[Page]:
    tabwire.open(site.page(PAGE))
    yield page
    # The next test finds a browser whose addresses are short again.
    page.evaluate(SHORTEN)


def is_bounded(reply: Reply) -> bool:
    return len(reply.text) + len(str(reply.structured)) < MAX_REPLY


def test_an_act_that_makes_a_text_long_is_done_and_says_what_is_cut(tabwire: Tabwire, long_page: Page) -> None:
    for number, button in enumerate(("title", "address", "words", "named"), 1):
        # A busy machine takes its time for them.
        reply = tabwire.ok("click", selector=f"#{button}", timeout=20_000)
        assert (long_page.evaluate("presses"), is_bounded(reply)) == (number, True), button
        assert button == "named" or MARK.search(reply.text), button
        long_page.evaluate(SHORTEN)
    reply = tabwire.ok("click", selector="#link")
    assert reply.elapsed_ms < 5_000
    assert is_bounded(reply) and MARK.search(reply.text)
    assert long_page.evaluate("[presses, location.hash.length]") == [5, 480_001]
    assert tabwire.ok("title").elapsed_ms < 2_000


def test_a_tab_of_long_texts_is_listed_and_read(tabwire: Tabwire, long_page: Page) -> None:
    long_page.evaluate("title.onclick(); address.onclick(); 0")
    replies = {tool: tabwire.ok(tool, **arguments) for tool, arguments in READS.items()}
    assert [tool for tool, reply in replies.items() if not is_bounded(reply)] == []
    assert "(1,000,0" in replies["tab_list"].text
    assert is_bounded(tabwire.fails("click", selector="#no-such-element", timeout=10))


def test_a_long_value_is_filled_in_and_told_in_part(tabwire: Tabwire, long_page: Page) -> None:
    reply = tabwire.ok("fill", selector="#field", value="y" * 600_000)
    assert long_page.evaluate("field.value.length") == 600_000
    assert is_bounded(reply) and "(600,000 characters)" in reply.text


def test_an_option_of_a_long_text_is_chosen_and_told_in_part(tabwire: Tabwire, long_page: Page) -> None:
    reply = tabwire.ok("select", selector="#list", index=1)
    assert long_page.evaluate("list.selectedIndex") == 1
    assert is_bounded(reply)


def test_a_long_question_of_the_page_is_told_in_part(tabwire: Tabwire, long_page: Page) -> None:
    assert is_bounded(tabwire.ok("click", selector="#dialog"))
    assert is_bounded(tabwire.ok("dialog", action="accept"))
    assert long_page.evaluate("presses") == 1
