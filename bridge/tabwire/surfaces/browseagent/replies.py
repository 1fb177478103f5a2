"""Replies of the browseagent spec: text, pictures before their text, and failures as JSON-RPC errors with its messages."""

import re
from collections.abc import Callable
from typing import Any

from tabwire.commands.media import ScreenshotResult
from tabwire.commands.navigation import NavigationResult
from tabwire.commands.outline import OutlineResult
from tabwire.commands.results import ObservedResult
from tabwire.commands.script import ConsoleMessage, ConsoleResult
from tabwire.errors import (
    DialogPending,
    InvalidArgument,
    InvalidSelector,
    NavigationFailed,
    NoSuchElement,
    NoSuchTab,
    NotConnected,
    RestrictedPage,
    StaleElementReference,
    TabLeased,
    TabwireError,
)
from tabwire.surfaces.front_tab import is_about_front, naming, note_on_front
from tabwire.surfaces.shared.effects_text import observed
from tabwire.surfaces.shared.snapshot_budget import HTML, fit
from tabwire.surfaces.tool import Answer, Image, ToolCall, ToolResult, text_in, with_note
from tabwire.text.provenance import PageText, Words, joined, unmarked

INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
MAX_CHARS = 60_000
"""Characters of a snapshot: about as many as Claude Code takes from a tool."""


def respond(call: ToolCall, result: Answer) -> ToolResult:
    """Word a result; the picture of a screenshot comes before its text."""
    browser = call.context.answering()
    text = _TEXTS[call.tool.name](call.parameters, result)
    images = (Image(text_in(result, "data"), text_in(result, "mime_type")),) if "mime_type" in result else ()
    reply = ToolResult(text=text if browser is None else Words(text, f"\nBrowser: {browser}"), images=images)
    note = note_on_front(call.context.sent)
    return with_note(reply, note) if note else reply


_TOLD_OF_NAVIGATION = frozenset({"url", "title", "navigated", "mutations", "new_tabs"})
_LEVELS = {"warn": "WARNING", "log": "INFO"}


def _seen(result: ObservedResult, leave_out: frozenset[str] = frozenset()) -> list[str]:
    effects = {name: value for name, value in result["effects"].items() if name not in leave_out}
    seen = observed(effects)
    told = [Words("Observed: ", PageText("; ".join(seen)))] if seen else []
    return [*told, *([Words("Note: ", result["note"])] if result.get("note") else [])]


def _did(sentence: str, result: ObservedResult) -> str:
    """Sentence on what was done, and lines on what came of it."""
    sentence = text_in(result, "done") or sentence
    return joined("\n", [sentence, *(_seen(result) or ["Observed: nothing changed"])])


def _arrived(sentence: str, result: NavigationResult) -> str:
    status = f" (HTTP {result['status']})" if result.get("status", 200) >= 400 else ""
    return joined("\n", [Words(sentence, status), *_seen(result, _TOLD_OF_NAVIGATION)])


def _navigated(asked: Any, result: NavigationResult) -> str:
    # Chrome writes addresses its own way; another page is what is told.
    where = "" if _bare(asked.url) == _bare(result.get("url", asked.url)) else Words(", which led to ", PageText(result["url"]))
    return _arrived(Words(f"Successfully navigated to {asked.url} in tab {result['tabId']}", where), result)


def _went(way: str, result: NavigationResult) -> str:
    return Words(f"Went {way} to ", PageText(result["url"]), f" in tab {result['tabId']}")


def _bare(url: str) -> str:
    return re.sub(r"^[a-z]+://", "", url.strip().lower()).rstrip("/")


def _typed(asked: Any, result: ObservedResult) -> str:
    return _did(f"Typed {len(asked.text)} characters into {asked.element}{' and pressed Enter' if asked.submit else ''}", result)


def _outline(asked: Any, result: OutlineResult) -> str:
    page = f"{result['title']} ({result['url']})".strip().replace("--", "- -")
    foot = "\n".join(filter(None, [f"<!-- {page} -->", unmarked(result["left_out"])]))
    fitted = fit(f"Page accessibility snapshot:\n\n{result['outline']}\n\n{foot}", MAX_CHARS, HTML)
    head, gap, body = fitted.text.partition("\n\n")
    words = Words(f"{head}{gap}", PageText(body))
    if not fitted.notes:
        return words
    return Words(words, f"\nCut to {MAX_CHARS:,} characters: {', '.join(fitted.notes)}. CSS selectors reach what is not shown.")


def _console(asked: Any, result: ConsoleResult) -> str:
    lines = [line for message in result["messages"] for line in _message(message)]
    note = [f"({result['left_out']} older messages left out)"] if result.get("left_out") else []
    told = [PageText("\n".join(lines))] if lines else []
    return joined("\n", ["Console logs:", "", *(note + told or ["(none)"])])


def _message(message: ConsoleMessage) -> list[str]:
    times = f" (x{message['repeated']})" if "repeated" in message else ""
    level = message["level"]
    where = message.get("stack") or ([f"at {message['source']}"] if level in ("error", "warn") and "source" in message else [])
    return [f"[{_LEVELS.get(level, level.upper())}] {message['text']}{times}", *(f"    {line}" for line in where)]


def _picture(asked: Any, result: ScreenshotResult) -> str:
    note = f"; {result['note']}" if result.get("note") else ""
    return f"Screenshot captured successfully ({result['width']}x{result['height']}){note}"


_TEXTS: dict[str, Callable[[Any, Any], str]] = {
    "browser_navigate": _navigated,
    "browser_go_back": lambda asked, result: _arrived(_went("back", result), result),
    "browser_go_forward": lambda asked, result: _arrived(_went("forward", result), result),
    "browser_click": lambda asked, result: _did(f"Clicked {asked.element}", result),
    "browser_type": _typed,
    "browser_hover": lambda asked, result: _did(f"Hovering over {asked.element}", result),
    "browser_drag_drop": lambda asked, result: _did(f"Dragged {asked.sourceElement} to {asked.targetElement}", result),
    "browser_snapshot": _outline,
    "browser_screenshot": _picture,
    "browser_get_console_logs": _console,
    "browser_wait": lambda asked, result: f"Waited {asked.time:g} s",
    "browser_press_key": lambda asked, result: _did(f"Pressed {asked.key}", result),
}


def fail(call: ToolCall, error: TabwireError) -> ToolResult:
    """A JSON-RPC error: the document's message; the code and the whole story are its data."""
    data = {**error.data, "code": error.code, "detail": str(error)}
    code = INVALID_PARAMS if isinstance(error, InvalidArgument | InvalidSelector) else INTERNAL_ERROR
    worded = _MESSAGES.get(type(error))
    if is_about_front(error):
        text: str = naming(error.words, call.tool.name, "browser_navigate")
    else:
        text = worded(call, error) if worded else str(error)
    return ToolResult(text=text, structured=data, is_error=True, rpc_code=code)


def _invalid(call: ToolCall, error: TabwireError) -> str:
    missing = error.data.get("missing")
    if not missing:
        return str(error)
    unknown = [name for name in call.arguments if name not in call.tool.input_schema["properties"]]
    return f"Missing required argument: {', '.join(missing)}" + (f" (unknown: {', '.join(unknown)})" if unknown else "")


def _ref(call: ToolCall, error: TabwireError) -> str:
    given = call.parameters
    return str(error.data.get("ref") or getattr(given, "ref", None) or getattr(given, "sourceRef", ""))


def _changed(call: ToolCall, error: TabwireError) -> str:
    """Message for a ref that something fits, but not what the snapshot has shown."""
    return f"Element not found: {_ref(call, error)}. The page has changed since the snapshot: {error}"


def _no_tab(call: ToolCall, error: TabwireError) -> str:
    tab = getattr(call.parameters, "tabId", None)
    return f"Tab not found: {tab}" if tab is not None else "The tab is closed: open a page with browser_navigate"


def _dialog(call: ToolCall, error: TabwireError) -> str:
    dialog = error.data.get("dialog")
    said = f" ({dialog['type']}: {dialog['message']!r})" if dialog else ""
    return f"A dialog{said} holds the page until somebody at the browser answers it, or browser_navigate leaves the page"


def _leased(call: ToolCall, error: TabwireError) -> str:
    return f"Another client is working in the tab ({error.data['holder']}); browser_navigate without tabId opens one of your own"


def _restricted(call: ToolCall, error: TabwireError) -> str:
    where = f" ({error.data['url']})" if "url" in error.data else ""
    return f"Chrome lets no extension into this page{where}; browser_navigate opens another one"


_MESSAGES: dict[type[TabwireError], Callable[[ToolCall, TabwireError], str]] = {
    NotConnected: lambda call, error: f"Tool {call.tool.name} requires Chrome extension, but extension is not connected",
    InvalidArgument: _invalid,
    NoSuchElement: lambda call, error: f"Element not found: {_ref(call, error)}",
    StaleElementReference: _changed,
    NavigationFailed: lambda call, error: f"Navigation failed: {error.data.get('error') or error}",
    NoSuchTab: _no_tab,
    DialogPending: _dialog,
    TabLeased: _leased,
    RestrictedPage: _restricted,
}
