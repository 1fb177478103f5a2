"""The replies of the agent surface: text that a model reads, and the unified response (agent spec, "Unified Response Format").

Claude Code, Codex and VS Code show their model the structured content alone where there is one; Claude Desktop shows the text
alone. Data and errors are the same in both. What is a text (a page, an act, a picture) has no structured content: its facts
without the text go to `_meta`, for programs.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

from tabwire.commands.declaration import Command, Reply
from tabwire.commands.media import ScreenshotResult
from tabwire.commands.results import Effects
from tabwire.commands.snapshot import SnapshotResult
from tabwire.errors import TabwireError
from tabwire.surfaces.front_tab import is_about_front, naming, note_on_front
from tabwire.surfaces.shared.effects_text import OWN_WORDS, brief_requests, effects_of, observed_of, seen
from tabwire.surfaces.shared.snapshot_lines import tokens
from tabwire.surfaces.tool import Answer, Image, ToolCall, ToolResult, text_in, with_note
from tabwire.text.provenance import PageText, Quoted, Words, exact, joined

MAX_CHANGE_TOKENS = 150
"""Tokens of what changed on the page; what is more, a snapshot tells."""

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
    is_told = command.reply in ("act", "snapshot") and not _opens(command)
    if is_told and any(sent.is_elsewhere for sent in call.context.sent):
        reply = replace(reply, text=Words(reply.text, f"\nTab: {result['tabId']}"))
    if note := note_on_front(call.context.sent):
        reply = with_note(reply, note)
    artifact = call.context.files.artifacts.at(Path(text_in(result, "path"))) if "path" in result else None
    return _from(call, reply if artifact is None else replace(reply, saved=(artifact,)))


def _from(call: ToolCall, reply: ToolResult) -> ToolResult:
    """Add the browser's name to a reply if there are several: to text only where ids of tabs and references are first read."""
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
    explained = naming(error.words, call.tool.name) if is_about_front(error) else error.words
    words = Words(f"{error.code}: ", explained)
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
    if command.own_fields:
        return _with_own_fields(command, result)
    data: Any = result["value"] if "value" in result else result
    told = _told_beside(result) if "value" in result else []
    structured = _success(data) | ({"note": joined("; ", told)} if told else {})
    return ToolResult(text=joined("\n", [_page_json(command, data, is_value="value" in result), *told]), structured=structured)


def _with_own_fields(command: Command, result: Answer) -> ToolResult:
    """The own fields line by line, then the rest of the result as data: a value is not told without them."""
    own = [Words(f"{name}: ", _shown(result[name])) for name in command.own_fields if result.get(name, "") != ""]
    rest = {name: value for name, value in result.items() if name not in command.own_fields}
    return ToolResult(text=joined("\n", [*own, *([_page_json(command, rest)] if rest else [])]), structured=_success(result))


def _page_json(command: Command, data: Any, *, is_value: bool = False) -> str:
    """Data as compact JSON, and whose words they are. The value of a script is given exactly."""
    if command.own_words:
        return _compact(data)
    is_short = isinstance(data, dict) and data.keys() <= _SHORT_FACTS
    return Quoted(data) if is_short else PageText(exact(_compact(data)) if is_value else _compact(data))


def _told_beside(result: Answer) -> list[str]:
    """Notes that a bare value lacks: what became of the page that gave it."""
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
    facts = [_fact(command, name, result[name]) for name in _FACTS if name in result and (name != "tabId" or _opens(command))]
    lines: list[str] = [Words(done, *facts)]
    if "effects" in result and (observed := _observed(effects, _told_as_fact(result, effects), is_brief="is_brief" in result)):
        lines.append(observed)
    if note := text_in(result, "note"):
        lines.append(Words("Note: ", note))
    if diff := text_in(result, "diff"):
        lines.append(diff if isinstance(diff, Words) else PageText(diff))
    return _prose(joined("\n", lines), result)


def _fact(command: Command, name: str, value: Any) -> str:
    """A field of the result, unless it is what the client has sent."""
    sent = getattr(command, _SENT_AS.get(name, name), None)
    if sent is not None and value in (sent, [sent]):
        return f" · {name}: as sent" if name in _HELD else ""
    return Words(f" · {name}: ", _shown(value) if name in _OWN_FACTS else Quoted(value))


def _told_as_fact(result: Answer, effects: Effects) -> frozenset[str]:
    """Effects that say again what the facts of the reply say."""
    known = _OF_LANDING & {*result, "navigated"} if "url" in result else frozenset()
    if "fields" in result or "files" in result:
        return known | _OF_FIELD
    fields = effects.get("fields", [])
    if len(fields) == 1 and "focus" in effects and fields[0].startswith(f"{effects['focus']} holds "):
        known |= {"focus"}
    held = _compact(text_in(result, "value"))[:_TELLING]
    if len(fields) != 1 or f" holds {held}" not in fields[0]:
        return known
    # The focus is in the field that was filled, unless the page has moved it on.
    return known | _OF_FIELD | ({"focus"} if fields[0].startswith(effects.get("focus", "")) else set())


def _observed(effects: Effects, known: frozenset[str], *, is_brief: bool = False) -> Words | None:
    """The line about what was observed; None where that is known already.

    Words of ours come first: those of the page then stand between one pair of marks.
    """
    told = [_in_brief(name, text, effects) for name, text in seen(effects) if name != "requests_more"]
    if not told:
        return Words("Observed: nothing changed")
    news = sorted(((name, text) for name, text in told if name not in known), key=lambda effect: effect[0] not in OWN_WORDS)
    if not news:
        return None
    if is_brief and "changes" in effects:
        news = [("mutations", "the page changed"), *((name, text) for name, text in news if name != "changes")]
    changes = effects.get("changes", [])
    more = len(changes) - _as_many_as_fit(changes)
    fitting = {"changes": "; ".join(changes[: len(changes) - more])}
    texts = [text if name in OWN_WORDS or isinstance(text, Words) else PageText(fitting.get(name, text)) for name, text in news]
    rest = Words() if is_brief or not more else Words(f"; … {more} more change{'s' if more > 1 else ''}: snapshot with diff")
    return Words("Observed: ", _in_one(joined("; ", texts)), rest)


def _in_brief(name: str, text: str, effects: Effects) -> tuple[str, str]:
    """The phrase for an effect, with requests by their paths: a model needs no addresses to see what was sent."""
    if name == "requests":
        return name, f"requests: {brief_requests(effects['requests'], effects.get('requests_more', 0))}"
    return name, text


def _as_many_as_fit(changes: Sequence[str]) -> int:
    """Number of changes that a reply has room for: the first in any case."""
    sizes = accumulate(tokens(text) for text in changes)
    return sum(size <= MAX_CHANGE_TOKENS or at == 0 for at, size in enumerate(sizes))


def _in_one(words: Words) -> Words:
    """Texts of the page with nothing of ours but separators between them, as one: marks around each would cost more."""
    parts: list[str] = []
    for part in words.parts:
        if isinstance(part, PageText) and len(parts) > 1 and parts[-1] == "; " and isinstance(parts[-2], PageText):
            parts[-2:] = [PageText(f"{parts[-2]}; {part}")]
        else:
            parts.append(part)
    return Words(*parts)


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

_CONTENT = frozenset({"snapshot", "diff", "data", "is_brief"})
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
    "pressed",
)
"""Result fields worth a reader's time, in this order."""

_OWN_FACTS = frozenset({"ref", "status", "tabId", "windowId", "checked", "scroll", "target", "input", "answer", "pressed"})
"""Facts whose text never comes from a page, or says itself which words do; `answer` is the person's."""

_SENT_AS = {"ref": "selector", "selected": "value"}
"""Facts that clients send under another name."""

_HELD = frozenset({"value", "selected"})
"""Facts that confirm an act where they are what was sent."""

_TELLING = 20
"""Characters of a value by which the effect of its field is known: longer ones are cut there."""

_OF_FIELD = frozenset({"fields", "events"})
_OF_LANDING = frozenset({"url", "title", "navigated"})

_SHORT_FACTS = frozenset({"url", "title"})

_BESIDE_A_VALUE = ("url", "navigated", "paused", "new_tabs", "closed", "downloads", "answered", "answered_more")
