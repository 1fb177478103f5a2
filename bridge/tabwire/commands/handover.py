"""Asking the person in the browser. Ours: the agent spec has no such tool."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from tabwire.commands.declaration import MAX_TOLD, Returns, TabReading
from tabwire.commands.results import Effects, TabResult
from tabwire.commands.types import Milliseconds

MAX_QUESTION = 1_000
MAX_CHOICE = 100
MAX_CHOICES = 10
DEFAULT_WAIT_MS = 45_000
"""Some clients give up on a call after 60 s, whatever it reports meanwhile."""
LOOK_MS = 8_000
"""Time kept for the page to load and for looking at it once the person has answered."""


class AskUserResult(TabResult):
    """The answer, and what the person did: `filled` names the fields, `before` and `after` are snapshots."""

    outcome: Literal["waiting", "answered", "chosen", "done", "declined"]
    done: str
    answer: NotRequired[str]
    effects: NotRequired[Effects]
    filled: NotRequired[list[str]]
    before: NotRequired[str]
    after: NotRequired[str]
    note: NotRequired[str]


class Ask(
    TabReading,
    Returns[AskUserResult],
    method="handover.ask",
    bound=10 * MAX_TOLD,
    tool="ask_user",
    core=("question", "choices", "please_do", "timeout", "tabId"),
    title="Ask the user",
    past="Asked you",
    page="none",
    reply="act",
    idempotent=True,
    shows=("question",),
):
    """Ask the person at the browser, or have them log in, solve a CAPTCHA, pay. Call again to go on waiting."""

    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION)]
    choices: list[Annotated[str, Field(min_length=1, max_length=MAX_CHOICE)]] | None = None
    please_do: Annotated[bool, Field(description="They do it in the tab, then press Done")] = False
    timeout: Annotated[Milliseconds, Field(description="Longest wait of this call; the question stays open")] = DEFAULT_WAIT_MS

    def check(self) -> None:
        if not self.question.strip():
            raise ValueError("question is empty; say what you ask")
        if self.choices and self.please_do:
            raise ValueError("choices and please_do exclude each other: what is to be done is answered by Done or by No")
        if self.choices is not None and not 2 <= len(set(self.choices)) == len(self.choices) <= MAX_CHOICES:
            raise ValueError(f"choices are 2 to {MAX_CHOICES} different texts")

    def deadline_ms(self) -> int:
        """The wait, and time to look at what came of it."""
        return int(self.timeout) + LOOK_MS


PURPOSE = "ask the person at the browser"

COMMANDS = (Ask,)
