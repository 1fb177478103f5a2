"""The tools by which each server does the measured work. None stands where a server has no tool for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Step = tuple[str, dict[str, Any]]
Filled = list[tuple[str, str, str]]
"""Fields of a form: (name, target, text)."""
UNCUT = 450_000
"""The number of characters that fit into a reply of Tabwire."""


@dataclass(frozen=True)
class Tools:
    """The calls of one server.

    Attributes:
        target: Pattern of the line of a snapshot that gives the element with {role} and {name}; its first group is the ref.
        prefix: Stands before a ref in the arguments.
        found: Where a server takes no refs: the selector of an element by {name}.
    """

    navigate: Callable[[str], Step]
    snapshot: Step
    click: Callable[[str], Step]
    fill: Callable[[str, str], Step]
    evaluate: Callable[[str], Step]
    screenshot: Step
    target: str = ""
    prefix: str = ""
    found: str = ""
    fill_form: Callable[[Filled], Step] | None = None
    title: Step | None = None
    url: Step | None = None
    diff: Step | None = None
    close: Step | None = None
    """Ends the browser, where it outlives the server."""


TABWIRE = Tools(
    navigate=lambda url: ("navigate", {"url": url}),
    snapshot=("snapshot", {"max_chars": UNCUT}),
    click=lambda target: ("click", {"selector": target}),
    fill=lambda target, text: ("fill", {"selector": target, "value": text}),
    evaluate=lambda expression: ("evaluate", {"expression": expression}),
    screenshot=("screenshot", {}),
    target=r'- {role} "{name}".*\[ref=(@e\d+)\]',
    fill_form=lambda fields: ("fill_form", {"fields": [{"selector": target, "value": text} for _, target, text in fields]}),
    title=("title", {}),
    url=("url", {}),
    diff=("snapshot", {"diff": True, "max_chars": UNCUT}),
)
FLOOR = Tools(
    navigate=lambda url: ("navigate", {"url": url}),
    snapshot=("snapshot", {}),
    click=lambda target: ("click", {"selector": target}),
    fill=lambda target, text: ("fill", {"selector": target, "text": text}),
    evaluate=lambda expression: ("evaluate", {"expression": expression}),
    screenshot=("screenshot", {}),
    found='[aria-label="{name}"]',
    title=("title", {}),
    url=("url", {}),
)
PLAYWRIGHT = Tools(
    navigate=lambda url: ("browser_navigate", {"url": url}),
    snapshot=("browser_snapshot", {}),
    click=lambda target: ("browser_click", {"target": target}),
    fill=lambda target, text: ("browser_type", {"target": target, "text": text}),
    evaluate=lambda expression: ("browser_evaluate", {"function": f"async () => ({expression})"}),
    screenshot=("browser_take_screenshot", {"scale": "css"}),
    target=r'- {role} "{name}".*?\[ref=(\w+)\]',
    fill_form=lambda fields: (
        "browser_fill_form",
        {"fields": [{"name": name, "type": "textbox", "target": target, "value": text} for name, target, text in fields]},
    ),
)
CHROME_DEVTOOLS = Tools(
    navigate=lambda url: ("navigate_page", {"pageId": 1, "type": "url", "url": url}),
    snapshot=("take_snapshot", {"pageId": 1}),
    click=lambda target: ("click", {"pageId": 1, "uid": target}),
    fill=lambda target, text: ("fill", {"pageId": 1, "uid": target, "value": text}),
    evaluate=lambda expression: ("evaluate_script", {"pageId": 1, "function": f"async () => ({expression})"}),
    screenshot=("take_screenshot", {"pageId": 1}),
    target=r'uid=(\S+) {role} "{name}"',
    fill_form=lambda fields: (
        "fill_form",
        {"pageId": 1, "elements": [{"uid": target, "value": text} for _, target, text in fields]},
    ),
)
AGENT_BROWSER = Tools(
    navigate=lambda url: ("agent_browser_open", {"url": url}),
    snapshot=("agent_browser_snapshot", {"interactive": False}),
    diff=("agent_browser_snapshot", {"interactive": False, "delta": True}),
    click=lambda target: ("agent_browser_click", {"selector": target}),
    fill=lambda target, text: ("agent_browser_fill", {"selector": target, "text": text}),
    evaluate=lambda expression: ("agent_browser_eval", {"script": expression}),
    screenshot=("agent_browser_screenshot", {}),
    target=r'- {role} \\?"{name}\\?".*?\[.*?ref=(e\d+)',
    prefix="@",
    title=("agent_browser_get_title", {}),
    url=("agent_browser_get_url", {}),
    close=("agent_browser_close", {}),
)
