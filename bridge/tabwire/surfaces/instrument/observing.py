"""Reads of a session's page: its document, its text, its console, its requests."""

from collections.abc import Callable
from datetime import UTC, datetime

import anyio.to_thread

from tabwire.commands import media, navigation, observation, script
from tabwire.commands.markup import MarkupResult, Read
from tabwire.commands.traffic import RecordedRequest
from tabwire.errors import NoSuchElement
from tabwire.surfaces.instrument.places import Place
from tabwire.surfaces.instrument.selecting import css
from tabwire.surfaces.shared import markup
from tabwire.surfaces.shared.text_chunks import head, utf8
from tabwire.surfaces.tool import Answer, ToolCall, kept, text_in

MAX_TEXT_BYTES = 100 * 1024
"""Longest document or text, in bytes; the instrument spec says 100 KB."""
MAX_MESSAGES = 1_000
MAX_REQUESTS = 1_000


async def navigate(call: ToolCall, place: Place) -> Answer:
    """Go to a URL, and say where that led."""
    result = await call.context.send(navigation.Navigate(url=call.parameters.url, tabId=place.tab, force=True))
    return {**kept(result, "url", "title", "status", "note"), **kept(result["effects"], "navigation_error")}


async def screenshot(call: ToolCall, place: Place) -> media.ScreenshotResult:
    """A picture as PNG."""
    return await call.context.send(media.Screenshot(full_page=call.parameters.full_page, tabId=place.tab))


async def dom(call: ToolCall, place: Place) -> Answer:
    """The document as HTML, or the first element that matches."""
    read = await _read(call, place, shown=False)
    return await anyio.to_thread.run_sync(_content, "html", read, markup.as_html)


async def text(call: ToolCall, place: Place) -> Answer:
    """The text that is rendered, a line for each run of it."""
    read = await _read(call, place, shown=True)
    return await anyio.to_thread.run_sync(_content, "text", read, lambda root: markup.as_lines(root, tagged=False))


async def _read(call: ToolCall, place: Place, *, shown: bool) -> MarkupResult:
    """Raises: NoSuchElement: nothing matches now."""
    selector = call.parameters.selector
    wanted = "body" if selector is None and shown else selector
    asked = None if wanted is None else css(wanted)
    read = await call.context.send(Read(selector=asked, shown=shown, tabId=place.tab))
    if not read["found"] or read["rows"] == "[]":
        what = f"{wanted!r} matches nothing in the page" if not read["found"] else f"{wanted!r} is hidden and shows no text"
        raise NoSuchElement(f"{what}.", next_step="browser_inspect_dom without a selector shows what is there.")
    return read


def _content(field: str, read: MarkupResult, written: Callable[[markup.Element], str]) -> Answer:
    root = markup.parse(read["rows"])
    content: dict[str, object] = {"url": read["url"], "title": read["title"], **_cut(field, written(root))}
    frames = sum(element.tag in ("iframe", "frame") for element in root.walk())
    if frames:
        where = "its frame" if frames == 1 else f"its {frames} frames"
        told = f"what is in {where} is not included: pass a selector that matches in there"
        content["note"] = "; ".join(filter(None, (text_in(content, "note"), told)))
    return content


def _cut(field: str, content: str) -> Answer:
    """Cut a text to the first whole characters that there is room for, and say how much there is."""
    data = utf8(content)
    kept = head(data, MAX_TEXT_BYTES)
    size = len(kept.encode())
    facts = {field: kept, "truncated": size < len(data), "returned_bytes": size, "total_bytes": len(data)}
    note = f"cut after {size:,} of {len(data):,} bytes: pass a selector to see the rest in parts"
    return {**facts, "note": note} if size < len(data) else facts


async def console(call: ToolCall, place: Place) -> Answer:
    """Read the console's messages since the session began, across navigations."""
    read = await call.context.send(script.Console(max_messages=MAX_MESSAGES, tabId=place.tab))
    notes = [read["note"]] if "note" in read else []
    if not read["buffering"]:
        notes.append("the recording has ended, because the debugger was detached: these are of the current page only")
    if read.get("dropped"):
        notes.append(f"{read['dropped']} older ones were dropped to make room")
    messages = read["messages"]
    return {"messages": messages, "count": len(messages), **({"note": "; ".join(notes)} if notes else {})}


async def requests(call: ToolCall, place: Place) -> Answer:
    """Read the requests since the session began, across navigations."""
    read = await call.context.send(observation.Requests(tabId=place.tab))
    every = read["requests"]
    rows = [_row(entry) for entry in every[-MAX_REQUESTS:]]
    notes = []
    if len(rows) < len(every):
        notes.append(f"the newest {len(rows):,} of {len(every):,} are shown")
    if not read["capturing"]:
        notes.append(f"the recording has ended: {read.get('ended_by', 'the debugger was detached')}")
    if read.get("dropped"):
        notes.append(f"{read['dropped']} newer ones were not kept, for lack of room")
    if read.get("barred"):
        notes.append(f"{read['barred']} of sites that are not allowed are left out")
    return {"requests": rows, "count": len(every), **({"note": "; ".join(notes)} if notes else {})}


def _row(entry: RecordedRequest) -> Answer:
    """Method, URL, status, and what else there is to see. Headers and bodies are left out."""
    started = datetime.fromtimestamp(entry["started"] / 1000, UTC).isoformat(timespec="milliseconds")
    row = {"method": entry["method"], "url": entry["url"], "status": entry.get("status"), "type": entry["type"], "time": started}
    return {**row, **kept(entry, "mime_type", "duration_ms", "size", "error", "cache", "redirect_to", "pending")}
