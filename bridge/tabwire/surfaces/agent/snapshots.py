"""Snapshots as tools give them: within a budget, continued by a cursor, or as the changes since the last one."""

from __future__ import annotations

import json
from typing import Any

from tabwire.commands.declaration import Act, Command
from tabwire.commands.results import ObservedResult
from tabwire.commands.snapshot import DEFAULT_MAX_CHARS, Snapshot
from tabwire.errors import InvalidArgument
from tabwire.middleware.limits import MAX_RESULT_BYTES
from tabwire.surfaces.context import Context
from tabwire.surfaces.shared.snapshot_budget import fit
from tabwire.surfaces.shared.snapshot_changes import changes, worded
from tabwire.surfaces.tool import Answer, Run, ToolCall
from tabwire.wire.text_provenance import Words


async def run_snapshot(call: ToolCall) -> Answer:
    """A snapshot, the rest of a cut one, or what changed since the last."""
    command: Snapshot = call.parameters
    snapshots = call.context.snapshots
    if command.cursor is not None:
        return await _continued(call.context, command.cursor, command.max_chars)
    result = await call.context.send(command)
    browser = (await call.context.browser()).id
    text, tab = result["snapshot"], result["tabId"]
    before = snapshots.last(browser, tab)
    if _is_whole(command):
        snapshots.remember(browser, tab, text)
        if command.diff and before is not None:
            text = changes(before, text)
    return {**result, **_fitted(call.context, browser, text, command.max_chars)}


async def _continued(context: Context, cursor: str, max_chars: int) -> Answer:
    """The rest of a cut snapshot. No browser is asked; one that is named must be the snapshot's own."""
    browser, text = context.snapshots.rest(cursor)
    if context.target.named is not None and (await context.browser()).id != browser:
        raise InvalidArgument(f"the cursor {cursor!r} continues a snapshot of another browser; leave `browser` out")
    return _fitted(context, browser, text, max_chars)


async def run_act(call: ToolCall, **replaced: Any) -> Answer:
    """An act; with `diff`, also what changed in its tab since the last snapshot. `replaced` overrides wire parameters."""
    command: Act = call.parameters
    if not command.diff:
        return await call.context.send(call.parameters, **replaced)
    tab, before = await _baseline(call.context, command)
    result: ObservedResult = await call.context.send(call.parameters, **replaced)
    if "dialog" in result["effects"]:
        return result
    now, after = await _whole(call.context, result["tabId"])
    text = changes(before, after) if now == tab else after
    return {**result, "diff": worded(fit(text, DEFAULT_MAX_CHARS).text)}


async def _baseline(context: Context, command: Act) -> tuple[int, str]:
    """The last snapshot of the act's tab, taken now if there is none."""
    browser = (await context.browser()).id
    tab: int | None = getattr(command, "tabId", None) or context.snapshots.current.get(browser)
    last = None if tab is None else context.snapshots.last(browser, tab)
    return await _whole(context, tab) if tab is None or last is None else (tab, last)


async def _whole(context: Context, tab: int | None) -> tuple[int, str]:
    result = await context.send(Snapshot(tabId=tab))
    context.snapshots.remember((await context.browser()).id, result["tabId"], result["snapshot"])
    return result["tabId"], result["snapshot"]


def _is_whole(command: Snapshot) -> bool:
    """Only snapshots of the same kind can be compared."""
    return command.params() == Snapshot(tabId=command.tabId).params()


def _budget(text: str, max_chars: int) -> int:
    """The budget asked for, or what a client's limit leaves."""
    escaped = len(json.dumps(text, ensure_ascii=False).encode())
    return min(max_chars, int(len(text) * MAX_RESULT_BYTES * 0.96 / escaped)) if escaped > MAX_RESULT_BYTES * 0.96 else max_chars


def _fitted(context: Context, browser: str, text: str, max_chars: int) -> dict[str, object]:
    max_chars = _budget(text, max_chars)
    fitted = fit(text, max_chars)
    if not fitted.notes:
        return {"snapshot": worded(fitted.text)}
    said = f"Cut to {max_chars:,} characters: {', '.join(fitted.notes)}"
    if not fitted.rest:
        return {"snapshot": Words(worded(fitted.text), f"\n\n{said}; selector shows a part in full")}
    cursor = context.snapshots.keep(browser, fitted.rest)
    advice = f'\n\n{said}; continue with snapshot {{"cursor": "{cursor}"}}'
    return {"snapshot": Words(worded(fitted.text), advice), "cursor": cursor}


RUNS: dict[type[Command], Run] = {Snapshot: run_snapshot}
