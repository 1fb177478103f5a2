"""The five surfaces as the fuzz knows them: how each is served, and which values mean something to its tools at a moment."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from e2e.site import Site
from tabwire.server.mcp import FACTS

Ask = Callable[[str, dict[str, Any]], dict[str, Any]]
"""Calls a tool; the result of MCP."""

PAGE = """<h1>Fuzz</h1><a href="#there">Link</a><form action="/post" method=post><label>Name <input id=f name=n></label>
<input type=password id=p><textarea id=t>text</textarea><input type=checkbox id=c><input type=radio name=r id=r><input type=file id=u multiple>
<select id=s><option value=a>A<option value=b>B</select><select multiple id=m><option>1<option>2</select><button type=button id=b>Go</button></form>
<div id=d draggable=true>Drag</div><div id=e contenteditable>edit</div><iframe srcdoc="<button>Inside</button>"></iframe>
<p style="height:3000px">tall</p><script>localStorage.k = 1; document.cookie = 'c=1'; console.log('hello')</script>"""

SELECTORS = [
    "#f",
    "#b",
    "#s",
    "#c",
    "#t",
    "#d",
    "#m",
    "#u",
    "#e",
    "h1",
    'role:button[name="Go"]',
    "text:Go",
    "label:Name",
    "xpath=//button",
]
SCRIPTS = [
    "1 + 1",
    "document.title",
    "({a: [1, {b: null}]})",
    "throw new Error('x')",
    "Promise.resolve(2)",
    "x.y.z",
    "location.href",
    "NaN",
]
TEXTS = ["hello", "", "🙂 é", "a\nb", "x" * 300]
KEYS = ["Enter", "a", "Tab", "Escape", "Control+a", "ArrowDown", "Shift+Tab", "F5x", "Backspace"]
POINTS = [{"x": 10, "y": 10}, {"x": 100.5, "y": 60}, {"x": 0, "y": 0}, {"x": -5, "y": 5}, {"x": 5000, "y": 9}]
REF = re.compile(r"@e\d+")
TAB = re.compile(r'"tabId":\s*(\d+)')

COMMON: dict[str, list[Any]] = {
    "selector": SELECTORS, "text": TEXTS, "value": ["a", "hello", ["1", "2"], "x" * 300], "key": [*KEYS, "k"], "code": SCRIPTS, "script": SCRIPTS,
    "expression": SCRIPTS, "reason": ["a test"], "index": [0, 1, 5], "label": ["A", "B"], "direction": ["up", "down", "left", "right"],
    "wait_until": ["load", "domcontentloaded"], "query": ["fuzz", "h"], "modifiers": [["Shift"], ["Control", "Alt"]], "button": ["left", "right"],
}  # fmt: skip
AGENT: dict[str, list[Any]] = {
    "coordinates": POINTS, "source_coordinates": POINTS, "target_coordinates": POINTS, "position": POINTS, "source": SELECTORS, "target": SELECTORS,
    "save_path": ["fuzz.png", "fuzz.pdf", "fuzz.gif", "fuzz.webp", "fuzz.jpg"], "har_path": ["fuzz.har"],
    "files": [[{"base64": "aGk=", "name": "a.txt"}], [{"base64": "aGk="}, {"base64": "eA==", "name": "b"}], ["missing.txt"]],
    "chain": [[{"method": "role", "value": "button"}, {"method": "first"}], [{"method": "css", "value": "#f"}], [{"method": "text", "value": "Go"}]],
    "fill_value": TEXTS, "amount": [100, -50, 0.5], "for": ["selector", "text", "timeout", "load"], "function": ["true", "document.title", "x.y"],
    "duration": [10, 50], "args": [[1], {}, []], "name": ["fuzz", "c", "iPhone 15"], "domain": ["127.0.0.1"], "path": ["/"], "expires": [4e9],
    "url_pattern": ["**/never", "*/x", "/y/"], "handler": ["abort", "continue", "fulfill"], "by": ["role", "text", "label", "testid"],
    "response": [{"status": 200, "body": "x"}], "width": [800, 375, 1], "height": [600, 667, 1], "latitude": [1.5], "longitude": [-3],
    "permissions": [["geolocation"], {"geolocation": "granted"}], "timezone": ["Europe/Berlin"], "locale": ["de-DE"], "question": ["Well?"],
    "start_time": ["2 hours ago", "yesterday", "2020-01-01"], "title": ["Fuzz"], "folder": ["Fuzz"], "parent_folder": ["Fuzz"], "frameId": [0],
    "fps": [5], "max_frames": [3], "max_duration": [100], "max_chars": [1000, 5000], "depth": [0, 3], "nth": [0, -1, 9], "scale": [1, 0.5],
    "pattern": ["hello", "h.*o"], "origins": [["http://127.0.0.1:1"]], "prompt_text": ["x"], "choices": [["a", "b"]], "max_capture_time": [200],
    "clip": [{"x": 0, "y": 0, "width": 20, "height": 20}], "format": ["png", "A4", "gif", "jpeg"], "quality": [50],
    "fields": [[{"label": "Name", "value": "Ann"}, {"selector": "#c", "value": True}], [{"selector": "#s", "value": "b"}]],
}  # fmt: skip


@dataclass
class Surface:
    """A surface, and how the fuzz makes its tools a page.

    Attributes:
        wait: the longest wait of a call, in the unit of its tools.
        allowance_s: what a call may take beyond the time it was given.
        renew: makes a fresh page and returns the values that are known for it.
    """

    name: str
    renew: Callable[[Ask, Site], dict[str, list[Any]]]
    wait: float = 300
    allowance_s: float = 35
    launches: bool = True
    arguments: tuple[str, ...] = ()
    left_out: frozenset[str] = field(default_factory=frozenset)


def text_of(result: dict[str, Any]) -> str:
    return "\n".join(part.get("text", "") for part in result.get("content", ()))


def _data_of(result: dict[str, Any]) -> Any:
    """What a call that must succeed tells.

    Raises:
        RuntimeError: it failed; says how.
    """
    response = result.get("structuredContent") or result.get("_meta", {}).get(FACTS)
    if result.get("isError") or response is None:
        raise RuntimeError(text_of(result) or f"no result: {result}")
    return response["data"]


def _agent(ask: Ask, site: Site) -> dict[str, list[Any]]:
    url = site.page(PAGE)
    opened = _data_of(ask("tab_new", {"url": url}))["tabId"]
    listed = _data_of(ask("tab_list", {}))
    tabs = [tab["tabId"] for tab in (listed["tabs"] if isinstance(listed, dict) else listed)]
    for tab in tabs:
        if tab != opened:
            ask("tab_close", {"tabId": tab})
    # One to lose: with the last tab the browser would end.
    spare = _data_of(ask("tab_new", {"url": site.url("/blank.html")}))["tabId"]
    ask("tab_switch", {"tabId": opened})
    refs = REF.findall(text_of(ask("snapshot", {})))
    urls = [url, site.url("/blank.html"), site.url("/echo"), site.url("/redirect?to=/blank.html"), site.url("/status/404")]
    known = {**COMMON, **AGENT, "url": urls, "tabId": [opened, opened, opened, spare]}
    return known | {name: [*SELECTORS, *refs] for name in ("selector", "source", "target")}


def _browseagent(ask: Ask, site: Site) -> dict[str, list[Any]]:
    url = site.page(PAGE)
    ask("browser_navigate", {"url": url})
    shown = ask("browser_snapshot", {})
    refs = re.findall(r' ref="([^"]*)"', text_of(shown)) or ["@e1"]
    known = {**COMMON, "url": [url, site.url("/blank.html")], "element": ["Go button"], "time": [0, 0.05], "key": KEYS}
    return (
        known
        | dict.fromkeys(("ref", "sourceRef", "targetRef"), refs)
        | {"sourceElement": ["a"], "targetElement": ["b"], "tabId": []}
    )


def _facade(ask: Ask, site: Site) -> dict[str, list[Any]]:
    listed = ask("browser_session", {"action": "list"})
    if '"instances": []' in text_of(listed) or '"count": 0' in text_of(listed):
        ask("browser_session", {"action": "launch"})
    url = site.page(PAGE)
    ask("browser_navigate", {"action": "goto", "url": url})
    state = ["visible", "hidden", "attached"]
    own = {
        "attribute": ["id", "href"],
        "state": state,
        "filename": ["x.txt"],
        "search_engine_url": [site.url("/echo")],
        "instance_id": [],
    }
    return {**COMMON, **own, "url": [url, site.url("/blank.html")], "offset": [0], "length": [100], "args": [[], [1]]}


def _instrument(ask: Ask, site: Site) -> dict[str, list[Any]]:
    ask("browser_session_destroy", {"name": "fuzz"})
    ask("browser_session_create", {"name": "fuzz"})
    ask("browser_session_escalate", {"name": "fuzz", "reason": "a test"})
    url = site.page(PAGE)
    ask("browser_inspect_navigate", {"session": "fuzz", "url": url})
    own = {"session": ["fuzz"], "name": ["fuzz", "other"], "viewport_width": [800], "viewport_height": [600]}
    return {**COMMON, **own, "url": [url, site.url("/blank.html")], "selector": [*SELECTORS[:6], "#f"]}


def _reader(ask: Ask, site: Site) -> dict[str, list[Any]]:
    opened = text_of(ask("open_url", {"url": site.page(PAGE)}))
    cursors = re.findall(r"cursor[^\w]+([\w-]+)", opened) or ["c1"]
    own = {
        "cursor": [*cursors, "0"],
        "result_id": [0, 1],
        "pattern": ["Go", "F.zz", "("],
        "loc": [0, 1, 50],
        "num_lines": [20, 80],
        "topn": [3],
    }
    return {**COMMON, **own, "delta": [1, -5], "url": [site.page(PAGE), site.url("/blank.html")]}


LAUNCH = ("--launch", "--headless")
SURFACES = (
    Surface("agent", _agent, left_out=frozenset({"ask_user"})),
    Surface("facade", _facade, wait=1, left_out=frozenset({"browser_session", "web_search"}), arguments=("--pool", "0")),
    Surface("browseagent", _browseagent, wait=0.3),
    Surface("instrument", _instrument, arguments=("--pool", "0")),
    Surface("reader", _reader, launches=False, arguments=("--loader", "http"), left_out=frozenset({"search"})),
)
