"""Two clients, and the person's side panel beside them."""

import json
from functools import cached_property
from typing import Any

from e2e.cdp import Page
from e2e.client import Tabwire
from e2e.tabs.two_clients import TwoClients
from e2e.ui.hand import Hand
from e2e.ui.own_pages import PANEL, open_page

BUTTON = "<button onclick='globalThis.hits = (globalThis.hits ?? 0) + 1'>Go</button>"
GO = "role:button"


class Desk(TwoClients):
    """Two clients, and the side panel in a tab."""

    @cached_property
    def page(self) -> Page:
        return open_page(self.browser, PANEL)

    @property
    def hand(self) -> Hand:
        return Hand(self.page)

    def open(self, client: Tabwire, url: str, **more: Any) -> tuple[Page, int]:
        return super().open(client, url, **{"active": False, **more})

    def view(self, name: str) -> None:
        """Goes to a part of the panel."""
        self.hand.click(f"#tab-{name}")
        self.page.wait_for(f"!document.querySelector('#view-{name}').hidden")

    def shows(self, selector: str, text: str) -> None:
        """Waits until a part of the panel says something."""
        self.page.wait_for(f"document.querySelector({json.dumps(selector)})?.textContent.includes({json.dumps(text)})")

    def select(self, selector: str, value: str) -> None:
        """Chooses with the keyboard, in a list that is not open."""
        find = f"document.querySelector({json.dumps(selector)})"
        steps = self.page.evaluate(
            f"{find}.focus(), [...{find}.options].findIndex((option) => option.value === {json.dumps(value)}) - {find}.selectedIndex"
        )
        for _ in range(abs(steps)):
            self.hand.press("ArrowDown" if steps > 0 else "ArrowUp")
        self.page.wait_for(f"{find} === null || {find}.value === {json.dumps(value)}")
