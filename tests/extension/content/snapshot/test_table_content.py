"""Tables in a snapshot: rows, cells and the columns that they keep."""

import re

import pytest

from extension.content_page import TELL, ContentPage


def cells_of(page: ContentPage, html: str) -> list[list[str]]:
    """The cells of each row of the first table, as their lines say."""
    page.show(html)
    rows: list[list[str]] = []
    for line in page.bare_lines():
        if line.startswith("  - row"):
            rows.append([cell.strip() for cell in line.removeprefix("  - row: ").split("|")] if ": " in line else [])
        elif line.startswith("    - ") and "table" not in line:
            rows[-1].append(re.sub(r'^[a-z]+:? ?|"', "", line.removeprefix("    - ")))
    return rows


def test_empty_cells_keep_their_place(page: ContentPage) -> None:
    html = "<table><tr><th>Name<th>Phone<th>Mail<tr><td>Ann<td> <td>a@x<tr><td>Ben<td><i hidden>no</i><td></table>"
    assert cells_of(page, html) == [["Name", "Phone", "Mail"], ["Ann", "", "a@x"], ["Ben", "", ""]]
    page.show("<table><tr><td><td>a | b<td>x<tr><td><td>c</table>")
    assert page.bare_lines() == ["- table", "  - row", "    - cell", "    - cell: a | b", "    - cell: x", "  - row: | c"]
    nested = "<table><tr><td>1<td><table><tr><td>x<td><td>z<tr><td><td>v<td>w</table><td><td>4<tr><td>5<td>6<td>7<td>8</table>"
    assert cells_of(page, nested) == [["1", "", "", "4"], ["5", "6", "7", "8"]]
    lines = page.bare_lines()
    assert lines[lines.index("        - row: x |  | z") :][1] == "        - row: | v | w"
    line = "<table><tr><td>{}<td><td>{}</table>"
    outer = f"<table><tr><td>Ann<td>{line.format('a', 'c')}<tr><td>Ben<td>{line.format('d', 'f')}</table>"
    page.show(outer)
    assert [row.strip() for row in page.bare_lines() if "row: " in row] == ["- row: a |  | c", "- row: d |  | f"]
    roles = "<div role=table><div role=row><i role=cell>a</i><i role=cell>b</i></div><div role=row><i role=cell></i><i role=cell>2</i></div></div>"
    assert cells_of(page, roles) == [["a", "b"], ["", "2"]]


def test_cells_beside_and_below_spans_keep_their_column(page: ContentPage) -> None:
    html = "<table><tr><th colspan=2>AB<th>C<tr><td>1<td><td>3<tr><td rowspan=2>r<td><td>k<tr><td>l<td>m<tr><td colspan=3>End</table>"
    assert cells_of(page, html) == [
        ["AB [colspan=2]", "", "C"],
        ["1", "", "3"],
        ["[rowspan=2]: r", "", "k"],
        ["", "l", "m"],
        ["[colspan=3]: End"],
    ]


def test_cells_that_only_lay_out_a_page_are_left_out(page: ContentPage) -> None:
    page.show("<table><tr><td><td>Hello<td></table><table role=presentation><tr><td><td>x</table>")
    assert page.bare_lines() == ["- table", "  - row", "    - cell: Hello", "- text: x"]
    page.show("<table><tr><td><td>Hello<tr><td>a<td>b</table>")
    assert "cell" not in " ".join(page.bare_lines(mode="interactive", include_text=False))


ROWS = "<tr><td>Ann<td>1<tr><td>Ben<td><a href=x>2</a>"
ROW_LINES = ["- row [clickable]: Ann | 1", "- row [clickable]", "- cell: Ben", "- cell", '- link "2"']


@pytest.mark.parametrize("pointed", ["table", "tbody", "tr"])
def test_rows_under_a_hand_are_what_can_be_clicked(page: ContentPage, pointed: str) -> None:
    """Whichever box around them the page has given the hand, or the listener."""
    page.show(f"<style>{pointed} {{ cursor: pointer }}</style><table>{ROWS}</table>")
    assert [line.strip() for line in page.bare_lines()] == ["- table", *ROW_LINES]
    page.show(
        f"<style>.{pointed} {{ cursor: pointer }}</style><div role=table class=table><div role=rowgroup class=tbody>"
        "<div role=row class=tr><i role=cell>A</i></div></div></div><ul style='cursor: pointer'><li>One</ul>"
        "<table onclick=0 style='cursor: pointer'><tr><td>Go</table>"
    )
    page.run(TELL, {"[role=rowgroup]": "click"})
    lines = page.bare_lines()
    assert lines[:3] == ["- table", "  - row [clickable]", "    - cell: A"]
    assert lines[3:6] == ["- list", "  - listitem [clickable]: One", "- table [clickable]"]
    assert "clickable" not in "".join(lines[6:])
