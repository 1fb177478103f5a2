"""Replies of the instrument spec: results as JSON, the same as text and as structured content; errors with what to do next."""

import json
import re
from dataclasses import replace

from pydantic import BaseModel

from tabwire.errors import RestrictedPage, TabwireError
from tabwire.surfaces.instrument.selecting import CSS
from tabwire.surfaces.reply_size import MAX_RESULT_BYTES, size_of
from tabwire.surfaces.shared.dismissed_dialogs import without_tools
from tabwire.surfaces.tool import Answer, Image, ToolCall, ToolResult, text_in

NAVIGATE = "browser_inspect_navigate goes to a page."
WAY_OUT = "answer it in the browser, or leave the page with browser_inspect_navigate"
OTHER_WORDS = (
    (re.compile(r"\btake a (?:new )?snapshot\b"), "read the page with browser_inspect_dom"),
    (re.compile(r"\bTake a (?:new )?snapshot\b"), "Read the page with browser_inspect_dom"),
    (re.compile(r"; call tab_list to see the open tabs"), ""),
    (re.compile(r"; call navigate with an http or https address, or open a tab with tab_new"), ""),
    (re.compile(r"; call tab_list and choose a tab"), ""),
    (re.compile(r"run the code with evaluate instead"), "browser_act_execute runs code"),
    (re.compile(r" in new tabs only; add new_tab: true"), " in new tabs only, and a session has one tab"),
    (re.compile(r"; use @eN, role:button\[[^;]*$"), "; write a CSS selector"),
    (re.compile(rf"(?<=[\"']){CSS}"), ""),
)
"""Other surfaces have tools and selectors that this one has not."""


def respond(call: ToolCall, result: BaseModel | Answer) -> ToolResult:
    """A result as JSON; a picture as one."""
    content: Answer = result.model_dump(mode="json") if isinstance(result, BaseModel) else result
    if "mime_type" in content:
        return _picture(content)
    told = {name: _worded(value) if isinstance(value, str) and name in _OURS else value for name, value in content.items()}
    reply = ToolResult(text=json.dumps(told, ensure_ascii=False), structured=told)
    # Both where there is room: of text that is escaped a lot there may not be.
    return reply if size_of(reply) <= MAX_RESULT_BYTES else replace(reply, structured=None)


def noted(result: ToolResult, note: str) -> ToolResult:
    """The JSON with a note, added to the one that it may have."""
    members = json.loads(result.text)
    members["note"] = "; ".join(filter(None, [members.get("note"), note]))
    structured = None if result.structured is None else {**result.structured, "note": members["note"]}
    return replace(result, text=json.dumps(members, ensure_ascii=False), structured=structured)


_OURS = frozenset({"note", "notes"})
"""Fields with words of ours, not of pages."""


def _picture(content: Answer) -> ToolResult:
    """Clients that are given structured content show their model that alone: the picture would be lost."""
    facts = {name: value for name, value in content.items() if name in ("width", "height", "mime_type", "note")}
    picture = Image(text_in(content, "data"), text_in(content, "mime_type"))
    return ToolResult(text=json.dumps(facts, ensure_ascii=False), images=(picture,))


def fail(call: ToolCall, error: TabwireError) -> ToolResult:
    """Reply to a failed call: what happened and what to do next; a program finds the kind of failure in `error`."""
    words = _worded(str(error))
    if isinstance(error, RestrictedPage):
        words = f"{words.rstrip('.')}. {NAVIGATE}"
    structured = {"error": error.code, "message": words, **({"data": error.data} if error.data else {})}
    return ToolResult(text=f"{error.code}: {words}", structured=structured, is_error=True)


def _worded(text: str) -> str:
    for theirs, ours in OTHER_WORDS:
        text = theirs.sub(ours, text)
    return without_tools(text, WAY_OUT)
