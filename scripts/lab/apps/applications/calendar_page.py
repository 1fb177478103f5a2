"""A page with FullCalendar: a month of events, March 2026."""

import re
from typing import Any

from declaration import Task
from model import Model

from applications.page import PageApplication
from polling import until

EVENTS = [
    {"id": "1", "title": "Review", "start": "2026-03-05", "end": ""},
    {"id": "2", "title": "Workshop", "start": "2026-03-10", "end": "2026-03-12"},
    {"id": "3", "title": "Dentist", "start": "2026-03-18", "end": ""},
]


class Calendar(PageApplication):
    name = "fullcalendar"
    page = "calendar.html"
    first_state = EVENTS

    def until_events(self, wanted: list[dict[str, str]]) -> None:
        """Waits until the events are these; ids of new ones are the page's own."""

        def told() -> list[tuple[str, ...]]:
            return sorted((event["title"], event["start"], event["end"]) for event in self.state)

        until(told, equals=sorted((event["title"], event["start"], event["end"]) for event in wanted), within=5)


def adds_an_event(model: Model, _: Calendar) -> None:
    model.click("gridcell", "March 24, 2026")
    model.ok("dialog", action="accept", prompt_text="Lunch")


def moves_an_event(model: Model, _: Calendar) -> None:
    model.look()
    model.drag(("generic", re.compile("Review")), ("gridcell", "March 26, 2026"))


def deletes_an_event(model: Model, _: Calendar) -> None:
    model.click("generic", re.compile("Dentist"))
    model.ok("dialog", action="accept")


def keeps_an_event(model: Model, _: Calendar) -> None:
    model.click("generic", re.compile("Dentist"))
    model.ok("dialog", action="dismiss")
    model.click("gridcell", "March 20, 2026")
    model.ok("dialog", action="accept", prompt_text="Check-up")


def adds_one_next_month(model: Model, _: Calendar) -> None:
    model.click("button", re.compile("^Next month"))
    model.click("gridcell", "April 14, 2026")
    model.ok("dialog", action="accept", prompt_text="Taxes")


def deletes_one_of_the_week(model: Model, _: Calendar) -> None:
    model.click("button", re.compile("^week", re.IGNORECASE))
    model.click("generic", re.compile("Workshop"))
    model.ok("dialog", action="accept")


def with_event(title: str, start: str, without: str = "") -> list[dict[str, Any]]:
    """The events with another one, and perhaps without one of them."""
    return [*(event for event in EVENTS if event["title"] != without), {"title": title, "start": start, "end": ""}]


APPLICATIONS = {
    Calendar: (
        Task(
            "add an event on a day, named in a prompt",
            adds_an_event,
            lambda app: app.until_events(with_event("Lunch", "2026-03-24")),
        ),
        Task(
            "drag an event to another day",
            moves_an_event,
            lambda app: app.until_events(with_event("Review", "2026-03-26", "Review")),
        ),
        Task("delete an event, confirm", deletes_an_event, lambda app: app.until_events(EVENTS[:2])),
        Task(
            "keep an event when asked, then add one",
            keeps_an_event,
            lambda app: app.until_events(with_event("Check-up", "2026-03-20")),
        ),
        Task("add an event next month", adds_one_next_month, lambda app: app.until_events(with_event("Taxes", "2026-04-14"))),
        Task("delete an event in the week's view", deletes_one_of_the_week, lambda app: app.until_events([EVENTS[0], EVENTS[2]])),
    )
}
