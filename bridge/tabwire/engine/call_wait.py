"""The wait for one call: its time on this side, why it takes long, and who hears of questions to the person."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import anyio

from tabwire.engine.questions import ASKED_EVENT, SETTLED_EVENT, Question, asker

DEADLINE_GRACE_S = 1.0
"""The extension keeps the time of a call and answers with a better message; this side ends it a little later."""


class WaitReason:
    """The reason why a call takes long, for its client; "" where it is just at work."""

    def __init__(self) -> None:
        self.text = ""


_reason: ContextVar[WaitReason | None] = ContextVar("tabwire_wait_reason", default=None)


@contextmanager
def told_in(reason: WaitReason) -> Iterator[None]:
    """Calls made in here say in `reason` what they wait for."""
    token = _reason.set(reason)
    try:
        yield
    finally:
        _reason.reset(token)


def wait_reason() -> WaitReason:
    """The place in which a call that is made now says what it waits for."""
    return _reason.get() or WaitReason()


class CallWait:
    """The wait for the answer to one call. Its time is paused while the person is asked, as in the extension.

    Args:
        browser_id: The browser that was asked.
        timeout_ms: The extension's time for the call; this side waits a moment more.
    """

    def __init__(self, browser_id: str, timeout_ms: int) -> None:
        self._browser_id = browser_id
        self._limit_s = timeout_ms / 1000
        self._asker = asker()
        self._reason = wait_reason()
        self.scope = anyio.CancelScope(deadline=self._deadline(0))

    def _deadline(self, wait_s: float) -> float:
        return anyio.current_time() + wait_s + self._limit_s + DEADLINE_GRACE_S

    @property
    def left_ms(self) -> int:
        """The time that a browser which is asked again has for it."""
        left_s = self.scope.deadline - DEADLINE_GRACE_S - anyio.current_time()
        return max(1, round(min(left_s, self._limit_s) * 1000))

    def hear(self, browser_id: str, method: str, params: Mapping[str, Any]) -> None:
        """The extension asks the person, or has stopped asking."""
        if browser_id != self._browser_id:
            return
        if method == SETTLED_EVENT:
            self._reason.text = ""
            self.scope.deadline = self._deadline(0)
        elif method == ASKED_EVENT and (question := Question.read(browser_id, params)):
            self._reason.text = f"waiting for the user to answer in the browser ({question.what}, {question.where})"
            self.scope.deadline = self._deadline(question.wait_s)
            if self._asker:
                self._asker(question)
