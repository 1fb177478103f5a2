"""Meaning that markup gives to text: places of cells, numbers of items, raised text, headings; and where references lead."""

import pytest

from tabwire.surfaces.reader.loading.html.extraction import HtmlPage, read_html
from tabwire.surfaces.reader.loading.references import joined
from tabwire.surfaces.reader.loading.time_limit import TimeLimit

URL = "https://site.example/a/b?q=1#part"


def read(html: str) -> HtmlPage:
    return read_html(html, URL, TimeLimit(100))


def lines(html: str) -> list[str]:
    return [line for line in read(html).lines if line]


# ---- tables ---------------------------------------------------------------------------------------------------------


def test_a_cell_over_several_rows_leaves_its_place_empty_in_the_others() -> None:
    html = "<table><tr><th rowspan=2>Country<th>Year<th>GDP<tr><td>2020<td>1.0<tr><td>Chad<td>2021<td>2.0</table>"
    assert lines(html) == ["Country | Year | GDP", "| 2020 | 1.0", "Chad | 2021 | 2.0"]


def test_a_cell_over_several_columns_leaves_places_empty_before_the_next() -> None:
    html = "<table><tr><th><th colspan=2>2020<th colspan=2>2021<tr><td>a<td>1<td>2<td>3<td>4<tr><td colspan=5>All</table>"
    assert lines(html) == ["| 2020 | | 2021", "a | 1 | 2 | 3 | 4", "All"]


def test_cells_over_rows_and_columns_keep_their_heads() -> None:
    html = "<table><tr><td rowspan=2 colspan=2>A<td>b<tr><td>c<tr><td>d<td rowspan=2>E<td>f<tr><td>g<td>h</table>"
    assert lines(html) == ["A | | b", "| | c", "d | E | f", "g | | h"]


def test_no_cell_reaches_beyond_its_section() -> None:
    html = "<table><thead><tr><th rowspan=0>A<th>B</thead><tbody><tr><td rowspan=0>1<td>2<tr><td>3</tbody><tr><td>4<td>5</table>"
    assert lines(html) == ["A | B", "1 | 2", "| 3", "4 | 5"]


def test_spans_of_a_table_within_another_are_its_own() -> None:
    inner = "<table><tr><td rowspan=3>in<td>x<tr><td>y</table>"
    html = f"<table><tr><td rowspan=2>{inner}<td>1<tr><td>2</table>"
    assert lines(html)[:2] == ["in | x", "| y"]


@pytest.mark.parametrize("span", ["colspan=100000", "rowspan=99999999", "colspan=x", "rowspan=-3", "colspan=0"])
def test_spans_that_are_wrong_do_no_harm(span: str) -> None:
    read = lines(f"<table><tr><td {span}>a<td>b<tr><td>c<td>d</table>")
    assert read[0].startswith("a |") and read[0].endswith("| b")
    assert len(read) == 2


# ---- lists ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "read"),
    [
        ("<ol reversed><li>a<li>b</ol>", ["2. a", "1. b"]),
        ("<ol reversed start=10><li>a<li>b</ol>", ["10. a", "9. b"]),
        ("<ol><li value=20>a<li>b<li value=3>c<li>d</ol>", ["20. a", "21. b", "3. c", "4. d"]),
        ("<ol start=-1><li>a<li>b</ol>", ["-1. a", "0. b"]),
        ("<ol start=x><li>a</ol>", ["1. a"]),
        ("<ol reversed><li>a<ol><li>x</ol><li>b</ol>", ["2. a", "  1. x", "1. b"]),
    ],
)
def test_items_have_the_numbers_that_browsers_show(html: str, read: list[str]) -> None:
    assert lines(html) == read


# ---- raised and lowered text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "read"),
    [
        ("5.97 × 10<sup>24</sup> kg", "5.97 × 10^24 kg"),
        ("10<sup>−3</sup> m, x<sup>n</sup>, (a+b)<sup>2</sup>", "10^−3 m, x^n, (a+b)^2"),
        ("a fact<sup>12</sup> and another<sup><a href=#n>[1]</a></sup>", "a fact^12 and another[1]"),
        ("the 1<sup>st</sup> and 2<sup>e</sup>", "the 1st and 2e"),
        ("H<sub>2</sub>O and CO<sub>2</sub>", "H2O and CO2"),
        ("x<sub>i</sub>, V<sub>max</sub>, 101<sub>2</sub>", "x_i, V_max, 101_2"),
        ("alone <sup>2</sup> and <sub>3</sub>", "alone 2 and 3"),
    ],
)
def test_raised_and_lowered_text_reads_as_no_other_number_or_word(html: str, read: str) -> None:
    assert lines(f"<p>{html}</p>") == [read]


# ---- pictures, frames, dialogs, headings ----------------------------------------------------------------------------


def test_the_text_of_a_picture_is_apart_from_the_words_around_it() -> None:
    assert lines("<p>See<a href=/x><img src=i.png alt=Logo></a>Today") == ["See Logo Today"]


def test_frames_of_a_frameset_are_links() -> None:
    page = read(
        "<frameset cols='50%,50%'><frame src=/menu name=menu><frame src='text.html'><noframes>no <b>frames</b></noframes>"
    )
    assert page.lines == ("[Frame] menu", "[Frame] https://site.example/a/text.html")
    assert [link.url for link in page.links] == ["https://site.example/menu", "https://site.example/a/text.html"]


def test_closed_dialogs_and_popovers_are_not_read() -> None:
    assert lines("<p>a<dialog>no</dialog><dialog id=x>no</dialog><div popover>no</div><dialog open>yes</dialog>") == ["a", "yes"]


@pytest.mark.parametrize(
    ("html", "read"),
    [
        ("<div role=heading aria-level=3>Head</div>text", ["### Head", "text"]),
        ("<span role=heading>Head</span>text", ["## Head", "text"]),
        ("<p role=heading aria-level=9>Head</p>text", ["###### Head", "text"]),
        ("<div role=heading></div>text", ["text"]),
        ("<h2>One<br>two</h2>text<br>more", ["## One two", "text", "more"]),
    ],
)
def test_headings_are_lines_that_say_their_level(html: str, read: list[str]) -> None:
    assert lines(html) == read


def test_a_heading_that_is_not_closed_keeps_the_lines_of_the_page() -> None:
    words = "Words of the page. " * 20
    assert len(lines(f"<h2>Head<br>{words}<br>{words}")) == 3


# ---- references -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("/s?q=a b", "https://site.example/s?q=a%20b"),
        ("c d", "https://site.example/a/c%20d"),
        ("/x//y", "https://site.example/x//y"),
        ("x//y", "https://site.example/a/x//y"),
        ("\\\\o.example\\p", "https://o.example/p"),
        ("..\\x", "https://site.example/x"),
        ("https:\\\\o.example\\p?q=\\", "https://o.example/p?q=\\"),
        ("//o.example//z", "https://o.example//z"),
        (" /a\nb\t", "https://site.example/ab"),
        ("?x", "https://site.example/a/b?x"),
        ("#x", "https://site.example/a/b?q=1#x"),
        ("", "https://site.example/a/b?q=1"),
        ("../../..", "https://site.example/"),
        ("./", "https://site.example/a/"),
        ("/a/%2e%2E/b/.", "https://site.example/b/"),
        ("https:c", "https://site.example/a/c"),
        ("http:o.example", "http://o.example/"),
        ("/Größe", "https://site.example/Größe"),
        ("mailto:a@b", "mailto:a@b"),
    ],
)
def test_references_lead_where_browsers_go(written: str, address: str) -> None:
    assert joined(URL, written) == address


@pytest.mark.parametrize("written", ["http://[bad", "http://h:99999/", "//", "http://h:x/"])
def test_references_to_nowhere_are_refused(written: str) -> None:
    with pytest.raises(ValueError):
        joined(URL, written)
