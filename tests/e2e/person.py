"""The person's own hand in the extension: what its pages ask the worker, from the popup opened as a tab."""

import json
import time
from typing import Any

from e2e.cdp import Browser
from e2e.ui.own_pages import POPUP, open_page


class Person:
    """A page of the extension in a tab of the background."""

    def __init__(self, browser: Browser) -> None:
        self.page = open_page(browser, POPUP)

    def ask(self, request: str, **more: Any) -> Any:
        """What the worker answers."""
        return self.page.evaluate(f"chrome.runtime.sendMessage({json.dumps({'type': request, **more})})")

    def stop(self) -> float:
        """Stops everything; returns the moment before it was asked for, as `time.monotonic` has it."""
        began = time.monotonic()
        assert self.ask("stop")["cause"] == "stopped"
        return began
