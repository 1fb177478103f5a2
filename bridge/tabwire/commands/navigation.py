"""Navigation (agent spec). `back`, `forward` and `reload` are named by its category table, without schemas of their own."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tabwire.commands import replay
from tabwire.commands.declaration import MAX_TOLD, Act, Returns, TabReading
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Landing, ObservedResult, Result
from tabwire.commands.types import Leaving, LoadState, Milliseconds, Parameters, Positive, TabId, WindowId

NAVIGATION_TIMEOUT_MS = 30_000


class WindowSize(Parameters):
    """Outer size of a window in pixels."""

    width: Positive = 1280
    height: Positive = 720


class NavigationResult(Landing, ObservedResult):
    """The page at the end of the navigation, and the observed effects."""


class Navigate(
    Act,
    Returns[NavigationResult],
    method="navigation.navigate",
    tool="navigate",
    core=("url", "action", "wait_until", "new_tab", "diff", "tabId"),
    title="Navigate",
    page="none",
    intent="arrange",
    caption="Go to {address}",
    past="Went to {address}",
    silence="load",
    replay=replay.navigate,
    shows=("action", "url"),
):
    """Go to a URL, or back, forward, reload. A page the user opened is replaced only if its tabId is given."""

    on_wire: ClassVar = {"headers": dict[str, str]}

    url: Annotated[Fact | None, Field(description="Where to go; omit for back, forward, reload")] = None
    action: Literal["goto", "back", "forward", "reload"] = "goto"
    wait_until: LoadState = "load"
    timeout: Milliseconds = NAVIGATION_TIMEOUT_MS
    new_tab: bool = False
    new_window: bool = False
    window_size: WindowSize | None = None
    background: Annotated[bool, Field(description="Do not bring the new tab or window to the front")] = False
    headers: Annotated[dict[str, str] | None, Field(description="Extra HTTP headers for this navigation only")] = None
    tabId: TabId = None
    windowId: WindowId = None
    force: Leaving = False

    def check(self) -> None:
        if self.action == "goto" and not self.url:
            raise ValueError("needs a url (or action: back, forward or reload)")
        if self.action != "goto" and self.url:
            raise ValueError(f'action "{self.action}" takes no url; drop one of the two')
        if self.new_tab and self.new_window:
            raise ValueError("new_tab and new_window exclude each other")
        if self.action != "goto" and (self.new_tab or self.new_window):
            raise ValueError(f'action "{self.action}" works in an existing tab; drop new_tab and new_window')


class HistoryAct(Act, Returns[NavigationResult], method="", page="none", intent="arrange", silence="load"):
    """Base of the moves in the history of a tab."""

    wait_until: LoadState = "load"
    timeout: Milliseconds = NAVIGATION_TIMEOUT_MS
    tabId: TabId = None
    force: Leaving = False


class Back(
    HistoryAct,
    method="navigation.back",
    tool="back",
    title="Go back",
    caption="Go back",
    past="Went back",
    replay=replay.line("run.driver.back()"),
):
    """Go back one entry in the tab's history."""


class Forward(
    HistoryAct,
    method="navigation.forward",
    tool="forward",
    title="Go forward",
    caption="Go forward",
    past="Went forward",
    replay=replay.line("run.driver.forward()"),
):
    """Go forward one entry in the tab's history."""


class Reload(
    HistoryAct,
    method="navigation.reload",
    tool="reload",
    title="Reload",
    caption="Reload",
    past="Reloaded the page",
    replay=replay.line("run.driver.refresh()"),
):
    """Reload the page."""


class UrlResult(Result):
    """The address of the page."""

    url: str


class Url(
    TabReading,
    Returns[UrlResult],
    method="navigation.url",
    bound=50 * MAX_TOLD,
    tool="url",
    title="Page URL",
    past="Read the address",
    page="none",
):
    """URL of the page."""


class TitleResult(Result):
    """The title of the page."""

    title: str


class Title(
    TabReading,
    Returns[TitleResult],
    method="navigation.title",
    bound=5 * MAX_TOLD,
    tool="title",
    title="Page title",
    past="Read the title",
    page="none",
):
    """Title of the page."""


PURPOSE = "addresses and history of a tab"

COMMANDS = (Navigate, Back, Forward, Reload, Url, Title)
