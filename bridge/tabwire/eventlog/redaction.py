"""What of a call's arguments may be kept. Text that a client gives to a page is not, unless it is known where it went.

The rule denies: a string is kept because its argument is on a list, never because it is not on one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from tabwire.commands.declaration import Effect
from tabwire.commands.secret_shapes import MASK, mask_text
from tabwire.eventlog.scripts import kept_script

MAX_TEXT = 2_000
"""Longer texts are cut."""

TYPED = frozenset({"text", "value", "fill_value", "key", "prompt_text"})
"""What is typed or chosen: kept when its element is known to hold no secret."""

CLOSED = frozenset({"args", "body", "cookies", "form_data", "headers", "json", "modify", "response"})
"""Containers of what the client sends: not looked into."""

SCRIPTS = frozenset({"code", "expression", "function", "script"})
"""JavaScript: kept without the texts in it."""

SECRET_TOOLS: Mapping[str, frozenset[str]] = {"cookies": frozenset({"value"}), "storage": frozenset({"value"})}
"""Reading tools that take a value as well."""

FACTS = frozenset(
    """accuracy action attribute behavior block button by color_scheme cursor device direction domain domain_filter element
    elements filename files filter folder for forced_colors format handler instance_id label latitude level
    load_state locale longitude media method mime_type mode modifiers name network_throttle origin origins parent_folder path
    pattern permissions position profile query reason reduced_motion ref return route_id same_site save_path
    search_engine_url selector session source sourceElement sourceRef state target targetElement targetRef timezone title type url
    url_pattern wait_for wait_until width height""".split()
)
"""Strings that say where and how."""

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
"""In scripts that clients send."""


def kept_arguments(tool: str, effect: Effect, arguments: Mapping[str, Any], *, is_plain: bool = False) -> dict[str, Any]:
    """A copy without what must not be stored.

    Args:
        effect: what a tool that only reads is given is no page's secret.
        is_plain: whether the element that took typed text is known to be neither a password nor a one-time code.
    """
    return {name: _kept(tool, effect, name, value, is_plain) for name, value in arguments.items()}


def _kept(tool: str, effect: Effect, name: str, value: Any, is_plain: bool) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if name in CLOSED or name in SECRET_TOOLS.get(tool, ()):
        return _withheld(value)
    if isinstance(value, Mapping):
        return {str(key): _kept(tool, effect, str(key), member, is_plain) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_kept(tool, effect, name, member, is_plain) for member in value]
    text = str(value)
    if name in SCRIPTS:
        return kept_script(text)
    if name in FACTS or effect == "read" or (name in TYPED and (is_plain or _is_named_key(name, text))):
        return kept_url(text) if "://" in text[:64] else masked(text)
    return _withheld(text)


def _is_named_key(name: str, text: str) -> bool:
    """Enter, Control+a: not a character of a text."""
    return name == "key" and len(text) > 1


def _withheld(value: Any) -> str:
    return f"[{len(value)} characters]" if isinstance(value, str) else "[withheld]"


def masked(text: str) -> str:
    """A text without what has the shape of a secret, cut."""
    text = mask_text(text)
    for assigned, rest in _ASSIGNMENTS:
        text = assigned.sub(rest, text)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… ({len(text):,} characters)"


def kept_url(url: str) -> str:
    """A URL without user, password, and the values of parameters that are named like secrets."""
    try:
        parts = urlsplit(url)
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
