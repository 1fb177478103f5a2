"""State of the browser of a failed test: the calls so far, the page as text and as a picture, the console."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2s
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwire.testing.client import Tabwire
    from tabwire.testing.reply import Reply

LIMIT_S = 10.0
"""Seconds for each thing that is asked of a browser that may hang."""
MAX_SHOWN_CHARS = 6_000
MAX_SNAPSHOT_CHARS = 400_000
MAX_NAME = 100


@dataclass(frozen=True, slots=True)
class Artifact:
    """Finding about the browser of a failed test."""

    name: str
    """snapshot, screenshot, console or calls."""
    text: str
    """Text that a report shows; for a picture its size."""
    path: Path | None = None
    """The whole of it; None when it could not be had or written."""


class Folders:
    """A folder for each failure below one folder. What an earlier run left there of the same test is replaced.

    Args:
        root: need not exist.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._made: set[Path] = set()

    def new(self, test: str) -> Path:
        """A folder for a test, by its node id; it is made when something is written to it. Repeated tests have several."""
        name = re.sub(r"[^\w.\[\]-]+", "-", test).strip("-.")
        if len(name) > MAX_NAME:
            name = f"{name[:MAX_NAME]}-{blake2s(test.encode(), digest_size=4).hexdigest()}"
        folder, number = self._root / name, 1
        while folder in self._made:
            number += 1
            folder = self._root / f"{name}-{number}"
        self._made.add(folder)
        shutil.rmtree(folder, ignore_errors=True)
        return folder


def collect(tabwire: Tabwire, folder: Path) -> list[Artifact]:
    """Look at a browser and keep what is seen. Never raises for what cannot be had: the text says why.

    Args:
        tabwire: the browser; its log of calls stays as it is.
        folder: where files go; made if it is not there.
    """
    told = "\n".join(map(str, tabwire.calls)) or "none"
    found = [_kept("calls", folder / "calls.txt", told, from_end=True)]
    return found + [_look(tabwire, folder, *step) for step in _STEPS]


def _look(
    tabwire: Tabwire, folder: Path, name: str, arguments: dict[str, Any], keep: Callable[[str, Path, Reply], Artifact]
) -> Artifact:
    try:
        return keep(name, folder, tabwire.look(name, limit_s=LIMIT_S, **arguments))
    except Exception as error:
        return Artifact(name, f"could not be had: {error}")


def _snapshot(name: str, folder: Path, reply: Reply) -> Artifact:
    return _kept(name, folder / "snapshot.txt", reply.text)


def _screenshot(name: str, folder: Path, reply: Reply) -> Artifact:
    path = folder / "screenshot.png"
    folder.mkdir(parents=True, exist_ok=True)
    reply.image.save(path)
    return Artifact(name, f"{reply.text}: {path}", path)


def _console(name: str, folder: Path, reply: Reply) -> Artifact:
    messages = reply.data.get("messages", [])
    lines = (f"{one['level']:5} {one['text']}{_place(one)}" for one in messages)
    return _kept(name, folder / "console.txt", "\n".join(lines) or "nothing")


def _place(message: dict[str, Any]) -> str:
    return f"  ({message['source']})" if message.get("source") else ""


_STEPS: tuple[tuple[str, dict[str, Any], Callable[[str, Path, Reply], Artifact]], ...] = (
    ("snapshot", {"max_chars": MAX_SNAPSHOT_CHARS}, _snapshot),
    ("screenshot", {}, _screenshot),
    ("console", {}, _console),
)
"""Tool, its arguments, what to keep of its reply."""


def _kept(name: str, path: Path, text: str, *, from_end: bool = False) -> Artifact:
    """The whole text in a file, as much as a report bears beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n", encoding="utf-8")
    if len(text) <= MAX_SHOWN_CHARS:
        return Artifact(name, text, path)
    left = f"… {len(text) - MAX_SHOWN_CHARS:,} more characters in {path}"
    shown = f"{left}\n{text[-MAX_SHOWN_CHARS:]}" if from_end else f"{text[:MAX_SHOWN_CHARS]}\n{left}"
    return Artifact(name, shown, path)
