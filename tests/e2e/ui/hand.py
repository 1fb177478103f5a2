"""A person's hand in a page: trusted input through DevTools, at elements as they lie on the screen."""

import json
from typing import Any

from e2e.cdp import CdpError, Page
from polling import until

ANSWER_S, SLOW_S = 0.3, 5
PLACE = """(() => {
  const element = document.querySelector(%s);
  element?.scrollIntoView({ block: "center" });
  const { x, y, width, height } = element?.getBoundingClientRect() ?? {};
  const { offsetLeft, offsetTop } = visualViewport;
  return width && height ? [x + width / 2 - offsetLeft, y + height / 2 - offsetTop] : null;
})()"""
"""The middle of an element. In a pinched page DevTools counts from the corner of the part that is in view."""


class Hand:
    """See the module docstring."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def click(self, selector: str) -> None:
        """Clicks the middle of an element, as soon as it is there."""
        x, y = self.page.wait_for(PLACE % json.dumps(selector))
        at = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.page.call("Input.dispatchMouseEvent", {"type": "mousePressed", **at})
        try:
            self.page.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **at}, ANSWER_S)
        except CdpError:
            # A window that the click has closed does not answer.
            if self._is_open():
                raise
        except TimeoutError:
            # One that is slow does so later.
            until(lambda: not self._is_open() or self.page.evaluate("true", SLOW_S), ignoring=CdpError)

    def _is_open(self) -> bool:
        return any(target["targetId"] == self.page.target_id for target in self.page.browser.targets("page"))

    def type(self, selector: str, text: str) -> None:
        """Clicks into a field and types."""
        self.click(selector)
        self.page.call("Input.insertText", {"text": text})

    def press(self, key: str, **more: Any) -> None:
        """Presses a key, such as `Tab` or `Enter`."""
        text = {"Enter": "\r", "Space": " "}.get(key)
        wish = {"key": {"Space": " "}.get(key, key), "code": key, "windowsVirtualKeyCode": KEYS[key], **more}
        self.page.call("Input.dispatchKeyEvent", {"type": "keyDown", **wish, **({"text": text} if text else {})})
        self.page.call("Input.dispatchKeyEvent", {"type": "keyUp", **wish})


KEYS = {"Tab": 9, "Enter": 13, "Space": 32, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40}
