"""Cut a snapshot to a budget of characters: what is least useful goes first, and what went is said."""

import re
from dataclasses import dataclass

SHORT_TEXT = 160
"""Longer texts are shortened to this in the first stage."""


@dataclass(frozen=True)
class Form:
    """Form of a snapshot: one line an element."""

    text: re.Pattern[str]
    """Pattern of the beginning of a line that only holds text."""
    ref: str
    """Text that a line with a reference contains."""


TREE = Form(re.compile(r"^\s*- (?:text|paragraph|code|blockquote|strong|emphasis|time|caption|generic): "), "[ref=@")
HTML = Form(re.compile(r"^\s*(?:[^<\s]|<\w[^>]*>(?:[^<\s]|</))"), ' ref="')

MAX_DIFF_CHARS = 20_000
"""Characters of what an act changed, at most."""
FOOTER_ROOM = 300
"""Characters kept for saying what was cut."""


@dataclass(frozen=True)
class Fitted:
    """A snapshot within its budget."""

    text: str
    rest: str
    """Lines that a cursor continues with, under the same head; empty when nothing was cut off."""
    notes: tuple[str, ...]


def fit(text: str, max_chars: int, form: Form = TREE) -> Fitted:
    """Cut a snapshot to `max_chars` characters.

    In this order, each stage only if the one before was not enough: long texts are shortened, texts without a reference are left
    out from the end, the rest is cut at a line and can be continued.
    """
    if len(text) <= max_chars:
        return Fitted(text, "", ())
    room = max(max_chars - FOOTER_ROOM, 1)
    head, lines, foot = _parts(text)
    room -= len(head) + len(foot)
    notes: list[str] = []
    lines, shortened = _shorten(lines, room, form)
    if shortened:
        notes.append(f"{shortened} long texts shortened")
    lines, dropped = _drop_texts(lines, room, form)
    if dropped:
        notes.append(f"{dropped} texts left out")
    kept, rest = _split(lines, room)
    if rest:
        notes.append(f"{len(rest)} lines left")
    return Fitted(_joined(head, kept) + foot, _joined(head, rest) if rest else "", tuple(notes))


def _joined(head: str, lines: list[str]) -> str:
    return "\n".join([head, "", *lines])


def _parts(text: str) -> tuple[str, list[str], str]:
    """Head (page, viewport), the tree's lines, and the foot (what is not shown)."""
    head, _, body = text.partition("\n\n")
    tree, _, foot = body.partition("\n\n")
    return head, tree.splitlines(), f"\n\n{foot}" if foot else ""


def _size(lines: list[str]) -> int:
    return sum(map(len, lines)) + len(lines)


def _shorten(lines: list[str], room: int, form: Form) -> tuple[list[str], int]:
    size, shortened, result = _size(lines), 0, []
    for line in lines:
        limit = len(line) - len(line.lstrip()) + SHORT_TEXT
        if size > room and len(line) > limit and form.ref not in line[limit:]:
            size -= len(line) - limit - 1
            shortened += 1
            line = line[:limit] + "…"
        result.append(line)
    return result, shortened


def _drop_texts(lines: list[str], room: int, form: Form) -> tuple[list[str], int]:
    size, kept, dropped = _size(lines), [], 0
    for line in reversed(lines):
        if size > room and form.text.match(line) and form.ref not in line:
            size -= len(line) + 1
            dropped += 1
        else:
            kept.append(line)
    kept.reverse()
    return kept, dropped


def _split(lines: list[str], room: int) -> tuple[list[str], list[str]]:
    """Split the lines to fit; at least one line is kept, so that a continuation always gets on."""
    size = 0
    for index, line in enumerate(lines):
        size += len(line) + 1
        if size > room and index:
            return lines[:index], lines[index:]
    return lines, []
