"""Actions of the facade in a page, as the commands they are made of."""

import base64
import hashlib
import json
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, Literal, cast

import anyio
import anyio.to_thread

from tabwire.commands import forms, input, media, navigation, script, storage, wait
from tabwire.commands.declaration import Returns
from tabwire.commands.markup import MarkupResult, Read
from tabwire.commands.results import Effects
from tabwire.errors import InvalidArgument, NoSuchElement, NoSuchTab, PermissionDenied
from tabwire.settings.tool_limits import Limits
from tabwire.surfaces.facade.models import Capture, Chunked, Execute, Extract, Inspect, Interact, Navigate
from tabwire.surfaces.facade.replies import Response, bounded, done, part
from tabwire.surfaces.facade.state import of, send
from tabwire.surfaces.shared import markup
from tabwire.surfaces.shared.effects_text import effects_of
from tabwire.surfaces.shared.files import Destination
from tabwire.surfaces.shared.text_chunks import ContentChanged, chunk, utf8
from tabwire.surfaces.tool import Answer, Run, ToolCall, kept

MAX_VALUE_BYTES = 32 * 1024 * 1024
"""Bytes of the longest value that a script may give, on the way here."""
MODIFIERS = {"ctrl": "Control", "alt": "Alt", "shift": "Shift", "meta": "Meta"}
STATES: dict[str, Literal["visible", "hidden", "attached"]] = {"visible": "visible", "hidden": "hidden", "present": "attached"}


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000)


async def _goto(call: ToolCall) -> Response:
    asked: Navigate = call.parameters
    began = anyio.current_time()
    result = await open_url(call, str(asked.url), _milliseconds(asked.timeout))
    return await _arrived(call, "navigated", result, began)


async def open_url(call: ToolCall, url: str, timeout_ms: float) -> navigation.NavigationResult:
    """Go there, in the tab that is in use; in the user's own browser that is one of our own, behind the one in front."""
    browser = (await call.context.browser()).id
    tab = call.context.opened.get(browser)
    behind = navigation.Navigate(url=url, timeout=timeout_ms, new_tab=True, background=True)
    anew = navigation.Navigate(url=url, timeout=timeout_ms) if call.context.is_launched(browser) else behind
    result = None
    if tab is not None:
        # The user may have closed it; then nothing was done.
        with suppress(NoSuchTab):
            result = await send(call, navigation.Navigate(url=url, timeout=timeout_ms, tabId=tab))
        if result is None:
            del call.context.opened[browser]
    landed: navigation.NavigationResult = await send(call, anew) if result is None else result
    call.context.opened[browser] = landed["tabId"]
    return landed


async def _arrived(call: ToolCall, status: str, result: navigation.NavigationResult, began: float) -> Response:
    asked: Navigate = call.parameters
    if asked.wait_for is not None:
        left = max(0.0, asked.timeout - (anyio.current_time() - began))
        await send(call, wait.Until(for_="selector", selector=asked.wait_for, timeout=_milliseconds(left)))
    response = done(status, result)
    response["data"].update(kept(result, "title"))
    if "status" in result:
        response["data"]["http_status"] = result["status"]
    return {**response, "url": await _url(call)}


async def _url(call: ToolCall) -> str:
    return (await send(call, navigation.Url()))["url"]


def _moves(status: str, command: type[navigation.Back | navigation.Forward | navigation.Reload]) -> Run:
    async def run(call: ToolCall) -> Response:
        asked: Navigate = call.parameters
        began = anyio.current_time()
        result = await send(call, command(timeout=_milliseconds(asked.timeout)))
        return await _arrived(call, status, result, began)

    return run


async def _get_url(call: ToolCall) -> Response:
    return {"url": await _url(call)}


NAVIGATE: dict[str, Run] = {
    "goto": _goto,
    "back": _moves("navigated_back", navigation.Back),
    "forward": _moves("navigated_forward", navigation.Forward),
    "refresh": _moves("refreshed", navigation.Reload),
    "get_url": _get_url,
}


Step = Returns[Answer]
"""A command, whatever its result is."""


def _acts(status: str, *steps: Callable[[Interact], Step | None]) -> Run:
    """An action that is one command, or some of them in turn."""

    async def run(call: ToolCall) -> Response:
        asked: Interact = call.parameters
        commands = [command for step in steps for command in [step(asked)] if command is not None]
        results = [await send(call, command) for command in commands]
        effects: Effects = {}
        for result in results:
            effects.update(effects_of(result))
        return done(status, {**results[-1], "effects": effects})

    return run


def _click(asked: Interact) -> Step:
    button = cast(Literal["left", "right", "middle"], asked.button)
    return input.Click(selector=asked.selector, button=button, click_count=asked.click_count)


def _clear(asked: Interact) -> Step | None:
    return forms.Clear(selector=str(asked.selector)) if asked.clear else None


def _type(asked: Interact) -> Step:
    return input.Type(selector=asked.selector, text=str(asked.text), delay=_milliseconds(asked.delay))


def _select(asked: Interact) -> Step:
    return forms.Select(selector=str(asked.selector), value=asked.value, index=asked.index, label=asked.label)


def _scroll(asked: Interact) -> Step:
    direction = cast(Literal["up", "down", "left", "right"], asked.direction)
    return input.Scroll(selector=asked.selector, direction=direction, amount=asked.amount)


def _press(asked: Interact) -> Step:
    keys = [*(MODIFIERS[name] for name in asked.modifiers or []), str(asked.key)]
    return input.Press(selector=asked.selector, key="+".join(keys))


def _wait(asked: Interact) -> Step:
    timeout = _milliseconds(asked.timeout)
    return wait.Until(for_="selector", selector=asked.selector, state=STATES[asked.state], timeout=timeout)


INTERACT: dict[str, Run] = {
    "click": _acts("clicked", _click),
    "type": _acts("typed", _clear, _type),
    "select": _acts("selected", _select),
    "hover": _acts("hovered", lambda asked: input.Hover(selector=asked.selector)),
    "scroll": _acts("scrolled", _scroll),
    "press": _acts("pressed", _press),
    "wait": _acts("found", _wait),
}


async def read(call: ToolCall, command: Read) -> MarkupResult:
    """The first match.

    Raises:
        NoSuchElement: there is none now.
    """
    result = await send(call, command)
    if not result["found"]:
        raise NoSuchElement(
            f"{command.selector!r} matches nothing in the page.",
            next_step='browser_interact {"action": "wait"} waits for what comes later; get_html shows what is there.',
        )
    return result


def _ellipsis(asked: Inspect | Extract, limits: Limits) -> int:
    """Limit that the call names, else the configuration, else the tool's default."""
    configured = None if "ellipsize_text_after" in asked.model_fields_set else limits.ellipsize_text_after
    return configured or asked.ellipsize_text_after


async def _get_html(call: ToolCall) -> Response:
    asked: Inspect = call.parameters
    limits = of(call).limits.of("browser_get_html")
    result = await read(call, Read(selector=asked.selector, depth=asked.max_depth))

    def render() -> str:
        root = markup.parse(result["rows"])
        return markup.as_html(root, collapse_depth=asked.collapse_depth, limit=_ellipsis(asked, limits))

    return bounded("text", utf8(await anyio.to_thread.run_sync(render)), limits)


async def _exists(call: ToolCall) -> Response:
    result = await send(call, Read(selector=call.parameters.selector, depth=0))
    return {"data": {"exists": result["found"]}}


async def _get_attribute(call: ToolCall) -> Response:
    asked: Inspect = call.parameters
    result = await read(call, Read(selector=asked.selector, depth=0))
    name = str(asked.attribute)
    value: Any = markup.parse(result["rows"]).attributes.get(name)
    state: Answer = result["state"]
    if name in state:
        # What a field holds now is not in its attributes.
        now = state[name]
        value = ("true" if now else None) if isinstance(now, bool) else now
    return {"data": {"value": value, "attribute": name}}


INSPECT: dict[str, Run] = {"get_html": _get_html, "exists": _exists, "get_attribute": _get_attribute}


async def _get_text(call: ToolCall) -> Response:
    asked: Extract = call.parameters
    limits = of(call).limits.of("browser_get_text")
    command = Read(selector=asked.selector or "body", depth=asked.max_depth, shown=asked.skip_hidden)
    limit = _ellipsis(asked, limits)

    def render(rows: str) -> bytes:
        return utf8(markup.as_lines(markup.parse(rows), limit=limit, tagged=asked.include_tag_names))

    if not asked.use_chunking:
        data = await anyio.to_thread.run_sync(render, (await read(call, command))["rows"])
        return _answer("text", asked, data, limits)
    browser = (await call.context.browser()).id
    what = json.dumps([browser, command.params(), limit, asked.include_tag_names])
    name, data = of(call).read.of(what)
    result = await read(call, command.model_copy(update={"snapshot": name}))
    if "rows" in result:
        data = await anyio.to_thread.run_sync(render, result["rows"])
        of(call).read.keep(what, name, data)
    return await anyio.to_thread.run_sync(_answer, "text", asked, data, limits)


def _answer(field: str, asked: Chunked, data: bytes, limits: Limits) -> Response:
    """The whole text, or the chunk that is asked for."""
    if not asked.use_chunking:
        return bounded(field, data, limits)
    length = min(asked.length or limits.chunk_bytes, limits.max_chunk_bytes)
    return part(field, chunk(data, asked.offset, length, asked.snapshot_checksum))


async def _get_cookies(call: ToolCall) -> Response:
    url = await _url(call)
    result = await send(call, storage.Cookies(action="get_all", url=url))
    found = result["value"]
    note = {"note": found["note"]} if "note" in found else {}
    return {"cookies": found["cookies"], "url": url, "data": {"count": found["count"], **note}}


EXTRACT: dict[str, Run] = {"get_text": _get_text, "get_cookies": _get_cookies}


async def _capture(call: ToolCall) -> Response:
    asked: Capture = call.parameters
    name = f"screenshot_{datetime.now():%Y%m%d_%H%M%S}_{secrets.token_hex(3)}.png" if asked.save_to_disk else None
    command = media.Screenshot(selector=asked.selector, full_page=asked.full_page, save_path=name)
    if name is None:
        result = await send(call, command)
        shown = {"format": "base64", "mime_type": result["mime_type"], **kept(result, "width", "height", "note")}
        return {"screenshot": result["data"], "data": shown}
    files = call.context.files
    folder = of(call).screenshots.folder
    destination = Destination(folder.resolve() / name)
    with _naming_the_setting():
        await anyio.to_thread.run_sync(files.check_folder, destination.path.parent)
    result = await send(call, command)
    with _naming_the_setting():
        await anyio.to_thread.run_sync(files.write, destination, base64.b64decode(result["data"]))
    saved = {"filepath": str(folder / name), "filename": name, "format": "png", "saved": True}
    return {"data": {**saved, **kept(result, "width", "height", "note")}}


@contextmanager
def _naming_the_setting() -> Iterator[None]:
    try:
        yield
    except (PermissionDenied, InvalidArgument) as error:
        raise PermissionDenied(error.message, next_step="See screenshots in [facade] of config.toml.") from None


CAPTURE: dict[str, Run] = {"screenshot": _capture, "element_screenshot": _capture}

_ARGUMENTS = re.compile(r"\barguments\b")


async def _evaluate(call: ToolCall) -> Response:
    """Evaluated again for each chunk: the checksum tells whether it gives the same."""
    asked: Execute = call.parameters
    result = await _run_script(call, asked.code, None)
    return _value(asked, result, of(call).limits.of("browser_evaluate"))


async def _execute(call: ToolCall) -> Response:
    """Run once. Further chunks are those of the result it gave then: what it did must not be done again."""
    asked: Execute = call.parameters
    kept, limits = of(call).kept, of(call).limits.of("browser_execute")
    browser = (await call.context.browser()).id
    which = hashlib.sha256(json.dumps([browser, asked.code, asked.args]).encode()).hexdigest()
    if asked.snapshot_checksum is not None:
        data = kept.find(which, asked.snapshot_checksum)
        if data is None:
            raise ContentChanged(
                "No result of this script with this snapshot_checksum is kept, and the script was not run again.",
                next_step="Run it anew at offset 0, without snapshot_checksum.",
            )
        return _answer("result", asked, data, limits)
    if asked.offset:
        raise InvalidArgument("execute with an offset needs the snapshot_checksum of the first chunk: the script runs only once")
    code = f"async function (...args) {{\n{asked.code}\n}}" if _ARGUMENTS.search(asked.code) else asked.code
    result = await _run_script(call, code, asked.args or ([] if code != asked.code else None))
    if asked.use_chunking and isinstance(result["value"], str):
        kept.keep(which, utf8(result["value"]))
    return _value(asked, result, limits)


async def _run_script(call: ToolCall, code: str, args: list[Any] | None) -> script.EvaluationResult:
    return await send(call, script.Evaluate(expression=code, args=args, max_output_size=MAX_VALUE_BYTES))


def _value(asked: Execute, result: script.EvaluationResult, limits: Limits) -> Response:
    value = result["value"]
    told = kept(result, "redacted", "note")
    data = {"data": told} if told else {}
    if isinstance(value, str):
        return {**_answer("result", asked, utf8(value), limits), **data}
    text = json.dumps(value, ensure_ascii=False)
    if len(utf8(text)) <= limits.response_bytes:
        return {"result": value, **data}
    note = "the result is no string; its JSON was too long and is cut: return less, or JSON.stringify it and read it in chunks"
    return {**bounded("result", utf8(text), limits), "data": {**told, "note": note}}


EXECUTE: dict[str, Run] = {"execute": _execute, "evaluate": _evaluate}
