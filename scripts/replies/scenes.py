"""The calls whose replies are shown, scene by scene. Together they call every tool of the agent surface."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

PAGE = "PAGE"
"""Stands for the address of the app in a call."""
PARTS = "PARTS"
"""Stands for the address of the page below."""
FOLDER = "FOLDER"
"""Stands for the folder that the server may read."""


@dataclass(frozen=True)
class Ref:
    """An element of the last snapshot, by role and name."""

    role: str
    name: str


@dataclass(frozen=True)
class Call:
    """A call. What stands in `keeps` is a field of the reply, or a path to one, that later calls name as `$field`."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    keeps: str = ""
    fails: bool = False


@dataclass(frozen=True)
class Scene:
    """Calls that belong together, and what they are about."""

    title: str
    calls: tuple[Call, ...]


def call(tool: str, /, keeps: str = "", fails: bool = False, **arguments: Any) -> Call:
    """A call with its arguments; `from_` and the like lose the line."""
    return Call(tool, arguments, keeps, fails)


DELETE = {"tag": "button", "role": "button", "name": "Delete all", "before": "Tray", "after": "Help", "frame": ""}
"""A recorded button, whose name was longer."""

PAGE_WITH_PARTS = """<!doctype html><title>Parts</title><h1>Parts</h1>
<button ondblclick="this.textContent = 'Opened'">Open twice</button>
<label>Colour <select><option>red</option><option>green</option></select></label>
<label>Photo <input type=file></label>
<p id=card draggable=true>Card</p>
<p id=tray ondragover="event.preventDefault()" ondrop="this.textContent = 'Card is here'">Tray</p>
<button onclick="setTimeout(() => confirm('Delete 3 files?'))">Delete</button>
<button onmouseenter="tip.hidden = false">Help</button><p id=tip hidden>Tips appear here</p>
<script>
console.warn("stock is low");
document.modelContext = {
  async getTools() {
    return [{ name: "add", description: "Adds two numbers",
      inputSchema: '{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}' }];
  },
  async executeTool(tool, json) { const { a, b } = JSON.parse(json); return JSON.stringify(a + b); },
};
</script>"""

WRITTEN = (
    Scene(
        "Open a page and read it",
        (
            call("navigate", url=PAGE),
            call("snapshot"),
            call("url"),
            call("title"),
            call("find", text="stock"),
            call("query", by="role", value="link", return_="count"),
            call("snapshot", mode="interactive"),
        ),
    ),
    Scene(
        "Act, and see what came of it",
        (
            call("click", selector=Ref("link", "Order")),
            call("snapshot"),
            call("fill", selector=Ref("textbox", "Your name"), value="Ada Lovelace"),
            call("check", selector=Ref("checkbox", "Gift wrapping")),
            call("uncheck", selector=Ref("checkbox", "Gift wrapping")),
            call("type", selector=Ref("textbox", "Note"), text="Ring twice"),
            call("press", key="Control+a"),
            call("clear", selector=Ref("textbox", "Note")),
            call("focus", selector=Ref("textbox", "E-mail")),
            call("locator", chain=[{"method": "role", "value": "radio", "options": {"name": "Large"}}], action="click"),
            call("click", selector="text:Place the order", timeout=500, fails=True),
            call("fill", selector=Ref("checkbox", "Gift wrapping"), value="x", fails=True),
        ),
    ),
    Scene(
        "A whole form, or several calls, in one",
        (
            call("navigate", url=f"{PAGE}/order"),
            call(
                "fill_form",
                fields=[
                    {"selector": "label:Your name", "value": "Ada Lovelace"},
                    {"selector": "label:E-mail", "value": "ada@example.org"},
                    {"selector": "label:Large", "value": True},
                    {"selector": "label:Note", "value": "Ring twice"},
                ],
                submit=True,
            ),
            call("wait", for_="text", text="Order 1 received"),
            call(
                "batch",
                calls=[
                    {"tool": "navigate", "arguments": {"url": f"{PAGE}/stock"}},
                    {"tool": "wait", "arguments": {"for": "text", "text": "Remove Pears"}},
                    {"tool": "click", "arguments": {"selector": "text:Remove Pears"}},
                    {"tool": "snapshot", "arguments": {}},
                ],
            ),
            call("back"),
            call("forward"),
            call("reload"),
        ),
    ),
    Scene(
        "Pointers, files, dialogs",
        (
            call("navigate", url=PARTS),
            call("snapshot"),
            call("dblclick", selector=Ref("button", "Open twice")),
            call("select", selector=Ref("combobox", "Colour"), label="green"),
            call("upload", selector=Ref("button", "Photo"), files=[f"{FOLDER}/photo.png"]),
            call("hover", selector=Ref("button", "Help")),
            call("drag", source="#card", target="#tray"),
            call("scroll", direction="down", amount=200),
            call("click", selector=Ref("button", "Delete")),
            call("dialog", action="accept"),
            call("screenshot"),
            call("pdf", save_path="parts.pdf"),
            call("record", action="start", mode="auto_capture"),
            call("record", action="capture_frame", annotation="The card is in the tray"),
            call("record", action="stop", save_path="parts.gif"),
        ),
    ),
    Scene(
        "Scripts, console, network",
        (
            call("evaluate", expression="document.querySelectorAll('button').length"),
            call("evaluate", expression="missing.value", fails=True),
            call("console"),
            call("console_messages"),
            call("console_message", id=1),
            call("record_steps", action="start"),
            call("record_steps", action="stop"),
            call("locate_step", selector="role:button[name=Remove]", fingerprint=DELETE, timeout=200),
            call("page_tools"),
            call("call_page_tool", name="add", arguments={"a": 2, "b": 3}),
            call("navigate", url=f"{PAGE}/stock"),
            call("capture", action="start", include_bodies=True),
            call("click", selector="text:Remove Plums"),
            call("capture", action="stop"),
            call("network_requests", types=["document", "fetch"], keeps="requests.0.id"),
            call("request_details", id="$id"),
            call("performance_insights"),
            call("memory", max_groups=3),
            call("code_profile", action="start", measure="styles"),
            call("code_profile", action="stop", max_rows=3),
            call("styles", selector="text:Remove Apples", properties=["color", "padding", "cursor"]),
            call("event_listeners", selector="text:Remove Apples"),
            call("components", selector="text:Remove Apples"),
            call("sources"),
            call("sources", text="fetch(", max_lines=2),
            call("breakpoints", action="set", text="fetch("),
            call("breakpoints", action="remove"),
            call("paused"),
            call("audit"),
            call("debug_report", note="The fruit is sold out"),
            call("route", action="add", url_pattern="**/state", handler="abort", keeps="route_id"),
            call("route", action="list"),
            call("route", action="remove", route_id="$route_id"),
            call("request", url=f"{PAGE}/state"),
        ),
    ),
    Scene(
        "What the site keeps",
        (
            call("cookies", action="set", url=PAGE, name="basket", value="7"),
            call("cookies", action="get", url=PAGE, name="basket"),
            call("storage", action="set", type="local", key="theme", value="dark"),
            call("storage", action="get", type="local", key="theme"),
            call("auth_state", action="save", name="stall"),
            call("auth_state", action="list"),
        ),
    ),
    Scene(
        "Another device, place or taste",
        (
            call("viewport", width=800, height=600),
            call("device", name="Pixel 7"),
            call("geolocation", latitude=52.52, longitude=13.4),
            call("permissions", permissions=[{"name": "geolocation", "state": "granted"}]),
            call("emulate", color_scheme="dark", timezone="Asia/Tokyo"),
        ),
    ),
    Scene(
        "Tabs, windows, the person",
        (
            call("tab_new", url=PAGE, keeps="tabId"),
            call("tab_list"),
            call("tab_switch", tabId="$tabId"),
            call("tab_close", tabId="$tabId"),
            call("click", selector="@e1", tabId="$tabId", fails=True),
            call("window_new", url=PAGE),
            call("history", query="stall"),
            call("bookmarks", action="search", query="stall"),
            call("status"),
            call("ask_user", question="Which size?", choices=["Small", "Large"], timeout=1000),
        ),
    ),
)


def scenes(tools: Iterable[str]) -> tuple[Scene, ...]:
    """All scenes: those written here, and one for the tools that they leave out.

    Args:
        tools: Names of the tools of the agent surface, in the order of the list.
    """
    called = {each.tool for scene in WRITTEN for each in scene.calls}
    others = tuple(call(tool) for tool in tools if tool not in called)
    return (*WRITTEN, Scene("Other tools", others)) if others else WRITTEN
