"""A page with two frames, one of another site, in which the layouts of a ledger are laid out one after the other."""

import json
from collections.abc import Callable
from typing import Any

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.site import Site

STYLE = "position:absolute;left:60px;top:40px;width:640px;height:380px"

Run = Callable[[str], Any]
"""The value of an expression in one of the documents."""


class LedgerPage:
    """The page. Its documents are ``""`` (the page itself), ``near`` and ``far``.

    Args:
        script: Run in each document; `#stage` is its empty element for a layout, ``clear()`` takes the layout away.

    Attributes:
        top: The page itself.
    """

    def __init__(self, tabwire: Tabwire, browser: Browser, site: Site, script: str) -> None:
        inner = f"<style>body {{ margin: 0 }}</style><div id=stage></div><script>{script}</script>"
        near, far = site.page(inner), site.cross_page(inner)
        frames = f"<iframe id=near src='{near}' style='{STYLE}'></iframe><iframe id=far src='{far}' style='{STYLE}'></iframe>"
        tabwire.open(site.page(f"{inner}{frames}"))
        self._tabwire = tabwire
        self.top = browser.shown()
        self._far = self.top.frame(far)
        listed = browser.in_worker(
            "chrome.tabs.query({ active: true }).then(([tab]) => chrome.webNavigation.getAllFrames({ tabId: tab.id }))"
        )
        urls = {"near": near, "far": far}
        self._frame_ids = {"": 0} | {name: next(one["frameId"] for one in listed if one["url"] == urls[name]) for name in urls}
        self._last = ""

    def click(self, frame: str, **arguments: Any) -> Reply:
        """Call the tool for the target of a document."""
        return self._tabwire.call("click", selector="#target", frameId=self._frame_ids[frame], **arguments)

    def _runner(self, frame: str) -> Run:
        """Run expressions in a document."""
        if frame == "far":
            return self._far.evaluate
        if frame == "near":
            return lambda code: self.top.evaluate(f"near.contentWindow.eval({json.dumps(code)})")
        return self.top.evaluate

    def show(self, frame: str, transform: str = "none") -> Run:
        """Take the last layout away, show the document alone, and run expressions in it."""
        self._runner(self._last)("clear()")
        sets = [
            f"{name}.hidden = {json.dumps(name != frame)}; {name}.style.transform = '{transform}'" for name in ("near", "far")
        ]
        self.top.evaluate(f"clear(); {'; '.join(sets)}")
        self._last = frame
        return self._runner(frame)
