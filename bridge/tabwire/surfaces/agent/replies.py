"""The replies of the agent surface: text that a model reads, and the unified response (agent spec, "Unified Response Format").

Claude Code, Codex and VS Code show their model the structured content alone where there is one; Claude Desktop shows the text
alone. Data and errors are the same in both. What is a text (a page, an act, a picture) has no structured content: its facts
without the text go to `_meta`, for programs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from tabwire.commands.declaration import Command, Reply
from tabwire.commands.media import ScreenshotResult
from tabwire.commands.results import Effects
from tabwire.commands.snapshot import SnapshotResult
from tabwire.errors import TabwireError
from tabwire.surfaces.shared.effects_text import OWN_WORDS, UNOBSERVED, effects_of, observed_of, seen
from tabwire.surfaces.tool import Answer, Image, ToolCall, ToolResult, text_in
from tabwire.wire.text_provenance import PageText, Words, joined

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"success": {"type": "boolean"}, "error": {"type": "string"}},
    "required": ["success"],
}
"""The unified response. `data` is whatever the tool's text says."""


def respond(call: ToolCall, result: Answer) -> ToolResult:
    """Word a result as its command's `reply` says."""
    command: Command = call.parameters
    reply = _REPLIES[command.reply](command, result)
    artifact = call.context.files.artifacts.at(Path(text_in(result, "path"))) if "path" in result else None
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
        text=Words(reply.text, f"\nBrowser: {browser}") if is_told else reply.text,
        structured=None if reply.structured is None else {**reply.structured, "browser": browser},
        facts=None if reply.facts is None else {**reply.facts, "browser": browser},
    )


def fail(call: ToolCall, error: TabwireError) -> ToolResult:
    """An error: its code, what happened and what to do next."""
    words = Words(f"{error.code}: ", error.words)
    structured: dict[str, Any] = {"success": False, "error": words}
    if error.data:
        structured["data"] = error.data
    return ToolResult(text=words, structured=structured, is_error=True)


def _success(data: Any) -> dict[str, Any]:
    return {"success": True, "data": data}


def _prose(text: str, result: Answer, images: tuple[Image, ...] = ()) -> ToolResult:
    """A reply that is a text. Its facts are without those fields that are the text itself, or the picture."""
    facts = {name: value for name, value in result.items() if name not in _CONTENT}
    return ToolResult(text=text, facts=_success(facts), images=images)


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _snapshot(command: Command, result: SnapshotResult) -> ToolResult:
    text = result["snapshot"]
    return _prose(text if isinstance(text, Words) else Words(PageText(text)), result)


def _data(command: Command, result: Answer) -> ToolResult:
    data = result["value"] if "value" in result else result
    told = _told_beside(result) if "value" in result else []
    structured = _success(data) | ({"note": joined("; ", told)} if told else {})
    text = _compact(data)
    return ToolResult(text=joined("\n", [text if command.own_words else PageText(text), *told]), structured=structured)


def _told_beside(result: Answer) -> list[str]:
    """What a bare value does not say: what became of the page that gave it."""
    effects = effects_of(result)
    said = observed_of(effects, _BESIDE_A_VALUE)
    notes: list[str] = [Words("Observed: ", PageText("; ".join(said)))] if said else []
    note = text_in(result, "note")
    return [*notes, Words("Note: ", note)] if note and not result.get("truncated") else notes


def _image(command: Command, result: Answer) -> ToolResult:
    text = f"{result['width']}x{result['height']} {result['mime_type']}"
    if "path" in result:
        text = f"Saved to {result['path']} ({text})"
    if note := text_in(result, "note"):
        text = Words(text, f"; {note}")
    picture = cast(ScreenshotResult, result)
    return _prose(text, result, (Image(picture["data"], picture["mime_type"]),) if "data" in picture else ())


def _act(command: Command, result: Answer) -> ToolResult:
    effects = effects_of(result)
    done = text_in(result, "done") or command.model_config.get("title") or command.tool
    facts = [
        Words(f" · {name}: ", _shown(result[name]) if name in _OWN_FACTS else PageText(_shown(result[name])))
        for name in _FACTS
        if name in result and (name != "tabId" or _opens(command))
    ]
    told = ["\n", *_observed(effects, is_field_told="value" in result)] if "effects" in result else []
    lines: list[str] = [_in_one(Words(done, *facts, *told))]
    if note := text_in(result, "note"):
        lines.append(Words("Note: ", note))
    if diff := text_in(result, "diff"):
        lines.append(diff if isinstance(diff, Words) else PageText(diff))
    return _prose(joined("\n", lines), result)


def _observed(effects: Effects, *, is_field_told: bool) -> tuple[str, ...]:
    """The line about what was observed. A page that was too busy to be observed is not one in which nothing changed."""
    told = seen(effects)
    if effects.get("unobserved") and len(told) == 1:
        return (UNOBSERVED.capitalize(),)
    if not told:
        return ("Observed: nothing changed",)
    news = [(name, text) for name, text in told if name != "fields" or not is_field_told] or told
    return ("Observed: ", *joined("; ", [text if name in OWN_WORDS else PageText(text) for name, text in news]).parts)


def _in_one(words: Words) -> Words:
    """One span of the page's from its first word to its last: marks around each word would cost more than they tell."""
    of_page = [index for index, part in enumerate(words.parts) if isinstance(part, PageText)]
    if not of_page:
        return words
    first, last = of_page[0], of_page[-1] + 1
    return Words(*words.parts[:first], PageText("".join(words.parts[first:last])), *words.parts[last:])


def _opens(command: Command) -> bool:
    """Whether the reader needs to be told which tab it is about."""
    return command.scope == "browser" or any(getattr(command, name, False) for name in ("new_tab", "new_window"))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else _compact(value)


_REPLIES: dict[Reply, Callable[[Command, Any], ToolResult]] = {
    "snapshot": _snapshot,
    "data": _data,
    "act": _act,
    "image": _image,
}

_CONTENT = frozenset({"snapshot", "diff", "data"})
"""Fields of a result that are the reply itself."""

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

_OWN_FACTS = frozenset({"ref", "status", "tabId", "windowId", "closed", "checked", "scroll", "input", "answer"})
"""Those that no page words; `answer` is the person's."""

_BESIDE_A_VALUE = ("url", "navigated", "new_tabs", "closed", "downloads", "answered", "answered_more")
