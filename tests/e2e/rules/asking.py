"""A browser that asks its owner, the questions, and the answers of a person."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from e2e.cdp import CdpError, Page
from e2e.tabs.two_clients import TwoClients
from e2e.ui.hand import Hand
from e2e.ui.own_pages import QUESTION, read
from polling import until

BUTTONS = {
    "once": "Allow once",
    "hour": "Allow here for 1 hour",
    "site": "Allow on this site",
    "never": "Never here",
    "later": "Not now",
}
"""Answers and what their buttons say."""


class Asked(TwoClients):
    """A browser that asks about sensitive acts."""

    def window(self) -> Page:
        """The window with the questions, when it shows some."""
        page = self.chromium.browser.at(QUESTION)
        page.wait_for("document.querySelectorAll('#questions li').length > 0")
        return page

    def windows(self) -> int:
        return sum("question.html" in target["url"] for target in self.chromium.browser.targets("page"))

    def questions(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.person.ask("questions")["questions"]
        return found

    def answer(self, answer: str) -> None:
        """Clicks a button of the only question, as a person does who has read it."""
        page = self.window()
        find = f"document.querySelector('[data-answer={answer}]')"
        assert page.evaluate(f"{find}.textContent") in (BUTTONS[answer], "Never")
        read(page)
        # What is clicked before the window has closed is no answer to what it does not show any more.
        with suppress(CdpError, AssertionError):
            Hand(page).click(f"[data-answer={answer}]")
        until(lambda: not self.questions())

    def settle(self, answer: str) -> None:
        """Answers the only question as its buttons do."""
        (question,) = self.questions()
        self.person.ask("answerQuestion", id=question["id"], answer=answer)

    @contextmanager
    def in_view(self) -> Iterator[None]:
        """As if the side panel were open: no window opens for a question, until the worker ends."""
        self.person.page.evaluate("""chrome.windows.getLastFocused({ windowTypes: ["normal"] }).then(({ id }) => {
          globalThis.view = chrome.runtime.connect({ name: "handovers" });
          view.postMessage({ besideWindow: id });
          return chrome.runtime.sendMessage({ type: "handovers" });
        })""")
        try:
            yield
        finally:
            self.person.page.evaluate("view.disconnect()")

    def forget(self) -> None:
        for question in self.questions():
            self.person.ask("answerQuestion", id=question["id"], answer="later")
        told = self.person.ask("siteRules")
        for rule in told["rules"]:
            self.person.ask("forgetSite", pattern=rule["pattern"])
        for kept in told["answers"]:
            self.person.ask("setAnswer", site=kept["site"], kind=kept["kind"], answer="ask")
