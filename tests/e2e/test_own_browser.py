"""Acts in the user's own browser: DOM events do what they can, the debugger comes for what they cannot and soon goes."""

import time
from dataclasses import dataclass
from typing import Any

import pytest

from e2e.acting import do
from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched, Launcher
from e2e.site import Site

GONE_WITHIN_S = 6


@dataclass(frozen=True)
class Own:
    """A fresh tab of a browser that Tabwire did not start."""

    tabwire: Tabwire
    browser: Browser
    site: Site

    def show(self, html: str) -> None:
        self.tabwire.open(self.site.page(html))

    def evaluate(self, expression: str) -> Any:
        return self.browser.shown().evaluate(expression)

    def attached(self) -> int:
        """To how many tabs the extension's debugger is attached."""
        worker = next(target for target in self.browser.targets("service_worker") if "extension:" in target["url"])
        session = self.browser.call("Target.attachToTarget", {"targetId": worker["targetId"], "flatten": True})["sessionId"]
        expression = "chrome.debugger.getTargets().then((all) => all.filter((t) => t.tabId && t.attached).length)"
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        try:
            return int(self.browser.call("Runtime.evaluate", params, session)["result"]["value"])
        finally:
            self.browser.call("Target.detachFromTarget", {"sessionId": session})


@pytest.fixture
def own(joiner: Launcher, site: Site) -> Own:
    joined: Launched = joiner.fresh(site)
    return Own(joined.tabwire, joined.browser, site)
