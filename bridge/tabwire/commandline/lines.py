"""The one table of command lines: short names, and the fields that are said without a flag. All else is in the declarations."""

from collections.abc import Mapping

SHORT_NAMES: Mapping[str, str] = {
    "open": "navigate",
    "goto": "navigate",
    "tabs": "tab_list",
    "requests": "capture",
    "eval": "evaluate",
}
"""Short name → tool."""

POSITIONS: Mapping[str, tuple[str, ...]] = {
    "navigate": ("url",),
    "snapshot": ("selector",),
    "find": ("text",),
    "query": ("by", "value"),
    "click": ("selector",),
    "dblclick": ("selector",),
    "hover": ("selector",),
    "drag": ("source", "target"),
    "scroll": ("direction", "amount"),
    "type": ("selector", "text"),
    "press": ("selector", "key"),
    "select": ("selector", "value"),
    "wait": ("for", "~"),
    "tab_new": ("url",),
    "tab_switch": ("tabId",),
    "tab_close": ("tabId",),
    "window_new": ("url",),
    "console": ("action",),
    "page_tools": ("name",),
    "screenshot": ("selector",),
    "pdf": (),
    "dialog": ("action", "prompt_text"),
    "cookies": ("action", "name", "value"),
    "storage": ("action", "key", "value"),
    "auth_state": ("action", "name"),
    "bookmarks": ("action", "query"),
    "route": ("action", "url_pattern"),
    "device": ("name",),
    "geolocation": ("latitude", "longitude"),
    "history": ("query",),
}
"""Tool → fields without a flag, in the order in which they are typed; of other tools the required ones. `~` is the field that the
one before it chooses (`CONDITION_FIELDS` of the command `wait`)."""

SAVED_TO: Mapping[str, str] = {"screenshot": "save_path", "pdf": "save_path", "record": "save_path", "capture": "har_path"}
"""Tool → the field that names its file: said as -o FILE, which is a copy of the file that the tool saves."""

SAVING_ACTION: Mapping[str, str] = {"record": "stop", "capture": "stop"}
"""Tool of several actions → the one that saves its file."""

SAVED_ALWAYS: Mapping[str, str] = {"screenshot": "screenshot", "pdf": "page"}
"""Tool whose result is a file, also without -o → the beginning of its name."""

OTHER_FLAGS: Mapping[str, str] = {"json": "json-body"}
"""Field → its flag, where a flag of every command has the name."""

READ_FILES: frozenset[str] = frozenset({"files"})
"""Fields with paths of files to read: relative ones are below the folder in which the command is typed."""

FOLLOWED: Mapping[str, str] = {
    "console": "console",
    "console-messages": "console",
    "requests": "network_requests",
    "network-requests": "network_requests",
}
"""Command that takes --follow → the tool that tells what is new."""
