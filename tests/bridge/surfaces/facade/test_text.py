"""The facade's texts without a browser: HTML, tagged lines, chunks, results of a search."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tabwire.errors import InvalidArgument, NoSuchElement, NotConnected
from tabwire.surfaces.facade.replies import MODEL, fail
from tabwire.surfaces.shared.markup import Element, as_html, as_lines, parse
from tabwire.surfaces.shared.search_results import request_url, results
from tabwire.surfaces.shared.text_chunks import ContentChanged, KeptTexts, checksum, chunk, head, utf8


def tree(*rows: Any) -> Element:
    return parse(json.dumps(rows))


PAGE = tree(
    [0, "body", {}, 0],
    [1, "h1", {"id": "title"}, 0],
    [2, "Welcome"],
    [1, "p", {"class": "intro lead"}, 0],
    [2, "This is "],
    [2, "b", {}, 0],
    [3, "bold"],
    [2, ", and "],
    [2, "a", {"href": "/x?a=1&b"}, 0],
    [3, "a link"],
    [2, " follows"],
    [1, "script", {}, 0],
    [2, "if (a < b) {}"],
    [1, "input", {"type": "submit", "value": "Send"}, 0],
)


def test_a_text_has_a_line_for_each_run_of_text_of_an_element() -> None:
    assert as_lines(PAGE).splitlines() == [
        "h1#title: Welcome",
        "p.intro.lead: This is bold, and",
        "a: a link",
        "p.intro.lead: follows",
        "input: Send",
    ]


def test_a_text_is_shortened_for_each_line_and_may_have_no_tags() -> None:
    assert as_lines(PAGE, limit=7, tagged=False).splitlines() == ["Welcome", "This is...", "a link", "follows", "Send"]


def test_html_is_written_as_it_was() -> None:
    assert as_html(PAGE) == (
        '<body><h1 id="title">Welcome</h1><p class="intro lead">This is <b>bold</b>, and <a href="/x?a=1&amp;b">a link</a> follows</p>'
        '<script>if (a < b) {}</script><input type="submit" value="Send"></body>'
    )


def test_html_says_what_it_leaves_out() -> None:
    cut = tree([0, "main", {}, 0], [1, "p", {}, 3], [2, "a < b"])
    assert as_html(cut) == "<main><p>a &lt; b<!-- 3 elements deeper --></p></main>"
    assert as_html(cut, collapse_depth=1) == "<main><p><!-- 3 elements, 5 characters of text --></p></main>"
    assert as_html(cut, limit=2) == "<main><p>a ...<!-- 3 elements deeper --></p></main>"


def test_a_shadow_root_is_declared() -> None:
    shadow = tree([0, "x-y", {}, 0], [1, "#shadow-root", {"mode": "open"}, 0], [2, "b", {}, 0], [3, "in"], [1, "out"])
    assert as_html(shadow) == '<x-y><template shadowrootmode="open"><b>in</b></template>out</x-y>'


def test_very_deep_pages_are_no_problem() -> None:
    deep = tree(*([depth, "div", {}, 0] for depth in range(5000)), [5000, "end"])
    assert as_lines(deep) == "div: end"
    assert as_html(deep).count("</div>") == 5000


# ---- chunks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 3, 5, 7, 1000])
def test_chunks_are_cut_between_characters_and_fit_together(length: int) -> None:
    data = utf8("aä€😀" * 20)
    parts, offset = [], 0
    while True:
        piece = chunk(data, offset, length, checksum(data))
        parts.append(piece.text)
        assert piece.start == offset and piece.end - piece.start <= max(length, 4)
        facts = piece.facts()
        assert facts["remaining_bytes"] == len(data) - piece.end
        if facts["next_offset"] is None:
            break
        offset = facts["next_offset"]
    assert "".join(parts).encode() == data


def test_an_offset_within_a_character_begins_with_it() -> None:
    assert chunk(utf8("a€b"), 2, 3, None).text == "€"


def test_a_change_is_reported_with_both_checksums() -> None:
    old = checksum(b"before")
    with pytest.raises(ContentChanged) as caught:
        chunk(b"after", 2, 10, old)
    assert caught.value.data == {"expected_checksum": old, "snapshot_checksum": checksum(b"after"), "total_bytes": 5}


def test_an_offset_behind_the_end_is_refused_and_the_end_itself_is_empty() -> None:
    with pytest.raises(InvalidArgument, match="3 bytes"):
        chunk(b"abc", 4, 10, None)
    assert chunk(b"abc", 3, 10, None).facts()["next_offset"] is None


def test_a_head_is_whole_characters_and_half_a_pair_is_replaced() -> None:
    assert head(utf8("a€"), 3) == "a"
    assert utf8("a\ud83d").decode() == "a\ufffd"


def test_kept_results_are_bounded() -> None:
    kept = KeptTexts()
    for number in range(20):
        kept.keep("script", b"%d" % number)
    assert kept.find("script", checksum(b"0")) is None
    assert kept.find("script", checksum(b"19")) == b"19"
    assert kept.find("another", checksum(b"19")) is None


# ---- search -------------------------------------------------------------------------------------------------------------


def test_the_words_go_where_the_address_says() -> None:
    assert request_url("http://a.example/?x=1&q={query}", "a b&c") == "http://a.example/?x=1&q=a+b%26c"
    assert request_url("http://a.example/s?x=1", "a b") == "http://a.example/s?x=1&q=a+b"
    with pytest.raises(ValueError, match="no http or https address"):
        request_url("file:///etc/passwd", "a")


def engine(*items: Any) -> Element:
    return tree([0, "html", {}, 0], [1, "body", {}, 0], *items)


def test_results_have_title_address_and_snippet() -> None:
    page = engine(
        [2, "nav", {}, 0], [3, "h2", {}, 0], [4, "a", {"href": "http://nav.example/"}, 0], [5, "Images"],
        [2, "div", {"class": "result"}, 0], [3, "h2", {}, 0], [4, "a", {"href": "/l/?uddg=http%3A%2F%2Fone.example%2F"}, 0], [5, "One"],
        [3, "a", {"class": "result__snippet", "href": "/l/?uddg=http%3A%2F%2Fone.example%2F"}, 0], [4, "About "], [4, "b", {}, 0], [5, "one"],
        [2, "div", {"class": "result result--ad"}, 0], [3, "h2", {}, 0], [4, "a", {"href": "http://paid.example/"}, 0], [5, "Paid"],
        [2, "div", {}, 0], [3, "a", {"href": "http://two.example/"}, 0], [4, "h3", {}, 0], [5, "Two"], [4, "cite", {}, 0], [5, "two.example"],
        [3, "div", {}, 0], [4, "About two"],
    )  # fmt: skip
    found = results(page, "http://engine.example/?q=x", 10)
    assert [(each.rank, each.title, each.url, each.snippet) for each in found] == [
        (1, "One", "http://one.example/", "About one"),
        (2, "Two", "http://two.example/", "About two"),
    ]
    assert len(results(page, "http://engine.example/?q=x", 1)) == 1


def test_a_plain_list_of_links_is_a_list_of_results() -> None:
    page = engine(
        [2, "ol", {}, 0], [3, "li", {}, 0], [4, "a", {"href": "http://one.example/"}, 0], [5, "One"], [4, " and a word"]
    )
    assert [(each.title, each.snippet) for each in results(page, "http://engine.example/", 5)] == [("One", "and a word")]


# ---- errors -------------------------------------------------------------------------------------------------------------


def test_who_has_no_browser_is_told_how_to_launch_one_and_nobody_of_snapshots() -> None:
    call: Any = None
    alone = fail(call, NotConnected("No browser is connected.", next_step="Start it."))
    assert alone.is_error and 'browser_session {"action": "launch"}' in str((alone.structured or {})["error"])
    assert "snapshot" not in fail(call, NoSuchElement("nothing matches; take a new snapshot to see")).text


def test_the_response_over_all_has_the_fields_of_the_document() -> None:
    failed = fail(None, NoSuchElement("gone", {"ref": "@e1"}))  # type: ignore[arg-type]
    assert failed.structured == {**MODEL, "success": False, "error": "gone", "data": {"code": "no_such_element", "ref": "@e1"}}
