"""JavaScript of a client without the texts in it: a script that logs in holds the password."""

import re
from collections.abc import Iterator
from functools import lru_cache

LITERAL = re.compile(r'"\[(\d+) (characters|digits)\]"')
"""Placeholder in a kept script for each of its texts and longer numbers."""

MAX_SCRIPT = 4_000
"""Characters of the longest script that is kept; for a longer one only the length is."""

MIN_DIGITS = 3

_PIECE = re.compile(
    r"""
    (?P<comment>//[^\n\r\u2028\u2029]*|/\*.*?\*/)
    | (?P<text>"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'|`(?:[^`\\$]|\\.|\$(?!\{))*`)
    | (?P<number>\.?\d[\w$.]*)
    | (?P<code>[^\W\d][\w$]*|[^\w"'`/.]+|\.)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_UNSURE = re.compile(r"<!--|-->")
"""Comments of their own kind, in which a quotation mark means nothing."""


class _Unsure(Exception):
    """The next part of the script is not known."""


@lru_cache(maxsize=4)
def kept_script(source: str) -> str:
    """The script without comments, and with its length in place of each text, and of each number of `MIN_DIGITS` digits or more.

    One that cannot be taken apart with certainty is kept by its length alone: a slash may divide, or begin an expression in
    which a quotation mark begins no text. There is no hash: with all else known, a short secret could be found by trying.
    """
    try:
        return "".join(_kept(source)).strip()
    except _Unsure:
        return f"[{len(source)} characters]"


def _kept(source: str) -> Iterator[str]:
    if len(source) > MAX_SCRIPT or _UNSURE.search(source):
        raise _Unsure
    at = 0
    while at < len(source):
        piece = _PIECE.match(source, at)
        if piece is None:
            raise _Unsure
        at, text = piece.end(), piece.group()
        match piece.lastgroup:
            case "text":
                yield f'"[{len(text) - 2} characters]"'
            case "number" if sum(character.isdigit() for character in text) >= MIN_DIGITS:
                yield f'"[{len(text)} digits]"'
            case "comment":
                yield " "
            case _:
                yield text
