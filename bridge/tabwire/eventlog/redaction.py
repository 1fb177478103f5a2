"""The part of a call's arguments that may be kept. Text for a page is withheld, unless its element is known to hold no secret.

The rule denies: a string is kept because the declaration of its field says so, never because it says nothing.
"""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from tabwire.commands.declaration import Effect
from tabwire.commands.kept_text import kept_url, masked
from tabwire.commands.privacy import Kept, Privacy
from tabwire.eventlog.scripts import kept_script


def kept_arguments(
    fields: Mapping[str, Kept], effect: Effect, arguments: Mapping[str, Any], *, is_plain: bool = False
) -> dict[str, Any]:
    """A copy without what must not be stored.

    Args:
        fields: what the tool or command declares of its arguments. Text under another name is withheld.
        effect: what a tool that only reads is given is no page's secret.
        is_plain: whether the element that took typed text is known to be neither a password nor a one-time code.
    """
    return {str(name): _kept(fields.get(name, _UNDECLARED), effect, value, is_plain) for name, value in arguments.items()}


_UNDECLARED = Kept(Privacy.UNKNOWN)


def _kept(declared: Kept, effect: Effect, value: Any, is_plain: bool) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if declared.text is Privacy.CLOSED:
        return _withheld(value)
    if isinstance(value, Mapping):
        return kept_arguments(declared.fields, effect, value, is_plain=is_plain)
    if isinstance(value, list | tuple):
        return [_kept(declared, effect, member, is_plain) for member in value]
    text = str(value)
    if declared.text is Privacy.SCRIPT:
        return kept_script(text)
    if text in declared.values or _is_kept(declared.text, effect, text, is_plain):
        return kept_url(text) if "://" in text[:64] else masked(text)
    return _withheld(text)


def _is_kept(privacy: Privacy, effect: Effect, text: str, is_plain: bool) -> bool:
    match privacy:
        case Privacy.FACT | Privacy.CALL_FACT:
            return True
        case Privacy.UNKNOWN:
            return False
        case Privacy.KEY if len(text) > 1:
            return True
        case Privacy.TYPED | Privacy.KEY:
            return is_plain or effect == "read"
    return effect == "read"


def _withheld(value: Any) -> str:
    return f"[{len(value)} characters]" if isinstance(value, str) else "[withheld]"
