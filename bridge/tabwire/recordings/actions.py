"""Actions of a recorded run: the acts of a log, or the steps of a recording, as every printer reads them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tabwire.commands import WIRE
from tabwire.commands.declaration import Command
from tabwire.commands.replay import Act, Secret, comment
from tabwire.commands.secret_shapes import MASK

_COMMANDS = {command.method: command for command in WIRE}

WITHHELD = re.compile(r"\[\d+ characters\]")
"""Placeholder for text that the log did not keep."""


def is_withheld(text: Any) -> bool:
    """Whether a value was not kept, or not all of it."""
    return isinstance(text, str) and (WITHHELD.fullmatch(text) is not None or MASK in text)


@dataclass(frozen=True)
class Action:
    """An act of a run."""

    act: Act

    @property
    def method(self) -> str:
        """Wire method."""
        return str(self.act.get("method", ""))

    @property
    def command(self) -> type[Command] | None:
        """Declaration of the method; None where no script can repeat it."""
        found = _COMMANDS.get(self.method)
        return found if found is not None and found.replay is not None else None

    @cached_property
    def params(self) -> dict[str, Any]:
        """Parameters, with the value that a recording has kept back as a `Secret`."""
        params = dict(self.act.get("params") or {})
        return {**params, "value": Secret.named(self.act["variable"])} if self.act.get("variable") else params

    @property
    def reason(self) -> str:
        """Reason that the client gave, in one line; "" for none."""
        return comment(self.act["reason"]) if self.act.get("reason") else ""

    @property
    def tab(self) -> int | None:
        """Tab in which it was done."""
        return self.act.get("tab")

    @property
    def target(self) -> Mapping[str, Any] | None:
        """Element on which it was done."""
        return self.act.get("target")

    @property
    def opened(self) -> tuple[int, ...]:
        """Tabs that it has opened, by their numbers in the recorded run."""
        return tuple(tab["tabId"] for tab in (self.act.get("observed") or {}).get("new_tabs", ()))

    @property
    def arrived(self) -> str:
        """Address at which the tab was afterwards; "" where it stayed, or where the address was not kept."""
        url = ((self.act.get("observed") or {}).get("url") or {}).get("to", "")
        return "" if is_withheld(url) else str(url)

    @property
    def lost(self) -> str:
        """Comment in place of an action that cannot be repeated."""
        return f"{self.method} {comment(json.dumps(self.params, ensure_ascii=False))}: has no counterpart here"


def acts_in(events: Iterable[Mapping[str, Any]]) -> Iterator[Act]:
    """The acts of a log that were done, and the waits that they relied on; the first of a call has the client's reason."""
    for event in events:
        if event.get("event") == "call" and event.get("outcome") == "done":
            for act in (*event.get("acts", ()), *event.get("waits", ())):
                yield {**act, "reason": event["reason"]} if event.get("reason") else act
