"""Addresses that hold data (`data:`): a reply says their kind and their length, in place of thousands of letters."""

import re
from typing import Any

LONGEST = 200
"""Characters of such an address that a reply shows as they are."""

_ADDRESS = re.compile(
    r"\b(?P<kind>data:[\w.+-]*(?:/[\w.+-]+)?)(?:;[\w=.+-]+)*,"
    rf"[^\s\"'<>()\[\]\\\ue000-\uf8ff…]{{{LONGEST},}}(?:… \((?P<length>[\d,]+) characters\))?",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"(?P<kind>data:[\w.+-]*(?:/[\w.+-]+)?)[;,]\S.*?(?:… \((?P<length>[\d,]+) characters\))?", re.IGNORECASE)
_EXACT = frozenset({"value", "image", "base64"})
"""Members of results that are exact."""


def shortened(text: str) -> str:
    """The text with long addresses of this kind as `data:image/png… (12,345 characters)`."""
    if len(text) <= LONGEST or "data:" not in text.lower():
        return text
    whole = _WHOLE.fullmatch(text)
    # Such an address may hold a document, with blanks and quotation marks.
    return _brief(whole) if whole else _ADDRESS.sub(_brief, text)


def _brief(found: re.Match[str]) -> str:
    return f"{found['kind']}… ({found['length'] or f'{len(found[0]):,}'} characters)"


def shortened_within(value: Any) -> Any:
    """A result in which the texts are shortened, but for exact values."""
    if isinstance(value, str):
        return shortened(value)
    if isinstance(value, dict):
        return {name: member if name in _EXACT else shortened_within(member) for name, member in value.items()}
    return [shortened_within(member) for member in value] if isinstance(value, list) else value
