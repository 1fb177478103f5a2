"""The text of PDFs, read in a process that can be ended whatever a file makes of the library that reads it."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio

PROGRAM = Path(__file__).with_name("program.py")
GRACE_S = 3.0
"""Time for the start of the process and the hand-over, after which it is ended from here."""

MISSING = (
    'the text of this PDF, which needs the Python package pypdf: run `pip install "tabwire[pdf]"` and start the server again'
)
ENCRYPTED = "the text of this PDF, which is protected by a password (use screenshot)"
SCANNED = "text of this PDF: its pages are pictures without any (use screenshot)"
LATE = "the text of this PDF, which takes too long to read (use screenshot)"


@dataclass(frozen=True, slots=True)
class PdfText:
    """The text of a PDF, of its first pages alone where there was no time for all of them."""

    title: str = ""
    count: int = 0
    pages: Sequence[str] = ()
    left_out: str = ""
    """The part that is not shown, and why."""


async def read_pdf(body: bytes, seconds: float) -> PdfText:
    """The text of a file. One that cannot be read has none, and says why."""
    if find_spec("pypdf") is None:
        return PdfText(left_out=MISSING)
    said = await _said(body, seconds)
    problem = said[-1].get("problem") if said else None
    if problem == "encrypted":
        return PdfText(left_out=ENCRYPTED)
    if not said or "pages" not in said[0]:
        return PdfText(left_out=f"the text of this PDF, which cannot be read: {said[-1]['cause']}" if said else LATE)
    pages = [one["text"] for one in said[1:] if "text" in one]
    return PdfText(said[0]["title"], said[0]["pages"], pages, _left_out(pages, said[0]["pages"], said[-1].get("cause", "")))


def _left_out(pages: Sequence[str], count: int, cause: str) -> str:
    if len(pages) < count:
        first, why = len(pages) + 1, f"which cannot be read: {cause}" if cause else "for which there was no time"
        return f"pages {first} to {count}, {why}" if first < count else f"page {count}, {why}"
    return "" if any(page.strip() for page in pages) else SCANNED


async def _said(body: bytes, seconds: float) -> list[dict[str, Any]]:
    """Lines of the process until it ended, by its watch or by ours."""
    task = json.dumps({"path": [entry for entry in sys.path if entry], "seconds": seconds}).encode()
    with anyio.move_on_after(seconds + GRACE_S):
        # Isolated: nothing of the user's Python settings is run; packages are those of this process.
        done = await anyio.run_process([sys.executable, "-I", "-S", str(PROGRAM)], input=task + b"\n" + body, check=False)
        return [json.loads(line) for line in done.stdout.splitlines()]
    return []
