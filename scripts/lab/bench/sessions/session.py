"""A client that makes one call for each step, so that a session has the same calls in every version of Tabwire."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model import CONTROL, told_controls

from e2e.client import Line, Reply, Tabwire

ACT_LIMIT_MS = 20_000
PAUSE_MS = 2_000
Name = str | re.Pattern[str]


class StepFailed(Exception):
    """The session cannot go on: the message says at which call, and why."""


@dataclass(frozen=True)
class Call:
    """A call, and the reply as it travels: its text, and its structured content as JSON or ""."""

    tool: str
    arguments: dict[str, Any]
    text: str
    structured: str


class RecordingTabwire(Tabwire):
    """A client that keeps the replies as they travel."""

    text = structured = ""

    async def _call(self, tool: str, arguments: dict[str, Any], hear: Any = None) -> Reply:
        result = await self.client.call_tool(tool, arguments, progress_callback=hear)
        self.text = "\n".join(part.text for part in result.content if part.type == "text")
        content = result.structured_content
        self.structured = "" if content is None else json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        return Reply.of(result)


class Session:
    """The calls of a session. Elements are found by role and name in the latest snapshot, and in what acts told since then."""

    def __init__(self, server: RecordingTabwire, transcript: Path) -> None:
        self._server = server
        self._transcript = transcript
        self._transcript.write_text("")
        self._lines: list[Line] = []
        self._told: list[tuple[str, str]] = []
        self.calls: list[Call] = []

    def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Makes a call that must succeed."""
        reply = self._server.call(tool, **arguments)
        call = Call(tool, arguments, self._server.text, self._server.structured)
        self.calls.append(call)
        with self._transcript.open("a") as file:
            file.write(
                f">>> {len(self.calls)} {tool} {json.dumps(arguments)}\n{call.text}\n--- structured: {call.structured}\n\n"
            )
        if reply.is_error:
            raise StepFailed(f"call {len(self.calls)}, {tool} {json.dumps(arguments)[:120]}: {reply.text[:300]}")
        self._told += CONTROL.findall(reply.text)
        return reply

    def look(self, **arguments: Any) -> None:
        """Takes a snapshot; what was known before counts no more, unless a part of the page was asked for."""
        lines = [Line(row) for row in self.call("snapshot", **arguments).text.splitlines() if row.lstrip().startswith("- ")]
        self._lines = lines + (self._lines if arguments.keys() & {"selector", "diff"} else [])
        self._told = []

    def ref(self, roles: str, name: Name = "", nth: int = 0) -> str:
        """The ref of an element of one of these roles, whose name is this one or fits the pattern."""
        wanted = roles.split("|")
        found = [ref for role in wanted for words, ref in told_controls(self._told, role) if _fits(name, words)]
        found += [line.ref for line in self._lines if line.ref and line.role in wanted and _fits(name, line)]
        if len(found) > nth:
            return found[nth]
        near = [str(line) for line in self._lines if line.role in wanted]
        raise StepFailed(f"after call {len(self.calls)}: no {roles} {name!r}; there are {near[:8]}")

    def on(self, tool: str, roles: str, name: Name = "", nth: int = 0, **arguments: Any) -> Reply:
        """Acts on an element."""
        return self.call(tool, selector=self.ref(roles, name, nth), timeout=ACT_LIMIT_MS, **arguments)

    def click(self, roles: str, name: Name = "", nth: int = 0, **arguments: Any) -> Reply:
        return self.on("click", roles, name, nth, **arguments)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.call("press", key=key)

    def type(self, text: str) -> None:
        """Types where the focus is."""
        self.call("type", text=text)

    def wait(self, text: str, seconds: float = 40) -> None:
        """Waits for a text on the page."""
        self.call("wait", text=text, timeout=int(seconds * 1000), **{"for": "text"})

    def pause(self) -> None:
        """Waits for a moment, where a page fades something in or reads a list again."""
        self.call("wait", duration=PAUSE_MS, **{"for": "timeout"})

    def find(self, role: str, name: str) -> None:
        """Asks for an element by role and name, and keeps its ref for the next act."""
        reply = self.call("query", by="role", value=role, options={"name": name})
        found = re.search(r"@e\d+", reply.text)
        if found is None:
            raise StepFailed(f"call {len(self.calls)}: no {role} {name!r}: {reply.text[:200]}")
        self._told.insert(0, (f"{role} {name}", found[0]))


def _fits(wanted: Name, found: Line | str) -> bool:
    name = found if isinstance(found, str) else found.name
    if isinstance(wanted, re.Pattern):
        return bool(wanted.search(name or (found.text if isinstance(found, Line) else "")))
    return wanted in ("", name)
