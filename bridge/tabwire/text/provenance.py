"""Provenance of the text in a reply: words of ours and words of a page in one text.

`Words` and `PageText` are strings: what does not care who speaks sees the plain text. Only the `fence` rule sets marks between
the two. A renderer says once, where it puts a text together, what of it comes from a page; nothing finds that out by looking.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, Self

BEGIN, END = "\ue010", "\ue011"
"""Marks that the extension puts around a page's text in its own sentences. A page cannot: such characters of it are escaped."""

_QUOTED = re.compile(f"{BEGIN}([^{END}]*){END}?")
_MARKS = re.compile(f"[{BEGIN}{END}]")
SMUGGLED = re.compile(
    "[\u202a-\u202e\u2061-\u2064\u2066-\u206f\ufff9-\ufffb\U000e0000-\U000e0fff]+|[\u200b-\u200f\u2060\ufeff]{2,}"
)
"""Characters that no one sees and that text in good faith has no use for: they turn words around or carry hidden ones."""

_LINE_ENDS = re.compile(f"[\x7f-\x9f\u2028\u2029{BEGIN}{END}]")
_NOT_AS_IS = re.compile(f"[\x7f-\x9f\u2028\u2029{BEGIN}{END}]|{SMUGGLED.pattern}")
"""Characters that JSON leaves as they are and that a reply must not contain: ends of lines, marks, and invisible ones."""


class PageText(str):
    """Text that comes from a page, or that may."""

    __slots__ = ()


class Quoted(PageText):
    """A fact of a page as JSON: an address, a title, what a field holds. Where it is short, quotation marks are fence enough."""

    __slots__ = ()

    def __new__(cls, value: Any) -> Self:
        written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return super().__new__(cls, _LINE_ENDS.sub(_escaped, written))


def exact(written: str) -> str:
    """JSON text that says the same value without characters that a reply must not contain."""
    return _NOT_AS_IS.sub(_escaped, written)


def without_marks(text: str) -> str:
    """A page's text with the characters of our marks as escapes."""
    return _MARKS.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0]).strip('"') if found[0] != "\x7f" else "\\u007f"


class Words(str):
    """A text of several parts, in which those of a page are `PageText`."""

    parts: tuple[str, ...]

    def __new__(cls, *parts: str) -> Self:
        flat = tuple(part for given in parts for part in parts_of(given) if part)
        text = super().__new__(cls, "".join(flat))
        text.parts = flat
        return text


def parts_of(text: str) -> tuple[str, ...]:
    """Parts that a text is made of; a plain one is its own only part."""
    return text.parts if isinstance(text, Words) else (text,)


def joined(separator: str, texts: Iterable[str]) -> Words:
    """Join texts as `separator.join(texts)` does, knowing still who says what."""
    parts: list[str] = []
    for text in texts:
        parts += [*([separator] if parts else []), text]
    return Words(*parts)


def received(text: Any) -> Any:
    """A sentence of the extension, as `Words` where it quotes a page. What is no text stays what it is."""
    if not isinstance(text, str) or BEGIN not in text:
        return text
    own = _QUOTED.split(text)
    return Words(*(PageText(part) if index % 2 else unmarked(part) for index, part in enumerate(own)))


def unmarked(text: str) -> str:
    """The text without the extension's marks."""
    return _MARKS.sub("", text) if BEGIN in text or END in text else text
