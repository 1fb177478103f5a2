"""Scripted sessions: the calls that an agent would make, of which later ones take words from earlier replies."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from servers.stdio_client import StdioClient

TRIES = 3
PAUSE_S = 1.0
"""Time between a reply that lacks something and the next look, as a client takes it to think."""
Take = Callable[[str], str | None]


@dataclass(frozen=True)
class Step:
    """A call; `{name}` in its arguments stands for a word that an earlier step has taken.

    Attributes:
        takes: Names, and what finds their words in the reply.
    """

    tool: str
    arguments: dict[str, Any]
    takes: dict[str, Take] = field(default_factory=dict)


@dataclass
class Heard:
    """Calls and replies of a session: (tool, arguments, text of the reply)."""

    calls: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    ended_because: str = ""

    @property
    def texts(self) -> list[str]:
        return [text for _, _, text in self.calls]


def run(client: StdioClient, steps: list[Step]) -> Heard:
    """Makes the calls. A reply that lacks what a later step needs is asked for again, up to three times; then it ends."""
    heard, words = Heard(), dict[str, str]()
    for step in steps:
        arguments = {name: _filled(value, words) for name, value in step.arguments.items()}
        for tried in range(TRIES):
            if tried:
                time.sleep(PAUSE_S)
            text = client.call(step.tool, arguments).text
            heard.calls.append((step.tool, arguments, text))
            taken = {name: take(text) for name, take in step.takes.items()}
            if None not in taken.values():
                break
        else:
            heard.ended_because = f"no {', '.join(taken)} in the reply of {step.tool}"
            return heard
        words |= {name: word for name, word in taken.items() if word is not None}
    return heard


def _filled(value: Any, words: dict[str, str]) -> Any:
    """The argument with the words in it; a word of digits alone becomes a number."""
    if not isinstance(value, str):
        return value
    for name, word in words.items():
        if value == f"{{{name}}}" and word.isdecimal():
            return int(word)
        value = value.replace(f"{{{name}}}", word)
    return value
