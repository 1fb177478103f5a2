"""Boxes that people see as one, cards and menus and tool bars: a level of the tree where they hold more than one control."""

import pytest

from e2e.client import Tabwire
from e2e.site import Site

pytestmark = pytest.mark.same_tab

CARD = "<div class=card><b>{name}</b> {price}<button>Buy</button><button>Save</button></div>"
STYLE = "<style>.card {{ {style} }}</style>"
EDGES = {
    "a border": "border: 1px solid gray",
    "a shadow": "box-shadow: 0 0 4px gray",
    "a round ground": "background: #eee; border-radius: 4px",
}


def tree(tabwire: Tabwire) -> list[str]:
    """Lines of the snapshot below the document, without references."""
    lines = tabwire.snapshot().split("\n\n")[1].splitlines()[1:]
    return [line.split(" [ref=")[0] + (": ..." if line.endswith(":") else "") for line in lines]


@pytest.mark.parametrize("edge", EDGES)
def test_a_card_is_a_level(tabwire: Tabwire, site: Site, edge: str) -> None:
    cards = CARD.format(name="Lamp", price="9 EUR") + CARD.format(name="Chair", price="49 EUR")
    tabwire.open(site.page(STYLE.format(style=EDGES[edge]) + f"<h1>Shop</h1>{cards}<button>Next</button>"))
    assert tree(tabwire) == [
        '  - heading "Shop"',
        "  - generic: Lamp 9 EUR",
        '    - button "Buy"',
        '    - button "Save"',
        "  - generic: Chair 49 EUR",
        '    - button "Buy"',
        '    - button "Save"',
        '  - button "Next"',
    ]
    assert "Chair 49 EUR" in tabwire.ok("find", text="Chair").text


def test_a_menu_over_the_page_is_a_level(tabwire: Tabwire, site: Site) -> None:
    menu = "<div style='position:absolute;top:60px'><a href=#a>Undo</a><a href=#b>Redo</a></div>"
    tabwire.open(site.page(f"<a href=#f>File</a><a href=#e>Edit</a>{menu}<a href=#v>View</a>"))
    assert tree(tabwire) == [
        '  - link "File"',
        '  - link "Edit"',
        "  - generic",
        '    - link "Undo"',
        '    - link "Redo"',
        '  - link "View"',
    ]


def test_a_drop_area_is_a_level(tabwire: Tabwire, site: Site) -> None:
    area = "<div style='border:2px dashed gray' id={0}>{0} <span draggable=true>{1}</span><span draggable=true>{2}</span></div>"
    tabwire.open(site.page(area.format("Todo", "Wash", "Cook") + area.format("Done", "Read", "Rest")))
    assert tree(tabwire) == [
        "  - generic: Todo",
        '    - generic "Wash"',
        '    - generic "Cook"',
        "  - generic: Done",
        '    - generic "Read"',
        '    - generic "Rest"',
    ]


def test_a_box_that_tells_nothing_apart_is_no_level(tabwire: Tabwire, site: Site) -> None:
    style = STYLE.format(style=EDGES["a border"])
    alone = "<div class=card><div class=card><button>One</button><button>Two</button></div></div>"
    tabwire.open(site.page(style + alone))
    assert tree(tabwire) == ['  - button "One"', '  - button "Two"']
    tabwire.open(
        site.page(f"{style}Before <div class=card>a word <button>One</button> or another</div> after<button>Two</button>")
    )
    assert tree(tabwire)[-1] == '  - button "Two"' and "generic" not in "".join(tree(tabwire))
    tabwire.open(site.page(f"{style}<h1>Top</h1>{alone}"))
    assert [line for line in tree(tabwire) if "generic" in line] == ["  - generic"]
