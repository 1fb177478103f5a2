"""Recorded steps as command lines of a session, one after the other."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabwire.commands.line_spelling import declared, fields_of
from tabwire.commands.replay import Act, Secret
from tabwire.recordings.batch_file import words_of
from tabwire.recordings.pytest_test import lines_of
from tabwire.recordings.steps_file import steps_in, text_of
from tabwire.recordings.tool_calls import Called, calls_of

__all__ = ["Step", "prepared", "steps_in", "text_of"]


@dataclass(frozen=True)
class Step:
    """A step of a file."""

    act: dict[str, Any]
    """The step as it stands in the file; a repair changes its target."""
    calls: tuple[Called, ...]
    notes: tuple[str, ...] = field(default=())
    """Acts of it that cannot be done again, in words."""

    @property
    def line(self) -> str:
        """The step for people to read, without values that were not recorded."""
        return "; ".join(lines_of(self.act))

    @property
    def selector(self) -> str:
        """The selector of its element; "" where it has none."""
        return str((self.act.get("target") or {}).get("selector", ""))

    @property
    def fingerprint(self) -> Mapping[str, Any]:
        """The fingerprint of its element, empty where there is none."""
        return (self.act.get("target") or {}).get("fingerprint") or {}

    @property
    def opened(self) -> tuple[int, ...]:
        """Tabs that it has opened, by their numbers in the recording."""
        return tuple(number for call in self.calls for number in call.opened)

    def lines(self, selector: str, tab: int | None) -> list[list[str]]:
        """The command lines.

        Args:
            selector: where the element is found now.
            tab: id of the tab, where that is known.
        """
        found = [self._words(call, selector, tab) for call in self.calls]
        arrived = [call.arrived for call in self.calls if call.arrived and call.command.method != "navigation.navigate"]
        return [*found, *([*words_of("wait", {"for": "url", "url": url}), *_of_tab("wait", tab)] for url in arrived)]

    def _words(self, call: Called, selector: str, tab: int | None) -> list[str]:
        arguments = {name: os.environ[value] if isinstance(value, Secret) else value for name, value in call.arguments.items()}
        if selector and "selector" in arguments:
            arguments["selector"] = selector
        return [*words_of(call.command.tool, arguments), *_of_tab(call.command.tool, tab)]


def _of_tab(tool: str, tab: int | None) -> list[str]:
    has_tab = any(one.name == "tabId" for one in fields_of(declared(tool)))
    return [f"--tab-id={tab}"] if tab is not None and has_tab else []


def prepared(act: Act) -> Step:
    """A step that can be run.

    Raises:
        ValueError: a value of it is missing in the environment.
    """
    told = [*calls_of([act])]
    calls = tuple(one for one in told if isinstance(one, Called))
    for secret in (value for call in calls for value in call.arguments.values() if isinstance(value, Secret)):
        if secret not in os.environ:
            raise ValueError(f"the environment has no {secret}; set it to the value that was not recorded")
    return Step(dict(act), calls, tuple(one for one in told if isinstance(one, str)))
