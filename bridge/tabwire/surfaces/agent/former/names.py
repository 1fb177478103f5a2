"""The names tools had before the agent spec, and what a call of each means now (its migration guide)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabwire.commands.privacy import Kept, Privacy
from tabwire.errors import InvalidArgument
from tabwire.surfaces.agent.former import arguments as old
from tabwire.surfaces.agent.former.arguments import Arguments, New, place
from tabwire.surfaces.alias import Step

USED = "used"
"""An old argument that `steps` looks at; in the event log it is what the new argument of its name is."""
FACT = Kept(Privacy.FACT)
"""An argument that `steps` looks at and that the event log keeps."""
NOTHING = "nothing"
"""Argument that asked for what is always so now: nothing takes the focus unless it is told to."""
LEFT_OUT = "left out"
"""Argument without a counterpart; the reply says so."""

Steps = Callable[[Arguments, New], list[Step]]
Taken = Mapping[str, str | Kept]


@dataclass(frozen=True)
class OldName:
    """An old tool, or an action of one."""

    now: tuple[str, ...]
    """New tools, the one that most calls become first."""
    takes: Taken = field(default_factory=dict)
    """Old argument → new name, one of the words above, or what the event log keeps of one that `steps` looks at."""
    steps: Steps | None = None
    """Old arguments and those renamed already → calls; None for one call with the renamed ones."""


def _one(tool: str, **fixed: Any) -> Steps:
    return lambda given, new: [Step(tool, {**fixed, **new})]


def _at(tool: str, **fixed: Any) -> Steps:
    """A call at the place that `ref`, `selector` or `coordinates` name."""
    return lambda given, new: [Step(tool, {**place(given), **_held(given), **fixed, **new})]


def _held(given: Arguments) -> New:
    return {"modifiers": old.modifiers(given["modifiers"])} if "modifiers" in given else {}


def _element(given: Arguments) -> New:
    return {"selector": target} if (target := old.selector_of(given)) else {}


def _navigate(given: Arguments, new: New) -> list[Step]:
    if given.get("refresh"):
        return [Step("navigate", {"action": "reload", **{name: new[name] for name in ("tabId", "windowId") if name in new}})]
    if given.get("url") in ("back", "forward"):
        return [Step("navigate", {**new, "action": given["url"]})]
    url = {"url": given["url"]} if "url" in given else {}
    size = {name: given[name] for name in ("width", "height") if name in given}
    window = {"new_window": True, "window_size": size} if size else {}
    return [Step("navigate", {**url, **new, **window})]


def _screenshot(given: Arguments, new: New) -> list[Step]:
    is_saved = "name" in given and given.get("savePng", True) and not given.get("storeBase64")
    return [Step("screenshot", {**new, **({"save_path": f"{given['name']}.png"} if is_saved else {})})]


def _close(given: Arguments, new: New) -> list[Step]:
    is_current = not new and "windowId" not in given
    return [Step("tab_close", new, look_up=old.current_tab if is_current else None)]


def _snapshot(given: Arguments, new: New) -> list[Step]:
    mode = {"mode": "interactive"} if given.get("filter") == "interactive" else {}
    start = {"selector": old.reference(given["refId"])} if "refId" in given else {}
    return [Step("snapshot", {**mode, **start, **new})]


def _click(given: Arguments, new: New) -> list[Step]:
    if given.get("double"):
        kept = {name: value for name, value in new.items() if name != "button"}
        return [Step("dblclick", {**place(given), **_held(given), **kept})]
    stays = {"no_wait_after": True} if given.get("waitForNavigation") is False else {}
    return [Step("click", {**place(given), **_held(given), **stays, **new})]


def _fill(given: Arguments, new: New) -> list[Step]:
    """The element says what it takes: a text, an option, or a tick."""
    value = given.get("value")
    target = {**place(given), **new}
    box = Step("check" if old.is_true(value) else "uncheck", target)
    if isinstance(value, bool):
        return [box]
    text = {**target, "value": old.text_of(value)}
    return [Step("fill", text, instead=Step("select", text, instead=box))]


def _fill_form(given: Arguments, new: New) -> list[Step]:
    elements = given.get("elements")
    if not isinstance(elements, list) or not elements or not all(isinstance(one, Mapping) for one in elements):
        raise InvalidArgument("chrome_computer: fill_form needs elements, a list of {ref, value}")
    return [step for element in elements for step in _fill(element, new)]


def _drag(given: Arguments, new: New) -> list[Step]:
    start = place({**given, "selector": None}, "startRef", "startCoordinates", "source")
    return [Step("drag", {**start, **place(given, prefix="target"), **new})]


def _scroll(given: Arguments, new: New) -> list[Step]:
    move = {
        "direction": given.get("scrollDirection", "down"),
        "amount": old.number(given, "scrollAmount", 3) * old.PIXELS_PER_TICK,
    }
    return [Step("scroll", {**_element(given), **move, **new})]


def _keys(given: Arguments, new: New) -> list[Step]:
    words = str(given.get("text", "")).split() * int(old.number(given, "repeat", 1))
    if not words:
        raise InvalidArgument("chrome_computer: key needs text, the keys separated by spaces")
    return [Step("press", {**_element(given), "key": old.chord(word), **new}) for word in words]


def _keyboard(given: Arguments, new: New) -> list[Step]:
    keys = str(given.get("keys", ""))
    if not old.is_keys(keys):
        return [Step("type", {**_element(given), "text": keys, **new})]
    return [Step("press", {**_element(given), "key": old.chord(keys), **new})]


def _type(given: Arguments, new: New) -> list[Step]:
    return [Step("type", {**_element(given), **new})]


def _pause(given: Arguments, new: New) -> list[Step]:
    if "text" in given:
        kind = "text_hidden" if given.get("appear") is False else "text"
        return [Step("wait", {"for": kind, "text": given["text"], "timeout": 10_000, **new})]
    return [Step("wait", {"for": "timeout", "duration": old.number(given, "duration", 1) * 1000, **new})]


def _zoom(given: Arguments, new: New) -> list[Step]:
    region = given.get("region")
    if not isinstance(region, Mapping) or not {"x0", "y0", "x1", "y1"} <= set(region):
        raise InvalidArgument("chrome_computer: zoom needs region with x0, y0, x1, y1")
    x0, y0, x1, y1 = (old.number(region, name, 0) for name in ("x0", "y0", "x1", "y1"))
    return [Step("screenshot", {"clip": {"x": x0, "y": y0, "width": x1 - x0, "height": y1 - y0}, **new})]


def _tab_of(new: New) -> New:
    return {"tabId": new["tabId"]} if "tabId" in new else {}


def _going(given: Arguments, new: New) -> list[Step]:
    return [Step("navigate", {"url": given["url"], **_tab_of(new)})] if "url" in given else []


def _console(given: Arguments, new: New) -> list[Step]:
    level = {"level": ["error"]} if given.get("onlyErrors") else {}
    is_buffer = given.get("buffer") or given.get("mode") == "buffer"
    before = _going(given, new)
    before += [Step("console", {"action": "start_buffer", **_tab_of(new)})] if is_buffer else []
    before += [Step("console", {"action": "clear", **_tab_of(new)})] if given.get("clear") else []
    limit = {"max_messages": given["limit"]} if "limit" in given else {}
    return [*before, Step("console", {**level, **new, **limit})]


PAGE_TRAFFIC = ["document", "xhr", "fetch", "websocket", "other"]


def _capture(given: Arguments, new: New) -> list[Step]:
    if given.get("action") != "start":
        return [Step("capture", {"action": given.get("action"), **_tab_of(new)})]
    kinds = {"filter": {"resource_types": PAGE_TRAFFIC}} if given.get("includeStatic") is False else {}
    return [Step("capture", {"action": "start", **kinds, **new}), *_going(given, new)]


def _request(given: Arguments, new: New) -> list[Step]:
    method = {"method": str(given["method"]).upper()} if "method" in given else {}
    form = {"form_data": old.form_data(given["formData"])} if "formData" in given else {}
    return [Step("request", {**method, **{name: value for name, value in new.items() if not (form and name == "body")}, **form})]


def _bookmark_delete(given: Arguments, new: New) -> list[Step]:
    if "bookmarkId" in given:
        return [Step("bookmarks", {"action": "delete", "bookmark_id": given["bookmarkId"]})]
    if "url" not in given:
        raise InvalidArgument("chrome_bookmark_delete: needs bookmarkId or url")
    wanted = {name: given[name] for name in ("url", "title") if name in given}
    return [Step("bookmarks", {"action": "delete", **wanted}, look_up=old.bookmark_of)]


def _upload(given: Arguments, new: New) -> list[Step]:
    return [Step("upload", {**place(given), "files": [old.upload_file(given)], **new})]


def _download(given: Arguments, new: New) -> list[Step]:
    return [Step("wait", {"for": "url", "download": True, "timeout": 60_000, **new})]


_RECORD = {"start": "start", "auto_start": "start", "capture": "capture_frame", "stop": "stop", "status": "status"}


def _record(given: Arguments, new: New) -> list[Step]:
    action = given.get("action")
    if action not in _RECORD:
        raise InvalidArgument(f"chrome_gif_recorder: action {action!r} has no counterpart; use one of {', '.join(_RECORD)}")
    mode = {"start": {"mode": "fixed_fps"}, "auto_start": {"mode": "auto_capture"}}.get(str(action), {})
    path = {"save_path": f"{given['filename']}.gif"} if action == "stop" and "filename" in given else {}
    drawn = {"overlays": old.overlays(given["enhancedRendering"])} if "enhancedRendering" in given else {}
    return [Step("record", {"action": _RECORD[action], **mode, **path, **drawn, **new})]


def _content(given: Arguments, new: New) -> list[Step]:
    expression = old.content_expression(given.get("selector"), html=bool(given.get("htmlContent")))
    return [*_going(given, new), Step("evaluate", {"expression": expression, **new})]


def _pick(given: Arguments, new: New) -> list[Step]:
    requests = given.get("requests")
    if (
        not isinstance(requests, list)
        or not requests
        or not all(isinstance(one, Mapping) and one.get("name") for one in requests)
    ):
        raise InvalidArgument("chrome_request_element_selection: needs requests, a list of {name, description}")
    wanted = [": ".join(filter(None, (one["name"], one.get("description")))) for one in requests]
    return [Step("query", {"by": "text", "value": value, "pick": True, **new}) for value in wanted]


def _trace(given: Arguments, new: New) -> list[Step]:
    limit = {"max_capture_time": given.get("durationMs", 5000)} if given.get("autoStop") else {}
    after = [Step("reload", _tab_of(new))] if given.get("reload") else []
    return [Step("capture", {"action": "start", "trace": True, **limit, **new}), *after]


ELEMENT: Taken = {"selector": FACT, "selectorType": USED, "ref": FACT}
FIELD = Kept(fields={"selector": FACT, "ref": FACT, "value": Kept(Privacy.TYPED)})
"""An element of a form and what it is filled with."""
WANTED = Kept(fields={"name": FACT, "description": FACT})
"""An element that a person is to point at."""
CLICK: Taken = {**ELEMENT, "coordinates": USED, "modifiers": USED}

ACTIONS: Mapping[str, OldName] = {
    "left_click": OldName(("click",), CLICK, _at("click")),
    "right_click": OldName(("click",), CLICK, _at("click", button="right")),
    "double_click": OldName(("dblclick",), CLICK, _at("dblclick")),
    "triple_click": OldName(("click",), CLICK, _at("click", click_count=3)),
    "left_click_drag": OldName(
        ("drag",), {"startRef": USED, "startCoordinates": USED, "ref": FACT, "coordinates": USED, "selector": FACT}, _drag
    ),
    "scroll": OldName(("scroll",), {**ELEMENT, "scrollDirection": USED, "scrollAmount": USED}, _scroll),
    "scroll_to": OldName(("scroll",), ELEMENT, _at("scroll", into_view=True)),
    "type": OldName(("type",), {**ELEMENT, "text": "text"}, _type),
    "key": OldName(("press",), {**ELEMENT, "text": USED, "repeat": USED}, _keys),
    "fill": OldName(("fill", "select", "check", "uncheck"), {**ELEMENT, "value": USED}, _fill),
    "fill_form": OldName(("fill", "select", "check", "uncheck"), {"elements": FIELD}, _fill_form),
    "hover": OldName(("hover",), {**ELEMENT, "coordinates": USED}, _at("hover")),
    "wait": OldName(("wait",), {"text": USED, "appear": USED, "duration": USED, "timeout": "timeout"}, _pause),
    "resize_page": OldName(("viewport",), {"width": "width", "height": "height"}),
    "zoom": OldName(("screenshot",), {"region": USED}, _zoom),
    "screenshot": OldName(("screenshot",)),
}
"""Actions of `chrome_computer`."""

OLD_NAMES: Mapping[str, OldName] = {
    "get_windows_and_tabs": OldName(("tab_list",)),
    "chrome_navigate": OldName(("navigate",), {"url": USED, "refresh": USED, "width": USED, "height": USED}, _navigate),
    "chrome_screenshot": OldName(
        ("screenshot",),
        {"name": USED, "savePng": USED, "storeBase64": USED, "width": LEFT_OUT, "height": LEFT_OUT},
        _screenshot,
    ),
    "chrome_close_tabs": OldName(("tab_close",), {"tabIds": "tabId"}, _close),
    "chrome_switch_tab": OldName(("tab_switch",), {"windowId": NOTHING}),
    "chrome_read_page": OldName(("snapshot",), {"filter": USED, "refId": USED}, _snapshot),
    "chrome_computer": OldName(tuple(dict.fromkeys(tool for action in ACTIONS.values() for tool in action.now))),
    "chrome_click_element": OldName(("click", "dblclick"), {**CLICK, "double": USED, "waitForNavigation": USED}, _click),
    "chrome_fill_or_select": OldName(("fill", "select", "check", "uncheck"), {**ELEMENT, "value": USED}, _fill),
    "chrome_keyboard": OldName(("press", "type"), {**ELEMENT, "keys": USED}, _keyboard),
    "chrome_javascript": OldName(
        ("evaluate",), {"code": "expression", "timeoutMs": "timeout", "maxOutputBytes": "max_output_size"}
    ),
    "chrome_console": OldName(
        ("console",), {"url": USED, "mode": USED, "buffer": USED, "clear": USED, "onlyErrors": USED, "limit": USED}, _console
    ),
    "chrome_network_capture": OldName(
        ("capture",),
        {
            **{"action": FACT, "url": FACT, "includeStatic": USED, "inactivityTimeout": LEFT_OUT},
            **{"needResponseBody": "include_bodies", "maxCaptureTime": "max_capture_time"},
        },
        _capture,
    ),
    "chrome_network_request": OldName(("request",), {"method": FACT, "formData": USED}, _request),
    "chrome_history": OldName(("history",), {"text": "query"}),
    "chrome_bookmark_search": OldName(("bookmarks",), {"folderPath": "folder"}, _one("bookmarks", action="search")),
    "chrome_bookmark_add": OldName(("bookmarks",), {"parentId": "parent_folder"}, _one("bookmarks", action="add")),
    "chrome_bookmark_delete": OldName(("bookmarks",), {"bookmarkId": USED, "url": USED, "title": USED}, _bookmark_delete),
    "chrome_upload_file": OldName(
        ("upload",),
        {**ELEMENT, "filePath": USED, "fileUrl": USED, "base64Data": USED, "fileName": USED, "multiple": NOTHING},
        _upload,
    ),
    "chrome_handle_dialog": OldName(("dialog",), {"promptText": "prompt_text"}),
    "chrome_handle_download": OldName(
        ("wait",), {"filenameContains": "url", "timeoutMs": "timeout", "waitForComplete": LEFT_OUT}, _download
    ),
    "chrome_gif_recorder": OldName(
        ("record",),
        {
            **{"action": FACT, "filename": FACT, "enhancedRendering": USED, "durationMs": "max_duration", "download": NOTHING},
            **dict.fromkeys(("maxColors", "captureDelayMs", "frameDelayCs", "coordinates", "ref", "selector"), LEFT_OUT),
        },
        _record,
    ),
    "chrome_get_web_content": OldName(
        ("evaluate",), {"url": FACT, "selector": FACT, "htmlContent": USED, "textContent": USED}, _content
    ),
    "chrome_get_interactive_elements": OldName(
        ("snapshot",),
        {"includeCoordinates": "include_bounds", "textQuery": LEFT_OUT, "types": LEFT_OUT},
        _one("snapshot", mode="interactive"),
    ),
    "chrome_request_element_selection": OldName(("query",), {"requests": WANTED, "timeoutMs": "timeout"}, _pick),
    "performance_start_trace": OldName(("capture",), {"reload": USED, "autoStop": USED, "durationMs": USED}, _trace),
    "performance_stop_trace": OldName(
        ("capture",), {"saveToDownloads": LEFT_OUT, "filenamePrefix": LEFT_OUT}, _one("capture", action="stop")
    ),
    "performance_analyze_insight": OldName(
        ("capture",), {"insightName": LEFT_OUT, "timeoutMs": LEFT_OUT}, _one("capture", action="status")
    ),
}
ANYWHERE = {"background": NOTHING, "windowId": USED}
"""Arguments that every old tool takes."""
