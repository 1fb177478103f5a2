"""Fields and boxes with more text than one line of a snapshot usually has: all of it is read, found, and continued by cursors."""

import re

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

WORDS = "Array.from({length: 5000}, (_, at) => `word${at}q`)"
FILLED = {
    "a text area": f"<textarea id=it aria-label=Draft></textarea><script>it.value = {WORDS}.join('\\n  ')</script>",
    "an input": f"<input id=it aria-label=Draft><script>it.value = {WORDS}.join(' ')</script>",
    "an editable box": f"<div contenteditable id=it aria-label=Draft></div><script>it.textContent = {WORDS}.join(' ')</script>",
    "editable paragraphs": (
        f"<div contenteditable id=it aria-label=Draft></div><script>for (const word of {WORDS}) "
        "it.append(Object.assign(document.createElement('p'), { textContent: word }))</script>"
    ),
    "a clickable box": f"<div onclick=1 id=it></div><script>it.textContent = {WORDS}.join(' ')</script>",
}


def words_by_cursor(tabwire: Tabwire) -> list[str]:
    reply = tabwire.ok("snapshot")
    texts = [reply.text]
    while "cursor" in reply.data:
        reply = tabwire.ok("snapshot", cursor=reply.data["cursor"])
        texts.append(reply.text)
    return re.findall(r"word\d+q", "".join(texts))


@pytest.mark.parametrize("kind", FILLED)
def test_the_end_of_a_long_field_is_read_and_found(tabwire: Tabwire, site: Site, page: ShownPage, kind: str) -> None:
    tabwire.open(site.page(FILLED[kind]))
    assert "word4999q" in page.evaluate("it.value ?? it.textContent")
    assert sorted(words_by_cursor(tabwire)) == sorted(f"word{at}q" for at in range(5000))
    assert tabwire.ok("find", text="word4999q").text.startswith("1 line matches")


def test_the_pieces_of_a_value_come_to_the_value(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page("<textarea aria-label=Code id=it></textarea><script>it.value = 'a  b\\n'.repeat(3000) + 'end'</script>")
    )
    (line,) = [line for line in tabwire.ok("snapshot", max_chars=100_000).text.splitlines() if "Code" in line]
    assert line.endswith('a  b\\nend"')
    reply = tabwire.ok("snapshot", max_chars=4_000)
    pieces = [reply.text]
    while "cursor" in reply.data:
        reply = tabwire.ok("snapshot", max_chars=4_000, cursor=reply.data["cursor"])
        pieces.append(reply.text)
    parts = re.findall(r"^ *- (?:textbox [^:]*: |… )(.*?)…?$", "\n".join(pieces), re.MULTILINE)
    assert "".join(parts).strip('"').replace("\\n", "\n") == page.evaluate("it.value")


def test_the_end_of_a_name_that_is_cut_off_is_said(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button id=it></button><script>it.ariaLabel = 'begins ' + 'a '.repeat(6000) + 'ends'</script>"))
    note = "the end of 1 name of more than 10,000 characters"
    assert note in tabwire.ok("snapshot").text
    assert note in tabwire.ok("find", text="ends").text
    assert "a ends" in tabwire.ok("query", by="role", value="button", **{"return": "all"}).text
