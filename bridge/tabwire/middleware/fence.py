"""Rule: what a page says stands between marks that the page could not know. The only place that sets them.

    <page 482913>- button "Buy" [ref=@e1]</page 482913>

The number is drawn for each reply, after the page has spoken. Whatever looks like such a mark in the page's own words, with any
number or none, in any letters, is made harmless first.

Not fenced: short facts of a page that are JSON strings (`Quoted`) and replies that are JSON (the facade, structured results), in
which quotation marks and escapes are the fence, and the reader's text, in which each line of a page has its number before it and
titles are kept to one line.
"""

import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tabwire.surfaces.tool import Next, ToolCall, ToolResult
from tabwire.text.look_alikes import TAG, harmless
from tabwire.text.provenance import SMUGGLED, PageText, Quoted, Words, parts_of, without_marks

_NUMBERS = 10**6
"""Six digits cost two tokens; a page that guesses them gains nothing, because no mark of its own is let through."""

_MAX_QUOTED = 200
"""Characters of a fact that quotation marks alone set off; a longer one is fenced too."""


async def fence(call: ToolCall, call_next: Next) -> ToolResult:
    """Set the marks. Only surfaces whose specification leaves the wording open have this rule."""
    return fenced(await call_next())


def fenced(result: ToolResult) -> ToolResult:
    """The reply with its marks, in the text and in those texts of the structured result that are of several parts."""
    number = f"{secrets.randbelow(_NUMBERS):06d}"
    structured, facts = (None if members is None else _within(members, number) for members in (result.structured, result.facts))
    text = _written(result.text, number)
    left_out = sum(len(found[0]) for found in _smuggled(result.text))
    if left_out:
        text += f"\nLeft out: {left_out} invisible character{'s' if left_out > 1 else ''}"
    return replace(result, text=text, structured=structured, facts=facts)


def _smuggled(text: str) -> Iterator[re.Match[str]]:
    return iter(()) if text.isascii() else SMUGGLED.finditer(text)


def _visible(text: str) -> str:
    return text if text.isascii() else SMUGGLED.sub("", text)


def _within(value: Any, number: str) -> Any:
    """Texts made of parts get marks, all other strings are JSON: that fences them."""
    if isinstance(value, Words):
        return _written(value, number)
    if isinstance(value, str):
        return _in_json(value)
    if isinstance(value, dict):
        return {name: _within(member, number) for name, member in value.items()}
    return [_within(member, number) for member in value] if isinstance(value, list | tuple) else value


def _in_json(text: str) -> str:
    return without_marks(harmless(_visible(text), is_json=True))


def _written(text: str, number: str) -> str:
    written: list[str] = []
    spoken: list[str] = []
    for part in [*parts_of(text), ""]:
        is_quoted = isinstance(part, Quoted) and len(part) <= _MAX_QUOTED
        if isinstance(part, PageText) and not is_quoted:
            spoken.append(part)
            continue
        if spoken:
            _close(written, "".join(spoken), part, number)
            spoken = []
        written.append(_in_json(part) if is_quoted else part)
    return "".join(written)


def _close(written: list[str], spoken: str, after: str, number: str) -> None:
    """Add a page's words between marks: on lines of their own where they fill lines."""
    words = without_marks(harmless(_visible(spoken)))
    inner = words.strip("\n")
    if not inner:
        written.append(words)
        return
    starts_line = not written or written[-1].endswith("\n") or words.startswith("\n")
    ends_line = not after or after.startswith("\n") or words.endswith("\n")
    line = "\n" if "\n" in inner and starts_line and ends_line else ""
    before, behind = words[: len(words) - len(words.lstrip("\n"))], words[len(words.rstrip("\n")) :]
    written.append(f"{before}<{TAG} {number}>{line}{inner}{line}</{TAG} {number}>{behind}")
