"""Lines of a snapshot that say what several elements say, and the references and hints that they carry."""

from extension.content_page import TELL, ContentPage

PARTS = "<ul><li>Plain<li data-v-1a2b>Made<li data-id=7>Known<li tabindex=0>Focus</ul>"


def test_parts_of_lists_and_tables_have_references_where_the_page_can_tell_them_apart(page: ContentPage) -> None:
    page.show(PARTS)
    assert page.lines()[1:] == [
        "  - listitem: Plain",
        "  - listitem: Made",
        "  - listitem [ref=@1]: Known",
        "  - listitem [ref=@2]: Focus",
    ]
    page.show("<table role=grid><tr class=odd><td>Ann<td data-col=age tabindex=-1>7</table><b>x</b>")
    assert [line.strip() for line in page.lines()[1:3]] == ["- row", '- gridcell "Ann" [ref=@1]']
    # Once it is known what is listened on.
    page.run(TELL, {"b": "click"})
    assert [line.strip() for line in page.lines()[1:4]] == ["- row", '- gridcell "Ann"', '- gridcell "7" [ref=@2]']
    page.run(TELL, {"table": "dblclick"})
    assert [line.strip() for line in page.lines()[2:4]] == ['- gridcell "Ann" [ref=@1]', '- gridcell "7" [ref=@2]']
