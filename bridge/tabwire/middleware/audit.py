"""Rule: every call is in the event log, with what was asked, what was decided and what was seen. It changes no reply."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from anyio import get_cancelled_exc_class

from tabwire.commands.declaration import BROWSER_ARGUMENT
from tabwire.commands.kept_text import kept_url, masked
from tabwire.commands.privacy import Kept, Privacy, fields_of, logged_of
from tabwire.commands.results import Effects
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
from tabwire.eventlog.redaction import kept_arguments
from tabwire.eventlog.writer import EventLog
from tabwire.surfaces.context import Sent
from tabwire.surfaces.tool import Middleware, Next, ToolCall, ToolResult

REFUSALS = frozenset(error.code for error in (InvalidArgument, PermissionDenied, TabLeased, UnknownCommand))
"""Failures that are decisions: nothing was done."""

MAX_NAME = 100
"""Characters that are kept of the name of an unknown tool."""


def audit(log: EventLog) -> Middleware:
    """The rule, for one log: a line after each call, and one before an act, so that an act is known whose bridge is killed."""

    # Of the calls of one process: what tells which act it was that began and did not end.
    numbers = count(1)
    reported = ""

    def noted(call: ToolCall, result: ToolResult) -> ToolResult:
        """The reply, with the problem of the log if no earlier reply has reported it."""
        nonlocal reported
        problem, known, reported = log.problem, reported, log.problem or ""
        return call.toolset.replies.note(result, _unlogged(problem)) if problem and problem != known else result

    async def rule(call: ToolCall, call_next: Next) -> ToolResult:
        call.context = call.context.for_call()
        sent, arguments, fields = call.context.sent, call.arguments, {BROWSER_ARGUMENT: Kept(), **call.tool.kept}
        asked = {"call": next(numbers), **_asked(call)}
        if call.tool.effect == "act":
            kept = kept_arguments(fields, asked["effect"], arguments)
            log.append({"event": "act_started", **asked, "arguments": kept, **call.noted})
        # Also for tools that act with some arguments only, whose line comes after the call.
        call.context = replace(call.context, unlogged=log.problem)
        started = time.perf_counter()
        code, refused = UnknownError.code, False
        try:
            result = await call_next()
            code = ""
        except TabwireError as error:
            code, refused = error.code, _is_refusal(error)
            raise
        except get_cancelled_exc_class():
            code = Cancelled.code
            raise
        finally:
            acts = [one for one in sent if one.command.effect == "act"]
            waits = [one for one in sent if one.command.effect == "read" and type(one.command).replay]
            is_plain = bool(acts) and all(act.is_plain for act in acts)
            log.append(
                {
                    "event": "call",
                    **asked,
                    "arguments": kept_arguments(fields, asked["effect"], arguments, is_plain=is_plain),
                    **_place(call, sent[-1] if sent else None),
                    **({"acts": [_act(act) for act in acts]} if acts else {}),
                    **({"waits": [_act(wait) for wait in waits]} if waits else {}),
                    **call.noted,
                    **_outcome(code, refused),
                    "ms": round((time.perf_counter() - started) * 1000, 1),
                }
            )
        return noted(call, result)

    return rule


def _unlogged(problem: str) -> str:
    return f"{problem}. Calls are in no log until that is mended; tell the user"


async def required(call: ToolCall, call_next: Next) -> ToolResult:
    """Rule: if a log is required, refuse an act while the log cannot be written.

    Raises:
        PermissionDenied: the log cannot be written.
    """
    if call.intent != "read" and (problem := call.context.unlogged):
        raise PermissionDenied(
            f"{problem}, and [log] required of config.toml allows no act without one; nothing was done.",
            next_step="Ask the user to fix that. Calls that only read still work.",
        )
    return await call_next()


Refused = Callable[[str, str, Any, str], None]
"""Callback with the client, the name of the tool, what it was given, and the error code."""


def refusals(log: EventLog, surface: str) -> Refused:
    """Calls that reach no tool are decisions as well: of an unknown one, or malformed.

    Args:
        surface: its name.
    """

    def refused(client: str, tool: str, arguments: Any, code: str) -> None:
        given = kept_arguments({}, "act", arguments) if isinstance(arguments, Mapping) else {}
        asked = {"client": client, "surface": surface, "tool": masked(tool)[:MAX_NAME], "arguments": given}
        log.append({"event": "call", **asked, **_outcome(code, refused=True)})

    return refused


def _asked(call: ToolCall) -> dict[str, Any]:
    """Fields of an entry that say who asks for what."""
    client = call.client or call.context.engine.reception.client
    noted = [name for name, declared in call.tool.kept.items() if declared.text is Privacy.CALL_FACT]
    given = {name: masked(value) for name in noted if isinstance(value := call.arguments.get(name), str)}
    return {"client": client, "surface": call.toolset.name, "tool": call.tool.name, "effect": call.tool.effect, **given}


def _place(call: ToolCall, sent: Sent | None) -> dict[str, Any]:
    """Fields of an entry that say where the call was when it began its work: its browser and URL."""
    url = sent.about.get("url") if sent else next(reversed(call.context.visited), None)
    return {**({"browser": sent.browser} if sent else {}), **({"url": kept_url(str(url))} if url else {})}


def _act(act: Sent) -> dict[str, Any]:
    """Fields of one act as the browser was asked for it, and what it is known to have caused."""
    command, effects = act.command, act.result.get("effects") or {}
    kept = {
        "method": command.method,
        "params": kept_arguments(fields_of(type(command)), command.effect, command.params(), is_plain=act.is_plain),
        "tab": act.about.get("tabId"),
        "target": act.about.get("target"),
        "opened": act.result.get("tabId") if command.scope == "browser" else None,
        "observed": {name: mark.keep(effects[name]) for name, mark in logged_of(Effects).items() if name in effects},
    }
    return {name: value for name, value in kept.items() if value not in (None, {})}


def _is_refusal(error: TabwireError) -> bool:
    """Whether nothing was done because somebody decided so; a pause refuses what a stop cuts short."""
    return error.code in REFUSALS or (isinstance(error, StoppedByUser) and error.data.get("cause") == "paused")


def _outcome(code: str, refused: bool) -> dict[str, Any]:
    if not code:
        return {"decision": "allowed", "outcome": "done"}
    return {"decision": "refused" if refused else "allowed", "outcome": code}
