"""A page looked at without disturbing it: the end of a DevTools session takes some emulations of others along."""

from typing import Any

from e2e.cdp import Browser, CdpError


class Watched:
    """A tab or frame with one DevTools session that stays."""

    def __init__(self, browser: Browser, target: str) -> None:
        self._browser = browser
        self._session = browser.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page (a promise is awaited)."""
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        reply = self._browser.call("Runtime.evaluate", params, self._session)
        if "exceptionDetails" in reply:
            raise CdpError(str(reply["exceptionDetails"]))
        return reply["result"].get("value")


def watch(browser: Browser, url: str = "") -> Watched:
    """The only tab, or the one with this URL."""
    (target,) = [target for target in browser.targets("page") if url in target["url"] and ":" in target["url"]]
    return Watched(browser, target["targetId"])
