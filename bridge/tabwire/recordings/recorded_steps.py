"""Steps that a person has recorded, as acts that the printers read."""

from typing import Any
from urllib.parse import urlsplit

from tabwire.commands.steps import RecordedStep


def as_act(step: RecordedStep, *, has_fingerprint: bool) -> dict[str, Any]:
    """A step as tests are written of it: most name their elements by selectors alone, without a fingerprint."""
    act = _lasting(step)
    target = act.get("target")
    if has_fingerprint or not target:
        return act
    return {**act, "target": {key: value for key, value in target.items() if key != "fingerprint"}}


def _lasting(step: RecordedStep) -> dict[str, Any]:
    """A step whose observed address is one that it has again the next time: not one of a session or of a new record."""
    act: dict[str, Any] = dict(step)
    observed = dict(act.get("observed") or {})
    if "url" in observed and not _is_lasting(observed["url"]["to"]):
        del observed["url"]
    return {**act, "observed": observed}


def _is_lasting(url: str) -> bool:
    parts = urlsplit(url)
    is_named = not any(letter.isdigit() for letter in parts.path)
    return parts.scheme in ("http", "https") and not parts.query and not parts.fragment and is_named
