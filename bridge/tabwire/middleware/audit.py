"""Rule: every call is in the event log, with what was asked, what was decided and what was seen. It changes no reply."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from anyio import get_cancelled_exc_class

from tabwire.errors import Cancelled, InvalidArgument, PermissionDenied, TabLeased, TabwireError, UnknownCommand, UnknownError
from tabwire.eventlog.redaction import kept_arguments, kept_url, masked
from tabwire.eventlog.writer import EventLog
from tabwire.tool import Middleware, ToolCall, ToolResult, Witness

REFUSALS = frozenset(error.code for error in (InvalidArgument, PermissionDenied, TabLeased, UnknownCommand))
"""Failures that are decisions: nothing was done."""

_EFFECTS: Mapping[str, Callable[[Any], Any]] = {
    "url": lambda change: {end: kept_url(str(change.get(end, ""))) for end in ("from", "to")},
    "navigated": bool,
    "navigation_error": str,
    "loading": lambda url: kept_url(str(url)),
    "new_tabs": lambda tabs: [{"tabId": tab.get("tabId"), "url": kept_url(str(tab.get("url", "")))} for tab in tabs],
    "closed": bool,
    "downloads": lambda files: [masked(str(file.get("filename") or file.get("url", ""))) for file in files],
    "dialog": lambda dialog: dialog.get("type"),
    "answered": len,
    "mutations": int,
    "events": int,
    "requests": int,
}
"""What of the observed effects is kept: that and where something happened, not what a page says."""


_SAID = ("session", "reason")
"""Arguments that are facts about the call itself."""


def audit(log: EventLog) -> Middleware:
    """The rule, for one log: a line after each call, and one before an act, so that an act is known whose bridge is killed."""

    async def rule(call: ToolCall, call_next: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
        seen = Witness()
        call.context = replace(call.context, witness=seen)
        asked, arguments = _asked(call), call.arguments
        if call.tool.effect == "act":
            log.append({"event": "act_started", **asked, "arguments": kept_arguments(asked["tool"], asked["effect"], arguments)})
        started = time.perf_counter()
        code = UnknownError.code
        try:
            result = await call_next()
            code = ""
            return result
        except TabwireError as error:
            code = error.code
            raise
        except get_cancelled_exc_class():
            code = Cancelled.code
            raise
        finally:
            kept = kept_arguments(asked["tool"], asked["effect"], arguments, is_plain=seen.is_plain)
            milliseconds = round((time.perf_counter() - started) * 1000, 1)
            log.append({"event": "call", **asked, "arguments": kept, **_seen(seen), **_outcome(code), "ms": milliseconds})

    return rule


def _asked(call: ToolCall) -> dict[str, Any]:
    """Who asks for what."""
    client = call.context.engine.reception.client
    given = {name: masked(value) for name in _SAID if isinstance(value := call.arguments.get(name), str)}
    return {"client": client, "surface": call.toolset.name, "tool": call.tool.name, "effect": call.tool.effect, **given}


def _seen(seen: Witness) -> dict[str, Any]:
    about = seen.about
    url = str(about.get("url", ""))
    effects = {name: keep(seen.effects[name]) for name, keep in _EFFECTS.items() if name in seen.effects}
    facts = {
        "browser": seen.browser,
        "tab": about.get("tabId"),
        "url": kept_url(url),
        "target": about.get("target"),
        "observed": effects,
    }
    return {name: value for name, value in facts.items() if value not in (None, "", {})}


def _outcome(code: str) -> dict[str, Any]:
    if not code:
        return {"decision": "allowed", "outcome": "done"}
    return {"decision": "refused" if code in REFUSALS else "allowed", "outcome": code}
