"""Browser data: history and bookmarks (document 002)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from tabwire import times
from tabwire.commands.types import Count
from tabwire.protocol.command import Command


class History(
    Command,
    method="history.search",
    tool="history",
    title="Search history",
    effect="read",
    scope="browser",
    page="none",
    reply="data",
    open_world=False,
):
    """Search the browsing history, latest first."""

    query: Annotated[str | None, Field(description="Words of title or URL")] = None
    start_time: Annotated[str | None, Field(description="ISO date, '2 hours ago', 'today'")] = None
    end_time: str | None = None
    max_results: Count = 100
    exclude_current_tabs: bool = False

    @model_validator(mode="after")
    def _is_a_period(self) -> History:
        start, end = self.period()
        if start is not None and end is not None and start > end:
            raise ValueError("start_time is after end_time")
        return self

    def period(self) -> tuple[float | None, float | None]:
        """Begin and end in epoch milliseconds, counted from now."""
        start = None if self.start_time is None else times.epoch_ms(times.parse(self.start_time))
        end = None if self.end_time is None else times.epoch_ms(times.parse(self.end_time, is_end=True))
        return start, end


Folder = Annotated[str | None, Field(description="Path or id")]

_NEEDED = {"add": (), "delete": ("bookmark_id",), "search": (), "list_folders": ()}
_TAKEN = {
    "search": {"query", "folder", "max_results"},
    "add": {"url", "title", "parent_folder", "create_folder"},
    "delete": {"bookmark_id"},
    "list_folders": {"query", "folder", "max_results"},
}


class Bookmarks(
    Command,
    method="history.bookmarks",
    tool="bookmarks",
    title="Bookmarks",
    effect="act",
    scope="browser",
    page="none",
    reply="data",
    open_world=False,
):
    """Search, add or delete bookmarks, or list their folders."""

    action: Literal["search", "add", "delete", "list_folders"]
    query: str | None = None
    folder: Folder = None
    max_results: Count = 50
    url: Annotated[str | None, Field(description="Default: the current tab's")] = None
    title: str | None = None
    parent_folder: Folder = None
    create_folder: bool = False
    bookmark_id: str | None = None

    @model_validator(mode="after")
    def _fits_the_action(self) -> Bookmarks:
        missing = [name for name in _NEEDED[self.action] if getattr(self, name) is None]
        if missing:
            raise ValueError(f"{self.action} needs {' and '.join(missing)}")
        foreign = sorted(self.model_fields_set - _TAKEN[self.action] - {"action"})
        if foreign:
            raise ValueError(
                f"{self.action} does not take {', '.join(foreign)}; it takes {', '.join(sorted(_TAKEN[self.action]))}"
            )
        return self


COMMANDS: tuple[type[Command], ...] = (History, Bookmarks)
