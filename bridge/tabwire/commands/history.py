"""Browser data: history and bookmarks (agent spec)."""

from typing import Annotated, ClassVar, Literal, NotRequired

from pydantic import Field

from tabwire.commands import times
from tabwire.commands.actions import ActionCommand, Takes
from tabwire.commands.declaration import Command, Reading, Returns
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Closed, Result
from tabwire.commands.types import Count


class HistoryEntry(Closed):
    """A page that was visited."""

    url: str
    title: str
    last_visit: str
    visits: NotRequired[int]


class HistoryResult(Result):
    """The pages, the latest first. `barred`: how many of sites that are not allowed were left out."""

    entries: list[HistoryEntry]
    barred: NotRequired[int]
    note: NotRequired[str]


class Search(
    Reading,
    Returns[HistoryResult],
    method="history.search",
    sensitive="history",
    tool="history",
    title="Search history",
    past="Searched the history",
    scope="browser",
    page="none",
    open_world=False,
    shows=("query",),
):
    """Search the browsing history, latest first."""

    on_wire: ClassVar = {"start_time": float, "end_time": float}

    query: Annotated[str | None, Field(description="Words of title or URL")] = None
    start_time: Annotated[str | None, Field(description="ISO date, '2 hours ago', 'today'")] = None
    end_time: str | None = None
    max_results: Count = 100
    exclude_current_tabs: bool = False

    def check(self) -> None:
        period = self.period()
        if len(period) == 2 and period["start_time"] > period["end_time"]:
            raise ValueError("start_time is after end_time")

    def period(self) -> dict[str, float]:
        """Begin and end in epoch milliseconds, counted from now, as far as they are given."""
        given = {"start_time": self.start_time, "end_time": self.end_time}
        moments = {name: times.parse(text, is_end=name == "end_time") for name, text in given.items() if text is not None}
        return {name: times.epoch_ms(moment) for name, moment in moments.items()}


Folder = Annotated[Fact | None, Field(description="Path or id")]

_FOUND = frozenset({"query", "folder", "max_results"})


class Bookmark(Closed):
    """A bookmark and its folder."""

    id: str
    title: str
    url: str
    folder: str
    added: NotRequired[str]


class DeletedBookmark(Closed):
    """A bookmark, or an empty folder."""

    id: str
    title: str
    url: NotRequired[str]


class BookmarkFolder(Closed):
    """A folder and how many bookmarks are in it."""

    id: str
    path: str
    bookmarks: int


class BookmarksResult(Result, total=False):
    """The result of an action on bookmarks."""

    bookmarks: list[Bookmark]
    folders: list[BookmarkFolder]
    total: int
    barred: int
    bookmark: Bookmark
    folders_created: list[str]
    deleted: DeletedBookmark
    note: str


class Bookmarks(
    ActionCommand,
    Returns[BookmarksResult],
    method="history.bookmarks",
    tool="bookmarks",
    title="Bookmarks",
    past="Worked with bookmarks",
    scope="browser",
    page="none",
    open_world=False,
    sensitive="bookmarks",
    shows=("action", "query", "url"),
):
    """Search, add or delete bookmarks, or list their folders."""

    actions: ClassVar = {
        "search": Takes((), _FOUND, "read"),
        "add": Takes((), frozenset({"url", "title", "parent_folder", "create_folder"})),
        "delete": Takes(("bookmark_id",)),
        "list_folders": Takes((), _FOUND, "read"),
    }
    action: Literal["search", "add", "delete", "list_folders"]
    query: Fact | None = None
    folder: Folder = None
    max_results: Count = 50
    url: Annotated[Fact | None, Field(description="Default: the current tab's")] = None
    title: Fact | None = None
    parent_folder: Folder = None
    create_folder: bool = False
    bookmark_id: str | None = None


PURPOSE = "browsing history, bookmarks"

COMMANDS: tuple[type[Command], ...] = (Search, Bookmarks)
