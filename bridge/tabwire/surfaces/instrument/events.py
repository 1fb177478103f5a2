"""The document's events of a session, made of the entries of the event log. No I/O."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

EventType = Literal[
    "session_created",
    "session_destroyed",
    "session_escalated",
    "navigate",
    "screenshot",
    "dom_read",
    "text_read",
    "console_read",
    "network_read",
    "click",
    "type",
    "execute",
    "error",
]

SESSION_ENDED = "session_ended"
"""The log's word for the end of a session that no call has asked for."""

TYPES: Mapping[str, EventType] = {
    "browser_session_create": "session_created",
    "browser_session_destroy": "session_destroyed",
    "browser_session_escalate": "session_escalated",
    "browser_inspect_navigate": "navigate",
    "browser_inspect_screenshot": "screenshot",
    "browser_inspect_dom": "dom_read",
    "browser_inspect_text": "text_read",
    "browser_inspect_console": "console_read",
    "browser_inspect_network": "network_read",
    "browser_act_click": "click",
    "browser_act_type": "type",
    "browser_act_execute": "execute",
}
"""Tool → the type of a call that did not fail. Listing sessions and reading events is in the log, and no event of a session."""

_WHERE = ("selector", "url")
"""Arguments of a call that failed which say what it was about."""
UNFINISHED = "begun; its end is not in the log, because the bridge ended: whether it was done is not known"


@dataclass(frozen=True, slots=True)
class Event:
    """An event with the fields of the instrument spec."""

    timestamp: str
    """End of the event, in UTC."""
    event_type: EventType
    session: str
    """Name of the session."""
    details: dict[str, Any] = field(default_factory=dict)
    reason: str | None = None

    def shown(self) -> dict[str, Any]:
        """Return the event as it is answered."""
        return asdict(self)


def event_of(entry: Mapping[str, Any]) -> Event | None:
    """The event that an entry of the log tells of; None for what is none."""
    read = _READERS.get(entry.get("event", ""))
    return read(entry) if read and "session_id" in entry else None


def _of_call(entry: Mapping[str, Any]) -> Event | None:
    details = dict(entry.get("details", {}))
    kind = TYPES.get(entry["tool"])
    if entry["outcome"] != "done":
        asked = {name: entry["arguments"][name] for name in _WHERE if entry["arguments"].get(name) is not None}
        return _event(entry, "error", {"tool": entry["tool"], **asked, "error": entry["outcome"], "decision": entry["decision"]})
    return None if kind is None else _event(entry, kind, details)


def _of_start(entry: Mapping[str, Any]) -> Event | None:
    """An act that began: an event as long as nothing is known of its end."""
    kind = TYPES.get(entry["tool"])
    return None if kind is None else _event(entry, kind, {"outcome": UNFINISHED})


def _of_end(entry: Mapping[str, Any]) -> Event:
    return _event(entry, "session_destroyed", {"cause": entry.get("cause", "")})


_READERS = {"call": _of_call, "act_started": _of_start, SESSION_ENDED: _of_end}


def _event(entry: Mapping[str, Any], kind: EventType, details: dict[str, Any]) -> Event:
    arguments = entry.get("arguments", {})
    name = entry.get("session") or arguments.get("name") or ""
    return Event(entry["time"], kind, str(name), details, entry.get("reason"))
