"""Snapshots as tools give them: within a budget, continued by a cursor, or as the changes since the last one."""

from collections.abc import Sequence
from typing import Any

from tabwire.commands.declaration import Act
from tabwire.commands.results import ObservedResult
from tabwire.commands.snapshot import Capture, SnapshotResult
from tabwire.errors import InvalidArgument, TabwireError
from tabwire.surfaces.context import Context
from tabwire.surfaces.reply_size import MAX_RESULT_BYTES
from tabwire.surfaces.shared.pdf.pages import Pdf
from tabwire.surfaces.shared.pdf.tabs import pdf_of
from tabwire.surfaces.shared.snapshot_budget import MAX_DIFF_CHARS, fit
from tabwire.surfaces.shared.snapshot_changes import changes, worded
from tabwire.surfaces.shared.snapshot_lines import json_bytes, tokens, with_short_refs
from tabwire.surfaces.shared.snapshot_parts import Measure, first_part
from tabwire.surfaces.shared.snapshots import Whole
from tabwire.surfaces.tool import Answer, Runs, ToolCall, text_in
from tabwire.text.provenance import Words, joined

MAX_TOKENS = 7_500
"""Tokens by an estimate that is a few too low at worst, so that a reply stays under 8,000: clients warn of longer ones."""
MAX_BYTES = int(MAX_RESULT_BYTES * 0.95)
"""The rest is for what goes along with the text."""
MAX_CHAR_BYTES = 4
MAX_CHARS_A_TOKEN = 8
"""Characters of a token in the wordiest snapshots; a longer text is not measured to see that it is too long."""

NO_BASELINE = "There is no earlier snapshot of this tab to compare with: this is the whole page.\n"


async def run_snapshot(call: ToolCall) -> Answer:
    """A snapshot, the rest of a cut one, or what changed since the last."""
    command: Capture = call.parameters
    if command.cursor is not None:
        return await _continued(call.context, command)
    browser = (await call.context.browser()).id
    if not command.is_whole():
        result = await call.context.send(command)
        if "pdf" in result:
            return await _pdf(call.context, command, result)
        return {**result, **_first(call.context, browser, result["snapshot"], result.pop("seen", []), command)}
    result, before = await _captured(call.context, command)
    text, seen = result["snapshot"], result.pop("seen", [])
    if "pdf" in result:
        return await _pdf(call.context, command, result)
    if command.diff and before is not None:
        text, seen = changes(before, text), []
    first = _first(call.context, browser, text, seen, command)
    if command.diff and before is None:
        first = {**first, "snapshot": Words(NO_BASELINE, text_in(first, "snapshot"))}
    return {**result, **first}


async def _captured(context: Context, command: Capture) -> tuple[SnapshotResult, str | None]:
    """A snapshot of a whole page, and the text of the one before. The browser does not send the text that it has sent last."""
    snapshots, browser = context.snapshots, (await context.browser()).id
    tab = command.tabId if command.tabId is not None else snapshots.current.get(browser)
    known = None if tab is None else snapshots.last(browser, tab)
    result = await context.send(command, known=known.version if known else "")
    if result.pop("is_known", False) and known:
        result["snapshot"] = known.text
    before = snapshots.last(browser, result["tabId"])
    snapshots.remember(browser, result["tabId"], Whole(result["snapshot"], result.pop("version", "")))
    return result, before.text if before else None


async def _continued(context: Context, command: Capture) -> Answer:
    """The rest of a cut snapshot. No browser is asked; one that is named must be the snapshot's own."""
    assert command.cursor is not None
    if command.cursor.startswith("pdf"):
        return _pages(context, *context.snapshots.pdfs.at(command.cursor), command)
    asked = context.snapshots.rest(command.cursor)
    if context.target.named is not None and (await context.browser()).id != asked.browser:
        raise InvalidArgument(f"the cursor {command.cursor!r} continues a snapshot of another browser; leave `browser` out")
    text, position = asked.rest.part(asked.start, asked.end, *_budget(command))
    if position is None:
        return {"snapshot": worded(text)}
    cursor = asked.after(position)
    left = (len(asked.rest.left) if asked.end is None else asked.end) - position
    return {"snapshot": Words(worded(text), _advice(f"{left:,} lines left", cursor)), "cursor": cursor}


async def _pdf(context: Context, command: Capture, result: SnapshotResult) -> Answer:
    """The pages of a PDF in place of a page's tree."""
    pdf = await pdf_of(context, result, command.timeout)
    return {"tabId": result["tabId"], **_pages(context, pdf, 1, 0, command)}


def _pages(context: Context, pdf: Pdf, page: int, start: int, command: Capture) -> Answer:
    is_short = context.short_refs if command.refs is None else command.refs == "short"
    text, cursor = pdf.part(page, start, *_budget(command))
    written = worded(with_short_refs(text) if is_short else text)
    if cursor is None:
        return {"snapshot": written}
    said = f"The PDF has {pdf.text.count:,} pages; the cursor names the next one"
    return {"snapshot": Words(written, _advice(said, cursor)), "cursor": cursor}


async def run_act(call: ToolCall, **replaced: Any) -> Answer:
    """An act and what it changed, in words; with `diff`, also as lines of the snapshot. `replaced` overrides wire parameters."""
    command: Act = call.parameters
    if not command.diff:
        done: Answer = await call.context.send(call.parameters, **replaced)
        return {**done, **brief(call)}
    tab, before = await _baseline(call.context, command)
    result: ObservedResult = await call.context.send(call.parameters, **replaced)
    if "dialog" in result["effects"]:
        return result
    try:
        now, after = await _whole(call.context, result["tabId"])
    except TabwireError as error:
        # The act is done, so a page that cannot be read afterwards is a note in its reply and no error.
        unread = Words("what it changed in the snapshot could not be read: ", error.words)
        return {**result, "note": joined("; ", filter(None, [text_in(result, "note"), unread]))}
    text = changes(before, after) if now == tab else after
    diff = fit(text, MAX_DIFF_CHARS).text
    return {**result, "diff": worded(with_short_refs(diff) if call.context.short_refs else diff)}


def brief(call: ToolCall) -> dict[str, bool]:
    """The field of an act's result by which its reply says only that the page changed, where that is wanted."""
    command: Act = call.parameters
    return {"is_brief": True} if command.diff is False or not (command.diff or call.context.tells_changes) else {}


async def _baseline(context: Context, command: Act) -> tuple[int, str]:
    """The last snapshot of the act's tab, taken now if there is none."""
    browser = (await context.browser()).id
    tab: int | None = getattr(command, "tabId", None) or context.snapshots.current.get(browser)
    last = None if tab is None else context.snapshots.last(browser, tab)
    return await _whole(context, tab) if tab is None or last is None else (tab, last.text)


async def _whole(context: Context, tab: int | None) -> tuple[int, str]:
    result, _ = await _captured(context, Capture(tabId=tab))
    return result["tabId"], result["snapshot"]


def _tokens(text: str) -> int:
    """Tokens of a text, or of as many characters where most of them are indentation, which few tokens hold."""
    return max(tokens(text), len(text) // MAX_CHARS_A_TOKEN)


def _budget(command: Capture) -> tuple[int, Measure]:
    """The budget and what counts against it: tokens, or characters where those are given, bytes where these are many."""
    if command.max_chars is None:
        return MAX_TOKENS, _tokens
    if command.max_chars <= MAX_BYTES // MAX_CHAR_BYTES:
        return command.max_chars, len
    most = command.max_chars
    # Characters count, and no more bytes than a reply may have.
    return MAX_BYTES, lambda text: max(json_bytes(text), len(text) * MAX_BYTES // most)


def _first(context: Context, browser: str, text: str, seen: Sequence[int], command: Capture) -> Answer:
    budget, measure = _budget(command)
    is_short = context.short_refs if command.refs is None else command.refs == "short"
    text = with_short_refs(text) if is_short else text
    if len(text) <= budget * MAX_CHARS_A_TOKEN and measure(text) <= budget:
        return {"snapshot": worded(text)}
    first = first_part(text, tuple(seen), budget, measure, short_refs=is_short)
    cursor = context.snapshots.keep(browser, first.rest)
    said = f"{len(first.rest.left):,} of {len(first.page.lines):,} lines left out"
    return {"snapshot": Words(worded(first.text(cursor)), _advice(said, cursor)), "cursor": cursor}


def _advice(said: str, cursor: str) -> str:
    return f'\n\n{said}; continue with snapshot {{"cursor": "{cursor}"}}'


RUNS: Runs = {Capture: run_snapshot}
