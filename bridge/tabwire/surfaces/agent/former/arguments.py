"""Meaning of old arguments now: references, modifiers, keys, files, times."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from tabwire.commands.tabs import TabEntry
from tabwire.errors import InvalidArgument
from tabwire.surfaces.context import Context

Arguments = Mapping[str, Any]
New = dict[str, Any]

PIXELS_PER_TICK = 100
_MODIFIERS = {"altKey": "Alt", "ctrlKey": "Control", "metaKey": "Meta", "shiftKey": "Shift"}
_KEY_WORDS = {
    **{"ctrl": "Control", "control": "Control", "cmd": "Meta", "command": "Meta", "meta": "Meta", "win": "Meta"},
    **{"alt": "Alt", "option": "Alt", "shift": "Shift"},
}
_KEY_NAMES = (
    "enter return tab escape esc backspace delete del insert ins space spacebar home end pageup pagedown pgup pgdn up down left "
    "right arrowup arrowdown arrowleft arrowright capslock contextmenu control ctrl shift alt meta"
).split()
_NAMED_KEY = re.compile(rf"(?:{'|'.join(_KEY_NAMES)}|f\d{{1,2}})", re.IGNORECASE)
_CHORD = re.compile(rf"(?:(?:{'|'.join(_KEY_WORDS)})\+)+(?:{_NAMED_KEY.pattern}|\S)", re.IGNORECASE)


def reference(value: Any) -> Any:
    """`ref_5` → `@e5`; what else there is stays."""
    found = re.fullmatch(r"ref_(\d+)", value) if isinstance(value, str) else None
    return f"@e{found[1]}" if found else value


def modifiers(value: Any) -> Any:
    """`{ctrlKey: true}` → `["Control"]`."""
    if not isinstance(value, Mapping):
        return value
    unknown = [name for name in value if name not in _MODIFIERS]
    if unknown:
        raise InvalidArgument(f"modifiers: unknown key {unknown[0]!r}. Valid keys: {', '.join(_MODIFIERS)}")
    return [name for key, name in _MODIFIERS.items() if value.get(key)]


def selector_of(old: Arguments, ref: str = "ref") -> str | None:
    """The element an old call means: its reference, else its selector."""
    if old.get(ref) is not None:
        return str(reference(old[ref]))
    selector = old.get("selector")
    if selector is None:
        return None
    is_xpath = old.get("selectorType") == "xpath" and not str(selector).startswith("xpath=")
    return f"xpath={selector}" if is_xpath else str(reference(selector))


def place(old: Arguments, ref: str = "ref", coordinates: str = "coordinates", prefix: str = "") -> New:
    """Place at which an old call acts: `selector`, or `coordinates`; `source` and `target` are named by `prefix`."""
    selector = selector_of(old, ref)
    if selector is not None:
        return {prefix or "selector": selector}
    if old.get(coordinates) is not None:
        return {f"{prefix}_coordinates" if prefix else "coordinates": old[coordinates]}
    return {}


def chord(text: str) -> str:
    """`cmd+a` → `Meta+a`."""
    *held, key = re.split(r"\+(?!$)", text)
    return "+".join([*(_KEY_WORDS.get(part.lower(), part) for part in held), _KEY_WORDS.get(key.lower(), key)])


def is_keys(text: str) -> bool:
    """Whether a text names one key or a combination; else it is to be typed."""
    return len(text) == 1 or bool(_NAMED_KEY.fullmatch(text) or _CHORD.fullmatch(text))


def is_true(value: Any) -> bool:
    """Whether a box is to be checked."""
    return str(value).strip().lower() in ("true", "1", "on", "yes", "checked")


def text_of(value: Any) -> str:
    """A value as it is typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)


def number(given: Arguments, name: str, default: float) -> float:
    """A number among old arguments."""
    value = given.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidArgument(f"{name} must be a number, got {value!r}")
    return value


def upload_file(old: Arguments) -> Any:
    """The file of `chrome_upload_file`."""
    if old.get("filePath") is not None:
        return old["filePath"]
    name = {"name": old["fileName"]} if old.get("fileName") is not None else {}
    if old.get("fileUrl") is not None:
        return {"url": old["fileUrl"], **name}
    if old.get("base64Data") is not None:
        return {"base64": old["base64Data"], "name": "uploaded-file", **name}
    raise InvalidArgument("chrome_upload_file: needs one of filePath, fileUrl, base64Data")


_FORM_FILE = {"filePath": "path", "base64Data": "base64", "filename": "name", "contentType": "mime_type"}


def form_data(old: Any) -> Any:
    """`{fields, files}` → one object of names and values."""
    if not isinstance(old, Mapping) or not set(old) <= {"fields", "files"}:
        return old
    return {**old.get("fields", {}), **{file.get("name", "file"): _form_file(file) for file in old.get("files", [])}}


def _form_file(file: Arguments) -> New:
    if "fileUrl" in file:
        raise InvalidArgument("formData: a file by fileUrl has no counterpart; give filePath or base64Data")
    return {new: file[name] for name, new in _FORM_FILE.items() if name in file}


def content_expression(selector: Any, *, html: bool) -> str:
    """Expression for the content that `chrome_get_web_content` reads."""
    wanted = "outerHTML" if html else "innerText"
    if selector is None:
        return f"document.{'documentElement' if html else 'body'}.{wanted}"
    quoted = json.dumps(str(selector))
    return (
        f"const element = document.querySelector({quoted}); "
        f"if (!element) throw new Error('nothing matches ' + {quoted}); return element.{wanted}"
    )


OVERLAYS = {"clickIndicators": "click_indicators", "dragPaths": "drag_paths", "labels": "action_labels"}


def overlays(value: Any) -> New:
    """`enhancedRendering` of the GIF recorder."""
    if not isinstance(value, Mapping):
        return dict.fromkeys(OVERLAYS.values(), bool(value))
    return {new: value[old] is not False and value[old] != {"enabled": False} for old, new in OVERLAYS.items() if old in value}


async def _tabs(context: Context, window: Any = None) -> list[TabEntry]:
    from tabwire.commands import tabs

    return (await context.send(tabs.List(windowId=window)))["tabs"]


def in_window(window: Any) -> Callable[[Context, New], Any]:
    """The active tab of a window, for tools that take a tab only."""

    async def look_up(context: Context, arguments: New) -> New:
        tabs = [tab for tab in await _tabs(context, window) if tab["active"]]
        if not tabs:
            raise InvalidArgument(f"windowId: there is no window {window}; call tab_list to see tabs and windows")
        return {**arguments, "tabId": tabs[0]["tabId"]}

    return look_up


async def current_tab(context: Context, arguments: New) -> New:
    """The tab the client works in."""
    tabs = [tab for tab in await _tabs(context) if tab["current"]]
    if not tabs:
        raise InvalidArgument("there is no current tab; give tabIds")
    return {**arguments, "tabId": tabs[0]["tabId"]}


async def bookmark_of(context: Context, arguments: New) -> New:
    """The id of the bookmark with an address (and a title)."""
    from tabwire.commands.history import Bookmarks

    url, title = arguments.pop("url"), arguments.pop("title", None)
    found = (await context.send(Bookmarks(action="search", query=url)))["bookmarks"]
    same = [mark for mark in found if mark["url"].rstrip("/") == url.rstrip("/") and title in (None, mark["title"])]
    if len(same) != 1:
        known = f": {', '.join(mark['id'] for mark in same)}" if same else ""
        raise InvalidArgument(f"{len(same)} bookmarks have the address {url}{known}; give bookmarkId")
    return {**arguments, "bookmark_id": same[0]["id"]}
