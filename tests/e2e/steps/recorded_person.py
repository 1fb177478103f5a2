"""A person whose steps are recorded: trusted input through DevTools, in the page and in the bar that says that it is recorded."""

import json
from pathlib import Path
from typing import Any

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.ui.hand import Hand
from polling import until

PICKING = "document.querySelector('tabwire-picker') !== null"
RECORDED = "document.querySelector('tabwire-recorder') !== null"
PAINTED = "performance.getEntriesByType('paint').length > 0"
SAID = {"Is visible": "Recorded: is visible", "Has text": "Recorded: has this text", "Has value": "Recorded: has this value"}
"""Button of the bar → what the bar says when that is recorded."""


class Person(Hand):
    """A hand that also double clicks, holds keys, chooses files and answers dialogs."""

    def press(self, key: str, **more: Any) -> None:
        codes = {"Escape": 27, "Control": 17}
        if key in codes and key != "Escape":
            self.page.call("Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": key, "windowsVirtualKeyCode": codes[key]})
            return
        super().press(key, **more)

    def double_click(self, selector: str) -> None:
        self.page.wait_for(f"document.querySelector({json.dumps(selector)}) !== null")
        box = f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        x, y = self.page.evaluate(box)
        self._press_at(x, y, 1)
        self._press_at(x, y, 2)

    def click_at(self, place: str) -> None:
        """Clicks where an expression says."""
        self._press_at(*self.page.wait_for(place), 1)

    def _press_at(self, x: float, y: float, count: int) -> None:
        at = {"x": x, "y": y, "button": "left", "clickCount": count}
        for kind in ("mousePressed", "mouseReleased"):
            self.page.call("Input.dispatchMouseEvent", {"type": kind, **at})

    def choose_file(self, selector: str, path: Path) -> None:
        session = self.page.browser.call("Target.attachToTarget", {"targetId": self.page.target_id, "flatten": True})["sessionId"]
        call = self.page.browser.call
        try:
            root = call("DOM.getDocument", {}, session)["root"]["nodeId"]
            node = call("DOM.querySelector", {"nodeId": root, "selector": selector}, session)["nodeId"]
            call("DOM.setFileInputFiles", {"files": [str(path)], "nodeId": node}, session)
        finally:
            call("Target.detachFromTarget", {"sessionId": session})

    def answer(self, **answer: Any) -> None:
        self.page.call("Page.handleJavaScriptDialog", answer)

    def ready(self) -> None:
        """Waits until the page tells its steps, and has been painted: Chrome drops input before that."""
        self.page.wait_for(RECORDED)
        self.page.wait_for(PAINTED)

    def bar(self) -> dict[str, Any]:
        """The bar in its closed shadow root: label → place of the button, and what the bar says under ""."""
        session = self.page.browser.call("Target.attachToTarget", {"targetId": self.page.target_id, "flatten": True})["sessionId"]
        call = self.page.browser.call
        try:
            nodes = [call("DOM.getDocument", {"depth": -1, "pierce": True}, session)["root"]]
            for node in nodes:
                nodes += [*node.get("children", ()), *node.get("shadowRoots", ())]
            (shadow,) = next(node for node in nodes if node["nodeName"] == "TABWIRE-RECORDER")["shadowRoots"]
            said, *buttons = shadow["children"]
            boxes = {
                button["children"][0]["nodeValue"]: call("DOM.getBoxModel", {"nodeId": button["nodeId"]}, session)["model"][
                    "border"
                ]
                for button in buttons
            }
        finally:
            call("Target.detachFromTarget", {"sessionId": session})
        places = {label: ((box[0] + box[4]) / 2, (box[1] + box[5]) / 2) for label, box in boxes.items()}
        return {"": said["children"][0]["nodeValue"], **places}

    def press_bar(self, label: str) -> None:
        self._press_at(*self.bar()[label], 1)

    def expect(self, label: str, selector: str, says: str | None = None) -> str:
        """Has the test expect something of an element; what the bar says of it."""
        self.press_bar(label)
        assert not self.said(SAID[label]), "the bar still says what became of the wish before"
        self.page.wait_for(PICKING)
        self.click(selector)
        self.page.wait_for(f"!({PICKING})")
        return until(lambda: self.said(says or SAID[label]), within=5, says="the bar says what became of it")

    def said(self, part: str) -> str | None:
        said = str(self.bar()[""])
        return said if part in said else None


def started(tabwire: Tabwire, browser: Browser, url: str) -> Person:
    tabwire.open(url)
    tabwire.ok("record_steps", action="start")
    person = Person(browser.shown())
    person.ready()
    return person


def lines(reply: Reply) -> list[str]:
    """The lines of the test, but for its first one, which opens the page."""
    return [str(line) for line in reply.data["lines"]][1:]
