"""Lines of a snapshot: their size in tokens, and long ones in pieces."""

import re
from collections.abc import Iterator

from pydantic_core import to_json

PIECE = 1_000
"""Characters of a line, beyond which it goes on in lines of its own."""
SHORT = 160
"""Characters of a name that is so long that the reference behind it would be in a later piece."""

MAX_REF = 20
"""Characters of a reference as it is written."""

REF = re.compile(r"\[ref=(@e\d+)\]")
"""A reference in the form that is specified; no page can write one."""
SHORT_REF = re.compile(r" (@e\d+)")
"""A reference in a text of which `with_short_refs` has taken what only looks like one."""

_TOKEN = re.compile(
    r"[A-Za-z\u00c0-\u024f]{1,6}|[0-9]{1,3}|[\u0370-\u06ff]{1,2}|[^\x00-\u06ff]|[^\sA-Za-z0-9\u00c0-\U0010ffff]{1,3}|\n"
)
_INDENT = re.compile(" *")
_NAME_END = re.compile(r'" (?:\[ref=)?@e\d+\]?')
_REF_OR_LIKE = re.compile(rf" {REF.pattern}|@(?=e\d)")


def tokens(text: str) -> int:
    """Estimate of the o200k tokens of a snapshot: 4 % too few at worst, a third too many in some scripts."""
    return len(_TOKEN.findall(text))


def indent_of(line: str) -> int:
    """The spaces before a line: its depth."""
    return len(line) - len(line.lstrip())


def json_bytes(text: str) -> int:
    """The bytes of a text in a reply."""
    return len(to_json(text)) - 2


def with_short_refs(text: str) -> str:
    """A snapshot with references as ` @e1` in place of ` [ref=@e1]`. Words of the page that look like one are written apart.

    Its head, which ends at the first empty line, says the address, and stays as it is.
    """
    head, gap, tree = text.partition("\n\n") if "\n\n" in text else ("", "", text)
    return head + gap + _REF_OR_LIKE.sub(lambda found: f" {found[1]}" if found[1] else "@ ", tree)


def pieces(line: str) -> list[str]:
    """A line, or its beginning and what follows as lines of their own below it."""
    if len(line) <= PIECE:
        return [line]
    indent = _INDENT.match(line)
    below = f"{indent[0] if indent else ''}  - … "
    ref = _NAME_END.search(line, PIECE // 2 - MAX_REF)
    rest = []
    if ref:
        end = line.rfind(" ", SHORT // 2, SHORT) + 1 or SHORT
        rest = list(_broken(line[end : ref.start()]))
        line = f"{line[:end]}…{line[ref.start() :]}"
    first, *more = _broken(line)
    return [f"{first}…" if more else first, *(below + part for part in [*rest, *more])]


def _broken(text: str) -> Iterator[str]:
    """A text in pieces that come to the whole text: after a blank where it has any, and never within an escape."""
    while len(text) > PIECE:
        end = text.rfind(" ", PIECE // 2, PIECE - 1) + 1 or PIECE
        end -= (end - len(text[:end].rstrip("\\"))) % 2
        yield text[:end]
        text = text[end:]
    yield text
