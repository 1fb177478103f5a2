"""A call of each tool that works in a tab, as a client makes it that wants to read or change the page there."""

from typing import Any

from e2e.rules.ruling import HTML, SECRET
from tabwire.surfaces.tool import Tool, load_toolset

TAB_TOOLS: dict[str, Tool] = {
    tool.name: tool for tool in load_toolset("agent").tools if "tabId" in tool.input_schema.get("properties", {})
}
"""Name → tool, of all that take a tab."""
ARGUMENTS: dict[str, dict[str, Any]] = {
    "navigate": {"action": "reload"},
    "query": {"by": "text", "value": SECRET},
    "locator": {"chain": [{"method": "css", "value": "button"}], "action": "click"},
    "find": {"text": SECRET},
    "click": {"selector": "button"},
    "dblclick": {"selector": "button"},
    "type": {"text": "x", "selector": "#field"},
    "press": {"key": "Enter", "selector": "#field"},
    "hover": {"selector": "button"},
    "drag": {"source": "button", "target": "p"},
    "scroll": {"direction": "down"},
    "upload": {"selector": "input[type=file]", "files": [{"name": "a.txt", "base64": "YQ=="}]},
    "fill": {"selector": "#field", "value": "x"},
    "fill_form": {"fields": [{"selector": "#field", "value": "x"}]},
    "check": {"selector": "input[type=checkbox]"},
    "uncheck": {"selector": "input[type=checkbox]"},
    "select": {"selector": "select", "value": "b"},
    "clear": {"selector": "#field"},
    "focus": {"selector": "#field"},
    "wait": {"for": "text", "text": SECRET, "timeout": 1000},
    "evaluate": {"expression": "document.body.innerText"},
    "call_page_tool": {"name": "any"},
    "pdf": {"save_path": "x.pdf"},
    "record": {"action": "start"},
    "dialog": {"action": "accept"},
    "request": {"url": "/", "method": "POST"},
    "capture": {"action": "start"},
    "route": {"action": "add", "url_pattern": "**/none", "handler": "abort"},
    "console_message": {"id": 9999},
    "request_details": {"id": 9999},
    "styles": {"selector": "button"},
    "event_listeners": {"selector": "button"},
    "breakpoints": {"action": "set", "text": SECRET},
    "paused": {"action": "resume"},
    "components": {"selector": "button"},
    "code_profile": {"action": "start"},
    "storage": {"action": "clear", "type": "local"},
    "auth_state": {"action": "save", "name": "x"},
    "viewport": {"width": 400, "height": 400},
    "device": {"name": "iPhone 14"},
    "geolocation": {"latitude": 1, "longitude": 1},
    "permissions": {"permissions": [{"name": "geolocation", "state": "granted"}]},
    "emulate": {"color_scheme": "dark"},
    "ask_user": {"question": "Which one?", "timeout": 1000},
    "locate_step": {"selector": f"text:{SECRET}", "fingerprint": {"tag": "p"}, "timeout": 500},
    "record_steps": {"action": "start"},
}
"""Tool → its arguments, where a call without any says too little or is none."""
CALLS = {name: ARGUMENTS.get(name, {}) for name in TAB_TOOLS}
ARRANGING = {"navigate", "back", "forward", "reload", "tab_switch", "tab_close"}
"""Acts on the tab and not on its page, which are allowed where a page may only be read."""
READING = {"record", "capture", "auth_state"}
"""Tools that change something besides the page, with the action that only reads the page."""
UNRULED = {"status"}
"""Tools that say of the tab only whether it answers."""
FAILS_ANYWAY = {
    "back": "navigation_failed", "forward": "navigation_failed", "call_page_tool": "invalid_argument", "console_message": "invalid_argument", "request_details": "invalid_argument",
    "dialog": "no_such_alert", "paused": "invalid_element_state",
}  # fmt: skip
"""Calls that a page without a history, a dialog, a pause, tools and such messages has no good answer for → the code of the error."""
PAGE = (
    HTML.replace("<input ", "<input id=field ", 1)
    + "<input type=checkbox><input type=file><select><option value=a>a<option value=b>b</select>"
)
