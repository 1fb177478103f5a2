"""The MCP client as a model uses it: it reads snapshots, finds elements by role and name in their text, and acts on the refs."""

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from e2e.client import Line, Reply

CONTROL = re.compile(r"\[([^\[\]@]+) (@e\d+)\]")
"""A control that an act's reply tells: `[Save @e9]`, `[textbox Title @e7]`."""
UNSAID_ROLES = frozenset({"button", "link", "menuitem", "option", "tab"})
LOOKS = 4
LOOK_AGAIN_MS = 1500
Name = str | re.Pattern[str] | None


class Server(Protocol):
    """The tools of Tabwire, or of a peer under the same names."""

    def call(self, tool: str, /, **arguments: Any) -> Reply: ...


class Stuck(Exception):
    """The model cannot go on: the message is what went wrong."""


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    tool: str
    arguments: dict[str, Any]
    text: str
    is_error: bool
    seconds: float


def told_controls(told: list[tuple[str, str]], role: str) -> list[tuple[str, str]]:
    """Name and ref of the controls of a role among those that acts told, as `CONTROL` finds them."""
    names = [(words.removeprefix(f"{role} "), ref) for words, ref in told if words.startswith(f"{role} ")]
    return names + [(words, ref) for words, ref in told if role in UNSAID_ROLES]


class Model:
    """See the module docstring. ``calls`` are those of the task under way.

    A ref is looked up in the snapshot at hand; only when nothing there fits, or the call with it fails, is another one taken.
    """

    def __init__(self, server: Server, transcript: Path) -> None:
        self._server = server
        self._transcript = transcript
        self._lines: list[Line] = []
        self._told: list[tuple[str, str]] = []
        self.calls: list[Call] = []

    def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Do a call, failed or not."""
        started = time.perf_counter()
        reply = self._server.call(tool, **arguments)
        self.calls.append(Call(tool, arguments, reply.fenced, reply.is_error, time.perf_counter() - started))
        self._told = CONTROL.findall(reply.text)
        with self._transcript.open("a") as file:
            file.write(f">>> {tool} {json.dumps(arguments)}\n{'ERROR ' if reply.is_error else ''}{reply.fenced}\n\n")
        return reply

    def ok(self, tool: str, /, **arguments: Any) -> Reply:
        """A call that must succeed."""
        reply = self.call(tool, **arguments)
        if reply.is_error:
            raise Stuck(f"{tool} {json.dumps(arguments)[:120]}: {reply.text}")
        return reply

    # Reading.

    def look(self, **arguments: Any) -> str:
        """A fresh snapshot."""
        text = self.ok("snapshot", **arguments).text
        self._lines = [Line(row) for row in text.splitlines() if row.lstrip().startswith("- ")]
        return text

    def sees(self, role: str, name: Name = None) -> bool:
        """Whether the snapshot at hand has such an element."""
        return bool(self._found(role, name))

    def ref(self, role: str, name: Name = None, nth: int = 0, having: str = "") -> str:
        """The ref of an element, from the snapshot at hand or a fresh one; a page that is being built gets some time."""
        told = self._appeared(role, name) if nth == 0 and not having else []
        if told and not self._found(role, name):
            return told[0]
        for look in range(LOOKS):
            if len(self._found(role, name, having)) > nth:
                break
            if look:
                self.ok("wait", duration=LOOK_AGAIN_MS, **{"for": "timeout"})
            self.look()
        found = self._found(role, name, having)
        if len(found) > nth:
            return found[nth]
        near = [str(line) for line in self._lines if line.role == role]
        raise Stuck(f'no {role} "{name}" in the snapshot; it has {near[:6]}')

    def _found(self, role: str, name: Name, having: str = "") -> list[str]:
        lines = [line for line in self._lines if line.ref and line.role == role and having in line.text]
        return [line.ref for line in lines if fits(name, line.name)]

    def _appeared(self, role: str, name: Name) -> list[str]:
        """Controls of this role and name that the last reply told."""
        return [ref for words, ref in told_controls(self._told, role) if fits(name, words)]

    # Acting.

    def on(self, tool: str, role: str, name: Name = None, nth: int = 0, having: str = "", **arguments: Any) -> Reply:
        """An act on an element; when it is refused the model looks again and tries once more."""
        reply = self.call(tool, selector=self.ref(role, name, nth, having), **arguments)
        if not reply.is_error:
            return reply
        self.look()
        return self.ok(tool, selector=self.ref(role, name, nth, having), **arguments)

    def click(self, role: str, name: Name = None, nth: int = 0, **arguments: Any) -> Reply:
        return self.on("click", role, name, nth, **arguments)

    def fill(self, role: str, name: Name, value: str, nth: int = 0) -> Reply:
        return self.on("fill", role, name, nth, value=value)

    def type(self, text: str, **arguments: Any) -> Reply:
        """Types where the focus is."""
        return self.ok("type", text=text, **arguments)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.ok("press", key=key)

    def drag(self, source: tuple[Any, ...], target: tuple[Any, ...] | dict[str, float], **arguments: Any) -> Reply:
        """A drag from an element to an element or a point; both refs are of one snapshot."""
        ends: dict[str, Any] = {"target_coordinates": target} if isinstance(target, dict) else {"target": self.ref(*target)}
        return self.ok("drag", source=self.ref(*source), **ends, **arguments)

    def wait(self, text: str, seconds: float = 15) -> None:
        """Waits for a text on the page."""
        self.ok("wait", text=text, timeout=int(seconds * 1000), **{"for": "text"})

    def box(self, role: str, name: Name = None, nth: int = 0) -> dict[str, float]:
        """The box of an element, as a snapshot with bounds tells it."""
        text = self.ok("snapshot", include_bounds=True).text
        self._lines = [Line(row) for row in text.splitlines() if row.lstrip().startswith("- ")]
        ref = self.ref(role, name, nth)
        found = next((row for row in text.splitlines() if f"[ref={ref}]" in row), "")
        box = re.search(r"\[box=(-?[\d.]+),(-?[\d.]+),([\d.]+),([\d.]+)\]", found)
        if not box:
            raise Stuck(f"the snapshot tells no box: {found.strip()}")
        return dict(zip(("x", "y", "width", "height"), map(float, box.groups()), strict=True))


def fits(wanted: Name, name: str) -> bool:
    if isinstance(wanted, re.Pattern):
        return bool(wanted.search(name))
    return wanted in (None, name)
