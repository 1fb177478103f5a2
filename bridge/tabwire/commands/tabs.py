"""Tabs & Windows (document 002)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from tabwire.commands.declaration import Command
from tabwire.commands.types import Natural, Positive, TabId, Whole, WindowId


class TabNew(
    Command,
    method="tabs.create",
    tool="tab_new",
    title="New tab",
    effect="act",
    intent="arrange",
    scope="browser",
    page="none",
    reply="act",
    destructive=False,
):
    """Open a tab."""

    url: Annotated[str | None, Field(description="Default: about:blank")] = None
    active: Annotated[bool, Field(description="Show it")] = True
    windowId: WindowId = None


class TabList(
    Command,
    method="tabs.list",
    tool="tab_list",
    title="List tabs",
    effect="read",
    scope="browser",
    page="none",
    reply="data",
    open_world=False,
):
    """Open tabs with id, URL and title."""

    windowId: WindowId = None


class TabSwitch(
    Command,
    method="tabs.activate",
    tool="tab_switch",
    title="Switch tab",
    effect="act",
    intent="arrange",
    scope="browser",
    page="none",
    reply="act",
    idempotent=True,
    destructive=False,
    open_world=False,
):
    """Show a tab and work in it from now on."""

    tabId: TabId = None
    index: Annotated[Natural | None, Field(description="Position in its window, from 0")] = None

    @model_validator(mode="after")
    def _names_one_tab(self) -> TabSwitch:
        if (self.tabId is None) == (self.index is None):
            raise ValueError("needs exactly one of tabId, index")
        return self


class TabClose(
    Command,
    method="tabs.close",
    tool="tab_close",
    title="Close tabs",
    effect="act",
    intent="arrange",
    scope="browser",
    page="none",
    reply="act",
    open_world=False,
):
    """Close tabs by id or URL pattern."""

    tabId: Whole | list[Whole] | None = None
    url: Annotated[str | None, Field(description="URL pattern with *")] = None

    @model_validator(mode="after")
    def _names_tabs_one_way(self) -> TabClose:
        if (self.tabId is None) == (self.url is None):
            raise ValueError("needs exactly one of tabId, url")
        return self


class WindowNew(
    Command,
    method="tabs.create_window",
    tool="window_new",
    title="New window",
    effect="act",
    intent="arrange",
    scope="browser",
    page="none",
    reply="act",
    destructive=False,
):
    """Open a browser window."""

    url: str | None = None
    width: Positive = 1280
    height: Positive = 720
    incognito: bool = False


class TabUnseen(
    Command,
    method="tabs.create_unseen",
    tool="",
    title="Tab in the background",
    effect="act",
    intent="arrange",
    scope="browser",
    page="none",
    reply="act",
    destructive=False,
):
    """Open an empty tab that is not shown and opens no window; it is closed when its client leaves, if not before."""

    windowId: WindowId = None


COMMANDS = (TabNew, TabList, TabSwitch, TabClose, WindowNew)
WIRE_ONLY = (TabUnseen,)
