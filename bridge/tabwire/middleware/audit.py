"""Rule: every call is in the event log, with what was asked, what was decided and what was seen. It changes no reply."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from anyio import get_cancelled_exc_class

from tabwire.errors import (
    Cancelled,
    InvalidArgument,
    PermissionDenied,
    StoppedByUser,
    TabLeased,
    TabwireError,
    UnknownCommand,
    UnknownError,
)
from tabwire.eventlog.redaction import kept_arguments, kept_url, masked
from tabwire.eventlog.writer import EventLog
from tabwire.tool import Middleware, Sent, ToolCall, ToolResult

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
        call.context = replace(call.context, sent=[])
        sent, arguments, asked = call.context.sent, call.arguments, _asked(call)
        if call.tool.effect == "act":
            log.append({"event": "act_started", **asked, "arguments": kept_arguments(asked["tool"], asked["effect"], arguments)})
        started = time.perf_counter()
        code, refused = UnknownError.code, False
        try:
            result = await call_next()
            code = ""
            return result
        except TabwireError as error:
            code, refused = error.code, _is_refusal(error)
            raise
        except get_cancelled_exc_class():
            code = Cancelled.code
            raise
        finally:
            acts = [one for one in sent if one.command.effect == "act"]
            is_plain = bool(acts) and all(act.is_plain for act in acts)
            log.append(
                {
                    "event": "call",
                    **asked,
                    "arguments": kept_arguments(asked["tool"], asked["effect"], arguments, is_plain=is_plain),
                    **_place(sent[-1] if sent else None),
                    **({"acts": [_act(act) for act in acts]} if acts else {}),
                    **_outcome(code, refused),
                    "ms": round((time.perf_counter() - started) * 1000, 1),
                }
            )

    return rule


def _asked(call: ToolCall) -> dict[str, Any]:
    """Who asks for what."""
    client = call.context.engine.reception.client
    given = {name: masked(value) for name in _SAID if isinstance(value := call.arguments.get(name), str)}
    return {"client": client, "surface": call.toolset.name, "tool": call.tool.name, "effect": call.tool.effect, **given}


def _place(sent: Sent | None) -> dict[str, Any]:
    """Where the call was at work when it began there."""
    if sent is None:
        return {}
    url = sent.about.get("url")
    return {"browser": sent.browser, **({"url": kept_url(str(url))} if url else {})}


def _act(act: Sent) -> dict[str, Any]:
    """One act as the browser was asked for it, and what it is known to have caused."""
    command, effects = act.command, act.result.get("effects") or {}
    kept = {
        "method": command.method,
        "params": kept_arguments(command.tool, command.effect, command.params(), is_plain=act.is_plain),
        "tab": act.about.get("tabId"),
        "target": act.about.get("target"),
        "opened": act.result.get("tabId") if command.scope == "browser" else None,
        "observed": {name: keep(effects[name]) for name, keep in _EFFECTS.items() if name in effects},
    }
    return {name: value for name, value in kept.items() if value not in (None, {})}


def _is_refusal(error: TabwireError) -> bool:
    """Whether nothing was done because somebody decided so; a pause refuses what a stop cuts short."""
    return error.code in REFUSALS or (isinstance(error, StoppedByUser) and error.data.get("cause") == "paused")


def _outcome(code: str, refused: bool) -> dict[str, Any]:
    if not code:
        return {"decision": "allowed", "outcome": "done"}
    return {"decision": "refused" if refused else "allowed", "outcome": code}
