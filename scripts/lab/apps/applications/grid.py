"""A page with AG Grid: orders that are edited in their cells."""

import re

from declaration import Task
from model import Model

from applications.page import PageApplication

CUSTOMERS = ("Ada", "Bo", "Cyd", "Dee", "Eve", "Fay")
ROWS = [
    {"id": number, "customer": name, "amount": number * 10, "status": "open", "express": False}
    for number, name in enumerate(CUSTOMERS, 1)
]


def changed(number: int, **values: object) -> list[dict[str, object]]:
    """The rows with one of them changed."""
    return [{**row, **values} if row["id"] == number else row for row in ROWS]


class Grid(PageApplication):
    name = "ag-grid"
    page = "grid.html"
    first_state = ROWS


def edits_an_amount(model: Model, _: Grid) -> None:
    model.on("dblclick", "gridcell", "30")
    model.press("Control+a")
    model.type("35")
    model.press("Enter")


def chooses_a_status(model: Model, _: Grid) -> None:
    model.look()
    model.on("dblclick", "gridcell", "open", nth=1)
    model.press("Enter") if not model.look() or not model.sees("option") else None
    model.click("option", "paid")


def deletes_two_orders(model: Model, _: Grid) -> None:
    model.look()
    model.on("check", "checkbox", "Press Space to toggle row selection (unchecked)", nth=1)
    model.on("check", "checkbox", "Press Space to toggle row selection (unchecked)", nth=3)
    model.click("button", "Delete selected")
    model.ok("dialog", action="accept")


def ticks_express(model: Model, _: Grid) -> None:
    model.look()
    model.on("check", "checkbox", re.compile("toggle cell value", re.IGNORECASE), nth=3)


def searches_and_edits(model: Model, _: Grid) -> None:
    model.fill("searchbox", "Search", "Eve")
    model.wait("Eve")
    model.on("dblclick", "gridcell", "Eve")
    model.press("Control+a")
    model.type("Evelyn")
    model.press("Enter")


def sorts_and_moves_a_row(model: Model, _: Grid) -> None:
    source = model.box("gridcell", "1")
    target = model.box("gridcell", "4")
    model.ok(
        "drag",
        source_coordinates={"x": source["x"] + 24, "y": source["y"] + source["height"] / 2},
        target_coordinates={"x": target["x"] + 24, "y": target["y"] + target["height"] - 6},
        steps=12,
    )


MOVED = [ROWS[1], ROWS[2], ROWS[3], ROWS[0], *ROWS[4:]]
APPLICATIONS = {
    Grid: (
        Task("change an amount in its cell", edits_an_amount, lambda app: app.until_kept(changed(3, amount=35))),
        Task("choose another status in a cell", chooses_a_status, lambda app: app.until_kept(changed(2, status="paid"))),
        Task(
            "select two orders, delete them, confirm",
            deletes_two_orders,
            lambda app: app.until_kept([row for row in ROWS if row["id"] not in (2, 4)]),
        ),
        Task("tick a box in a cell", ticks_express, lambda app: app.until_kept(changed(4, express=True))),
        Task("search, then rename a customer", searches_and_edits, lambda app: app.until_kept(changed(5, customer="Evelyn"))),
        Task("drag a row below another", sorts_and_moves_a_row, lambda app: app.until_kept(MOVED)),
    )
}
