"""Provenance of the text in a reply: words of ours and words of a page in one text.

`Words` and `PageText` are strings: what does not care who speaks sees the plain text. Only the `fence` rule sets marks between
the two. A renderer says once, where it puts a text together, what of it comes from a page; nothing finds that out by looking.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, Self

BEGIN, END = "\ue010", "\ue011"
"""Marks that the extension puts around a page's text in its own sentences. A page cannot: such characters of it are dropped."""

_QUOTED = re.compile(f"{BEGIN}([^{END}]*){END}?")
_MARKS = re.compile(f"[{BEGIN}{END}]")
_LINE_ENDS = re.compile("[\x7f-\x9f\u2028\u2029]")
"""Characters that JSON leaves as they are and that readers may take for the end of a line."""


class PageText(str):
    """Text that comes from a page, or that may."""

    __slots__ = ()


class Quoted(PageText):
    """A fact of a page as JSON: an address, a title, what a field holds. Where it is short, quotation marks are fence enough."""

    __slots__ = ()

    def __new__(cls, value: Any) -> Self:
        written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return super().__new__(cls, _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", written))


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
