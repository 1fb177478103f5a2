"""Document 002: text a model reads, and the unified response (`success`, `data`, `error`) as structured content."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tabwire.errors import TabwireError
from tabwire.protocol.command import Command, Reply
from tabwire.responses.effects import observed, observed_of
from tabwire.tool import Image, ToolCall, ToolResult

Result = dict[str, Any]

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"success": {"type": "boolean"}, "error": {"type": "string"}},
    "required": ["success"],
}
"""The unified response. `data` is whatever the tool's text says."""


def respond(call: ToolCall, result: Result) -> ToolResult:
    """Word a result as its command's `reply` says."""
    command: Command = call.parameters
    reply = _REPLIES[command.reply](command, result)
    artifact = call.context.files.artifacts.at(Path(result["path"])) if "path" in result else None
    return _from(call, reply if artifact is None else replace(reply, saved=(artifact,)))


def _from(call: ToolCall, reply: ToolResult) -> ToolResult:
    """Where there are several browsers: which one this is from. Text says so where ids of tabs and references are first read."""
    browser = call.context.answering()
    if browser is None:
        return reply
    command: Command = call.parameters
    is_told = command.scope == "browser" or command.reply == "snapshot"
    return replace(
        reply,
        text=f"{reply.text}\nBrowser: {browser}" if is_told else reply.text,
        structured=None if reply.structured is None else {**reply.structured, "browser": browser},
    )


def fail(call: ToolCall, error: TabwireError) -> ToolResult:
    """An error: its code, what happened and what to do next."""
    structured: dict[str, Any] = {"success": False, "error": f"{error.code}: {error}"}
    if error.data:
        structured["data"] = error.data
    return ToolResult(text=f"{error.code}: {error}", structured=structured, is_error=True)


def _success(data: Any) -> dict[str, Any]:
    return {"success": True, "data": data}


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _snapshot(command: Command, result: Result) -> ToolResult:
    return ToolResult(text=result["snapshot"], structured=_success(result))


def _data(command: Command, result: Result) -> ToolResult:
    data = result["value"] if "value" in result else result
    told = _told_beside(result) if "value" in result else []
    structured = _success(data) | ({"note": "; ".join(told)} if told else {})
    return ToolResult(text="\n".join([_compact(data), *told]), structured=structured)


def _told_beside(result: Result) -> list[str]:
    """What a bare value does not say: what became of the page that gave it."""
    effects = result.get("effects") or {}
    said = observed_of(effects, _BESIDE_A_VALUE)
    notes = [f"Observed: {'; '.join(said)}"] if said else []
    return [*notes, f"Note: {result['note']}"] if result.get("note") and not result.get("truncated") else notes


def _image(command: Command, result: Result) -> ToolResult:
    facts = {name: value for name, value in result.items() if name != "data"}
    text = f"{result['width']}x{result['height']} {result['mime_type']}"
    if "path" in result:
        text = f"Saved to {result['path']} ({text})"
    if result.get("note"):
        text += f"; {result['note']}"
    if "data" not in result:
        return ToolResult(text=text, structured=_success(facts))
    # Claude Code and Codex show their model the structured content alone where there is one: the picture would be lost.
    return ToolResult(text=text, images=(Image(result["data"], result["mime_type"]),))


def _act(command: Command, result: Result) -> ToolResult:
    effects = result.get("effects") or {}
    done = result.get("done") or command.model_config.get("title") or command.tool
    facts = [f"{name}: {_shown(result[name])}" for name in _FACTS if name in result and (name != "tabId" or _opens(command))]
    lines = [" · ".join([f"{done}", *facts])]
    seen = observed(effects)
    if seen:
        lines.append("Observed: " + "; ".join(seen))
    elif "effects" in result:
        lines.append("Observed: nothing changed")
    if result.get("note"):
        lines.append(f"Note: {result['note']}")
    if "diff" in result:
        lines.append(result["diff"])
    return ToolResult(text="\n".join(lines), structured=_success(result))


def _opens(command: Command) -> bool:
    """Whether the reader needs to be told which tab it is about."""
    return command.scope == "browser" or any(getattr(command, name, False) for name in ("new_tab", "new_window"))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else _compact(value)


_REPLIES: dict[Reply, Callable[[Command, Result], ToolResult]] = {
    "snapshot": _snapshot,
    "data": _data,
    "act": _act,
    "image": _image,
}

_FACTS = (
    "ref",
    "url",
    "title",
    "status",
    "tabId",
    "windowId",
    "closed",
    "value",
    "checked",
    "selected",
    "files",
    "scroll",
    "target",
    "input",
    "answer",
    "filled",
)
"""Result fields worth a reader's time, in this order."""

_BESIDE_A_VALUE = ("url", "navigated", "new_tabs", "closed", "downloads", "answered", "answered_more")
