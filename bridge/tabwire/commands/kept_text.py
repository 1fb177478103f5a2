"""Texts and addresses as the event log keeps them: without what has the shape of a secret."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from tabwire.commands.secret_shapes import MASK, mask_text

MAX_TEXT = 2_000
"""Longer texts are cut."""
_LOOKED_AT = 4 * MAX_TEXT
"""Only so much is searched for secrets: a search through megabytes would hold up every other call."""

_SECRET_NAME = re.compile(
    r"pass(word|wd|phrase|code)?$|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|^(auth|authorization|code|jwt|key|"
    r"otp|sid|sig|signature|state|credentials?)$|session[-_]?(id|key)|sessid",
    re.IGNORECASE,
)
_LITERAL = r"""(?:"[^"]*"?|'[^']*'?|`[^`]*`?)"""
_ASSIGNED = r"""\b[\w.-]*(?:password|passwd|secret|token)[\w"'\]]*\s*[=:]\s*"""
_ASSIGNMENTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"(\bcookie\s*=\s*){_LITERAL}", re.IGNORECASE), rf"\1{MASK}"),
    (re.compile(rf"({_ASSIGNED}){_LITERAL}", re.IGNORECASE), rf"\1{MASK}"),
)
"""Matches in scripts that clients send."""


def masked(text: str) -> str:
    """A text without what has the shape of a secret, cut."""
    length, text = len(text), mask_text(text[:_LOOKED_AT])
    for assigned, rest in _ASSIGNMENTS:
        text = assigned.sub(rest, text)
    is_whole = length <= _LOOKED_AT and len(text) <= MAX_TEXT
    return text if is_whole else f"{text[:MAX_TEXT]}… ({length:,} characters)"


def kept_url(url: str) -> str:
    """A URL without user, password, and the values of parameters that are named like secrets."""
    try:
        parts = urlsplit(url[:_LOOKED_AT])
        host = parts.netloc.rpartition("@")[2]
        query = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return masked(url)
    if any(_SECRET_NAME.search(name) for name, _ in query):
        shown = urlencode([(name, MASK if _SECRET_NAME.search(name) else value) for name, value in query], safe="[]/:,")
    else:
        shown = parts.query
    fragment = MASK if "=" in parts.fragment and _SECRET_NAME.search(parts.fragment.partition("=")[0]) else parts.fragment
    return masked(urlunsplit((parts.scheme, host, parts.path, shown, fragment)))
