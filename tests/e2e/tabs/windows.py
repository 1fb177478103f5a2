"""Windows of one browser, for acts that wait beside each other: each page is visible, and has a process of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from e2e.cdp import Browser, Page
from e2e.client import Tabwire

Name = TypeVar("Name")
OPENED_S = 20


@dataclass(frozen=True)
class Window:
    """A window with one tab."""

    tab: int
    page: Page


def open_windows(tabwire: Tabwire, browser: Browser, urls: Mapping[Name, str]) -> dict[Name, Window]:
    """A window for each URL; no two of them are alike."""
    opening = {name: tabwire.start("window_new", url=url) for name, url in urls.items()}
    tabs = {name: reply.result(OPENED_S).data["tabId"] for name, reply in opening.items()}
    return {name: Window(tab, browser.at(urls[name])) for name, tab in tabs.items()}
