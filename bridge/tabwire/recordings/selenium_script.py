"""A recorded run as a Selenium script in Python: what was done, with locators that do not depend on our references."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from tabwire.commands import WIRE
from tabwire.commands.replay import Act, Secret, comment
from tabwire.commands.secret_shapes import MASK
from tabwire.eventlog.scripts import LITERAL

_COMMANDS = {command.method: command for command in WIRE}

WITHHELD = re.compile(r"\[\d+ characters\]")
"""Placeholder for text that the log did not keep."""


def is_withheld(text: Any) -> bool:
    """Whether a value was not kept, or not all of it."""
    return isinstance(text, str) and (WITHHELD.fullmatch(text) is not None or MASK in text)


@dataclass
class Script:
    """The lines so far, and what they rely on."""

    lines: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    """Names of environment variables, in the order of use."""
    tab: int | None = None
    tabs: set[int] = field(default_factory=set)

    def value(self, text: Any) -> str:
        """The Python expression for text that was typed; one that was not kept comes from the environment."""
        if isinstance(text, Secret):
            return self.secret(text)
        return self.secret() if is_withheld(text) else repr(text)

    def secret(self, name: str = "") -> str:
        """The Python expression for what was not kept."""
        name = str(name) or str(Secret.named(f"VALUE_{len(self.secrets) + 1}"))
        if name not in self.secrets:
            self.secrets.append(name)
        return f"os.environ[{name!r}]"

    def javascript(self, source: str) -> str:
        """The Python expression for a script; its texts come from the environment."""
        if WITHHELD.fullmatch(source):
            return self.secret()
        parts, at = [], 0
        for found in LITERAL.finditer(source):
            secret = self.secret()
            parts += [repr(source[at : found.start()]), secret if found[2] == "digits" else f"json.dumps({secret})"]
            at = found.end()
        return " + ".join(part for part in [*parts, repr(source[at:])] if part != "''") or "''"


def script(events: Iterable[Mapping[str, Any]]) -> str:
    """The whole script.

    Args:
        events: of the log, in order. Only acts that were done are repeated; what cannot be is a comment in its place.
    """
    return script_of(acts_in(events))


def acts_in(events: Iterable[Mapping[str, Any]]) -> Iterator[Act]:
    """The acts of a log that were done, and the waits that they relied on; the first of a call has the client's reason."""
    for event in events:
        if event.get("event") == "call" and event.get("outcome") == "done":
            for act in (*event.get("acts", ()), *event.get("waits", ())):
                yield {**act, "reason": event["reason"]} if event.get("reason") else act


def script_of(acts: Iterable[Act]) -> str:
    """The whole script for acts of the log, or for steps that were recorded, which look like them."""
    made = Script()
    for act in acts:
        _add(made, act)
    template = files("tabwire.recordings").joinpath("selenium_template.py.txt").read_text("utf-8")
    needs = "".join(f"    {name}\n" for name in made.secrets) or "    (none)\n"
    lines = made.lines if any(not line.startswith("#") for line in made.lines) else [*made.lines, "pass"]
    body = "".join(f"    {line}\n" for line in lines)
    return template.replace("@NEEDS@\n", needs).replace("    @BODY@\n", body)


def _add(made: Script, act: Act) -> None:
    method = str(act.get("method", ""))
    command = _COMMANDS.get(method)
    params = params_of(act)
    if act.get("reason"):
        made.lines.append(f"# {comment(act['reason'])}")
    if command is None or command.replay is None:
        made.lines.append(f"# {method} {comment(json.dumps(params, ensure_ascii=False))}: has no counterpart here")
        return
    if command.scope == "tab":
        _switch(made, act)
    made.lines += command.replay(made, act, params)
    observed = act.get("observed") or {}
    for tab in observed.get("new_tabs", ()):
        made.tabs.add(tab["tabId"])
        made.lines.append(f"run.opened({tab['tabId']})")
    if (url := (observed.get("url") or {}).get("to")) and MASK not in url:
        made.lines.append(f"run.at({url!r})")


def params_of(act: Act) -> dict[str, Any]:
    """The parameters of an act, with the value that a recording has kept back as a `Secret`."""
    params = dict(act.get("params") or {})
    return {**params, "value": Secret.named(act["variable"])} if act.get("variable") else params


def _switch(made: Script, act: Act) -> None:
    tab = act.get("tab")
    if tab is None or tab == made.tab:
        return
    made.lines.append(f"run.tab({tab})")
    made.tab = tab
