"""A recorded run as a Selenium script in Python: what was done, with locators that do not depend on our references."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from tabwire.commands.replay import Act, Secret
from tabwire.eventlog.scripts import LITERAL
from tabwire.recordings.actions import WITHHELD, Action, acts_in, is_withheld


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


def script_of(acts: Iterable[Act]) -> str:
    """The whole script for acts of the log, or for steps that were recorded, which look like them."""
    made = Script()
    for act in acts:
        _add(made, Action(act))
    template = files("tabwire.recordings").joinpath("selenium_template.py.txt").read_text("utf-8")
    needs = "".join(f"    {name}\n" for name in made.secrets) or "    (none)\n"
    lines = made.lines if any(not line.startswith("#") for line in made.lines) else [*made.lines, "pass"]
    body = "".join(f"    {line}\n" for line in lines)
    return template.replace("@NEEDS@\n", needs).replace("    @BODY@\n", body)


def _add(made: Script, action: Action) -> None:
    if action.reason:
        made.lines.append(f"# {action.reason}")
    command = action.command
    if command is None or command.replay is None:
        made.lines.append(f"# {action.lost}")
        return
    if command.scope == "tab":
        _switch(made, action.tab)
    made.lines += command.replay(made, action.act, action.params)
    for tab in action.opened:
        made.tabs.add(tab)
        made.lines.append(f"run.opened({tab})")
    if action.arrived:
        made.lines.append(f"run.at({action.arrived!r})")


def _switch(made: Script, tab: int | None) -> None:
    if tab is None or tab == made.tab:
        return
    made.lines.append(f"run.tab({tab})")
    made.tab = tab
