"""The marks around what a page says in a reply: checked, and taken off."""

import re
from collections.abc import Iterator
from typing import Any

OPENING = re.compile(r"<page (\d{6})>")


class BadFence(AssertionError):
    """Marks that do not stand as they should."""


def spans(text: str) -> Iterator[tuple[bool, str]]:
    """The parts of a fenced text in order: whether a page says it, and what."""
    opening = OPENING.search(text)
    number = opening[1] if opening else None
    at = 0
    while opening := OPENING.search(text, at):
        if opening[1] != number:
            raise BadFence(f"two numbers in one reply: {text[:2000]!r}")
        closing = text.find(f"</page {number}>", opening.end())
        if closing < 0:
            raise BadFence(f"no end of what the page says: {text[:2000]!r}")
        yield False, text[at : opening.start()]
        yield True, text[opening.end() : closing]
        at = closing + len(f"</page {number}>")
    yield False, text[at:]


def unfenced(text: str) -> str:
    """The text without its marks.

    Raises:
        BadFence: they do not match, or something like a mark is left.
    """
    parts = []
    for is_page, part in spans(text):
        if re.search(r"<\s*/?\s*page[\s>]", part, re.IGNORECASE):
            raise BadFence(f"something like a mark is left in {part[:2000]!r}")
        parts.append(part[1:-1] if is_page and part.startswith("\n") and part.endswith("\n") else part)
    return "".join(parts)


def unfenced_within(value: Any, depth: int = 2) -> Any:
    """The same for the texts of a structured result."""
    if isinstance(value, str):
        return unfenced(value) if OPENING.search(value) else value
    if depth and isinstance(value, dict):
        return {name: unfenced_within(member, depth - 1) for name, member in value.items()}
    return value
