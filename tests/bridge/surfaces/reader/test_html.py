"""HTML as lines."""

import contextlib
import time

import pytest

from tabwire.errors import Timeout
from tabwire.surfaces.reader.loading.html.extraction import HtmlPage, read_html
from tabwire.surfaces.reader.loading.lines import LINE_LIMIT, fold, split_lines
from tabwire.surfaces.reader.loading.time_limit import TimeLimit

URL = "https://site.example/guide/page.html?v=1"


def read(html: str) -> HtmlPage:
    return read_html(html, URL, TimeLimit(100))


def lines(html: str) -> list[str]:
    return list(read(html).lines)


def links(html: str) -> list[tuple[int, str, str, int]]:
    return [(link.id, link.url, link.title, link.line) for link in read(html).links]


def test_a_paragraph_is_one_line_however_it_is_written() -> None:
    assert lines("<p>One\n  <b>bold</b>\tword,\u00a0and<i>more</i>.</p>tail") == ["One bold word, andmore.", "", "tail"]


@pytest.mark.parametrize("level", range(1, 7))
def test_headings_show_their_level_after_an_empty_line(level: int) -> None:
    assert lines(f"<p>Before</p><h{level}>Head <code>x</code></h{level}><p>After</p>") == [
        "Before",
        "",
        f"{'#' * level} Head x",
        "After",
    ]


def test_lists_are_marked_numbered_and_nested() -> None:
    html = "<ul><li>a<ul><li>b</li></ul><li><p>c</p></ul><ol start=3><li>x<li>y</ol>"
    assert lines(html) == ["- a", "  - b", "- c", "", "3. x", "4. y"]


@pytest.mark.parametrize(
    "empty",
    [
        "<h3></h3>",
        "<h3><img src=x><br></h3>",
        "<h3><a href='#x'>#</a></h3>",
        "<h3><a name=part></a></h3>",
        "<h3><span hidden>no</span></h3>",
        "<h3> \u200b\u00a0</h3>",
        "<ul><li></ul>",
        "<ul><li><p></p></ul>",
        "<ul><li><ul><li></ul></ul>",
        "<ol><li><svg></svg></ol>",
    ],
)
def test_an_empty_heading_or_item_marks_no_other_line(empty: str) -> None:
    read = lines(f"<p>Before</p>{empty}<p>First</p>{empty}<div>Second</div>")
    assert [line for line in read if line] == ["Before", "First", "Second"]


def test_an_empty_item_takes_the_marker_of_no_other_and_its_number_counts() -> None:
    assert lines("<ol><li>a<li><li>c</ol>") == ["1. a", "3. c"]
    assert lines("<ul><li>a<ul><li></ul>b<li>c</ul>") == ["- a", "b", "- c"]
    assert lines("<ul><li><h3></h3>a<li><ul><li></ul>b</ul><h2><li></li>c</h2>") == ["- a", "- b", "", "## c"]


def test_definitions_quotes_and_line_breaks() -> None:
    assert lines("<dl><dt>term<dd>meaning</dl><blockquote><p>said</p></blockquote>a<br>b") == [
        "term",
        "    meaning",
        "",
        "    said",
        "",
        "a",
        "b",
    ]


def test_preformatted_text_keeps_its_lines_and_spaces() -> None:
    assert lines("<pre>def f(x):\n    return  x\n\n\nf(1)\t# one</pre><p>after") == [
        "def f(x):",
        "    return  x",
        "",
        "f(1)    # one",
        "",
        "after",
    ]


def test_a_row_of_data_is_a_line() -> None:
    html = "<table><tr><th>Name<th>Size</tr><tr><td><p>a</p><p>b</p><td>1</tr><tr><td><td>2</table>"
    assert lines(html) == ["Name | Size", "a b | 1", "| 2"]


def test_a_table_that_holds_the_page_is_no_row() -> None:
    assert lines("<table><tr><td><h1>Head</h1><p>Text</p><td><pre>code\nmore</pre></table>") == [
        "# Head",
        "Text",
        "",
        "code",
        "more",
    ]


def test_what_shows_no_text_is_left_out() -> None:
    html = (
        "<p>seen<script>no()</script><style>no{}</style><svg><text>no</text></svg><template>no</template>"
        "<iframe>no</iframe><select><option>no</select><textarea>no</textarea><span hidden>no</span>"
        "<span style='display: none'>no</span><span aria-hidden=true>no</span><!-- no --></p>"
    )
    assert lines(html) == ["seen"]


def test_invisible_characters_are_taken_out_and_no_line_breaks_stay() -> None:
    assert lines("<p>soft\u00adhyphen zero\u200bwidth</p><pre>a\u2028b\x0bc\x85d\x1b[0m</pre>") == [
        "softhyphen zerowidth",
        "",
        "a b c d[0m",
    ]
    assert all(len(line.splitlines()) <= 1 for line in split_lines("a\rb\u2028c\x0bd\x1ce\x85f\n"))


def test_links_are_numbered_by_line_with_whole_addresses() -> None:
    html = "<p>no link</p><p>See <a href=other.html>the <b>other</b></a> or <a href='//x.example/y'>y</a>.</p>"
    assert lines(html)[2] == "See the other or y."
    assert links(html) == [
        (1, "https://site.example/guide/other.html", "the other", 2),
        (2, "https://x.example/y", "y", 2),
    ]


@pytest.mark.parametrize(
    "anchor",
    [
        "<a href='#part'>in the page</a>",
        "<a href='page.html?v=1#part'>in the page</a>",
        "<a name=x>none</a>",
        "<a href='javascript:x()'>none</a>",
        "<a href='mailto:a@b'>none</a>",
        "<a href='http://[bad'>none</a>",
        "<a href='/x'></a>",
    ],
)
def test_what_leads_to_no_other_page_is_no_link(anchor: str) -> None:
    assert links(f"<p>text {anchor}</p>") == []


def test_a_base_changes_where_links_lead() -> None:
    html = "<head><base href='/root/'></head><a href=x>x</a><a href='#y'>y</a>"
    assert [link[1] for link in links(html)] == ["https://site.example/root/x", "https://site.example/root/#y"]


def test_a_link_without_text_is_called_by_its_picture_or_label() -> None:
    html = "<p><a href=a><img alt='A plan' src=x></a> <a href=b aria-label='Home'><svg></svg></a></p>"
    assert [(link[2], link[1][-1]) for link in links(html)] == [("A plan", "a"), ("Home", "b")]


def test_a_link_over_several_blocks_is_told_once_where_it_begins() -> None:
    assert links("<a href=x><h2>Title</h2><p>Text</p></a><p>after") == [(1, "https://site.example/guide/x", "Title", 0)]


def test_signs_that_link_to_their_own_heading_are_left_out() -> None:
    assert lines("<h2>Head<a class=headerlink href='#head'>¶</a></h2><h3><a href='#x'>#</a> Other</h3>") == [
        "## Head",
        "",
        "### Other",
    ]


def test_what_stands_around_the_content_is_left_out() -> None:
    text = "Words of the content. " * 20
    html = (
        "<header>banner</header><nav>menu</nav><div class='cookie-banner'>accept</div>"
        f"<main><nav>crumbs</nav><h1>Head</h1><p>{text}</p><aside>Note.</aside></main><aside>elsewhere</aside><footer>imprint</footer>"
    )
    assert lines(f"<body>{html}") == ["# Head", text.strip(), "", "Note."]


def test_a_page_without_landmarks_loses_what_is_named_navigation() -> None:
    text = "Words of the content. " * 20
    menu = "".join(f"<li><a href={n}>Entry {n}</a>" for n in range(20))
    assert lines(f"<div id=sidebar-left><ul>{menu}</ul></div><p>{text}</p><div class=footer>imprint</div>") == [text.strip()]


def test_a_box_of_the_content_stays_though_it_is_called_sidebar() -> None:
    note = "A note that belongs to the text. " * 10
    assert note.strip() in lines(f"<h1>Head</h1><p>{'Words. ' * 100}</p><div class=sidebar><p>{note}</p></div>")


def test_a_page_that_is_all_navigation_is_not_emptied() -> None:
    entries = "".join(f"<li><a href={n}>Entry {n}</a>" for n in range(20))
    assert len(lines(f"<nav><ul>{entries}</ul></nav>")) == 20


def test_a_small_main_does_not_hide_the_page() -> None:
    assert len(lines(f"<main>Little.</main>{'<p>Words of the page.</p>' * 20}")) > 20


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A\n title </title><h1>Head</h1>", "A title"),
        ("<h1>Head¶</h1>", "Head"),
        ("<title></title><p>x", ""),
        ("<svg><title>No</title></svg><p>x</p><title>Yes</title>", "Yes"),
    ],
)
def test_the_title_is_the_documents_or_its_heading(html: str, title: str) -> None:
    assert read(html).title == title


@pytest.mark.parametrize("html", ["", "<body></body>", "<html>", "   ", "<!-- -->", "<frameset><frame></frameset>", "\0"])
def test_html_without_a_body_has_no_lines(html: str) -> None:
    assert lines(html) == []


@pytest.mark.parametrize("html", ["plain words", "<p>plain words", "<div><span>plain words</div></p>", "</b>plain words<"])
def test_broken_html_is_read_as_browsers_do(html: str) -> None:
    assert lines(html)[0].startswith("plain words")


def test_a_page_that_sends_its_reader_on_at_once_says_where() -> None:
    assert read("<meta http-equiv=Refresh content='0; URL=\"next.html\"'>").refresh == "https://site.example/guide/next.html"
    assert read("<meta http-equiv=refresh content='300; url=next.html'>").refresh is None
    assert read("<meta http-equiv=refresh content=5>").refresh is None


def test_noindex_is_seen() -> None:
    assert not read("<meta name=ROBOTS content='noindex,follow'>").is_indexable
    assert read("<meta name=robots content='index'>").is_indexable


def test_a_long_paragraph_is_divided_after_a_sentence_and_its_links_stay_with_their_words() -> None:
    sentence = "This sentence has about fifty characters, more or less. "
    html = f"<p>{sentence * 30}<a href=x>The last words.</a></p>"
    page = read(html)
    assert len(page.lines) == 2
    assert page.lines[0].endswith("or less.")
    assert " ".join(page.lines) == (sentence * 30 + "The last words.").strip()
    assert (page.links[0].line, page.links[0].title) == (1, "The last words.")


@pytest.mark.parametrize("text", ["x" * 5000, "word " * 1000, "Ein Satz. " * 500, "語。" * 2000, "ab " * 333 + "c" * 2000])
def test_divided_lines_are_short_and_whole(text: str) -> None:
    pieces = fold(text)
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= LINE_LIMIT


def test_the_same_page_has_the_same_lines() -> None:
    html = "<main><h1>H</h1><ul><li>a<li>b</ul><table><tr><td>1<td>2</table></main>"
    assert read(html) == read(html)


@pytest.mark.parametrize("tag", ["div", "span", "ul><li", "blockquote", "table><tr><td", "b"])
def test_deep_nesting_does_no_harm(tag: str) -> None:
    assert "inside" in "".join(lines(f"<{tag}>" * 5000 + "inside"))


def test_the_time_limit_holds_within_a_page() -> None:
    ticks = iter(float(tick) for tick in range(1_000_000))
    with pytest.raises(Timeout):
        read_html("<p>x</p>" * 5000, URL, TimeLimit(3, clock=lambda: next(ticks)))


@pytest.mark.parametrize("tag", ["div class=nav", "article", "table><tr><td", "aside"])
def test_a_page_made_to_be_slow_ends_with_its_time(tag: str) -> None:
    began = time.process_time()
    with contextlib.suppress(Timeout):
        read_html(f"<{tag}>" * 8_000 + "x" * 1_000_000, URL, TimeLimit(0.5))
    assert time.process_time() - began < 5


def test_a_large_page_is_read_in_seconds() -> None:
    html = "<h2>Head</h2><p>Some <b>words</b> and <a href=x>a link</a> in a paragraph of a page.</p>" * 4_000
    began = time.process_time()
    page = read(f"<main>{html}</main>")
    assert len(page.links) == 4_000
    assert time.process_time() - began < 5
