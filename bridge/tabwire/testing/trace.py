"""Trace of a test: every call with the page after it, as one HTML page that needs nothing else.

Reads are told as they were answered; after everything else the page is looked at: as a picture, as a snapshot, and for what it
has logged since. Calls of Selenium are not seen.
"""

from __future__ import annotations

import base64
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabwire.testing.calls import Call, tells_secrets
from tabwire.testing.methods import toolset
from tabwire.testing.reply import Reply

if TYPE_CHECKING:
    from tabwire.testing.client import Tabwire

LIMIT_S = 5.0
"""Seconds for each thing that is asked of a browser that may hang."""
MAX_STEPS = 300
"""Number of steps that are kept; the oldest are forgotten first."""
MAX_REPLY_CHARS = 20_000
# The depth makes it another kind of snapshot than those with which the test's own `diff` compares.
SNAPSHOT = {"depth": 1_000, "max_chars": 100_000}
PICTURE = {"format": "jpeg", "quality": 50}


@dataclass(slots=True)
class Step:
    """Call of the test and the page after it."""

    call: Call
    reply: str
    snapshot: str = ""
    picture: bytes = b""
    console: list[dict[str, Any]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """Names of what could not be had, with the reasons."""


class Trace:
    """The steps of one browser from now on.

    Args:
        tabwire: the browser; its log of calls stays as it is.
    """

    def __init__(self, tabwire: Tabwire) -> None:
        self.steps: deque[Step] = deque(maxlen=MAX_STEPS)
        self._tabwire = tabwire
        self._known: set[str] = set()
        tabwire.on_call = self._note

    def stop(self) -> None:
        """Look no more."""
        self._tabwire.on_call = None

    def save(self, path: Path, title: str) -> Path:
        """Write the page; returns its path.

        Args:
            path: a file, in a folder that is made if it is not there.
            title: the name of the test.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(title, list(self.steps)), encoding="utf-8")
        return path

    def _note(self, call: Call, arguments: dict[str, Any], reply: Reply | None) -> None:
        is_secret = tells_secrets(call.tool, arguments)
        told = call.outcome if reply is None or is_secret else reply.text[:MAX_REPLY_CHARS]
        step = Step(call, told)
        self.steps.append(step)
        tool = toolset().by_name.get(call.tool)
        if tool is None or (tool.effect == "read" and call.error is None):
            return
        step.requests = list((reply.effects if reply is not None else {}).get("requests", []))
        for name, value in (("snapshot", self._snapshot), ("picture", self._picture), ("console", self._console)):
            try:
                setattr(step, name, value())
            except Exception as error:
                step.missing.append(f"{name}: {error}")

    def _snapshot(self) -> str:
        return self._tabwire.look("snapshot", limit_s=LIMIT_S, **SNAPSHOT).text

    def _picture(self) -> bytes:
        return self._tabwire.look("screenshot", limit_s=LIMIT_S, **PICTURE).image.content

    def _console(self) -> list[dict[str, Any]]:
        """Messages that no earlier step has told."""
        messages = self._tabwire.look("console", limit_s=LIMIT_S).data.get("messages", [])
        new = [one for one in messages if json.dumps(one, sort_keys=True) not in self._known]
        self._known.update(json.dumps(one, sort_keys=True) for one in new)
        return new


def page(title: str, steps: list[Step]) -> str:
    """The page: a list of the steps, each of which opens."""
    template = files("tabwire.testing").joinpath("trace_page.html.txt").read_text("utf-8")
    body = "\n".join(_step(number, step) for number, step in enumerate(steps, 1)) or "<p>No calls were made.</p>"
    return template.replace("@TITLE@", escape(title)).replace("@STEPS@", body)


def _step(number: int, step: Step) -> str:
    call = step.call
    failed = call.error is not None
    head = (
        f"<summary><span>{number}</span> <code>{escape(call.tool)}({escape(call.arguments)})</code> "
        f"<small>{call.at:.2f} s, {call.elapsed_ms:.0f} ms</small></summary>"
    )
    # What failed is what the reader has come for.
    return f"<details{' open class=failed' if failed else ''}>{head}\n{''.join(_parts(step))}</details>"


def _parts(step: Step) -> Iterator[str]:
    yield _text("Reply" if step.call.error is None else "Error", step.reply)
    if step.picture:
        picture = base64.b64encode(step.picture).decode()
        yield f'<h3>Page afterwards</h3><img alt="Screenshot" src="data:image/jpeg;base64,{picture}">\n'
    if step.console:
        yield _text("Console", "\n".join(f"{one['level']:5} {one['text']}" for one in step.console))
    if step.requests:
        yield _text("Requests", "\n".join(json.dumps(one, ensure_ascii=False) for one in step.requests))
    if step.snapshot:
        yield f"<details><summary>Snapshot</summary>{_text('', step.snapshot)}</details>"
    if step.missing:
        yield _text("Could not be had", "\n".join(step.missing))


def _text(heading: str, text: str) -> str:
    title = f"<h3>{heading}</h3>" if heading else ""
    return f"{title}<pre>{escape(text)}</pre>\n"
