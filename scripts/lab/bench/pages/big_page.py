"""Pages of a known number of elements, of the mixture that applications are made of."""

ELEMENTS_PER_ROW = 9


def big_page(elements: int) -> str:
    """A body of about ``elements`` elements: headings, text, links, lists, fields and buttons."""
    return "\n".join(_row(number) for number in range(elements // ELEMENTS_PER_ROW))


def _row(number: int) -> str:
    return (
        f"<div class=row><h3>Item {number}</h3>"
        f"<p>Some text about item {number}, with <a href='#{number}'>a link {number}</a> and <span>a span</span></p>"
        f"<ul><li>first {number}</li><li>second {number}</li></ul>"
        f"<button>Buy {number}</button></div>"
    )
