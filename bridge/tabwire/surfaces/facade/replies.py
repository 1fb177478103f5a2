"""Replies of the facade spec: one response for all tools. Every field is always there, if only with its default."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tabwire.errors import NotConnected, TabwireError
from tabwire.settings.tool_limits import Limits
from tabwire.surfaces.front_tab import is_about_front, note_on_front, without_tabs
from tabwire.surfaces.reply_size import MAX_RESULT_BYTES, size_of
from tabwire.surfaces.shared.dismissed_dialogs import without_tools
from tabwire.surfaces.shared.effects_text import effects_of, observed
from tabwire.surfaces.shared.text_chunks import Chunk, head
from tabwire.surfaces.tool import Answer, Image, ToolCall, ToolResult, kept, text_in

Response = dict[str, Any]

_TEXT: Any = {"type": ["string", "null"]}
_NUMBER: Any = {"type": ["integer", "null"]}
OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "success": {"type": "boolean"},
        **dict.fromkeys(("error", "instance_id", "url", "text", "screenshot", "snapshot_checksum"), _TEXT),
        "data": {"type": ["object", "null"]},
        "cookies": {"type": ["array", "null"]},
        "result": {},
        "truncated": {"type": "boolean"},
        **dict.fromkeys(
            ("returned_bytes", "total_bytes_estimate", "chunk_start", "chunk_end", "next_offset", "remaining_bytes"), _NUMBER
        ),
    },
    "required": ["success"],
}
MODEL: Response = {**dict.fromkeys(OUTPUT_SCHEMA["properties"]), "success": True, "truncated": False}
"""The fields and what they are where they do not apply."""
SNAPSHOT = re.compile(r"\btake a (?:new )?snapshot\b")
READ = "read the page with browser_extract"
"""Advice that replaces "take a snapshot": this surface has no snapshots."""
WAY_OUT = "answer it in the browser, or leave the page with browser_navigate"
OWN_TAB = 'browser_navigate {"action": "goto", "url": …} opens a page in a tab of its own, behind the one in front.'
LAUNCH = 'Or start one of its own: browser_session {"action": "launch"}.'


def respond(call: ToolCall, response: Response) -> ToolResult:
    """The response as structured content; as text what is in it, as JSON."""
    browser = call.context.answering()
    if browser is not None:
        response = {**response, "data": {**(response.get("data") or {}), "browser": browser}}
    if note := note_on_front(call.context.sent):
        response = _with_note(response, note)
    text = _written(response)
    path = (response.get("data") or {}).get("filepath")
    artifact = call.context.files.artifacts.at(Path(path)) if path else None
    result = ToolResult(text=text, structured={**MODEL, **response}, saved=(artifact,) if artifact else ())
    return _with_picture(result, response.get("screenshot"))


def _written(response: Response) -> str:
    said = {name: value for name, value in response.items() if value != MODEL[name] and name != "screenshot"}
    return json.dumps({"success": True, **said}, ensure_ascii=False, separators=(",", ":"))


def noted(result: ToolResult, note: str) -> ToolResult:
    """The response with a note in its data."""
    response = _with_note(result.structured or {}, note)
    return replace(result, text=_written(response), structured=response)


def _with_note(response: Mapping[str, Any], note: str) -> dict[str, Any]:
    data = response.get("data") or {}
    return {**response, "data": {**data, "note": "; ".join(filter(None, [data.get("note"), note]))}}


def _with_picture(result: ToolResult, picture: str | None) -> ToolResult:
    """A picture is shown, too, where there is room for it twice."""
    if picture is None:
        return result
    shown = replace(result, images=(Image(picture, "image/png"),))
    return shown if size_of(shown) <= MAX_RESULT_BYTES else result


def fail(call: ToolCall, error: TabwireError) -> ToolResult:
    """Reply to a failed call: what happened and what to do next; a program finds the kind of failure in `data.code`."""
    words, data = str(error), {"code": error.code, **error.data}
    if is_about_front(error):
        words = str(without_tabs(error.words, OWN_TAB))
        del data["tabs"]
    words = f"{words} {LAUNCH}" if isinstance(error, NotConnected) else without_tools(words, WAY_OUT)
    words = SNAPSHOT.sub(READ, words)
    return ToolResult(
        text=f"{error.code}: {words}", structured={**MODEL, "success": False, "error": words, "data": data}, is_error=True
    )


def done(status: str, result: Answer) -> Response:
    """An act: its status, and what was observed of it."""
    effects = effects_of(result)
    seen = observed({name: value for name, value in effects.items() if name != "navigated"})
    if effects.get("navigated"):
        seen.append("the page navigated")
    note = kept(result, "note") if result.get("note") else {}
    return {"data": {"status": text_in(result, "done") or status, "observed": seen, **note}}


def bounded(field: str, data: bytes, limits: Limits) -> Response:
    """A text, or as much of it as the limits allow."""
    kept = head(data, limits.response_bytes)
    size = len(kept.encode())
    return {field: kept, "truncated": size < len(data), "returned_bytes": size, "total_bytes_estimate": len(data)}


def part(field: str, piece: Chunk) -> Response:
    """A chunk of a text."""
    return {
        field: piece.text,
        "truncated": (piece.start, piece.end) != (0, piece.total),
        "returned_bytes": piece.end - piece.start,
        "total_bytes_estimate": piece.total,
        **piece.facts(),
    }
