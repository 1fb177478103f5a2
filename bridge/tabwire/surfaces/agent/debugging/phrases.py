"""Phrases that the replies of debugging share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from tabwire.surfaces.tool import Answer, Run, ToolCall
from tabwire.text.provenance import PageText, Words, joined

KB = 1000


def tells(written: Callable[[Any, Any], Words]) -> Run:
    """A tool that sends its command and writes the answer for a reader, given the command and the answer."""

    async def run(call: ToolCall) -> Answer:
        result = await call.context.send(call.parameters)
        return {**result, "snapshot": written(call.parameters, result)}

    return run


def count_of(number: int, noun: str) -> str:
    """A number with its noun, whose plural ends in s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def size_of(size: float) -> str:
    """A number of bytes."""
    return f"{size:g} B" if size < KB else f"{size / KB:.1f} kB" if size < KB * KB else f"{size / KB / KB:.1f} MB"


def cut(address: str, most: int) -> str:
    """An address of at most so many characters; its end tells more than its middle."""
    return address if len(address) <= most else f"{address[: most // 2]}…{address[-most // 2 :]}"


def built_of(one: Mapping[str, object]) -> str:
    """The place in what runs, where that is not the place in the source."""
    return f" [{one['built']}]" if "built" in one else ""


def page_text(lines: Sequence[str]) -> list[str]:
    """Lines in which a page speaks, as one text; nothing where there are none."""
    return [PageText("\n".join(lines))] if lines else []


def foot_of(result: Mapping[str, object]) -> list[str]:
    """Notes below a reply: what could not be told, in words of ours but for names of scripts."""
    notes = [PageText(note) for note in cast(list[str], result.get("notes", []))]
    dropped, barred = result.get("dropped"), result.get("barred")
    return [
        *([f"{dropped} older ones were dropped to make room"] if dropped else []),
        *([f"{barred} of sites that are not allowed are left out"] if barred else []),
        *([Words("Note: ", joined("; ", notes))] if notes else []),
    ]
