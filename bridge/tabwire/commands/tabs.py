"""Tabs & Windows (agent spec)."""

from typing import Annotated, ClassVar, NotRequired

from pydantic import Field

from tabwire.commands import replay
from tabwire.commands.declaration import MAX_TOLD, Doing, Reading, Returns
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Landing, Result, TabAddress, TabResult
from tabwire.commands.types import Id, Leaving, Natural, Positive, TabId, WindowId


class Arranging(Doing, method="", intent="arrange", scope="browser", page="none", reply="act"):
    """Base of the commands that arrange tabs and windows."""


class EmptyTabResult(TabResult):
    """The tab."""

    windowId: int


class NewTabResult(Landing, EmptyTabResult):
    """The tab and its page."""

    width: NotRequired[int]
    """The window that was opened."""
    height: NotRequired[int]
    note: NotRequired[str]


class Create(
    Arranging,
    Returns[NewTabResult],
    method="tabs.create",
    tool="tab_new",
    core=("url", "active"),
    title="New tab",
    past="Opened a tab",
    destructive=False,
    replay=replay.create,
    shows=("url",),
):
    """Open a tab."""

    url: Annotated[Fact | None, Field(description="Default: about:blank")] = None
    active: Annotated[bool, Field(description="Show it")] = True
    windowId: WindowId = None


class TabEntry(TabAddress):
    """A tab of the list. `leasedBy`: the other client that works in it."""

    windowId: int
    index: int
    title: str
    active: bool
    current: bool
    status: NotRequired[str]
    openerTabId: NotRequired[int]
    leasedBy: NotRequired[str]
    pinned: NotRequired[bool]
    audible: NotRequired[bool]
    discarded: NotRequired[bool]
    incognito: NotRequired[bool]


class TabListResult(Result):
    """The open tabs. `others`: how many more the user has and does not show to programs."""

    tabs: list[TabEntry]
    others: NotRequired[int]
    note: NotRequired[str]


class List(
    Reading,
    Returns[TabListResult],
    method="tabs.list",
    bound=MAX_TOLD,
    tool="tab_list",
    core=(),
    title="List tabs",
    past="Listed the tabs",
    scope="browser",
    page="none",
    open_world=False,
):
    """Open tabs with id, URL and title."""

    windowId: WindowId = None


class TabSwitchResult(TabEntry, Result):
    """The tab that is shown now."""


class Activate(
    Arranging,
    Returns[TabSwitchResult],
    method="tabs.activate",
    tool="tab_switch",
    core=("tabId",),
    title="Switch tab",
    past="Switched to a tab",
    idempotent=True,
    destructive=False,
    open_world=False,
    replay=replay.tab("run.tab({tab})"),
    shows=("tabId", "index"),
):
    """Show a tab and work in it from now on."""

    tabId: TabId = None
    index: Annotated[Natural | None, Field(description="Position in its window, from 0")] = None

    def check(self) -> None:
        self.need_one("tabId", "index")


class TabCloseResult(Result):
    """The tabs that were closed, and what they showed."""

    closed: list[TabAddress]
    note: NotRequired[str]


class Close(
    Arranging,
    Returns[TabCloseResult],
    method="tabs.close",
    tool="tab_close",
    core=("tabId", "url"),
    title="Close tabs",
    past="Closed tabs",
    open_world=False,
    replay=replay.tab("run.close_tab({tab})"),
    shows=("tabId", "url"),
):
    """Close tabs by id or URL pattern."""

    tabId: Id | list[Id] | None = None
    url: Annotated[Fact | None, Field(description="URL pattern with *")] = None
    force: Leaving = False

    def check(self) -> None:
        self.need_one("tabId", "url")


class CreateWindow(
    Arranging,
    Returns[NewTabResult],
    method="tabs.create_window",
    tool="window_new",
    title="New window",
    past="Opened a window",
    destructive=False,
    shows=("url",),
):
    """Open a browser window."""

    on_wire: ClassVar = {"background": bool}
    """The tab in front stays there, and the window closes with its client."""

    url: Fact | None = None
    width: Positive = 1280
    height: Positive = 720
    incognito: bool = False


class CreateUnseen(
    Arranging,
    Returns[EmptyTabResult],
    method="tabs.create_unseen",
    title="Tab in the background",
    destructive=False,
):
    """Open an empty tab that is not shown and opens no window; it is closed when its client leaves, if not before."""

    windowId: WindowId = None


PURPOSE = "tabs and windows"

COMMANDS = (Create, List, Activate, Close, CreateWindow)
WIRE_ONLY = (CreateUnseen,)
